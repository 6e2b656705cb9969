"""Figures as SVG, PNG and PDF."""

import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from awesome_cli.errors import UsageError
from awesome_cli.publish.flow import COLOURS
from awesome_cli.publish.plots.bars import bars
from awesome_cli.publish.plots.figures import Bars, Curves, Diagram, Figure, Grid, Points
from awesome_cli.publish.plots.grids import SMALLEST, grid
from awesome_cli.publish.plots.look import MOST_PIXELS, Look
from awesome_cli.publish.plots.sheet import PAD, Sheet
from awesome_cli.publish.plots.themes import METADATA, THEMES, bare, settings

PIXELS = 96
"""Pixels of the flow's layout to an inch."""
DPI = 200
"""Dots to an inch of a PNG without a wish."""
INCH = 72
"""The side of the square that matplotlib writes a hatch in, in points."""
HATCH = re.compile(rf'(<pattern [^>]*) width="{INCH}" height="{INCH}">(\s*<rect [^>]*>\s*<path d=")([^"]*)"')
CIRCLE = re.compile(r"M (\S+) (\S+) \nC [^z]*z\n")


def draw(figure: Figure, form: str, theme: str = "light", look: Look | None = None) -> bytes:
    """The picture as `svg`, `png` or `pdf`; the same figure gives the same bytes with the same library.

    Raises `AwesomeError` where matplotlib is not installed, `UsageError` for a size that does not fit.
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
    circles = [(float(found[1]), float(found[2]), found[0]) for found in CIRCLE.finditer(path)]
    if len(circles) < 2:
        return hatch[0]
    wide = circles[1][0] - circles[0][0]
    # A circle begins at its lowest point; the first one stands in the lower left corner of the square.
    low = round(2 * wide + circles[0][1] - INCH, 6)
    tile = "".join(circle for x, y, circle in circles if x <= wide and y <= low)
    return f'{head} width="{wide:g}" height="{2 * wide:g}">{between}{tile}"'


@contextmanager
def drawn(figure: Figure, look: Look) -> Iterator[Any]:
    """The figure as matplotlib holds it, laid out."""
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
    """Boxes and arrows; a narrow picture keeps letters that can be read, and takes them from the space beside them."""
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
