"""Timeline in the terminal: a line (lane) per agent, time from left to right, the main event of each column."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from typing import NamedTuple

from awesome_cli.reports.findings import TONE, Level
from awesome_cli.reports.report import Bullets, Cell, Report, Section, Table, Text, Tone, Toned
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.numbers import counted
from awesome_cli.traces.model import Event
from awesome_cli.traces.views.timeline import STATUS, Timeline, Wait, elided, facts, families, length, only_waits, waits

WIDTH = 80
GAP = 2
"""Blanks between two columns of a table."""
NARROW = 10
"""The fewest signs of a lane and of a name."""
INDENT = 2
LIMIT = 40
FINDINGS = 20
# Signs from the least to the most important: a column with a model call and a stop shows the stop.
SIGNS = {
    "wait": ("-", "waits"),
    "orchestrator_decision": ("d", "decision"),
    "llm_call": ("=", "model call"),
    "tool_call": ("#", "tool"),
    "tool_result": ("#", "tool"),
    "message": ("m", "message"),
    "reward": ("$", "reward"),
    "human_intervention": ("h", "person"),
    "return": ("<", "return"),
    "spawn": (">", "spawn, delegate"),
    "delegate": (">", "spawn, delegate"),
    "despawn": ("x", "despawn"),
    "aggregate": ("A", "aggregate"),
    "safety_event": ("!", "safety"),
    "stop": ("X", "stop"),
}
MEANING = dict(SIGNS.values())
IMPORTANCE = {sign: n for n, sign in enumerate(MEANING, 1)}
TONES: dict[str, Tone] = {"run": "good", "returned": "muted", "stopped": "bad", "despawned": "muted"}


class Lane(NamedTuple):
    """A line of the table: an agent or a group, the places of its events, its state and its waits."""

    label: str
    depth: int
    places: list[int]
    state: Cell
    waits: list[Wait]


def report(view: Timeline, *, limit: int = LIMIT, width: int = WIDTH) -> Report:
    """Return the trace as a report whose table fits `width` columns.

    Many agents are grouped. If there are more than `limit` lines, the lines with the most events are shown.
    """
    numbers = (f"{value} {name}" for name, value in facts(view))
    sections = [Section(None, (Text(" · ".join(numbers), "muted"), _table(view, limit, width)))]
    if view.kinds:
        lines = [_finding_line(view, *kind) for kind in view.kinds[:FINDINGS]]
        if more := len(view.kinds) - len(lines):
            lines.append(Toned(f"and {counted(more, 'more kind')}: awesome trace check lists all", "muted"))
        sections.append(Section("Findings", (Bullets(tuple(lines)),)))
    return Report(
        schema="awesome/trace-show/1", data={"rows": [data(view)]}, sections=tuple(sections), title=view.trace.trace_id
    )


def _table(view: Timeline, limit: int, width: int) -> Table:
    """Return the table of lanes; the names take at most a quarter of `width`."""
    lines = list(_lines(view))
    shown = [lines[n] for n in sorted(nlargest(limit, range(len(lines)), key=lambda n: len(lines[n].places)))]
    cells = [(line.state, len(line.places), _tokens(view, line.places)) for line in shown]
    heads = ("agent", "state", "events", "tokens")
    sides = (
        max(len("" if cell is None else str(cell)) for cell in column) for column in zip(heads[1:], *cells, strict=True)
    )
    labels = _labels(shown, max(NARROW, width // 4))
    room = max(NARROW, width - max(map(len, (heads[0], *labels))) - sum(sides) - GAP * len(heads))
    drawn = [strip(view, [view.order[k] for k in line.places], line.waits, room) for line in shown]
    rows = [(label, *row, lane) for label, row, lane in zip(labels, cells, drawn, strict=True)]
    return Table.of((*heads, _axis(view, room)), rows, note=_note(drawn, len(lines) - len(shown)))


def _labels(lines: Sequence[Lane], most: int) -> list[str]:
    """Return the names in at most `most` signs, indented as in the spawn tree."""
    indents = [min(INDENT * line.depth, most - NARROW) for line in lines]
    texts = elided({line.label: most - indent for line, indent in zip(lines, indents, strict=True)})
    return [" " * indent + texts[line.label] for line, indent in zip(lines, indents, strict=True)]


def data(view: Timeline) -> dict[str, object]:
    """Return the JSON form of a timeline: the agents with their spawn tree, and the findings."""
    lanes = view.lanes()
    return {
        **view.trace.identity(),
        "agents": [
            {
                "agent": name,
                "parent": view.names[view.parents[a]] if view.parents[a] >= 0 else None,
                "depth": view.depths[a],
                "status": view.status(a),
                "events": len(lanes[a]),
                "tokens": _tokens(view, lanes[a]) or 0,
            }
            for a, name in enumerate(view.names)
        ],
        "findings": [
            finding | {"event": view.order[finding["event"]].id if finding["event"] >= 0 else None}
            for finding in view.findings
        ],
    }


def _tokens(view: Timeline, places: Iterable[int]) -> int | None:
    return sum(view.order[k].tokens or 0 for k in places) or None


def _lines(view: Timeline) -> Iterator[Lane]:
    """Yield a line per agent or group of agents; a group stands at the position of its first member."""
    lanes, waiting = view.lanes(), group_pairs((wait.agent, wait) for wait in waits(view))
    grouped = {a: (label, members) for label, members in families(view) for a in members}
    for a, name in enumerate(view.names):
        label, members = grouped.get(a, (name, (a,)))
        if a == members[0]:
            states = {status for b in members if (status := view.status(b)) in STATUS}
            status = states.pop() if len(states) == 1 else None
            state = Toned(status, TONES[status]) if status is not None else "mixed" if states else None
            places = [k for b in members for k in lanes[b]]
            waited = [wait for b in members for wait in waiting.get(b, ())]
            yield Lane(label, view.depths[a], places, state, waited)


def _note(drawn: Sequence[str], hidden: int) -> str:
    """Return the legend of the signs in use, and the number of lines that are not shown."""
    used = {sign for lane in drawn for sign in lane}
    legend = "  ".join(f"{sign} {meaning}" for sign, meaning in MEANING.items() if sign in used)
    more = f"\n{counted(hidden, 'more line')}, with fewer events; --html shows all" if hidden else ""
    return legend + more


def strip(view: Timeline, events: Sequence[Event], waiting: Sequence[Wait] = (), width: int = WIDTH) -> str:
    """Draw events as a line of `width` signs; without a clock, all events of the run have equal width.

    Aggregations inferred by an importer are left out, because they need not be answers. A call that only waits is
    drawn as a wait.
    """
    cells = [" "] * width
    shown = [e for e in events if not (e.type == "aggregate" and e.inferred)]
    if view.clocked:
        first, last = view.range
        spans = [("wait", wait.start, wait.end) for wait in waiting]
        spans += [(e.type, e.start, e.end) for e in shown if not only_waits(e)]
    else:
        first, last = 0, len(view.order)
        place = {e.index: k for k, e in enumerate(view.order)}
        spans = [(e.type, place[e.index], place[e.index]) for e in shown]
    for kind, start, end in spans:
        sign, _ = SIGNS[kind]
        # A length can be so short that its inverse is infinite.
        begin, stop = (min(int((time - first) / (last - first) * width), width - 1) for time in (start, end))
        for column in range(begin, stop + 1):
            if IMPORTANCE[sign] >= IMPORTANCE.get(cells[column], 0):
                cells[column] = sign
    return "".join(cells).rstrip()


def _axis(view: Timeline, width: int) -> str:
    """Return the heading of the lanes: the times of the first and the last column."""
    first, last = view.range
    ends = (length(view.trace, first), length(view.trace, last)) if view.clocked else ("first event", "last event")
    return ends[0] + ends[1].rjust(width - len(ends[0])) if sum(map(len, ends)) < width else ends[1].rjust(width)


def _finding_line(view: Timeline, first: int, number: int) -> Toned:
    finding = view.findings[first]
    place = finding["event"]
    where = f"{' first' * (number > 1)} at {view.order[place].id}" if place >= 0 else ""
    times = f" \u00d7 {number:,}" if number > 1 else ""
    return Toned(f"{finding['code']}{times}{where}: {finding['message']}", TONE[Level(finding["level"])])
