"""The agreement on some cells of an audit: all of them, or those of a group."""

from collections.abc import Mapping
from dataclasses import dataclass

from awesome_cli.analysis.audit.agreement import CodedColumn, columns
from awesome_cli.analysis.audit.coefficients import COEFFICIENTS, Interval, exact, intervals, percent
from awesome_cli.model.audits import Audit
from awesome_cli.survey.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Agreement:
    """The statistics of a column by name, each with its interval; None if all values are equal."""

    column: CodedColumn
    values: Mapping[str, float | None]
    intervals: Mapping[str, Interval]

    @classmethod
    def of(cls, column: CodedColumn, seed: int, *, coefficients: bool) -> "Agreement":
        """The agreement on a column; without `coefficients` only in percent."""
        values, between = {"percent": percent(column.values)}, {"percent": exact(column.agree, column.n)}
        if coefficients:
            values |= {name: coefficient(column.values) for name, coefficient in COEFFICIENTS.items()}
            between |= intervals(column.values, seed)
        return cls(column, values, between)


@dataclass(frozen=True, slots=True)
class Subset:
    """The agreement on some cells of an audit: all of them, or a group's. `seen` are papers not coded blind."""

    label: str
    papers: int
    seen: tuple[str, ...]
    coefficients: bool
    found: tuple[Agreement, ...]

    @classmethod
    def of(cls, corpus: Corpus, audit: Audit, group: str | None, seed: int, *, asked: bool) -> "Subset":
        """A group's cells, by default all; coefficients of cells that were not coded blind must be asked for."""
        cells = audit.subsets[group].cells if group else {coding.key: () for coding in audit.codings}
        seen = tuple(key for key in audit.seen if key in cells)
        shown = asked or not seen
        coded = columns(audit, corpus.taxonomy, group).values()
        found = tuple(Agreement.of(column, seed, coefficients=shown) for column in coded if column.n or not group)
        return cls(audit.subsets[group].label if group else "all papers", len(cells), seen, shown, found)

    def to_json(self) -> dict[str, object]:
        return {
            "label": self.label,
            "papers": self.papers,
            "not_blind": list(self.seen),
            "coefficients": self.coefficients,
            "axes": {one.column.name: _to_json(one) for one in self.found},
        }


def _to_json(found: Agreement) -> dict[str, object]:
    column = found.column
    first, second = column.one_sided
    return {
        "n": column.n,
        "agree": column.agree,
        **dict.fromkeys(COEFFICIENTS),
        **found.values,
        "intervals": {name: list(value) if value else None for name, value in found.intervals.items()},
        "only_first": first,
        "only_second": second,
        "missing": list(column.missing),
        "varies": column.varies,
    }
