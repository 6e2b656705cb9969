"""Compare a measure, such as cases per study, between groups of papers, with values counted and left out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace

from awesome_cli.analysis.gaps.report import pool_json, pool_words
from awesome_cli.model.codings import Measured
from awesome_cli.model.records import AnyWork
from awesome_cli.model.taxonomy import Measure
from awesome_cli.reports.report import Cell, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known


@dataclass(frozen=True, slots=True)
class GroupValues:
    """Values of a group's papers as `(value, key)`, largest first."""

    label: str
    values: tuple[tuple[float, str], ...]

    @property
    def maximum(self) -> float | None:
        return self.values[0][0] if self.values else None

    @property
    def median(self) -> float | None:
        import statistics

        return statistics.median(value for value, _ in self.values) if self.values else None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A value left out of the comparison, with the reason and the ratio if it were counted."""

    key: str
    group: str | None
    value: float | None
    why: str
    ratio_with: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A measure by group; `ratio` is the maximum of the first group over that of the second."""

    corpus: Corpus
    measure: Measure
    groups: Mapping[str, GroupValues]
    left_out: tuple[LeftOut, ...]
    ratio: float | None

    def placed(self, works: Iterable[AnyWork | None]) -> Iterator[tuple[str, str, float]]:
        """Yield `(key, group, value)` of the works that would be counted."""
        for work, fact, group, why in _sorted(self.corpus, self.measure, works):
            if why is None and group is not None and fact.value is not None:
                yield work.key, group, fact.value

    def to_report(self) -> Report:
        """Report the counted values by group, and the values left out with their effect on the ratio."""
        measure = self.measure
        counted: list[tuple[Cell, ...]] = []
        for group in self.groups.values():
            largest = ", ".join(f"{key} {number(value)}" for value, key in group.values[:3])
            counted.append((group.label, len(group.values), group.median, group.maximum, largest))
        blocks: list[Text | Table] = [Text(measure.question or measure.label)]
        sizes = ("group", "papers", f"median {measure.unit}", f"largest {measure.unit}")
        blocks.append(Table.of((*sizes, "the largest"), counted))
        if self.ratio is not None:
            names = list(self.groups)
            blocks.append(Text(f"Ratio of the largest, {names[0]} to {names[1]}: {number(self.ratio)}", "strong"))
        if measure.note:
            blocks.append(Text(" ".join(measure.note.split())))
        rows: list[tuple[Cell, ...]] = [(x.key, x.group, x.value, x.why, x.ratio_with) for x in self.left_out]
        left = Table.of(("left out", "group", measure.unit, "why", "ratio with it"), rows)
        sections = [Section(measure.label + pool_words(self.corpus), tuple(blocks))]
        if rows:
            sections.append(Section(f"Left out ({len(rows)})", (left,)))
        entries = [(name, key, value) for name, group in self.groups.items() for value, key in group.values]
        tables = (
            Table.of(("question", "note"), [(measure.question, measure.note)], title="measure"),
            Table.of(sizes, [row[:-1] for row in counted], title="groups"),
            Table.of(("ratio",), [(self.ratio,)] if self.ratio is not None else [], title="ratio"),
            Table.of(("group", "key", measure.unit), entries, title="values"),
            replace(left, columns=("key", *left.columns[1:]), title="left_out"),
        )
        data = {**pool_json(self.corpus), "axes": {}, "pairs": {}, "measures": {measure.id: self.to_json()}}
        return Report("awesome/gaps/3", data, tuple(sections), rows=tables)

    def to_json(self) -> dict[str, object]:
        return {
            "question": self.measure.question,
            "unit": self.measure.unit,
            "note": self.measure.note,
            "groups": {
                name: {
                    "label": group.label,
                    "n": len(group.values),
                    "median": group.median,
                    "max": group.maximum,
                    "keys": [key for _, key in group.values],
                }
                for name, group in self.groups.items()
            },
            "left_out": [asdict(entry) for entry in self.left_out],
            "ratio": self.ratio,
        }


def number(value: float) -> str:
    """Format a number with four significant digits, whole numbers without a decimal point."""
    return f"{value:.4g}"


def find(corpus: Corpus, name: str) -> Measure:
    """Return a measure by id; raises `UsageError` that suggests the nearest id."""
    known = {measure.id: measure for measure in corpus.taxonomy.measures}
    return known[require_known(name, known, "measure")]


def compare(corpus: Corpus, measure: Measure) -> Comparison:
    """Compare a measure between its groups; papers with a value are counted, or left out with a reason."""
    values: dict[str, list[tuple[float, str]]] = {group.id: [] for group in measure.groups}
    left: list[tuple[str, str | None, float | None, str]] = []
    for paper, fact, group, why in _sorted(corpus, measure, corpus.papers):
        if why is not None or fact.value is None or group is None:
            left.append((paper.key, group, fact.value, why or "no figure found"))
        else:
            values[group].append((fact.value, paper.key))
    sizes = {
        g.id: GroupValues(g.label, tuple(sorted(values[g.id], key=lambda v: (-v[0], v[1])))) for g in measure.groups
    }
    ratio = _ratio(measure, {name: group.maximum for name, group in sizes.items()})
    left.sort(key=lambda entry: (-(entry[2] or 0), entry[0]))
    left_out = tuple(LeftOut(*entry, ratio_with=_ratio_with(measure, sizes, entry[1], entry[2])) for entry in left)
    return Comparison(corpus, measure, sizes, left_out, ratio)


def _sorted(
    corpus: Corpus, measure: Measure, works: Iterable[AnyWork | None]
) -> Iterator[tuple[AnyWork, Measured, str | None, str | None]]:
    """Yield `(work, value, group, reason)`; the reason is None for a work that is counted."""
    least, rank = measure.confidence_at_least, corpus.taxonomy.confidence_rank
    counted = corpus.query(measure.counted)
    groups = {group.id: corpus.query(group.where) for group in measure.groups}
    for work in works:
        fact = work.measures.get(measure.id) if work is not None else None
        if work is None or fact is None:
            continue
        group = next((name for name, query in groups.items() if query.matches(work)), None)
        why = (
            "no figure found"
            if fact.value is None
            else "in no group"
            if group is None
            else f"not among {measure.counted}"
            if not counted.matches(work)
            else f"confidence {fact.confidence or 'unknown'}"
            if least is not None and rank.get(fact.confidence or "", -1) < rank[least]
            else None
        )
        yield work, fact, group, why


def _ratio(measure: Measure, maxima: Mapping[str, float | None]) -> float | None:
    """Return the first group's maximum over the second's; None without values, or if the measure has no ratio."""
    if not measure.ratio or len(maxima) < 2:
        return None
    above, below = list(maxima.values())[:2]
    return above / below if above is not None and below else None


def _ratio_with(
    measure: Measure, sizes: Mapping[str, GroupValues], group: str | None, value: float | None
) -> float | None:
    """Return the ratio if one more value were counted, None if that does not change it."""
    if group is None or value is None or value <= (sizes[group].maximum or 0):
        return None
    return _ratio(measure, {name: value if name == group else existing.maximum for name, existing in sizes.items()})
