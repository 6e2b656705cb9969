"""What a plot shows, as plain values that a library draws and that tell whether a picture is fresh."""

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
    """Rows by columns: a heat map, a gap matrix or bubbles; `cells` has a tuple a row."""

    title: str
    row_label: str
    column_label: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[GridCell, ...], ...]
    style: Style
    note: str = ""


@dataclass(frozen=True, slots=True)
class Bars:
    """Stacked bars: a value per category for each series."""

    title: str
    axis_label: str
    value_label: str
    categories: tuple[str, ...]
    series: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Points:
    """Values of a measure by group on a logarithmic axis: `groups` are `(label, ((value, key), …))`."""

    title: str
    unit: str
    groups: tuple[tuple[str, tuple[tuple[float, str], ...]], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """Boxes and arrows of a flow, with their places."""

    title: str
    layout: Layout
    note: str = ""


@dataclass(frozen=True, slots=True)
class Curves:
    """Curves of shares over shares, both from 0 to 1: `lines` and, drawn dashed, `references` are `(label, points)`."""

    title: str
    x_label: str
    y_label: str
    lines: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    references: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    note: str = ""


Figure = Grid | Bars | Points | Diagram | Curves


def visible(part: Any) -> Any:
    """A figure, or a part of one, with what acts in its texts shown as escapes, for formats that cannot carry it."""
    if isinstance(part, str):
        return inert.visible(part)
    if isinstance(part, tuple):
        return tuple(map(visible, part))
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{each.name: visible(getattr(part, each.name)) for each in fields(part)})
    return part
