"""Draw figures with matplotlib as reproducible SVG, PNG and PDF."""

import io
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from awesome_cli.errors import UsageError
from awesome_cli.model.taxonomy import NA
from awesome_cli.publish.flow import COLOURS
from awesome_cli.publish.plots.figures import Bars, Curves, Diagram, Figure, Grid, GridCell, Points, Style
from awesome_cli.publish.plots.sheet import PAD, Sheet
from awesome_cli.publish.plots.themes import METADATA, MOST_PIXELS, THEMES, Look, bare, settings

BREAK = 0.7
"""Extra distance between the two sides of a break, in bar widths."""
PARTIAL = "////"
"""Hatch of the bars of a category still in progress."""


def bars(figure: Bars, sheet: Sheet) -> None:
    """Draw stacked bars, or small panels on one scale."""
    em = sheet.em
    places = [at + BREAK * sum(at >= place for place in figure.breaks) for at in range(len(figure.categories))]
    span = places[-1] + 1 if places else 1
    if figure.panels:
        _panels(figure, sheet, places, span)
        return
    width = sheet.width(max(5.5 * em, 0.42 * em * span + 0.8 * em))
    axes = sheet.axes(width, min(3.2 * em, 0.75 * width))
    base = [0] * len(places)
    for i, (label, values) in enumerate(figure.series):
        color, hatch = _mark(sheet, label, i)
        _draw(axes, sheet, figure, places, values, base, (color, hatch))
        base = [low + value for low, value in zip(base, values, strict=True)]
        if len(figure.series) > 1:
            sheet.patch(color, label, hatch)
    slot = (width - 0.8 * em) / span
    _finish(axes, sheet, figure, places, slot)
    _totals(axes, sheet, places, base, slot, _top(figure))
    axes.set(xlabel=figure.axis_label, ylabel=figure.value_label)


def _panels(figure: Bars, sheet: Sheet, places: Sequence[float], span: float) -> None:
    em = sheet.em
    width = sheet.width(7.2 * em)
    count = len(figure.series) or 1
    rows = math.ceil(count / max(1, int(width / max(1.7 * em, 0.09 * em * span + 0.4 * em))))
    columns = math.ceil(count / rows)
    panel = (width - 0.5 * em) / columns - 0.1 * em
    names = [sheet.wrapped(label, panel, sheet.small) for label, _ in figure.series]
    above = max((sheet.measure(name, sheet.small)[1] for name in names), default=0)
    grid = sheet.subplots(width, (1.2 * em + above) * rows + 0.3 * em, rows, columns)
    for i, axes in enumerate(grid.flat):
        if i >= len(figure.series):
            axes.remove()
            continue
        label, values = figure.series[i]
        _draw(axes, sheet, figure, places, values, [0] * len(values), _mark(sheet, label, 0))
        slot = panel / span
        _finish(axes, sheet, figure, places, slot)
        _totals(axes, sheet, places, values, slot, _top(figure))
        axes.set_title(names[i], fontsize=sheet.small, loc="left")
        axes.tick_params(labelbottom=i + columns >= len(figure.series))
        if i % columns == 0:
            axes.set_ylabel(figure.value_label, fontsize=sheet.small)


def _top(figure: Bars) -> int:
    """Return the height of the highest bar, at least 1."""
    counts = [values for _, values in figure.series]
    totals: list[int] = [max(at) if figure.panels else sum(at) for at in zip(*counts, strict=True)]
    return max([1, *totals])


def _mark(sheet: Sheet, label: str, i: int) -> tuple[str, str]:
    """Return colour and hatch of a series; papers without a term are grey."""
    return (sheet.theme.na, "") if label == NA else sheet.theme.mark(i)


def _draw(
    axes: Any,
    sheet: Sheet,
    figure: Bars,
    places: Sequence[float],
    values: Sequence[int],
    base: Sequence[int],
    mark: tuple[str, str],
) -> None:
    """Draw the bars of a series; skip empty ones, which would only enlarge the file."""
    edge = sheet.theme.ink if sheet.theme.name == "paper" else sheet.theme.paper
    for category, place, value, low in zip(figure.categories, places, values, base, strict=True):
        if value:
            hatch = PARTIAL if category == figure.partial else mark[1]
            axes.bar(place, value, 0.78, low, color=mark[0], edgecolor=edge, linewidth=0.5, hatch=hatch)


def _totals(axes: Any, sheet: Sheet, places: Sequence[float], values: Sequence[int], slot: float, most: int) -> None:
    """Write the height above each bar, if the widest number (`most`) fits into `slot`."""
    size = sheet.small * 0.9
    if sheet.measure(str(most), size)[0] > slot:
        return
    for place, total in zip(places, values, strict=True):
        if total:
            style = {"textcoords": "offset points", "ha": "center", "fontsize": size}
            axes.annotate(str(total), (place, total), (0, 1.5), **style)


def _finish(axes: Any, sheet: Sheet, figure: Bars, places: Sequence[float], slot: float) -> None:
    """Finish the axes: integer ticks, labels that do not overlap, a mark at each break."""
    names = [f"{name}*" if name == figure.partial else name for name in figure.categories]
    size = sheet.small if figure.panels else sheet.theme.size
    wide, tall = (max((sheet.measure(name, size)[i] for name in names), default=0) for i in (0, 1))
    turned = wide * 1.15 > slot
    every = max(1, math.ceil(tall * 1.2 / slot)) if turned else 1
    shown = [i for i in range(len(names)) if (len(names) - 1 - i) % every == 0]
    bare(axes)
    axes.spines["bottom"].set_visible(True)
    axes.set_xticks([places[i] for i in shown], [names[i] for i in shown], rotation=90 if turned else 0, fontsize=size)
    axes.tick_params(axis="y", labelsize=size)
    axes.set_xlim(-0.6, (places[-1] if places else 0) + 0.6)
    axes.set_ylim(0, _top(figure) * (1.2 if figure.panels else 1.1))
    axes.yaxis.get_major_locator().set_params(integer=True, nbins=4 if figure.panels else 8)
    for place in figure.breaks:
        middle = places[place] - (1 + BREAK) / 2
        style = {"ha": "center", "va": "center", "fontsize": size, "color": sheet.theme.soft}
        box = {"facecolor": sheet.theme.paper, "edgecolor": "none", "pad": 0.5}
        axes.text(middle, 0, "//", transform=axes.get_xaxis_transform(), bbox=box, **style)


WIDE: Mapping[Style, float] = {"states": 1.0, "heat": 0.8}
"""Default width of a cell in inches; long words in headings widen it."""
WIDEST, ROOM = 1.2, 0.92
"""Maximum default width of a cell in inches, and the share of a cell's width available to text."""
TALL, LABEL, INDENT = 0.32, 2.6, "    "
"""Minimum height of a row and maximum width of its label, in inches; indent of an inner row's label."""
SMALLEST = 4.5
"""Minimum font size in points that is legible on paper."""


@dataclass(frozen=True, slots=True)
class Place:
    """The position and tools to draw a cell; `size` is its font size in points."""

    axes: Any
    sheet: Sheet
    x: int
    y: int
    size: float

    def rectangle(self, ground: Any, hatch: str = "") -> None:
        """Fill the cell with a colour and a hatch."""
        corner = (self.x - 0.48, self.y - 0.47)
        style = {"facecolor": ground, "edgecolor": self.sheet.theme.line, "linewidth": 0.5, "hatch": hatch}
        self.axes.add_patch(self.sheet.pyplot.Rectangle(corner, 0.96, 0.94, **style))

    def text(self, text: str, color: str, **style: Any) -> None:
        self.axes.text(self.x, self.y, text, ha="center", va="center", color=color, fontsize=self.size, **style)


def grid(figure: Grid, sheet: Sheet) -> None:
    """Draw a heat map or gap matrix."""
    em, count = sheet.em, max(len(figure.columns), 1)
    fixed = sheet.width(0)
    most = 0.34 * fixed if fixed else LABEL * em
    rows = [_label(sheet, figure, i, most) for i in range(len(figure.rows))]
    aside = max((sheet.measure(label)[0] for label in rows), default=0) + 3 * PAD
    words = [sheet.measure(word)[0] for name in figure.columns for word in name.split()]
    natural = min(max([WIDE[figure.style] * em, *(word / ROOM for word in words)]), WIDEST * em)
    width = sheet.width(aside + natural * count)
    cell = (width - aside) / count
    columns, turned = _headings(sheet, figure.columns, cell)
    size, texts = _texts(sheet, figure, cell)
    lines = max((sheet.measure(text, size)[1] for text in (*texts.values(), *rows)), default=0) + 2 * PAD * em
    tall = max(lines, TALL * em)
    above = max((sheet.measure(name)[0 if turned else 1] for name in columns), default=0) + 4 * PAD
    axes = sheet.axes(width, above + tall * max(len(rows), 1))
    top = max((cell.value for row in figure.cells for cell in row), default=0) or 1
    for column, line, entry in _cells(figure):
        place = Place(axes, sheet, column, line, size)
        _CELLS[figure.style](place, entry, texts[column, line], entry.value / top)
    axes.set_xlim(-0.5, len(figure.columns) - 0.5)
    axes.set_ylim(len(figure.rows) - 0.5, -0.5)
    axes.set_xticks(range(len(columns)), columns, rotation=90 if turned else 0)
    axes.set_yticks(range(len(rows)), rows, ha="left")
    bare(axes)
    axes.xaxis.tick_top()
    axes.tick_params(axis="x", length=0)
    axes.tick_params(axis="y", pad=(aside - 2.5 * PAD) * 72)
    for state, meaning in figure.legend:
        ground, _, hatch = sheet.theme.state(state)
        sheet.patch(ground, meaning, hatch)


def _cells(figure: Grid) -> Iterator[tuple[int, int, GridCell]]:
    return ((x, y, cell) for y, row in enumerate(figure.cells) for x, cell in enumerate(row))


def _label(sheet: Sheet, figure: Grid, i: int, width: float) -> str:
    """Wrap the label of a row; indent each line of an inner row."""
    indent = INDENT if figure.inner[i : i + 1] == (True,) else ""
    lines = sheet.wrapped(figure.rows[i], width - sheet.measure(indent)[0] if indent else width)
    return "\n".join(indent + line for line in lines.splitlines())


def _headings(sheet: Sheet, names: tuple[str, ...], cell: float) -> tuple[list[str], bool]:
    """Wrap the column headings to the width of a cell; the second value is True if they must be rotated."""
    room = cell * ROOM + 0.01
    if all(sheet.measure(word)[0] <= room for name in names for word in name.split()):
        return [sheet.wrapped(name, room) for name in names], False
    limit = 1.2 * sheet.em
    while any(sheet.measure(sheet.wrapped(name, limit))[1] > room for name in names):
        if limit > max(sheet.measure(name)[0] for name in names):
            break
        limit *= 1.25
    return [sheet.wrapped(name, limit) for name in names], True


def _texts(sheet: Sheet, figure: Grid, cell: float) -> tuple[float, dict[tuple[int, int], str]]:
    """Return font size and texts of cells: in full, else only numbers, stacked, in a font that may shrink."""
    full = {(x, y): entry.text for x, y, entry in _cells(figure)}
    numbers = {at: text.partition("\n")[0].replace(" (", "\n(").replace(" [", "\n[") for at, text in full.items()}
    room = cell * ROOM
    for texts in (full, numbers) if figure.legend else (full,):
        widest = max((sheet.measure(text, sheet.small)[0] for text in set(texts.values())), default=0)
        if widest <= room:
            return sheet.small, texts
    return max(sheet.small * room / widest, SMALLEST), texts


def _state(place: Place, cell: GridCell, text: str, _: float) -> None:
    ground, ink, hatch = place.sheet.theme.state(cell.state, cell.value)
    place.rectangle(ground, hatch)
    # No hatching behind the words.
    box = {"facecolor": ground, "edgecolor": "none", "boxstyle": "square,pad=0.15"} if hatch else None
    place.text(text, ink, linespacing=1.05, bbox=box)


def _heat(place: Place, _: GridCell, text: str, share: float) -> None:
    low, high = (tuple(int(end[i : i + 2], 16) / 255 for i in (1, 3, 5)) for end in place.sheet.theme.ramp)
    mixed = tuple(a + (b - a) * share for a, b in zip(low, high, strict=True))
    place.rectangle(mixed)
    place.text(text, "#111111" if sum(mixed) / 3 > 0.55 else "#ffffff")


_CELLS: Mapping[Style, Callable[[Place, GridCell, str, float], None]] = {
    "states": _state,
    "heat": _heat,
}


PIXELS = 96
"""Pixels of the flow's layout per inch."""
DPI = 200
"""Default resolution of a PNG, in dots per inch."""
INCH = 72
"""Side of matplotlib's hatch pattern, in points."""
HATCH = re.compile(rf'(<pattern [^>]*) width="{INCH}" height="{INCH}">(\s*<rect [^>]*>\s*<path d=")([^"]*)"')
CIRCLE = re.compile(r"M (\S+) (\S+) \nC [^z]*z\n")


def draw(figure: Figure, form: str, theme: str = "light", look: Look | None = None) -> bytes:
    """Draw a figure as `svg`, `png` or `pdf`, reproducible with the same matplotlib.

    Raises `AwesomeError` if matplotlib is not installed, `UsageError` if the size is too small or too large.
    """
    look = look or Look(theme)
    with drawn(figure, look) as picture:
        dpi = look.dpi or DPI
        width, height = picture.get_size_inches() * dpi
        if form == "png" and width * height > MOST_PIXELS:
            raise UsageError(
                f"the picture would have {width * height:,.0f} pixels, more than {MOST_PIXELS:,}",
                hint="give a lower --dpi, or --format svg",
            )
        buffer = io.BytesIO()
        picture.savefig(buffer, format=form, dpi=dpi, metadata=dict(METADATA[form]))
    data = buffer.getvalue()
    return HATCH.sub(_one_tile, data.decode()).encode() if form == "svg" else data


def _one_tile(hatch: re.Match[str]) -> str:
    """Reduce a dotted hatch, written as every circle of a square inch, to its smallest tile; keep any other hatch.

    The circles stand in rows as far apart as the circles are, and every second row is moved by half of that.
    """
    head, between, path = hatch.groups()
    circles = [(float(match[1]), float(match[2]), match[0]) for match in CIRCLE.finditer(path)]
    if len(circles) < 2:
        return hatch[0]
    wide = circles[1][0] - circles[0][0]
    # A circle begins at its lowest point; the first one stands in the lower left corner of the square.
    low = round(2 * wide + circles[0][1] - INCH, 6)
    tile = "".join(circle for x, y, circle in circles if x <= wide and y <= low)
    return f'{head} width="{wide:g}" height="{2 * wide:g}">{between}{tile}"'


@contextmanager
def drawn(figure: Figure, look: Look) -> Iterator[Any]:
    """Lay out a figure and yield it as matplotlib's `Figure`."""
    with settings(THEMES[look.theme], look.font) as pyplot:
        sheet = Sheet(pyplot, THEMES[look.theme], look)
        try:
            _DRAW[type(figure)](figure, sheet)
            yield sheet.finish(figure.title if look.title is None else look.title, figure.note)
        finally:
            pyplot.close(sheet.picture)


def _points(figure: Points, sheet: Sheet) -> None:
    em, theme = sheet.em, sheet.theme
    width = sheet.width(7.2 * em)
    axes = sheet.axes(width, (0.8 + 0.8 * len(figure.groups)) * em)
    axes.set_xscale("log")
    everything = sorted(value for _, values in figure.groups for value, _, _ in values)
    for y, (_, values) in enumerate(figure.groups):
        # Papers with the same value stand above each other instead of hiding each other.
        same = Counter(value for value, _, _ in values)
        step = min(0.11, 0.7 / max(same.values(), default=1))
        seen: Counter[float] = Counter()
        for value, _key, _name in values:
            lift = step * seen[value]
            seen[value] += 1
            style = {"color": theme.series[0], "markersize": 6 * em, "markeredgecolor": theme.paper}
            axes.plot(value, y - lift, "o", **style)
        if values:
            value, _, name = values[0]
            side = "right" if value * value > everything[0] * everything[-1] else "left"
            style = {"ha": side, "va": "top", "fontsize": sheet.small, "color": theme.soft}
            axes.annotate(f"{name}: {value:g}", (value, y), (0, -5 * em), textcoords="offset points", **style)
    names = [sheet.wrapped(f"{label} (n = {len(values)})", width * 0.3) for label, values in figure.groups]
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(figure.groups) - 0.4, -0.8)
    bare(axes)
    axes.spines["bottom"].set_visible(True)
    axes.grid(axis="x", color=theme.line, linewidth=0.5)
    axes.set_axisbelow(True)
    decades = len(str(round(everything[-1] / everything[0]))) if everything else 1
    axes.xaxis.get_major_locator().set_params(subs=(1, 2, 5) if decades < 4 else (1,))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("")
    axes.set_xlabel(f"{figure.unit} (logarithmic)")


def _diagram(figure: Diagram, sheet: Sheet) -> None:
    """Draw boxes and arrows; a narrow picture keeps a legible font and shrinks the horizontal space instead."""
    natural, theme = figure.layout.width / PIXELS, sheet.theme
    width = sheet.width(natural + 2 * PAD)
    narrow = (width - 2 * PAD) / natural
    size = 9 * max(sheet.em, 0.8)
    for box in figure.layout.boxes:
        for x, _, line, heading in box.texts():
            room = (box.x + box.width - x - 4) / PIXELS * narrow
            wide = sheet.measure(line, size, "bold" if heading else "normal")[0]
            size = max(min(size, size * room / wide), SMALLEST)
    axes = sheet.axes(width, figure.layout.height / PIXELS * size / 9)
    for box in figure.layout.boxes:
        ground = theme.ground(COLOURS[box.name]["dark" if theme.name == "dark" else "light"])
        style = {"facecolor": ground, "edgecolor": theme.soft, "linewidth": 0.8, "clip_on": False}
        axes.add_patch(sheet.pyplot.Rectangle((box.x, box.y), box.width, box.height, **style))
        for x, y, line, heading in box.texts():
            weight = "bold" if heading else "normal"
            axes.text(x, y, line, color=theme.ink, va="baseline", fontsize=size, weight=weight)
    arrow = {"arrowstyle": "-|>", "color": theme.soft, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 10 * sheet.em}
    for x1, y1, x2, y2 in figure.layout.arrows:
        axes.annotate("", (x2, y2), (x1, y1), arrowprops=arrow)
    axes.set_xlim(0, figure.layout.width)
    axes.set_ylim(figure.layout.height, 0)
    axes.axis("off")


def _curves(figure: Curves, sheet: Sheet) -> None:
    width = sheet.width(6.4 * sheet.em)
    axes = sheet.axes(width, min(4.0 * sheet.em, 0.7 * width))
    theme, lines = sheet.theme, []
    for i, (label, points) in enumerate(figure.lines):
        color, dash = theme.line_mark(i)
        lines += axes.plot(*_apart(points), dash, drawstyle="steps-post", label=label, color=color, linewidth=1.4)
    for (label, points), dashes in zip(figure.references, ("--", ":"), strict=False):
        lines += axes.plot(*_apart(points), dashes, label=label, color=theme.soft, linewidth=0.7)
    bare(axes)
    axes.grid(color=theme.line, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.set(xlabel=figure.x_label, ylabel=figure.y_label)
    if figure.shares:
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda share, _: f"{share:.0%}")
    else:
        axes.set_ylim(bottom=0)
        for axis in (axes.xaxis, axes.yaxis):
            axis.get_major_locator().set_params(integer=True, nbins=7)
        axes.xaxis.set_major_formatter("{x:.0f}")
    if len(lines) > 1:
        sheet.handles(lines)


def _apart(points: tuple[tuple[float, float], ...]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


_DRAW: Mapping[type, Any] = {Bars: bars, Grid: grid, Points: _points, Diagram: _diagram, Curves: _curves}
