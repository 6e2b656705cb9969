"""What a plot shows, as plain values: a library turns them into pictures, a hash tells whether they changed."""

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Literal

Style = Literal["heat", "states", "bubbles"]


@dataclass(frozen=True, slots=True)
class Square:
    """A cell: its number, the words in it, and its state where it has one."""

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
    cells: tuple[tuple[Square, ...], ...]
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
class Chart:
    """Boxes of a flow: `(label, lines, leaves)`, what leaves stands beside what stays."""

    title: str
    boxes: tuple[tuple[str, tuple[str, ...], bool], ...]
    note: str = ""


Figure = Grid | Bars | Points | Chart


def digest(figure: Figure) -> str:
    """SHA-256 of what is plotted, in hexadecimal; neither theme nor library enters it."""
    data = {"kind": type(figure).__name__, **asdict(figure)}
    text = json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
