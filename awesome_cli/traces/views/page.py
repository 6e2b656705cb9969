"""One HTML file that shows a trace. It makes no requests, runs only its own script, and escapes every text."""

import base64
import hashlib
from html import escape
from importlib.resources import files
from string import Template

from awesome_cli.text.inert import to_json, visible
from awesome_cli.traces.model import Trace
from awesome_cli.traces.views.columns import columns
from awesome_cli.traces.views.timeline import Timeline

SCRIPTS = ("model.js", "draw.js", "page.js")


def render(view: Timeline, *, overview: str | None = None) -> str:
    """The page; the same trace gives the same bytes. `overview` is the address of a page that lists all traces."""
    # The files are strict JavaScript and share one scope.
    script = "(() => {\n" + "".join(_asset(name) for name in SCRIPTS) + "})();\n"
    style = _asset("view.css")
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    # `<` could end the script element early.
    data = to_json(columns(view), separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return visible(
        Template(_asset("page.html")).substitute(
            policy=policy,
            title=escape(view.trace.trace_id),
            subtitle=escape(_subtitle(view.trace)),
            overview=f' · <a href="{escape(overview)}">All traces</a>' if overview else "",
            facts="".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts(view)),
            style=style,
            data=data,
            script=script,
        )
    )


def _asset(name: str) -> str:
    return (files("awesome_cli.traces.views") / "assets" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _subtitle(trace: Trace) -> str:
    origin = trace.provenance.get("format") if "importer" in trace.provenance else None
    parts = [f"task {trace.task_id}", trace.header.get("system"), trace.header.get("topology")]
    return " · ".join([*(str(part) for part in parts if part), *([f"imported from {origin}"] if origin else [])])


def facts(view: Timeline) -> list[tuple[str, str]]:
    """The numbers at the top of the page."""
    trace, (first, last) = view.trace, view.range
    unit = trace.time_unit or ""
    elapsed = f"{last - first:,.4g} {unit}".strip() if unit != "step" else f"{last - first:,.0f} steps"
    errors = sum(finding["level"] == "error" for finding in view.findings)
    found = [("errors", f"{errors:,}"), ("warnings", f"{len(view.findings) - errors:,}")]
    return [
        ("agents", f"{len(view.machine.agents):,}"),
        ("events", f"{len(view.order):,}"),
        ("elapsed", elapsed),
        ("tokens", f"{trace.costs['tokens']:,.0f}"),
        *(found if view.findings else [("findings", "no")]),
    ]
