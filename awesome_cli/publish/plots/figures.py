"""The data of plots as plain values; `pictures` draws them, and their digest tells if a picture is stale."""

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Literal

from awesome_cli.analysis.flow import FlowBox
from awesome_cli.text import inert

Style = Literal["heat", "states", "marks"]


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell: number, displayed text, and id of its gap state or verdict, if any."""

    value: float
    text: str
    state: str | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """A heat map, gap matrix or marks of verdicts; `cells` has one tuple per row.

    `legend`: `(state, meaning)` of the states shown. `inner`: for each row, True if it is a child of a row above.
    """

    title: str
    row_label: str
    column_label: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[GridCell, ...], ...]
    style: Style
    note: str = ""
    legend: tuple[tuple[str, str], ...] = ()
    inner: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars with a value per category, in one panel per series.

    `within`: for each series, the index of the series that contains it, drawn behind it; None for no series.
    `breaks`: indexes of categories before which empty ones are omitted. `partial`: the category still in progress.
    """

    title: str
    x_label: str
    y_label: str
    categories: tuple[str, ...]
    series: tuple[tuple[str, tuple[int, ...]], ...]
    within: tuple[int | None, ...]
    note: str = ""
    breaks: tuple[int, ...] = ()
    partial: str = ""


Values = tuple[tuple[float, str, str], ...]
"""Values of a measure as `(value, key, name)`, largest first."""


@dataclass(frozen=True, slots=True)
class Points:
    """Values of a measure by group, on a logarithmic axis."""

    title: str
    x_label: str
    groups: tuple[tuple[str, Values], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """A flow diagram of boxes with numbers of records."""

    title: str
    boxes: tuple[FlowBox, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves: `lines` and dashed `references`, each `(label, points)`.

    With `shares`, both axes go from 0 to 1; otherwise `x` is a decimal year and `y` a number of papers. With `within`
    (as in `Bars`), each line has a panel.
    """

    title: str
    x_label: str
    y_label: str
    lines: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    references: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    note: str = ""
    shares: bool = True
    within: tuple[int | None, ...] = ()


Figure = Grid | Bars | Points | Diagram | Curves


def rows(figure: Figure) -> tuple[tuple[object, ...], ...]:
    """Return the data of a figure as rows: a header, then a row per bar, cell, point or line of a box."""
    match figure:
        case Bars():
            series = [(label, zip(figure.categories, counts, strict=True)) for label, counts in figure.series]
            bars = ((at, label, n, at == figure.partial) for label, counted in series for at, n in counted)
            return ("category", "series", "n", "partial"), *bars
        case Grid():
            lines = zip(figure.rows, figure.cells, strict=True)
            cells = ((row, zip(figure.columns, line, strict=True)) for row, line in lines)
            shown = (
                (row, column, cell.value, cell.text.replace("\n", " "), cell.state)
                for row, line in cells
                for column, cell in line
            )
            return ("row", "column", "n", "text", "state"), *shown
        case Points():
            points = ((label, *point) for label, group in figure.groups for point in group)
            return ("group", "value", "key", "name"), *points
        case Curves():
            curves = (*figure.lines, *figure.references)
            return ("line", "x", "y"), *((label, *point) for label, points in curves for point in points)
    flow = ((box.label, reason, n) for box in figure.boxes for reason, n in (("", box.n), *box.reasons))
    return ("box", "reason", "n"), *flow


def visible(part: Any) -> Any:
    """Escape control characters in all texts of a figure or of a part of it."""
    if isinstance(part, str):
        return inert.visible(part)
    if isinstance(part, tuple):
        return tuple(map(visible, part))
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{each.name: visible(getattr(part, each.name)) for each in fields(part)})
    return part
