"""Bars as pictures: stacked, or a panel for each series."""

import math
from collections.abc import Sequence
from typing import Any

from awesome_cli.model.taxonomy import NA
from awesome_cli.publish.plots.figures import Bars
from awesome_cli.publish.plots.sheet import Sheet
from awesome_cli.publish.plots.themes import bare

BREAK = 0.7
"""How much further apart, in bars, the two sides of a break stand."""
PARTIAL = "////"
"""How the bars of a category that has not ended are hatched."""


def bars(figure: Bars, sheet: Sheet) -> None:
    """Stacked bars, or small panels on one scale."""
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
    """The height of the highest bar, at least one paper."""
    counts = [values for _, values in figure.series]
    totals: list[int] = [max(at) if figure.panels else sum(at) for at in zip(*counts, strict=True)]
    return max([1, *totals])


def _mark(sheet: Sheet, label: str, i: int) -> tuple[str, str]:
    """The colour and the hatch of a series; papers without a term are grey."""
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
    """The bars of a series; empty ones would only make the file larger."""
    edge = sheet.theme.ink if sheet.theme.name == "paper" else sheet.theme.paper
    for category, place, value, low in zip(figure.categories, places, values, base, strict=True):
        if value:
            hatch = PARTIAL if category == figure.partial else mark[1]
            axes.bar(place, value, 0.78, low, color=mark[0], edgecolor=edge, linewidth=0.5, hatch=hatch)


def _totals(axes: Any, sheet: Sheet, places: Sequence[float], values: Sequence[int], slot: float, most: int) -> None:
    """The height of each bar above it, where `most` would fit beside itself."""
    size = sheet.small * 0.9
    if sheet.measure(str(most), size)[0] > slot:
        return
    for place, total in zip(places, values, strict=True):
        if total:
            style = {"textcoords": "offset points", "ha": "center", "fontsize": size}
            axes.annotate(str(total), (place, total), (0, 1.5), **style)


def _finish(axes: Any, sheet: Sheet, figure: Bars, places: Sequence[float], slot: float) -> None:
    """The axes: whole numbers upwards, names below that do not touch each other, a mark at each break."""
    names = [f"{name}*" if name == figure.partial else name for name in figure.categories]
    size = sheet.small if figure.panels else sheet.theme.size
    wide, tall = (max((sheet.measure(name, size)[i] for name in names), default=0) for i in (0, 1))
    turned = wide * 1.15 > slot
    every = max(1, math.ceil(tall * 1.2 / slot)) if turned else 1
    kept = [i for i in range(len(names)) if (len(names) - 1 - i) % every == 0]
    bare(axes)
    axes.spines["bottom"].set_visible(True)
    axes.set_xticks([places[i] for i in kept], [names[i] for i in kept], rotation=90 if turned else 0, fontsize=size)
    axes.tick_params(axis="y", labelsize=size)
    axes.set_xlim(-0.6, (places[-1] if places else 0) + 0.6)
    axes.set_ylim(0, _top(figure) * (1.2 if figure.panels else 1.1))
    axes.yaxis.get_major_locator().set_params(integer=True, nbins=4 if figure.panels else 8)
    for place in figure.breaks:
        middle = places[place] - (1 + BREAK) / 2
        style = {"ha": "center", "va": "center", "fontsize": size, "color": sheet.theme.soft}
        box = {"facecolor": sheet.theme.paper, "edgecolor": "none", "pad": 0.5}
        axes.text(middle, 0, "//", transform=axes.get_xaxis_transform(), bbox=box, **style)
