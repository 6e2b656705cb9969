"""Relative recall: the retained works that the words of the saved searches match.

Relative recall is the share of the known relevant works that a search finds (Sampson et al. 2006,
doi:10.1186/1471-2288-6-33). Titles and abstracts are compared as sources compare them; nothing is requested.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from awesome_cli.errors import UsageError
from awesome_cli.model.records import AnyWork, Candidate
from awesome_cli.model.searches import TITLES_ONLY, SavedSearch
from awesome_cli.query.searching import AnyOf, Search, Tree, conjuncts, parse
from awesome_cli.reports.report import Block, Cell, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted, percentage

SHOWN = 20
"""Maximum number of missed works in the table for people."""
WHOLE = "title and abstract"
WORKS = ("key", "title", "compared", "state", "found by", "nearest", "missing")
FETCH = "fetch abstracts with 'awesome refresh --abstracts'"
ALL = "awesome search --check -f csv"
LACKS = ("key", "title", "nearest", "missing")
NOT_REQUESTED = "A citation search counts only works that it returned in a run."


@dataclass(frozen=True, slots=True)
class Retrieval:
    """A retained work, and the ids of the saved searches that find it.

    If there are none, `nearest` is the search with the smallest share of `unmet` conditions. A work is `missed` only if
    title and abstract were `compared`, since most sources compare abstracts too.
    """

    work: AnyWork
    compared: str | None
    searches: tuple[str, ...]
    nearest: str | None = None
    unmet: tuple[Tree, ...] = ()

    @property
    def state(self) -> str:
        return "found" if self.searches else "missed" if self.compared == WHOLE else "unknown"

    @property
    def row(self) -> tuple[Cell, ...]:
        """The work as a table row with `WORKS`."""
        lists = self.searches, self.nearest, tuple(map(str, self.unmet))
        return self.work.key, self.work.title, self.compared, self.state, *lists


def retrievals(corpus: Corpus, saved: Sequence[SavedSearch]) -> tuple[Retrieval, ...]:
    """Compare papers, and candidates proposed for retention, with saved searches; invalid searches are left out.

    A search also finds the works that it returned in a run.
    """
    works = (work for work in corpus.works if not isinstance(work, Candidate) or work.proposal == "retain")
    searches = dict(parsed(saved))
    return tuple(_retrieval(work, corpus.abstract(work) or "", searches) for work in works)


def parsed(saved: Sequence[SavedSearch]) -> Iterator[tuple[SavedSearch, Search | None]]:
    """Yield the valid searches with their parsed queries."""
    for search in saved:
        with suppress(UsageError):  # reported by 'awesome validate'
            yield search, None if search.query is None else parse(search.query)


def _retrieval(work: AnyWork, abstract: str, searches: Mapping[SavedSearch, Search | None]) -> Retrieval:
    returned = work.found.search if isinstance(work, Candidate) and work.found else None
    unmet, parts = dict[str, tuple[Tree, ...]](), dict[str, int]()
    for search, words in searches.items():
        if words:
            text = abstract if not search.sources or {*search.sources} - TITLES_ONLY else ""
            unmet[search.id], parts[search.id] = words.unmet(work.title, text, work.authors), len(conjuncts(words.tree))
    by = tuple(search.id for search in searches if search.id == returned or unmet.get(search.id) == ())
    nearest = None if by else min(unmet, key=lambda name: len(unmet[name]) / parts[name], default=None)
    compared = (WHOLE if abstract else "title") if unmet else None
    return Retrieval(work, compared, by, nearest, unmet[nearest] if nearest else ())


def too_narrow(corpus: Corpus) -> tuple[str, ...]:
    """Return the ids of the searches that are nearest to works that no search finds by title and abstract."""
    missed = (work.nearest for work in retrievals(corpus, corpus.searches) if work.state == "missed")
    return tuple(dict.fromkeys(filter(None, missed)))


def to_report(works: Sequence[Retrieval], saved: Sequence[SavedSearch]) -> Report:
    """Report the works that each search finds, and the missed works with the words that they lack."""
    counts = dict.fromkeys(("found", "missed", "unknown"), 0) | Counter(work.state for work in works)
    found, alone = Counter(id_ for w in works for id_ in w.searches), Counter(work.searches for work in works)
    rows = [(search.id, search.family, found[search.id], alone[(search.id,)]) for search in saved]
    searches = Table.of(("search", "family", "found", "found alone"), rows, title="searches")
    table = Table.of(WORKS, [work.row for work in works], title="works")
    states = ", ".join(f"{n:,} {state}" for state, n in counts.items())
    blocks: list[Block] = [Text(f"{counted(len(works), 'retained work')}: {states}.", "strong"), *_recall(works)]
    if invalid := {search.id for search in saved} - {search.id for search, _ in parsed(saved)}:
        names = ", ".join(sorted(invalid))
        blocks.append(Text(f"Not compared, because the query is not valid: {names}; see 'awesome validate'", "warn"))
    note = NOT_REQUESTED if any(search.query is None for search in saved) else None
    blocks.append(replace(searches, title=None, note=note, minor=("family",)))
    missed = [work for work in works if work.state == "missed"]
    lacks = [(m.work.key, m.work.title, m.nearest, ", ".join(map(_beginning, m.unmet))) for m in missed[:SHOWN]]
    note = f"{len(missed) - SHOWN:,} more: {ALL}" if len(missed) > SHOWN else None
    blocks += [Table.of(LACKS, lacks, title="Missed by every search", note=note)] if lacks else []
    data = {"counts": counts, "searches": searches.records(), "works": table.records()}
    return Report("awesome/search-check/1", data, (Section(None, tuple(blocks)),), "Relative recall", (searches, table))


def _recall(works: Sequence[Retrieval]) -> Iterator[Text]:
    """Yield the relative recall on works with a known abstract, and the reason why works are unknown."""
    whole = [bool(work.searches) for work in works if work.compared == WHOLE]
    if whole:
        share = f"{sum(whole):,} of {len(whole):,} ({percentage(sum(whole) / len(whole))})"
        yield Text(f"Relative recall, on works with a known abstract: {share}.")
    if n := sum(work.compared == "title" and not work.searches for work in works):
        yield Text(f"{counted(n, 'work')} compared by title alone: {FETCH}. To list them: {ALL}", "warn")


def _beginning(condition: Tree) -> str:
    """Return the first alternative of a condition, with `…` for the rest."""
    return f"{condition.parts[0]} …" if isinstance(condition, AnyOf) else str(condition)
