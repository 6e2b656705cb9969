"""Figures as SVG, PNG and PDF."""

import io
from collections import Counter
from collections.abc import Mapping
from typing import Any

from awesome_cli.publish.flow import COLOURS
from awesome_cli.publish.plots.figures import Bars, Curves, Diagram, Figure, Grid, Points
from awesome_cli.publish.plots.grids import grid
from awesome_cli.publish.plots.themes import METADATA, THEMES, Theme, bare, settings

PIXELS = 96
"""Pixels of the flow's layout to an inch."""


def draw(figure: Figure, form: str, theme: str = "light") -> bytes:
    """The picture as `svg`, `png` or `pdf`; the same figure gives the same bytes with the same library.

    Raises `AwesomeError` where matplotlib is not installed.
    """
    with settings(THEMES[theme]) as pyplot:
        drawn = _DRAW[type(figure)](figure, THEMES[theme], pyplot)
        buffer = io.BytesIO()
        drawn.savefig(buffer, format=form, bbox_inches="tight", pad_inches=0.15, dpi=200, metadata=dict(METADATA[form]))
        pyplot.close(drawn)
    return buffer.getvalue()


def _bars(figure: Bars, theme: Theme, pyplot: Any) -> Any:
    drawn, axes = pyplot.subplots(figsize=(max(5.5, 0.42 * len(figure.categories)), 3.8))
    base = [0] * len(figure.categories)
    for i, (label, values) in enumerate(figure.series):
        color = theme.series[i % len(theme.series)]
        # Empty bars would only make the file larger.
        bars = [(at, value, base[at]) for at, value in enumerate(values) if value]
        places, heights, bottoms = zip(*bars, strict=True) if bars else ((), (), ())
        axes.bar(places, heights, 0.78, bottoms, label=label, color=color, edgecolor=theme.paper, linewidth=0.6)
        base = [low + value for low, value in zip(base, values, strict=True)]
    for place, total in enumerate(base):
        if total:
            axes.annotate(str(total), (place, total), (0, 2), textcoords="offset points", ha="center", fontsize=8)
    bare(axes)
    axes.spines["bottom"].set_visible(True)
    axes.set(title=figure.title, xlabel=figure.axis_label, ylabel=figure.value_label)
    axes.set_xticks(range(len(figure.categories)), figure.categories)
    axes.tick_params(axis="x", rotation=90 if len(figure.categories) > 14 else 0)
    if len(figure.series) > 1:
        axes.legend(frameon=False, fontsize=9, loc="upper left")
    return drawn


def _points(figure: Points, theme: Theme, pyplot: Any) -> Any:
    drawn, axes = pyplot.subplots(figsize=(7.2, 1.6 + 0.85 * len(figure.groups)))
    axes.set_xscale("log")
    for y, (_, values) in enumerate(figure.groups):
        # Papers with the same value stand above each other instead of hiding each other.
        same = Counter(value for value, _ in values)
        step = min(0.11, 0.7 / max(same.values(), default=1))
        seen: Counter[float] = Counter()
        for value, _key in values:
            lift = step * seen[value]
            seen[value] += 1
            axes.plot(value, y - lift, "o", color=theme.series[y % 8], markersize=6, markeredgecolor=theme.paper)
        if values:
            axes.annotate(f"{values[0][1]} {values[0][0]:g}", (values[0][0], y), (0, -14), textcoords="offset points",
                          ha="center", fontsize=8, color=theme.soft)  # fmt: skip
    axes.set_yticks(range(len(figure.groups)), [f"{label} (n = {len(values)})" for label, values in figure.groups])
    axes.set_ylim(len(figure.groups) - 0.4, -0.8)
    bare(axes)
    axes.spines["bottom"].set_visible(True)
    axes.grid(axis="x", color=theme.line, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set(title=figure.title, xlabel=f"{figure.unit} (logarithmic)")
    axes.annotate(figure.note, (0, 0), (0, -44), "axes fraction", "offset points", fontsize=8, color=theme.soft)
    return drawn


def _diagram(figure: Diagram, theme: Theme, pyplot: Any) -> Any:
    width, height = figure.layout.width, figure.layout.height
    drawn, axes = pyplot.subplots(figsize=(width / PIXELS, height / PIXELS))
    drawn.subplots_adjust(0, 0, 1, 1)
    for box in figure.layout.boxes:
        ground = COLOURS[box.name][theme.name]
        style = {"facecolor": ground, "edgecolor": theme.soft, "linewidth": 0.8, "clip_on": False}
        axes.add_patch(pyplot.Rectangle((box.x, box.y), box.width, box.height, **style))
        for x, y, line, heading in box.texts():
            weight = "bold" if heading else "normal"
            axes.text(x, y, line, color=theme.ink, va="baseline", fontsize=9, weight=weight)
    arrow = {"arrowstyle": "-|>", "color": theme.soft, "shrinkA": 0, "shrinkB": 0}
    for x1, y1, x2, y2 in figure.layout.arrows:
        axes.annotate("", (x2, y2), (x1, y1), arrowprops=arrow)
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    axes.axis("off")
    axes.set_title(figure.title, pad=10)
    axes.annotate(figure.note, (0, 0), (0, -14), "axes fraction", "offset points", fontsize=7.5, color=theme.soft)
    return drawn


def _curves(figure: Curves, theme: Theme, pyplot: Any) -> Any:
    drawn, axes = pyplot.subplots(figsize=(6.4, 4.4))
    for i, (label, points) in enumerate(figure.lines):
        color = theme.series[i % len(theme.series)]
        axes.plot(*zip(*points, strict=True), drawstyle="steps-post", label=label, color=color, linewidth=1.4)
    for (label, points), dashes in zip(figure.references, ("--", ":"), strict=False):
        axes.plot(*zip(*points, strict=True), dashes, label=label, color=theme.soft, linewidth=1)
    bare(axes)
    axes.grid(color=theme.line, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.set(title=figure.title, xlabel=figure.x_label, ylabel=figure.y_label, xlim=(0, 1), ylim=(0, 1.02))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda share, _: f"{share:.0%}")
    axes.legend(frameon=False, fontsize=9, loc="lower right")
    axes.annotate(figure.note, (0, 0), (0, -44), "axes fraction", "offset points", fontsize=8, color=theme.soft)
    return drawn


_DRAW: Mapping[type, Any] = {Bars: _bars, Grid: grid, Points: _points, Diagram: _diagram, Curves: _curves}
