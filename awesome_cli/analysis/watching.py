"""Open tasks of a living survey: searches to run, candidates to screen, conflicts to settle."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from awesome_cli.analysis.audit.screening import blind_ones
from awesome_cli.analysis.likeness import Likeness, text_of
from awesome_cli.model.records import Candidate
from awesome_cli.model.searches import Asked, SavedSearch
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.searched import entries

WEEK = timedelta(days=7)


def last_asked(corpus: Corpus, day: date) -> Mapping[tuple[str, str], Asked]:
    """Return the last query to each source up to a day, by `(search, source)`."""
    saved = {search.id for search in corpus.searches}
    return {(query.search, query.source): query for _, query in entries(corpus.runs, day) if query.search in saved}


def unanswered(corpus: Corpus, day: date) -> tuple[Asked, ...]:
    """Return the last queries up to a day that a source did not answer completely."""
    return tuple(query for _, query in sorted(last_asked(corpus, day).items()) if query.state != "done")


def due(corpus: Corpus, day: date) -> tuple[SavedSearch, ...]:
    """Return the saved searches with a source that was not queried in the week before a day."""
    queries = last_asked(corpus, day)

    def is_due(search: SavedSearch) -> bool:
        sources = {*search.sources, *(source for name, source in queries if name == search.id)}
        days = [last.at.date() if (last := queries.get((search.id, source))) else date.min for source in sources]
        return min(days, default=date.min) <= day - WEEK

    return tuple(search for search in corpus.searches if is_due(search))


def included(corpus: Corpus) -> tuple[Candidate, ...]:
    """Return the candidates that were included and await coding and admission."""
    return tuple(candidate for candidate in corpus.candidates if candidate.is_included)


def conflicts(corpus: Corpus) -> tuple[str, ...]:
    """Return the keys of candidates with unsettled conflicts between blind screeners."""
    return tuple(conflict.key for conflict in blind_ones(corpus).open)


def to_screen(corpus: Corpus) -> tuple[Candidate, ...]:
    """Return the candidates to screen: neither included nor in conflict."""
    settled = {*conflicts(corpus), *(candidate.key for candidate in included(corpus))}
    return tuple(candidate for candidate in corpus.candidates if candidate.key not in settled)


def by_relevance(corpus: Corpus, candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return candidates in order of the similarity of their words to the most similar papers."""
    index = Likeness.of(corpus.papers)
    scored = [(-sum(near.score for near in index.nearest(c.title, text_of(c))), c.key, c) for c in candidates]
    return tuple(candidate for *_, candidate in sorted(scored, key=lambda entry: entry[:2]))


def found_since(corpus: Corpus, day: date) -> tuple[Candidate, ...]:
    """Return the candidates found on or after a day, latest first."""
    recent = [(c.found.on, c) for c in corpus.candidates if c.found and c.found.on and c.found.on >= day]
    return tuple(candidate for _, candidate in sorted(recent, key=lambda entry: (-entry[0].toordinal(), entry[1].key)))
