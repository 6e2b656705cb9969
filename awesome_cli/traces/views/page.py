"""The HTML page that shows a trace. It makes no requests, runs only its own script, and escapes every text."""

import base64
import hashlib
import struct
import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from importlib.resources import files
from itertools import chain
from operator import sub
from string import Template
from typing import Any

from awesome_cli.text.inert import to_json, visible
from awesome_cli.traces.model import EVENT_TYPES, Event, Trace
from awesome_cli.traces.usage import usage_of
from awesome_cli.traces.views.timeline import NONE, Timeline, elided, facts, families, waits

WIDTHS = (("b", 1 << 7), ("h", 1 << 15), ("i", 1 << 31), ("q", 1 << 53))
"""Types of whole numbers, and what all values stay below; above 2^53 a browser could not tell them apart."""
DECIMALS = 9
BRIEF = 12
"""A short name has at most so many signs."""


def pack(document: Mapping[str, Any], columns: Mapping[str, Sequence[float]], differences: frozenset[str]) -> str:
    """The text. Columns in `differences` rise slowly, so their differences are stored."""
    heads, parts = [], []
    for name, values in columns.items():
        kind, data = _column(values, delta=name in differences)
        heads.append((name, kind, len(values), name in differences))
        parts.append(data)
    text = to_json({**document, "columns": heads}, separators=(",", ":"), allow_nan=False).encode()
    packer = zlib.compressobj(6)
    found = [packer.compress(part) for part in chain((struct.pack("<I", len(text)), text), parts)]
    return base64.b64encode(b"".join((*found, packer.flush()))).decode()


def ticks(times: Sequence[float]) -> tuple[int, Sequence[float]]:
    """The times as whole multiples of 1/scale, without loss; scale 0 and the times if no scale is so fine."""
    for decimals in range(DECIMALS + 1):
        scale = 10**decimals
        # A time that is no multiple is found early, and most scales fail at once.
        if all(abs(t) * scale < WIDTHS[-1][1] and round(t * scale) / scale == t for t in times):
            return scale, [round(t * scale) for t in times]
    return 0, [float(t) for t in times]


def _column(values: Sequence[float], *, delta: bool) -> tuple[str, bytes]:
    if not all(isinstance(value, int) and abs(value) < WIDTHS[-1][1] for value in values):
        return "d", _planes(array("d", values))
    if delta:
        values = [*values[:1], *map(sub, values[1:], values)]
    most = max((abs(min(values)), abs(max(values)))) if values else 0
    kind = next(kind for kind, limit in WIDTHS if most < limit)
    return kind, _planes(array(kind, values))


def _planes(values: "array[Any]") -> bytes:
    if sys.byteorder == "big":
        values.byteswap()
    data = values.tobytes()
    return b"".join(data[n :: values.itemsize] for n in range(values.itemsize))


DETAILS = (
    "role", "model", "mode", "reason", "status", "error_type", "correct", "sanitized", "delivery", "purpose",
    "attempts",
)  # fmt: skip
WORDS = {True: "yes", False: "no"}
ERROR, TIMEOUT, INFERRED, UNTRUSTED = 1, 2, 4, 8
DIFFERENCES = frozenset({"start", "offsets", "from", "waitStart", "waitAgent"})


def packed(view: Timeline) -> str:
    """The timeline as text for the page: events as columns of numbers, agents and tools by their positions."""
    index = {name: a for a, name in enumerate(view.names)}
    tools = {name: n for n, name in enumerate(sorted({e.tool for e in view.order if e.tool}))}
    types = {name: n for n, name in enumerate(EVENT_TYPES)}
    details: dict[tuple[str, ...], int] = {(): 0}
    order = view.order
    waiting, groups = sorted(waits(view)), families(view)
    short = elided(dict.fromkeys([*view.names, *(group.label for group in groups), *tools], BRIEF))
    whom = {word: n for n, word in enumerate(dict.fromkeys(wait.whom for wait in waiting))}
    times = [*(e.start for e in order), *(w.start for w in waiting)]
    lengths = [*(e.end for e in order), *(w.end for w in waiting)]
    scale, both = ticks([*times, *lengths])
    starts, ends = both[: len(times)], both[len(times) :]
    # A length is short where a time is long; without a scale there are times only.
    ends = [end - start for start, end in zip(starts, ends, strict=True)] if scale else ends
    fresh, cached, written, output, _ = zip(*map(usage_of, order), strict=True)
    columns: dict[str, Any] = {
        "type": [types[e.type] for e in order],
        "agent": [index[e.agent] for e in order],
        "to": [index[e.to] if e.to is not None else NONE for e in order],
        "tool": [tools[e.tool] if e.tool else NONE for e in order],
        "start": starts[: len(order)],
        "end": ends[: len(order)],
        "fresh": fresh,
        "cached": cached,
        "written": written,
        "output": output,
        "flags": [_flags(e) for e in order],
        "detail": [details.setdefault(_details(e), len(details)) for e in order],
        **{name: [change[n] for change in view.changes] for n, name in enumerate(("kind", "key", "value", "before"))},
        "offsets": view.offsets,
        "from": [u for u, _ in view.arrows],
        "into": [v for _, v in view.arrows],
        "waitAgent": [wait.agent for wait in waiting],
        "waitStart": starts[len(order) :],
        "waitEnd": ends[len(order) :],
        "waitPlace": [wait.place for wait in waiting],
        "waitFor": [whom[wait.whom] for wait in waiting],
    }
    document = {
        "unit": view.trace.time_unit,
        "seconds": view.trace.seconds,
        "scale": scale,
        "range": list(view.range),
        "types": list(EVENT_TYPES),
        "tools": [(name, short[name]) for name in tools],
        "agents": [_agent(view, a) | {"short": short[name]} for a, name in enumerate(view.names)],
        "groups": [{**group._asdict(), "short": short[group.label]} for group in groups],
        "begin": list(view.begin),
        "ids": [e.id for e in order],
        "details": list(details),
        "whom": list(whom),
        "findings": list(view.findings),
        "kinds": list(view.kinds),
    }
    return pack(document, columns, DIFFERENCES)


def _agent(view: Timeline, a: int) -> dict[str, Any]:
    name, role = view.names[a], view.roles[a]
    about = view.trace.agents.get(name, {})
    kind = about.get("kind") or ("llm" if name in view.machine.agents else "tool")
    facts = [str(fact) for fact in (role, about.get("model")) if fact]
    return {
        "name": name,
        "role": role,
        "kind": kind,
        "depth": view.depths[a],
        "parent": view.parents[a],
        "about": ", ".join([*facts, *([kind] if kind != "llm" else [])]),
    }


def _flags(event: Event) -> int:
    flags = {"error": ERROR, "timeout": TIMEOUT}.get(event.status or "", 0)
    flags |= INFERRED if event.inferred else 0
    return flags | (UNTRUSTED if event.data.get("trusted") is False else 0)


def _details(event: Event) -> tuple[str, ...]:
    """The details that the page shows with an event; contents stay out."""
    data = event.data
    words = {key: WORDS[data[key]] if isinstance(data[key], bool) else data[key] for key in DETAILS if key in data}
    details = [f"{key} {word}" for key, word in words.items()]
    if isinstance(data.get("reward"), dict):
        details += [f"reward {name} {value}" for name, value in sorted(data["reward"].items())]
    return (*details, *(("untrusted",) if data.get("trusted") is False else ()))


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
    return Template(_asset("page.html")).substitute(asdict(made), title=escape(made.title))


def _asset(name: str) -> str:
    return (files("awesome_cli.traces.views") / "assets" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _subtitle(trace: Trace) -> str:
    origin = trace.provenance.get("format") if "importer" in trace.provenance else None
    words = [f"task {trace.task_id}", trace.header.get("system"), trace.header.get("topology")]
    return " · ".join([*(str(word) for word in words if word), *([f"imported from {origin}"] if origin else [])])
