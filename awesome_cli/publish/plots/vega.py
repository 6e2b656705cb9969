"""Figures as Vega-Lite specifications, for notebooks and pages that bring the renderer."""

from collections.abc import Mapping
from typing import Any

from awesome_cli.errors import UsageError
from awesome_cli.publish.plots.figures import Bars, Curves, Figure, Grid, Points, rows
from awesome_cli.text.inert import to_json

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


def vega(figure: Figure, size: Mapping[str, float] | None = None, font: str | None = None) -> str:
    """The figure's data and encoding as JSON, `size` in pixels; raises `UsageError` for a flow, which is no chart."""
    match figure:
        case Bars():
            spec = _bars(figure)
        case Grid():
            spec = _grid(figure)
        case Points():
            spec = _points(figure)
        case Curves():
            spec = _curves(figure)
        case _:
            raise UsageError("a flow has no Vega form", hint="use --format svg, or: awesome flow --format mermaid")
    names, *values = rows(figure)
    data = {"values": [dict(zip(map(str, names), row, strict=True)) for row in values]}
    lettered = {"config": {"font": font}} if font else {}
    head = {"$schema": SCHEMA, "title": figure.title, **lettered, **(size or {})}
    return to_json({**head, "data": data, **spec}, indent=2) + "\n"


def _field(name: str, kind: str, title: str, **more: Any) -> dict[str, Any]:
    return {"field": name, "type": kind, "title": title, **more}


def _bars(figure: Bars) -> dict[str, Any]:
    series = _field("series", "nominal", "", sort=[label for label, _ in figure.series])
    encoding = {
        "x": _field("category", "ordinal", figure.axis_label),
        "y": _field("n", "quantitative", figure.value_label),
        "opacity": {"condition": {"test": "datum.partial", "value": 0.5}, "value": 1},
        **({"facet": {**series, "columns": 3}} if figure.panels else {"color": series}),
    }
    return {"mark": "bar", "encoding": encoding}


def _grid(figure: Grid) -> dict[str, Any]:
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
    return {"encoding": places, "layer": layers}


def _points(figure: Points) -> dict[str, Any]:
    encoding = {
        "x": _field("value", "quantitative", figure.unit, scale={"type": "log"}),
        "y": _field("group", "nominal", "", sort=[label for label, _ in figure.groups]),
        "tooltip": _field("name", "nominal", ""),
    }
    return {"mark": "point", "encoding": encoding}


def _curves(figure: Curves) -> dict[str, Any]:
    encoding = {
        "x": _field("x", "quantitative", figure.x_label, scale={"zero": False}),
        "y": _field("y", "quantitative", figure.y_label),
        "color": _field("line", "nominal", "", sort=[label for label, _ in (*figure.lines, *figure.references)]),
    }
    return {"mark": {"type": "line", "interpolate": "step-after"}, "encoding": encoding}
