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
from awesome_cli.query.searching import Search, Tree, conjuncts, parse
from awesome_cli.reports.report import Block, Cell, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted, percentage

WORKS = ("key", "title", "compared", "state", "found by", "nearest", "missing")
NOT_REQUESTED = "A citation search counts only works that it returned in a run."


@dataclass(frozen=True, slots=True)
class Retrieval:
    """A retained work, and the ids of the saved searches that find it.

    If there are none, `nearest` is the search with the smallest share of `unmet` conditions. A work without an abstract
    is not `missed`, since most sources compare abstracts too.
    """

    work: AnyWork
    has_abstract: bool
    searches: tuple[str, ...]
    nearest: str | None = None
    unmet: tuple[Tree, ...] = ()

    @property
    def state(self) -> str:
        return "found" if self.searches else "missed" if self.has_abstract else "unknown"

    @property
    def row(self) -> tuple[Cell, ...]:
        """The work as a table row with `WORKS`."""
        compared = "title and abstract" if self.has_abstract else "title"
        lists = self.searches, self.nearest, tuple(map(str, self.unmet))
        return self.work.key, self.work.title, compared, self.state, *lists


def retrievals(corpus: Corpus, saved: Sequence[SavedSearch]) -> tuple[Retrieval, ...]:
    """Compare papers, and candidates proposed for retention, with saved searches; invalid searches are left out.

    A search also finds the works that it returned in a run.
    """
    works = (work for work in corpus.works if not isinstance(work, Candidate) or work.proposal == "retain")
    searches = dict(_parsed(saved))
    return tuple(_retrieval(work, corpus.abstract(work) or "", searches) for work in works)


def _parsed(saved: Sequence[SavedSearch]) -> Iterator[tuple[SavedSearch, Search | None]]:
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
    return Retrieval(work, bool(abstract), by, nearest, unmet[nearest] if nearest else ())


def too_narrow(corpus: Corpus) -> tuple[str, ...]:
    """Return the ids of the searches that are nearest to works that no search finds by title and abstract."""
    missed = (work.nearest for work in retrievals(corpus, corpus.searches) if work.state == "missed")
    return tuple(dict.fromkeys(filter(None, missed)))


def to_report(works: Sequence[Retrieval], saved: Sequence[SavedSearch]) -> Report:
    """Report the works that each search finds, and the works that none finds, with the words that they lack."""
    known, groups = [work for work in works if work.has_abstract], Counter(work.searches for work in works)
    found = {search.id: sum(n for ids, n in groups.items() if search.id in ids) for search in saved}
    rows = [(search.id, search.family, found[search.id], groups[(search.id,)]) for search in saved]
    searches = Table.of(("search", "family", "found", "found alone"), rows, title="searches")
    table = Table.of(WORKS, [work.row for work in works], title="works")
    blocks: list[Block] = [Text(f"The saved searches find {_recall(works)}.", "strong")]
    blocks += [Text(f"They find {_recall(known)} with a known abstract.")] if known else []
    if n := len(works) - len(known):
        fetch = "fetch abstracts with 'awesome refresh --abstracts'"
        blocks.append(Text(f"{counted(n, 'work')} compared by title alone: {fetch}", "warn"))
    note = NOT_REQUESTED if any(search.query is None for search in saved) else None
    blocks.append(replace(searches, title=None, note=note, minor=("family",)))
    lost = [work.row for work in sorted(works, key=lambda work: work.state) if not work.searches]
    missing = Table.of(WORKS, lost, title="Found by no search", minor=("compared", "state")).without_empty()
    blocks += [missing] if lost else []
    counts = dict.fromkeys(("found", "missed", "unknown"), 0) | Counter(work.state for work in works)
    data = {"counts": counts, "searches": searches.records(), "works": table.records()}
    return Report("awesome/search-check/1", data, (Section(None, tuple(blocks)),), "Relative recall", (searches, table))


def _recall(works: Sequence[Retrieval]) -> str:
    n = sum(bool(work.searches) for work in works)
    share = f": a relative recall of {percentage(n / len(works))}" if works else ""
    return f"{n:,} of {counted(len(works), 'retained work')}{share}"
