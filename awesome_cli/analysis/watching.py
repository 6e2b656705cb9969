"""What the log of searches and the decisions of screening leave to do."""

from collections.abc import Mapping
from datetime import date, timedelta

from awesome_cli.analysis.audit.screening import blind_ones
from awesome_cli.model.records import Candidate
from awesome_cli.model.searches import Asked, SavedSearch
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.searched import entries

WEEK = timedelta(days=7)


def last_asked(corpus: Corpus, day: date) -> Mapping[tuple[str, str], Asked]:
    """Return the last query until a day to each source, by `(search, source)`."""
    saved = {search.id for search in corpus.searches}
    return {(one.search, one.source): one for _, one in entries(corpus.runs, day) if one.search in saved}


def unanswered(corpus: Corpus, day: date) -> tuple[Asked, ...]:
    """Return the last queries until a day that a source did not answer to the end."""
    return tuple(one for _, one in sorted(last_asked(corpus, day).items()) if one.state != "done")


def due(corpus: Corpus, day: date) -> tuple[SavedSearch, ...]:
    """The saved searches of which a source was never asked, or not within a week before a day."""
    asked = last_asked(corpus, day)

    def is_due(search: SavedSearch) -> bool:
        sources = {*search.sources, *(source for name, source in asked if name == search.id)}
        days = [one.at.date() if (one := asked.get((search.id, source))) else date.min for source in sources]
        return min(days, default=date.min) <= day - WEEK

    return tuple(search for search in corpus.searches if is_due(search))


def included(corpus: Corpus) -> tuple[Candidate, ...]:
    """The candidates that screening included, and that wait to be coded and admitted."""
    return tuple(candidate for candidate in corpus.candidates if candidate.is_included)


def conflicts(corpus: Corpus) -> tuple[str, ...]:
    """The keys of candidates on which people who screened blind decided differently, and that nobody settled."""
    return tuple(one.key for one in blind_ones(corpus).open)


def to_screen(corpus: Corpus) -> tuple[Candidate, ...]:
    """The candidates that wait to be screened: neither included yet nor in conflict."""
    settled = {*conflicts(corpus), *(candidate.key for candidate in included(corpus))}
    return tuple(candidate for candidate in corpus.candidates if candidate.key not in settled)


def found_since(corpus: Corpus, day: date) -> tuple[Candidate, ...]:
    """The candidates found on a day or later, the latest first."""
    found = [(c.found.on, c) for c in corpus.candidates if c.found and c.found.on and c.found.on >= day]
    return tuple(candidate for _, candidate in sorted(found, key=lambda one: (-one[0].toordinal(), one[1].key)))
