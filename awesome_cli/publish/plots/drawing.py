"""Figures as SVG, PNG and PDF. The only home of matplotlib, which the extra `plot` installs."""

import io
import math
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from awesome_cli.errors import AwesomeError
from awesome_cli.publish.plots.figures import Bars, Chart, Figure, Grid, Points


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours; `states` are `(face, ink, hatch)`, so that a print without colour tells them apart."""

    paper: str
    ink: str
    soft: str
    line: str
    series: tuple[str, ...]
    ramp: tuple[str, str]
    states: Mapping[str | None, tuple[str, str, str]]


# The series are Okabe and Ito's colours (Color Universal Design, 2008), told apart with any colour vision.
OKABE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999")
# Their blue is too dark for a dark page: lighter there, as is the sky blue that it has to differ from.
OKABE_DARK = ("#4c9fe0", *OKABE[1:4], "#a5dcf7", *OKABE[5:])
THEMES: Mapping[str, Theme] = {
    "light": Theme(
        "#ffffff", "#1d2126", "#565d66", "#d0d0d0", OKABE, ("#ffffff", "#1f5a8f"),
        {"gap": ("#ffffff", "#8a3b12", "///"), "sparse": ("#fbe7bd", "#5c4400", ".."),
         "covered": ("#c3d9ec", "#10314f", ""), None: ("#f3f3f0", "#1d2126", "")},
    ),
    "dark": Theme(
        "#0d1117", "#e6e4de", "#a7adb5", "#3a4048", OKABE_DARK, ("#0d1117", "#9cc8ef"),
        {"gap": ("#0d1117", "#f0b08a", "///"), "sparse": ("#3d3214", "#f5d88d", ".."),
         "covered": ("#1f4463", "#d8eafb", ""), None: ("#1a1f26", "#e6e4de", "")},
    ),
}  # fmt: skip
SETTINGS: Mapping[str, Any] = {
    "svg.hashsalt": "awesome",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "hatch.linewidth": 0.5,
    # A dollar sign in a label is a dollar sign, not mathematics.
    "text.parse_math": False,
}
METADATA: Mapping[str, Mapping[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
"""What would carry a date or a version into the file is left out."""


def draw(figure: Figure, form: str, theme: str = "light") -> bytes:
    """The picture as `svg`, `png` or `pdf`; the same figure gives the same bytes with the same library.

    Raises `AwesomeError` where matplotlib is not installed.
    """
    with _settings(THEMES[theme]) as pyplot:
        drawn = _DRAW[type(figure)](figure, THEMES[theme], pyplot)
        buffer = io.BytesIO()
        drawn.savefig(buffer, format=form, bbox_inches="tight", pad_inches=0.15, dpi=200, metadata=dict(METADATA[form]))
        pyplot.close(drawn)
    return buffer.getvalue()


@contextmanager
def _settings(theme: Theme) -> Iterator[Any]:
    try:
        import matplotlib as mpl
    except ImportError:
        hint = "install it with: pip install 'awesome-survey[plot]'; --format vega needs none"
        raise AwesomeError("plotting needs matplotlib", hint=hint) from None
    mpl.use("agg")
    from matplotlib import pyplot

    colors = {
        "figure.facecolor": theme.paper,
        "savefig.facecolor": theme.paper,
        "axes.facecolor": theme.paper,
        "hatch.color": theme.line,
    }
    colors |= dict.fromkeys(("text.color", "axes.labelcolor", "axes.titlecolor", "xtick.labelcolor"), theme.ink)
    colors |= dict.fromkeys(("ytick.labelcolor", "legend.labelcolor"), theme.ink)
    colors |= dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), theme.line)
    with mpl.rc_context(), pyplot.style.context("default"):
        mpl.rcParams.update({**SETTINGS, **colors})
        yield pyplot


def _wrapped(text: str, width: int = 14) -> str:
    return "\n".join(textwrap.wrap(text, width)) or text


def _bare(axes: Any) -> None:
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0)


def _bars(figure: Bars, theme: Theme, pyplot: Any) -> Any:
    drawn, axes = pyplot.subplots(figsize=(max(5.5, 0.42 * len(figure.categories)), 3.8))
    base = [0] * len(figure.categories)
    for i, (label, values) in enumerate(figure.series):
        color = theme.series[i % len(theme.series)]
        # Bars of nothing would only weigh.
        bars = [(at, value, base[at]) for at, value in enumerate(values) if value]
        places, heights, bottoms = zip(*bars, strict=True) if bars else ((), (), ())
        axes.bar(places, heights, 0.78, bottoms, label=label, color=color, edgecolor=theme.paper, linewidth=0.6)
        base = [low + value for low, value in zip(base, values, strict=True)]
    for place, total in enumerate(base):
        if total:
            axes.annotate(str(total), (place, total), (0, 2), textcoords="offset points", ha="center", fontsize=8)
    _bare(axes)
    axes.spines["bottom"].set_visible(True)
    axes.set(title=figure.title, xlabel=figure.axis_label, ylabel=figure.value_label)
    axes.set_xticks(range(len(figure.categories)), figure.categories)
    axes.tick_params(axis="x", rotation=90 if len(figure.categories) > 14 else 0)
    axes.legend(frameon=False, fontsize=9, loc="upper left")
    return drawn


def _grid(figure: Grid, theme: Theme, pyplot: Any) -> Any:
    tall = 0.8 if figure.style == "bubbles" else 0.46
    drawn, axes = pyplot.subplots(figsize=(2.4 + 1.0 * len(figure.columns), 1.0 + tall * len(figure.rows)))
    axes.set_aspect("equal" if figure.style == "bubbles" else "auto")
    most = max((cell.value for row in figure.cells for cell in row), default=0) or 1
    for y, row in enumerate(figure.cells):
        for x, cell in enumerate(row):
            _cell(axes, figure, theme, (x, y), cell, cell.value / most)
    axes.set_xlim(-0.5, len(figure.columns) - 0.5)
    axes.set_ylim(len(figure.rows) - 0.5, -0.5)
    axes.set_xticks(range(len(figure.columns)), [_wrapped(name) for name in figure.columns])
    axes.set_yticks(range(len(figure.rows)), figure.rows)
    axes.xaxis.tick_top()
    _bare(axes)
    axes.set_title(figure.title, pad=14)
    if figure.note:
        axes.annotate(figure.note, (0, 0), (0, -12), "axes fraction", "offset points", fontsize=8, color=theme.soft)
    return drawn


def _cell(axes: Any, figure: Grid, theme: Theme, at: tuple[int, int], cell: Any, share: float) -> None:
    from matplotlib import colors
    from matplotlib.patches import Circle, Rectangle

    x, y = at
    corner = (x - 0.48, y - 0.47)
    if figure.style == "states":
        face, ink, hatch = theme.states.get(cell.state, theme.states[None])
        axes.add_patch(Rectangle(corner, 0.96, 0.94, facecolor=face, hatch=hatch, edgecolor=theme.line, linewidth=0.5))
        # Hatching stops at the words.
        ground = {"facecolor": face, "edgecolor": "none", "boxstyle": "square,pad=0.15"} if hatch else None
        axes.text(x, y, cell.text, ha="center", va="center", color=ink, fontsize=8.5, linespacing=1.05, bbox=ground)
        return
    low, high = (colors.to_rgb(end) for end in theme.ramp)
    mixed = tuple(a + (b - a) * share for a, b in zip(low, high, strict=True))
    if figure.style == "heat":
        axes.add_patch(Rectangle(corner, 0.96, 0.94, facecolor=mixed, edgecolor=theme.line, linewidth=0.5))
        bright = sum(mixed) / 3 > 0.55
        axes.text(x, y, cell.text, ha="center", va="center", color="#111111" if bright else "#ffffff")
    elif cell.value:
        axes.add_patch(Circle((x, y), 0.46 * math.sqrt(share), facecolor=theme.series[4], edgecolor=theme.line))
        axes.text(x, y, cell.text, ha="center", va="center", fontsize=9, color="#111111" if share > 0.1 else theme.ink)


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
    _bare(axes)
    axes.spines["bottom"].set_visible(True)
    axes.grid(axis="x", color=theme.line, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set(title=figure.title, xlabel=f"{figure.unit} (logarithmic)")
    axes.annotate(figure.note, (0, 0), (0, -44), "axes fraction", "offset points", fontsize=8, color=theme.soft)
    return drawn


def _chart(figure: Chart, theme: Theme, pyplot: Any) -> Any:
    heights = [0.5 + 0.2 * len(lines) for _, lines, _ in figure.boxes]
    places: list[tuple[float, float]] = []
    y = 0.0
    for i, (_, _, leaves) in enumerate(figure.boxes):
        if leaves:
            places.append((4.2, places[-1][1]))
            y = max(y, places[-1][1] + heights[i] + 0.25)
        else:
            places.append((0.0, y))
            y += heights[i] + 0.3
    drawn, axes = pyplot.subplots(figsize=(8.2, y * 0.78))
    style = {"arrowstyle": "-|>", "color": theme.soft, "shrinkA": 0, "shrinkB": 0}
    last: tuple[float, float] | None = None
    for (label, lines, leaves), (x, top), height in zip(figure.boxes, places, heights, strict=True):
        face, ink, _ = theme.states["sparse" if leaves else "covered"]
        axes.add_patch(pyplot.Rectangle((x, top), 3.7, height, facecolor=face, edgecolor=theme.line, linewidth=0.8))
        axes.text(x + 0.12, top + 0.25, label, color=ink, va="center", fontsize=9, weight="bold")
        for n, line in enumerate(lines):
            axes.text(x + 0.24, top + 0.52 + 0.2 * n, line, color=ink, va="center", fontsize=8)
        if leaves:
            axes.annotate("", (x, top + 0.25), (3.7, top + 0.25), arrowprops=style)
        elif last is not None:
            axes.annotate("", (1.85, top), (1.85, last[1]), arrowprops=style)
        last = last if leaves else (x, top + height)
    axes.set_xlim(-0.05, 8)
    axes.set_ylim(y, -0.1)
    axes.axis("off")
    axes.set_title(figure.title)
    axes.annotate(figure.note, (0, 0), (0, -4), "axes fraction", "offset points", fontsize=7.5, color=theme.soft)
    return drawn


_DRAW: Mapping[type, Any] = {Bars: _bars, Grid: _grid, Points: _points, Chart: _chart}
