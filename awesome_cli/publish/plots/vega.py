"""Figures as Vega-Lite specifications, for notebooks and pages that bring the renderer."""

from typing import Any

from awesome_cli.errors import UsageError
from awesome_cli.publish.plots.figures import Bars, Figure, Grid, Points
from awesome_cli.text.inert import to_json

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def vega(figure: Figure) -> str:
    """The figure's data and encoding as JSON; raises `UsageError` for a flow, which is no chart."""
    match figure:
        case Bars():
            spec = _bars(figure)
        case Grid():
            spec = _grid(figure)
        case Points():
            spec = _points(figure)
        case _:
            raise UsageError("a flow has no Vega form", hint="use --format svg, or: awesome flow --format mermaid")
    return to_json({"$schema": SCHEMA, "title": figure.title, **spec}, indent=2) + "\n"


def _field(name: str, kind: str, title: str, **more: Any) -> dict[str, Any]:
    return {"field": name, "type": kind, "title": title, **more}


def _bars(figure: Bars) -> dict[str, Any]:
    values = [
        {"category": category, "series": label, "n": n}
        for label, counts in figure.series
        for category, n in zip(figure.categories, counts, strict=True)
    ]
    encoding = {
        "x": _field("category", "ordinal", figure.axis_label),
        "y": _field("n", "quantitative", figure.value_label),
        "color": _field("series", "nominal", "", sort=[label for label, _ in figure.series]),
    }
    return {"data": {"values": values}, "mark": "bar", "encoding": encoding}


def _grid(figure: Grid) -> dict[str, Any]:
    values = [
        {"row": row, "column": column, "n": cell.value, "text": cell.text, "state": cell.state}
        for row, cells in zip(figure.rows, figure.cells, strict=True)
        for column, cell in zip(figure.columns, cells, strict=True)
    ]
    places = {
        "x": _field("column", "nominal", figure.column_label, sort=list(figure.columns)),
        "y": _field("row", "nominal", figure.row_label, sort=list(figure.rows)),
    }
    size = _field("n", "quantitative", "papers")
    shown = {"heat": {"color": size}, "bubbles": {"size": size}, "states": {"color": _field("state", "nominal", "")}}
    mark = "circle" if figure.style == "bubbles" else "rect"
    layers = [
        {"mark": mark, "encoding": shown[figure.style]},
        {"mark": "text", "encoding": {"text": _field("text", "nominal", "")}},
    ]
    return {"data": {"values": values}, "encoding": places, "layer": layers}


def _points(figure: Points) -> dict[str, Any]:
    values = [{"group": label, "value": value, "key": key} for label, group in figure.groups for value, key in group]
    encoding = {
        "x": _field("value", "quantitative", figure.unit, scale={"type": "log"}),
        "y": _field("group", "nominal", "", sort=[label for label, _ in figure.groups]),
        "tooltip": _field("key", "nominal", ""),
    }
    return {"data": {"values": values}, "mark": "point", "encoding": encoding}
