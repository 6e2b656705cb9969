"""The HTML page that shows a trace. It makes no requests, runs only its own script, and escapes every text."""

import base64
import hashlib
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template

from awesome_cli.text.inert import visible
from awesome_cli.traces.model import Trace
from awesome_cli.traces.views.columns import packed
from awesome_cli.traces.views.facts import facts
from awesome_cli.traces.views.timeline import Timeline

SCRIPTS = ("model.js", "draw.js", "page.js")


@dataclass(frozen=True, slots=True)
class Parts:
    """A page in parts: the `title` is plain text, `style` a sheet, `body` HTML with the data and the script.

    `script_hash` and `style_hash` name the script and the sheet in a content security policy.
    """

    title: str
    style: str
    body: str
    script_hash: str
    style_hash: str


def parts(view: Timeline, *, sheet: str = "") -> Parts:
    """The parts of the page; the same trace gives the same bytes. `sheet` is a style sheet below the page's own."""
    # The files are strict JavaScript and share one scope.
    script = "(async () => {\n" + "".join(_asset(name) for name in SCRIPTS) + "})();\n"
    style = sheet + _asset("view.css")
    body = Template(_asset("body.html")).substitute(
        title=escape(view.trace.trace_id),
        subtitle=escape(_subtitle(view.trace)),
        facts="".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts(view)),
        data=packed(view),
        script=script,
    )
    return Parts(visible(view.trace.trace_id), style, visible(body), _digest(script), _digest(style))


def render(view: Timeline, *, sheet: str) -> str:
    """The page as one file with everything in it, in the look of a `sheet` that it shares with a site."""
    made = parts(view, sheet=sheet)
    return Template(_asset("page.html")).substitute(
        script_hash=made.script_hash,
        style_hash=made.style_hash,
        title=escape(made.title),
        style=made.style,
        body=made.body,
    )


def _asset(name: str) -> str:
    return (files("awesome_cli.traces.views") / "assets" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _subtitle(trace: Trace) -> str:
    origin = trace.provenance.get("format") if "importer" in trace.provenance else None
    words = [f"task {trace.task_id}", trace.header.get("system"), trace.header.get("topology")]
    return " · ".join([*(str(word) for word in words if word), *([f"imported from {origin}"] if origin else [])])
