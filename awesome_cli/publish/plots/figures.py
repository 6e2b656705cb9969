"""The figures of plots as plain values, which a library draws and whose digest says whether a picture is fresh."""

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Literal

from awesome_cli.publish.flow import Layout
from awesome_cli.text import inert

Style = Literal["heat", "states", "bubbles"]


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell: its number, the words in it, and the id of its gap state where it has one."""

    value: float
    text: str
    state: str | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows by columns: a heat map, a gap matrix or bubbles; `cells` has a tuple a row.

    `legend` says in words what each state that is shown means. `inner` says of each row whether it
    belongs to one above it.
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
    """Bars with a value per category for each series: stacked, or in `panels`, one for each series.

    `breaks` are the places of categories before which empty ones are left out, `partial` is the category that has not
    ended.
    """

    title: str
    axis_label: str
    value_label: str
    categories: tuple[str, ...]
    series: tuple[tuple[str, tuple[int, ...]], ...]
    note: str = ""
    panels: bool = False
    breaks: tuple[int, ...] = ()
    partial: str = ""


@dataclass(frozen=True, slots=True)
class Points:
    """Values of a measure by group on a logarithmic axis: `groups` are `(label, ((value, key, name), …))`."""

    title: str
    unit: str
    groups: tuple[tuple[str, tuple[tuple[float, str, str], ...]], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """Boxes and arrows of a flow, with their places; `counts` are `(box, reason, records)`, without reason for all."""

    title: str
    layout: Layout
    note: str = ""
    counts: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves: `lines` and, drawn dashed, `references` are `(label, points)`.

    As `shares` they go from 0 to 1 on both axes; else `x` is a year with its fraction, and `y` a number of papers.
    """

    title: str
    x_label: str
    y_label: str
    lines: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    references: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    note: str = ""
    shares: bool = True


Figure = Grid | Bars | Points | Diagram | Curves


def rows(figure: Figure) -> tuple[tuple[object, ...], ...]:
    """The data of a figure as a table: a row of names, then a row for each bar, cell, point or line of a box."""
    match figure:
        case Bars():
            series = [(label, zip(figure.categories, counts, strict=True)) for label, counts in figure.series]
            partial = {figure.partial: True}
            bars = ((at, label, n, partial.get(at, False)) for label, counted in series for at, n in counted)
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
    return ("box", "reason", "n"), *figure.counts


def visible(part: Any) -> Any:
    """A figure, or a part of one, with what acts in its texts shown as escapes, for formats that cannot carry it."""
    if isinstance(part, str):
        return inert.visible(part)
    if isinstance(part, tuple):
        return tuple(map(visible, part))
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{each.name: visible(getattr(part, each.name)) for each in fields(part)})
    return part
