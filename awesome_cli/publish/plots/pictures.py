"""Draw figures with matplotlib as reproducible SVG, PNG and PDF."""

import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from awesome_cli.errors import UsageError
from awesome_cli.publish.flow import COLOURS, layout
from awesome_cli.publish.plots.figures import Bars, Curves, Diagram, Figure, Grid, GridCell, Points, Style, Values
from awesome_cli.publish.plots.sheet import PAD, SPACING, Sheet
from awesome_cli.publish.plots.themes import METADATA, MOST_PIXELS, PRINT, THEMES, Look, Theme, bare, settings

BREAK = 0.7
"""Extra distance between the two sides of a break, in bar widths."""
CLIP = False
"""The SVG id of a clip path has the last digits of a panel's position, which differ between runs."""
PARTIAL = "////"
"""Hatch of the bars of a category still in progress."""


Panelled = Bars | Curves


def bars(figure: Bars, sheet: Sheet) -> None:
    """Draw a panel of bars for each series, all on one scale, in front of the bars of the series that contains it."""
    em = sheet.em
    places = [at + BREAK * sum(at >= place for place in figure.breaks) for at in range(len(figure.categories))]
    span = places[-1] + 1 if places else 1
    tops = _tops(figure, [values for _, values in figure.series])
    number = sheet.measure(str(tops[0]), sheet.small)[0]
    panels, room = _panels(sheet, figure, [label for label, _ in figure.series], 1.1 * number * span + 0.5 * em, 0.19)
    for axes, (_, values), around, top in zip(panels, figure.series, figure.within, tops, strict=True):
        if around is not None:
            _draw(axes, sheet, figure, places, figure.series[around][1], sheet.theme.whole)
        _draw(axes, sheet, figure, places, values, sheet.theme.accent)
        _finish(axes, sheet, figure, places, room / span)
        axes.set_ylim(0, top * 1.4)
        axes.yaxis.get_major_locator().set_params(integer=True, nbins=4)
        if number <= room / span:
            _totals(axes, sheet.small, places, values)


def _tops(figure: Panelled, series: Sequence[Sequence[float]]) -> list[float]:
    """Return the top of each panel, at least 1; the terms share a scale, with all papers only if these are behind."""
    first, *rest = (max(values, default=0) or 1 for values in series)
    return [first, *[first if 0 in figure.within else max(rest, default=1)] * len(rest)]


def _panels(sheet: Sheet, figure: Panelled, names: list[str], least: float, ratio: float) -> tuple[list[Any], float]:
    """Return axes with these titles and their width, at least `least`; `ratio` is height to width."""
    em = sheet.em
    width = sheet.width(7.2 * em)
    rows = math.ceil(len(names) / max(1, int(width / least)))
    columns = math.ceil(len(names) / rows)
    same = 0 in figure.within
    room = (width - 0.5 * em * (1 if same else columns)) / columns - 0.1 * em
    titles = [sheet.wrapped(name, room, sheet.small) for name in names]
    above = max(sheet.measure(title, sheet.small)[1] for title in titles)
    height = (max(ratio * room, 0.5 * em) + above + 0.2 * em) * rows + 0.5 * em
    panels = list(sheet.subplots(width, height, rows, columns, same=same).flat)
    for axes in panels[len(names) :]:
        axes.remove()
    for i, (axes, title) in enumerate(zip(panels, titles, strict=False)):
        axes.set_title(title, fontsize=sheet.small, loc="left", linespacing=SPACING)
        axes.tick_params(labelbottom=i + columns >= len(names))
    panels[0].set_ylabel(figure.y_label, fontsize=sheet.small)
    panels[(rows - 1) * columns].set_xlabel(figure.x_label, fontsize=sheet.small, loc="left")
    return panels[: len(names)], room


def _draw(axes: Any, sheet: Sheet, figure: Bars, places: Sequence[float], values: Sequence[int], color: str) -> None:
    """Draw the bars of a series; skip empty ones, which would only enlarge the file."""
    for category, place, value in zip(figure.categories, places, values, strict=True):
        if value:
            hatch = PARTIAL if category == figure.partial and color == sheet.theme.accent else ""
            style = {"color": color, "edgecolor": sheet.theme.paper, "linewidth": 0, "hatch": hatch}
            axes.bar(place, value, 0.78, clip_on=CLIP, **style)


def _totals(axes: Any, size: float, places: Sequence[float], values: Sequence[int]) -> None:
    """Write the height above each bar."""
    for place, total in zip(places, values, strict=True):
        if total:
            style = {"textcoords": "offset points", "ha": "center", "fontsize": size}
            axes.annotate(str(total), (place, total), (0, 1.5), **style)


def _finish(axes: Any, sheet: Sheet, figure: Bars, places: Sequence[float], slot: float) -> None:
    """Finish the axes: integer ticks, labels that do not overlap, a mark at each break."""
    names = [f"{name}*" if name == figure.partial else name for name in figure.categories]
    size = sheet.small
    wide, tall = (max((sheet.measure(name, size)[i] for name in names), default=0) for i in (0, 1))
    turned = wide * 1.15 > slot
    every = max(1, math.ceil(tall * 1.2 / slot)) if turned else 1
    shown = [i for i in range(len(names)) if (len(names) - 1 - i) % every == 0]
    bare(axes)
    axes.spines["bottom"].set(visible=True, linewidth=0.5)
    axes.set_xticks([places[i] for i in shown], [names[i] for i in shown], rotation=90 if turned else 0, fontsize=size)
    axes.tick_params(axis="y", labelsize=size)
    axes.set_xlim(-0.6, (places[-1] if places else 0) + 0.6)
    for place in figure.breaks:
        middle = places[place] - (1 + BREAK) / 2
        style = {"ha": "center", "va": "center", "fontsize": size, "color": sheet.theme.soft}
        box = {"facecolor": sheet.theme.paper, "edgecolor": "none", "pad": 0.5}
        axes.text(middle, 0, "//", transform=axes.get_xaxis_transform(), bbox=box, **style)


WIDE: Mapping[Style, float] = {"states": 1.0, "heat": 0.8, "marks": 0.3}
"""Default width of a cell in inches; except for marks, long words in headings widen it."""
WIDEST, ROOM = 1.2, 0.95
"""Maximum default width of a cell in inches, and the share of a cell's width available to text."""
TALL: Mapping[Style, float] = {"states": 0.32, "heat": 0.32, "marks": 0.18}
"""Minimum height of a row in inches."""
LABEL, INDENT = 2.6, "    "
"""Maximum width of a row's label in inches, and indent of an inner row's label."""
INNER, INSET = 0.75, 0.84
"""Minimum height of an inner row and width of its cells, as shares of those of other rows."""
EVEN = 1.6
"""Rows are equally high unless the highest needs more than `EVEN` times the minimum."""
At = tuple[int, int]
"""Column and row of a cell."""


def grid(figure: Grid, sheet: Sheet) -> None:
    """Draw a heat map, gap matrix or marks; inner rows are lower, with narrower cells and small labels."""
    em, count, marked = sheet.em, max(len(figure.columns), 1), figure.style == "marks"
    size = sheet.small if marked else sheet.theme.size
    inner = [figure.inner[i : i + 1] == (True,) for i in range(len(figure.rows))]
    share = ROOM * (INSET if any(inner) else 1)
    full = {(x, y): "" if marked and cell.state else cell.text for x, y, cell in _cells(figure)}
    least = sum(_needs(sheet, full, count, share)) + 1e-3 if marked else sheet.measure("0")[1] * 1.2 * count
    fixed = sheet.width(0)
    most = min((0.45 if marked else 0.34) * fixed, fixed - least - 3 * PAD) if fixed else LABEL * em
    rows = [_label(sheet, name, most, size, inner=lower) for name, lower in zip(figure.rows, inner, strict=True)]
    aside = max((sheet.measure(label, size)[0] for label in rows), default=0) + 3 * PAD
    words = [sheet.measure(word)[0] for name in figure.columns for word in name.split() if not marked]
    natural = min(max([WIDE[figure.style] * em, *(word / ROOM for word in words)]), WIDEST * em)
    width = sheet.width(aside + natural * count, aside + least)
    widths = _widths(sheet, full, count, width - aside, share)
    columns, turned = _headings(sheet, figure.columns, widths, size)
    texts = {at: _fitting(sheet, text, widths[at[0]] * share) for at, text in full.items()}
    lowest = [TALL[figure.style] * em * (INNER if lower else 1) for lower in inner]
    heights = _heights(sheet, lowest, [sheet.measure(row, size)[1] for row in rows], texts)
    corner = sheet.wrapped(figure.row_label, aside - 3 * PAD, sheet.small)
    above = max((sheet.measure(name, size)[0 if turned else 1] for name in columns), default=0) + 4 * PAD + 0.3 * em
    heading = sheet.wrapped(figure.column_label, width - aside, sheet.small)
    axes = sheet.axes(width, above + (sum(heights) or 1))
    xs, ys = ([sum(sizes[:i]) + length / 2 for i, length in enumerate(sizes)] for sizes in (widths, heights))
    top = max((cell.value for row in figure.cells for cell in row), default=0) or 1
    for x, y, cell in _cells(figure):
        place = (xs[x], ys[y], widths[x] * (INSET if inner[y] else 1), heights[y])
        _cell(axes, sheet, figure.style, place, cell, cell.value / top, texts[x, y])
    axes.set(xlim=(0, sum(widths)), ylim=(sum(heights) or 1, 0))
    look = {"rotation": 90, "linespacing": SPACING} if turned else {}
    axes.set_xticks(xs[: len(columns)], columns, fontsize=size, **look)
    axes.set_yticks(ys, rows, ha="left", fontsize=size, linespacing=SPACING)
    for label in (label for label, lower in zip(axes.get_yticklabels(), inner, strict=True) if lower):
        label.set(fontsize=sheet.small, color=sheet.theme.soft)
    bare(axes)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    soft, pad = {"fontsize": sheet.small, "color": sheet.theme.soft}, (aside - 2.5 * PAD) * 72
    axes.set_xlabel(heading, linespacing=SPACING, **soft)
    axes.annotate(corner, (0, 1), (-pad, 3), "axes fraction", "offset points", linespacing=SPACING, **soft)
    axes.tick_params(axis="y", pad=pad)
    for state, meaning in figure.legend:
        if marked:
            sheet.handles([sheet.pyplot.Line2D([], [], label=meaning, **_mark(sheet, state))])
        else:
            ground, _, hatch = sheet.theme.state(state)
            sheet.patch(ground, meaning, hatch)


def _cell(
    axes: Any, sheet: Sheet, style: Style, place: Sequence[float], cell: GridCell, share: float, shown: tuple[str, bool]
) -> None:
    """Draw a cell; `place` is its centre, width and height in inches."""
    (x, y, wide, tall), (text, turned), theme = place, shown, sheet.theme
    ground, ink, hatch = _heat(theme, share) if style == "heat" else theme.state(cell.state, cell.value)
    look = {"facecolor": ground, "edgecolor": theme.line, "linewidth": 0.5, "hatch": hatch}
    axes.add_patch(sheet.pyplot.Rectangle((x - 0.48 * wide, y - 0.47 * tall), 0.96 * wide, 0.94 * tall, **look))
    if style == "marks" and cell.state:
        axes.plot([x], [y], clip_on=CLIP, **_mark(sheet, cell.state))
    # No hatching behind the words.
    box = {"facecolor": ground, "edgecolor": "none", "boxstyle": "square,pad=0.15"} if hatch else None
    look = {"color": ink, "fontsize": sheet.small, "rotation": 90 * turned, "linespacing": SPACING, "bbox": box}
    axes.text(x, y, text, ha="center", va="center", **look)


def _heat(theme: Theme, share: float) -> tuple[str, str, str]:
    low, high = ([int(end[i : i + 2], 16) for i in (1, 3, 5)] for end in theme.ramp)
    mixed = [round(a + (b - a) * share) for a, b in zip(low, high, strict=True)]
    return "#" + bytes(mixed).hex(), "#111111" if sum(mixed) > 420 else "#ffffff", ""


def _mark(sheet: Sheet, verdict: str) -> dict[str, Any]:
    """Return the style of the mark of a verdict; `fails` is the strongest."""
    theme, fails = sheet.theme, verdict == "fails"
    color = theme.ink if fails else theme.accent
    filled = theme.paper if verdict == "undecided" else color
    shape = {"marker": "X" if fails else "o", "markersize": (9 if fails else 4) * sheet.em, "linestyle": "none"}
    return {**shape, "color": color, "markerfacecolor": filled, "markeredgewidth": 0.7}


def _needs(sheet: Sheet, texts: Mapping[At, str], count: int, share: float) -> list[float]:
    """Return the width that each column needs for its texts, which have a `share` of it."""
    needs = [sheet.measure("0", sheet.small)[1] * 1.2] * count
    for (x, _), text in texts.items():
        needs[x] = max(needs[x], sheet.measure(text, sheet.small)[0] / share + 1e-3)
    return needs


def _widths(sheet: Sheet, texts: Mapping[At, str], count: int, room: float, share: float) -> list[float]:
    """Return the width of each column: equal, or by its texts (in full or else in short lines) if they need it."""
    for change in (str, _short):
        needs = _needs(sheet, {at: change(text) for at, text in texts.items()}, count, share)
        if sum(needs) <= room:
            equal = max(needs) * count <= room
            return [room / count if equal else need + (room - sum(needs)) / count for need in needs]
    return [room / count] * count


def _short(text: str) -> str:
    """Break a text before each bracket."""
    return re.sub(r" (?=[(\[])", "\n", text)


def _fitting(sheet: Sheet, text: str, room: float) -> tuple[str, bool]:
    """Return the most of a cell's text that fits, in short lines or without the state; True if it must be turned."""
    number = text.partition("\n")[0]
    for shown in (text, _short(text), _short(number)):
        if sheet.measure(shown, sheet.small)[0] <= room:
            return shown, False
    return number, True


def _heights(sheet: Sheet, least: list[float], labels: list[float], texts: dict[At, tuple[str, bool]]) -> list[float]:
    """Return the height of each row in inches, equal for rows with the same least height unless a label is too high."""
    needs = [label + 0.25 * tall for label, tall in zip(labels, least, strict=True)]
    for (_, line), (text, turned) in texts.items():
        needs[line] = max(needs[line], sheet.measure(text, sheet.small)[0 if turned else 1] + 0.25 * least[line])
    heights = [*map(max, least, needs)]
    highest = {tall: max(h for h, low in zip(heights, least, strict=True) if low == tall) for tall in least}
    return [highest[low] if highest[low] <= EVEN * low else h for h, low in zip(heights, least, strict=True)]


def _cells(figure: Grid) -> Iterator[tuple[int, int, GridCell]]:
    return ((x, y, cell) for y, row in enumerate(figure.cells) for x, cell in enumerate(row))


def _label(sheet: Sheet, name: str, width: float, size: float, *, inner: bool) -> str:
    """Wrap the label of a row; indent each line of an inner row."""
    indent = INDENT if inner else ""
    lines = sheet.wrapped(name, width - sheet.measure(indent)[0] if inner else width, size)
    return "\n".join(indent + line for line in lines.splitlines())


def _headings(sheet: Sheet, names: Sequence[str], widths: Sequence[float], size: float) -> tuple[list[str], bool]:
    """Wrap the column headings to the width of a cell; the second value is True if they must be rotated."""
    rooms = {name: width * ROOM + 0.01 for name, width in zip(names, widths, strict=True)}
    if all(sheet.measure(word, size)[0] <= room for name, room in rooms.items() for word in name.split()):
        return [sheet.wrapped(name, rooms[name], size) for name in names], False
    limit = 1.8 * sheet.em
    while any(sheet.measure(sheet.wrapped(name, limit, size), size)[1] > room for name, room in rooms.items()):
        if limit > max(sheet.measure(name, size)[0] for name in names):
            break
        limit *= 1.25
    return [sheet.wrapped(name, limit, size) for name in names], True


PIXELS = 96
"""Pixels of the flow's layout per inch."""
DOT, STACK = 6 / 72, 1.2
"""Diameter of a dot and maximum height of a stack, in inches."""
AROUND = 0.1
"""Margin that matplotlib leaves around axes, left and right together, in inches."""
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


@dataclass(frozen=True, slots=True)
class Stack:
    """The layout of a group of values: heading, level of each dot above the line, and label of the largest value.

    Lengths are in inches: `step` from level to level, `lift` of the label above the line, `height` of the whole.
    """

    heading: str
    levels: tuple[int, ...]
    step: float
    label: str
    side: str
    lift: float
    height: float


def _points(figure: Points, sheet: Sheet) -> None:
    """Draw a line for each group with a dot per value, stacked where they would touch, below the group's name."""
    em, theme = sheet.em, sheet.theme
    width = sheet.width(6.4 * em)
    everything = [value for _, group in figure.groups for value, *_ in group] or [1.0]
    low, high, dot = min(everything), max(everything), DOT * em
    room = width - 2 * PAD - 2 * dot - AROUND
    scale = room / (math.log(high / low) or 1)
    stacks = [
        _stack(sheet, label, group, [scale * math.log(value / low) for value, *_ in group], room)
        for label, group in figure.groups
    ]
    axes = sheet.axes(width, sum(stack.height for stack in stacks) + 0.55 * em)
    line = 0.0
    for stack, (_, group) in zip(stacks, figure.groups, strict=True):
        axes.text(0, line, stack.heading, va="top", transform=axes.get_yaxis_transform(), linespacing=SPACING)
        line += stack.height
        _dots(axes, theme, stack, group, line - dot, sheet.small)
    axes.set_xscale("log")
    axes.set_xlim(low * math.exp(-dot / scale), high * math.exp(dot / scale))
    axes.set(ylim=(line - dot if line else 1, 0), yticks=[])
    axes.set_xlabel(sheet.wrapped(figure.x_label, room, sheet.small), fontsize=sheet.small, linespacing=SPACING)
    bare(axes)
    axes.xaxis.get_major_locator().set_params(subs=(1, 2, 5) if high / low < 1000 else (1,))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("")
    axes.tick_params(axis="x", length=3)


def _dots(axes: Any, theme: Theme, stack: Stack, group: Values, line: float, size: float) -> None:
    axes.axhline(line, color=theme.line, linewidth=0.5)
    heights = [line - stack.step * (level + 0.5) for level in stack.levels]
    style = {"color": theme.accent, "markersize": 54 * stack.step, "markeredgewidth": 0}
    axes.plot([value for value, *_ in group], heights, "o", **style)
    for value, *_ in group[:1]:
        style = {"ha": stack.side, "va": "bottom", "fontsize": size, "color": theme.soft, "linespacing": SPACING}
        axes.text(value, line - stack.lift, stack.label, **style)


def _stack(sheet: Sheet, name: str, group: Values, places: Sequence[float], room: float) -> Stack:
    """Lay out a group of values, largest first; `places` are their distances from the left, up to `room`."""
    dot = DOT * sheet.em
    levels = tuple(_levels(places, dot))
    step = min(dot, STACK * sheet.em / (max(levels, default=0) + 1))
    heading = sheet.wrapped(f"{name} (n\xa0=\xa0{len(group)})", room)
    label = sheet.wrapped(f"{group[0][2]}: {group[0][0]:g}", room / 2, sheet.small) if group else ""
    wide, tall = sheet.measure(label, sheet.small)
    is_right = bool(group) and places[0] > room / 2
    reach = dot + wide * is_right
    near = [level for place, level in zip(places, levels, strict=True) if places[0] - place < reach]
    lift = step * (max(near, default=0) + 1) + PAD / 4
    above = max(lift + tall, step * (max(levels, default=0) + 1))
    height = sheet.measure(heading)[1] + above + dot + PAD
    return Stack(heading, levels, step, label, "right" if is_right else "left", lift, height)


def _levels(places: Sequence[float], dot: float) -> Iterator[int]:
    """Yield for each dot, in order of place, the lowest level on which it touches no earlier dot."""
    ends: list[float] = []
    for place in places:
        level = next((i for i, end in enumerate(ends) if abs(place - end) >= dot), len(ends))
        ends[level : level + 1] = [place]
        yield level


def _diagram(figure: Diagram, sheet: Sheet) -> None:
    """Draw boxes and arrows; a narrow picture wraps the text of the boxes."""
    theme, size = sheet.theme, sheet.small
    natural = layout(figure.boxes).width / PIXELS
    width = sheet.width(natural + 2 * PAD)
    scale = (width - 2 * PAD - AROUND) / natural / PIXELS

    def wrapped(line: str, pixels: int, heading: bool) -> str:  # noqa: FBT001 - as `layout` calls it
        style: tuple[float, str] = (size, "bold" if heading else "normal")
        bound, room = line.replace("n = ", "n\xa0=\xa0"), pixels * scale
        room -= sheet.measure("  ", *style)[0] if sheet.measure(bound, *style)[0] > room else 0
        # A number stays beside the last word of its label, if both fit on a line.
        near = bound.replace(" (n", "\xa0(n")
        fits = max(sheet.measure(word, *style)[0] for word in near.split(" ")) <= room
        return sheet.wrapped(near if fits else bound, room, *style).replace("\n", "\n  ")

    placed = layout(figure.boxes, wrapped=wrapped)
    axes = sheet.axes(width, placed.height / PIXELS * size / 9)
    for box in placed.boxes:
        ground = PRINT[box.name][0] if theme.name == "paper" else COLOURS[box.name][theme.name]
        style = {"facecolor": ground, "edgecolor": theme.soft, "linewidth": 0.8, "clip_on": False}
        axes.add_patch(sheet.pyplot.Rectangle((box.x, box.y), box.width, box.height, **style))
        for x, y, line, heading in box.texts():
            weight = "bold" if heading else "normal"
            axes.text(x, y, line, color=theme.ink, va="baseline", fontsize=size, weight=weight)
    arrow = {"arrowstyle": "-|>", "color": theme.soft, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 10 * sheet.em}
    for x1, y1, x2, y2 in placed.arrows:
        axes.annotate("", (x2, y2), (x1, y1), arrowprops=arrow)
    axes.set(xlim=(0, placed.width), ylim=(placed.height, 0))
    axes.axis("off")


def _curves(figure: Curves, sheet: Sheet) -> None:
    """Draw curves on one pair of axes, or each in a panel in front of the area below the curve that contains it."""
    em, theme = sheet.em, sheet.theme
    if figure.within:
        names = [f"{label}: {points[-1][1]:.0f}" if points else label for label, points in figure.lines]
        panels, _ = _panels(sheet, figure, names, 1.4 * em, 0.5)
    else:
        width = sheet.width(6.4 * em)
        panels = [sheet.axes(width, min(4.0 * em, 0.7 * width))] * len(figure.lines)
        panels[0].set(xlabel=figure.x_label, ylabel=figure.y_label)
    tops = _tops(figure, [_apart(points)[1] for _, points in figure.lines])
    for axes, (_, points), around in zip(panels, figure.lines, figure.within or (None,) * len(panels), strict=True):
        if around is not None:
            behind = _apart(figure.lines[around][1])
            axes.fill_between(*behind, step="post", color=theme.whole, linewidth=0, clip_on=CLIP)
        style = {"drawstyle": "steps-post", "color": theme.accent, "linewidth": 1.4}
        axes.plot(*_apart(points), clip_on=CLIP, **style)
    for axes, top in dict(zip(panels, tops, strict=True)).items():
        style = {"color": theme.soft, "linewidth": 0.7, "zorder": 1.5, "clip_on": CLIP}
        references = [
            axes.plot([x for x, _ in points], [min(y, top) for _, y in points], dashes, label=label, **style)[0]
            for (label, points), dashes in zip(figure.references, ("--", ":"), strict=False)
        ]
        _scale(axes, sheet, figure, top)
    sheet.handles(references)


def _scale(axes: Any, sheet: Sheet, figure: Curves, top: float) -> None:
    bare(axes)
    axes.spines["bottom"].set(visible=True, linewidth=0.5)
    if not figure.within:
        axes.grid(color=sheet.theme.whole, linewidth=0.4)
    axes.set_axisbelow(True)
    if figure.shares:
        axes.set(xlim=(0, 1), ylim=(0, 1.02))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda share, _: f"{share:.0%}")
        return
    axes.set_ylim(0, 1.05 * top)
    for axis in (axes.xaxis, axes.yaxis):
        axis.get_major_locator().set_params(integer=True, nbins=4 if figure.within else 7)
    axes.xaxis.set_major_formatter("{x:.0f}")
    axes.tick_params(labelsize=sheet.small if figure.within else sheet.theme.size, pad=6)


def _apart(points: tuple[tuple[float, float], ...]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


_DRAW: Mapping[type, Any] = {Bars: bars, Grid: grid, Points: _points, Diagram: _diagram, Curves: _curves}
