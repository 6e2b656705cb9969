"""The HTML page that shows a trace. It makes no requests, runs only its own script, and escapes every text."""

import base64
import hashlib
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from awesome_cli.text.inert import to_json, visible
from awesome_cli.text.numbers import LONG, counted
from awesome_cli.traces.model import EVENT_TYPES, Event, Trace
from awesome_cli.traces.usage import usage_of
from awesome_cli.traces.views.timeline import NONE, PARTS, Timeline, elided, facts, families, length, waits

BRIEF, BRIEF_GROUP = 15, 22
"""The most signs of a short name, and of the short name of a group."""
DETAILS = (
    "role", "model", "mode", "reason", "status", "error_type", "correct", "sanitized", "delivery", "purpose",
    "attempts",
)  # fmt: skip
WORDS = {True: "yes", False: "no"}
ROWS = 200
"""Maximum number of events and of findings that the page shows without its script."""
COLUMNS = ("Time", "Agent", "Event", "To", "Details")


def packed(view: Timeline) -> str:
    """Return the timeline as compressed JSON in base64: events as columns, agents and tools by position."""
    order, lanes, groups = view.order, view.lanes(), families(view)
    index = {name: a for a, name in enumerate(view.names)}
    tools = {name: n for n, name in enumerate(sorted({e.tool for e in order if e.tool}))}
    calls = {result: view.trace.events[call].tool for result, call in view.machine.answers.items()}
    details: dict[tuple[str, ...], int] = {}
    short = elided(dict.fromkeys([*view.names, *tools], BRIEF) | {label: BRIEF_GROUP for label, _ in groups})
    events = {
        "type": [EVENT_TYPES.index(e.type) for e in order],
        "agent": [index[e.agent] for e in order],
        "to": [NONE if e.to is None else index[e.to] for e in order],
        "tool": [tools.get(e.tool or calls.get(e.index) or "", NONE) for e in order],
        "start": [e.start for e in order],
        "end": [e.end for e in order],
        "failed": [int(e.status in {"error", "timeout"}) for e in order],
        "detail": [details.setdefault(_details(e), len(details)) for e in order],
    }
    document = {
        "unit": view.trace.time_unit,
        "seconds": view.trace.seconds,
        "units": LONG,
        "range": view.range,
        "types": EVENT_TYPES,
        "tools": [(name, short[name]) for name in tools],
        "agents": [_agent(view, a, lane) | {"short": short[view.names[a]]} for a, lane in enumerate(lanes)],
        "groups": [
            {
                "name": label,
                "short": short[label],
                "about": " · ".join(_sums(order[k] for a in members for k in lanes[a])),
                "members": members,
            }
            for label, members in groups
        ],
        "begin": view.begin,
        "ids": [e.id for e in order],
        "details": list(details),
        "events": events,
        "changes": view.changes,
        "arrows": view.arrows,
        "waits": [wait._asdict() for wait in sorted(waits(view))],
        "findings": view.findings,
        "kinds": view.kinds,
    }
    text = to_json(document, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode())).decode()


def _agent(view: Timeline, a: int, places: Sequence[int]) -> dict[str, Any]:
    name, role = view.names[a], view.roles[a]
    facts = view.trace.agents.get(name, {})
    kind = facts.get("kind") or ("llm" if name in view.machine.agents else "tool")
    about = [role] if role != name else []
    about += _sums(view.order[k] for k in places)
    about += [str(fact) for fact in (facts.get("model"), kind if kind != "llm" else None) if fact]
    return {"name": name, "kind": kind, "depth": view.depths[a], "about": " · ".join(about)}


def _sums(events: Iterable[Event]) -> list[str]:
    tokens = [event.tokens or 0 for event in events]
    return [counted(len(tokens), "event"), *([counted(sum(tokens), "token")] if any(tokens) else [])]


def _details(event: Event) -> tuple[str, ...]:
    """Return the details that the page shows with an event, without contents."""
    data = event.data
    words = {key: WORDS[data[key]] if isinstance(data[key], bool) else data[key] for key in DETAILS if key in data}
    details = [f"{key} {word}" for key, word in words.items()]
    if isinstance(data.get("reward"), dict):
        details += [f"reward {name} {value}" for name, value in sorted(data["reward"].items())]
    tokens = ", ".join(f"{n:,} {part}" for part, n in zip(PARTS, usage_of(event), strict=True) if n)
    details += [f"tokens: {tokens}"] if tokens else []
    details += ["untrusted"] if data.get("trusted") is False else []
    return (*details, *(("inferred by the importer",) if event.inferred else ()))


def rows(view: Timeline) -> str:
    """Return the first events as rows of an HTML table, for readers without JavaScript."""
    start, lines = view.range[0], []
    for e in view.order[:ROWS]:
        time, kind = length(view.trace, e.start - start), e.type.replace("_", " ")
        cells = (time, e.agent, kind, e.to or e.tool or "", ", ".join(_details(e)))
        pairs = zip(COLUMNS, map(escape, cells), strict=True)
        lines.append("".join(f'<td data-label="{name}">{cell}</td>' for name, cell in pairs))
    return "".join(f"<tr>{line}</tr>\n" for line in lines)


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
    """Return the parts of the page, reproducibly; the page's style sheet extends `sheet`."""
    # The files are strict JavaScript and share one scope.
    script = "(async () => {\n" + "".join(map(_asset, ("model.js", "draw.js", "page.js"))) + "})();\n"
    style = sheet + _asset("view.css")
    body = Template(_asset("body.html")).substitute(
        title=escape(view.trace.trace_id),
        subtitle=escape(_subtitle(view.trace)),
        facts="".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts(view)),
        data=packed(view),
        rows=rows(view),
        shown=f"{min(ROWS, len(view.order)):,} of {counted(len(view.order), 'event')}",
        findings="".join(f"<li>{escape(f['code'])} {escape(f['message'])}</li>" for f in view.findings[:ROWS]),
        script=script,
    )
    return Parts(visible(view.trace.trace_id), style, visible(body), _digest(script), _digest(style))


def render(view: Timeline, *, sheet: str) -> str:
    """Return the page as one self-contained file; `sheet` is the style sheet of a site that includes the page."""
    page = parts(view, sheet=sheet)
    return Template(_asset("page.html")).substitute(asdict(page), title=escape(page.title))


def _asset(name: str) -> str:
    return (files("awesome_cli.traces.views") / "assets" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _subtitle(trace: Trace) -> str:
    origin = trace.provenance.get("format") if "importer" in trace.provenance else None
    words = [f"task {trace.task_id}", trace.header.get("system"), trace.header.get("topology")]
    return " · ".join([*(str(word) for word in words if word), *([f"imported from {origin}"] if origin else [])])
