"""How many codings have evidence beside them, by axis, and which have none."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from awesome_cli.model.codings import MAIN, PART, Tag, on_axis
from awesome_cli.model.records import AnyWork, Paper
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.reports.report import Block, Cell, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known
from awesome_cli.text.numbers import counted
from awesome_cli.text.passages import has_locator

KINDS: Mapping[str, Callable[[Tag], bool]] = {
    "evidence": lambda tag: bool(tag.evidence),
    "source": lambda tag: bool(tag.source),
    "locator": lambda tag: has_locator(tag.source),
    "quote": lambda tag: bool(tag.quote),
}
"""What a coding should have beside it, and whether it has."""
COUNTED = {**KINDS, "contested": lambda tag: tag.contested is not None}


@dataclass(frozen=True, slots=True)
class PlacedTag:
    """A tag of a work on an axis."""

    work: AnyWork
    axis: str
    tag: Tag

    @property
    def row(self) -> tuple[str, str, str]:
        """Key, axis, and the tag's short form."""
        return self.work.key, self.axis, str(self.tag)

    @property
    def place(self) -> str:
        """The work and the term: `KEY axis=term`."""
        return f"{self.work.key} {on_axis(self.axis, self.tag.term)}"


def codings(works: Iterable[AnyWork], taxonomy: Taxonomy, axes: Sequence[str] = ()) -> tuple[PlacedTag, ...]:
    """Every coding of some works, or those on some axes; raises `UsageError` for an unknown axis."""
    asked = [taxonomy.axis(name) for name in axes] or taxonomy.axes
    return tuple(PlacedTag(work, one.id, tag) for one in asked for work in works for tag in work.tags.get(one.id, ()))


def population(corpus: Corpus, found: Sequence[PlacedTag], works: Sequence[AnyWork], axes: str = "") -> str:
    """Which codings are counted: `738 codings of 84 papers of the pool`, or of some records of it."""
    day = f" as of {corpus.day}" if corpus.day else ""
    among = "papers of the pool" if all(isinstance(work, Paper) for work in works) else "papers and candidates"
    chosen = f"{len(works)} {among.replace('papers', 'paper', 1) if len(works) == 1 else among}{day}"
    if len(works) < len(corpus.papers):
        chosen = f"{len(works)} of the {len(corpus.papers)} {among}{day}"
    return f"{counted(len(found), 'coding')}{f' on {axes}' if axes else ''} of {chosen}"


def report(corpus: Corpus, *, where: str | None = None, axes: Sequence[str] = (), missing: str | None = None) -> Report:
    """By axis, main codings and parts apart: how many have evidence, source, locator, quote; how many are contested.

    `where` is a query that chooses papers, `axes` are those whose codings count, by default all. With `missing`, one
    of `KINDS`, the codings without it are listed instead.
    """
    papers = corpus.select(where)
    found = codings(papers, corpus.taxonomy, axes)
    among = population(corpus, found, papers, " and ".join(axes))
    made = _without(found, among, missing) if missing else _counts(found, among)
    title = f"{made.title or 'Codings'}, where {where}" if where else made.title
    return replace(made, title=title, data={**made.data, "where": where})


def _counts(found: tuple[PlacedTag, ...], among: str) -> Report:
    groups = [*_groups(found), ("all axes", "", [coding.tag for coding in found])]
    counts = [
        (axis, role, tags, {name: sum(map(has, tags)) for name, has in COUNTED.items()}) for axis, role, tags in groups
    ]
    shown: list[tuple[Cell, ...]] = [
        (axis, role, len(tags), *(_share(n, len(tags)) for n in have.values())) for axis, role, tags, have in counts
    ]
    blocks: tuple[Block, ...] = (Text(f"Of {among}."), Table.of(("axis", "role", "codings", *COUNTED), shown))
    data = {
        "population": among,
        "axes": [{"axis": axis, "role": role, "codings": len(tags), **have} for axis, role, tags, have in counts[:-1]],
        "all": {"codings": len(found), **counts[-1][3]},
    }
    rows: list[tuple[Cell, ...]] = [
        (axis, role or None, len(tags), *have.values()) for axis, role, tags, have in counts
    ]
    table = Table.of(("axis", "role", "codings", *COUNTED), rows)
    return Report("awesome/evidence/1", data, (Section(None, blocks),), "Evidence beside the codings", rows=table)


def _groups(found: tuple[PlacedTag, ...]) -> Iterator[tuple[str, str, list[Tag]]]:
    for axis in dict.fromkeys(coding.axis for coding in found):
        for role in (MAIN, PART):
            tags = [c.tag for c in found if c.axis == axis and c.tag.part is (role == PART)]
            if tags:
                yield axis, role, tags


def _share(n: int, of: int) -> str:
    return f"{n} ({100 * n / of:.0f} %)" if of else "0"


def _without(found: tuple[PlacedTag, ...], among: str, missing: str) -> Report:
    has = KINDS[require_known(missing, KINDS, "kind of evidence")]
    lacking = [coding for coding in found if not has(coding.tag)]
    line = Text(f"{len(lacking)} of {among} have no {missing}.")
    rows: list[tuple[Cell, ...]] = [(*coding.row, coding.tag.source) for coding in lacking]
    table = Table.of(("key", "axis", "tag", "source"), rows)
    data = {
        "population": among,
        "missing": missing,
        "codings": [{"key": c.work.key, "axis": c.axis, "tag": str(c.tag), "source": c.tag.source} for c in lacking],
    }
    return Report("awesome/evidence/1", data, (Section(None, (table, line) if rows else (line,)),), rows=table)
