"""Relative recall: the retained works that the words of the saved searches match.

Relative recall is the share of the known relevant works that a search finds (Sampson et al. 2006,
doi:10.1186/1471-2288-6-33). Nothing is requested: the words are compared with titles and abstracts, as sources compare
them. Dates are ignored.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from awesome_cli.errors import UsageError
from awesome_cli.model.records import AnyWork, Candidate
from awesome_cli.model.searches import TITLES_ONLY, SavedSearch
from awesome_cli.query.searching import Search, Tree, conjuncts, parse
from awesome_cli.reports.report import Block, Cell, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import without_middle
from awesome_cli.text.numbers import counted, percentage, precise

FETCH = "awesome refresh --abstracts"
WORKS = ("key", "title", "compared", "state", "found by", "nearest", "missing")
SEARCHES = ("search", "family", "found", "found by it alone", "recall")
SHOWN = ("key", "title", "compared", "nearest", "missing")
NOT_REQUESTED = "A citation search counts only works that it returned in a run."


@dataclass(frozen=True, slots=True)
class Retrieval:
    """A retained work, and the ids of the saved searches that find it.

    If there are none, `nearest` is the search with the fewest `unmet` conditions. Without an abstract, a work that no
    search finds is not `missed`, since most sources compare abstracts too.
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
        missing = tuple(map(str, self.unmet))
        return self.work.key, self.work.title, compared, self.state, self.searches, self.nearest, missing


def retrievals(corpus: Corpus, saved: Sequence[SavedSearch]) -> tuple[Retrieval, ...]:
    """Compare papers, and candidates proposed for retention, with saved searches; invalid searches are left out.

    A search also finds the works that it returned in a run.
    """
    searches, ids = dict(_parsed(saved)), {search.id for search in saved}
    works = (work for work in corpus.works if not isinstance(work, Candidate) or work.proposal == "retain")
    return tuple(_retrieval(work, corpus.abstract(work) or "", searches, ids) for work in works)


def _parsed(saved: Sequence[SavedSearch]) -> Iterator[tuple[str, tuple[Search, bool]]]:
    """Yield id, parsed words, and True if a source of the search compares abstracts."""
    for search in saved:
        with suppress(UsageError):  # reported by 'awesome validate'
            if search.query is not None:
                yield search.id, (parse(search.query), not search.sources or bool({*search.sources} - TITLES_ONLY))


def _retrieval(work: AnyWork, abstract: str, searches: Mapping[str, tuple[Search, bool]], ids: set[str]) -> Retrieval:
    unmet = {
        name: search.unmet(work.title, abstract if compares_abstracts else "", work.authors)
        for name, (search, compares_abstracts) in searches.items()
    }
    returned = {work.found.search} if isinstance(work, Candidate) and work.found else set[str | None]()
    by = tuple(name for name in ids if name in returned or unmet.get(name) == ())
    if by or not unmet:
        return Retrieval(work, bool(abstract), tuple(sorted(by)))
    # Of searches with equally many unmet conditions, the one with most met conditions is nearest.
    nearest = min(unmet, key=lambda name: (len(unmet[name]), -len(conjuncts(searches[name][0].tree))))
    return Retrieval(work, bool(abstract), (), nearest, unmet[nearest])


def too_narrow(corpus: Corpus) -> tuple[str, ...]:
    """Return the ids of the searches that are nearest to works that no search finds by title and abstract."""
    missed = (work.nearest for work in retrievals(corpus, corpus.searches) if work.state == "missed")
    return tuple(dict.fromkeys(filter(None, missed)))


def to_report(works: Sequence[Retrieval], saved: Sequence[SavedSearch]) -> Report:
    """Report the works that each search finds, and the works that none finds, with the words that they lack."""
    lost = sorted((work for work in works if not work.searches), key=lambda work: work.state)
    searches, known = _per_search(works, saved), [work for work in works if work.has_abstract]
    blocks: list[Block] = [Text(f"The saved searches find {_recall(works)}.", "strong")]
    blocks += [Text(f"They find {_recall(known)} with a known abstract.")] if known else []
    if len(known) < len(works):
        n = counted(len(works) - len(known), "work")
        blocks.append(Text(f"{n} compared by title alone, for lack of an abstract: {FETCH}", "warn"))
    blocks.append(searches)
    rows = [dict(zip(WORKS, work.row, strict=True)) for work in lost]
    shown = [tuple(without_middle(c) if isinstance(c := row[name], str) else c for name in SHOWN) for row in rows]
    blocks += [Text("Found by no search:"), Table.of(SHOWN, shown, minor=("compared",))] if lost else []
    table = Table.of(WORKS, [work.row for work in works], title="works")
    tables = (replace(searches, title="searches"), table)
    states = [work.state for work in works]
    data = {
        "counts": {state: states.count(state) for state in ("found", "missed", "unknown")},
        "searches": searches.records(),
        "works": table.records(),
    }
    return Report("awesome/search-check/1", data, (Section(None, tuple(blocks)),), "Relative recall", tables)


def _recall(works: Sequence[Retrieval]) -> str:
    n = sum(bool(work.searches) for work in works)
    share = f": a relative recall of {percentage(n / len(works))}" if works else ""
    return f"{n:,} of {counted(len(works), 'retained work')}{share}"


def _per_search(works: Sequence[Retrieval], saved: Sequence[SavedSearch]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for search in saved:
        hits = [work for work in works if search.id in work.searches]
        alone = sum(work.searches == (search.id,) for work in hits)
        recall = precise(len(hits) / len(works)) if works else None
        rows.append((search.id, search.family, len(hits), alone, recall))
    note = NOT_REQUESTED if any(search.query is None for search in saved) else None
    return Table.of(SEARCHES, rows, note=note, minor=("family", "recall"))
