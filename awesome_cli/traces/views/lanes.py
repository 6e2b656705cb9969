"""Lanes in the terminal: one line per agent, time from left to right, the most important event of each column."""

from awesome_cli.reports.report import Bullets, Cell, Report, Section, Table, Text, Tone, Toned
from awesome_cli.traces.model import Event
from awesome_cli.traces.views.changes import STATUS
from awesome_cli.traces.views.page import facts
from awesome_cli.traces.views.timeline import Timeline

WIDTH = 64
LIMIT = 40
FINDINGS = 20
# Signs from the least to the most important: a column with a model call and a stop shows the stop.
SIGNS = {
    "orchestrator_decision": "d",
    "llm_call": "=",
    "tool_call": "#",
    "tool_result": "#",
    "message": "m",
    "reward": "$",
    "human_intervention": "h",
    "return": "<",
    "spawn": ">",
    "delegate": ">",
    "despawn": "x",
    "aggregate": "A",
    "safety_event": "!",
    "stop": "X",
}
IMPORTANCE = {sign: n for n, sign in enumerate(dict.fromkeys(SIGNS.values()), 1)}
LEGEND = "= model call  # tool  > spawn, delegate  < return  m message  d decision  A aggregate  X stop  ! safety"
TONES: dict[str, Tone] = {"run": "good", "returned": "muted", "stopped": "bad", "despawned": "muted"}


def report(view: Timeline, *, limit: int = LIMIT) -> Report:
    """The trace as a report; of more than `limit` agents those with the most events are shown."""
    trace, lanes = view.trace, view.lanes()
    busiest = sorted(range(len(lanes)), key=lambda a: (-len(lanes[a]), a))[:limit]
    shown = sorted(busiest)
    hidden = len(lanes) - len(shown)
    rows = [_row(view, a, [view.order[k] for k in lanes[a]]) for a in shown]
    note = LEGEND + (f"\n{hidden} more agents, with fewer events, are left out; --html shows all" if hidden else "")
    table = Table.of(("agent", "state", "events", "tokens", _axis(view)), rows, note=note)
    numbers = (f"{value} {name.removesuffix('s') if value == '1' else name}" for name, value in facts(view))
    sections = [Section(None, (Text(" · ".join(numbers), "muted"), table))]
    if view.findings:
        lines = [_line(view, finding) for finding in view.findings[:FINDINGS]]
        more = len(view.findings) - len(lines)
        lines += [Toned(f"and {more} more: awesome trace check lists all", "muted")] if more else []
        sections.append(Section("Findings", (Bullets(tuple(lines)),)))
    return Report(
        schema="awesome/trace-show/1", data={"rows": [data(view)]}, sections=tuple(sections), title=trace.trace_id
    )


def data(view: Timeline) -> dict[str, object]:
    """The published form: the agents with their spawn tree, and the findings."""
    trace, lanes = view.trace, view.lanes()
    return {
        **trace.identity(),
        "agents": [
            {
                "agent": name,
                "parent": view.names[view.parents[a]] if view.parents[a] >= 0 else None,
                "depth": view.depths[a],
                "status": _status(view, name),
                "events": len(lanes[a]),
                "tokens": sum(view.order[k].tokens or 0 for k in lanes[a]),
            }
            for a, name in enumerate(view.names)
        ],
        "findings": [
            finding | {"event": view.order[finding["event"]].id if finding["event"] >= 0 else None}
            for finding in view.findings
        ],
    }


def _status(view: Timeline, name: str) -> str | None:
    agent = view.machine.agents.get(name)
    return agent.status if agent is not None else None


def _row(view: Timeline, a: int, events: list[Event]) -> tuple[Cell, ...]:
    name, status = view.names[a], _status(view, view.names[a])
    # Two blanks per level show the spawn tree.
    label = "  " * min(view.depths[a], 8) + name
    state = Toned(status, TONES[status]) if status in STATUS and status is not None else None
    return label, state, len(events), sum(e.tokens or 0 for e in events) or None, strip(view, events)


def strip(view: Timeline, events: list[Event], width: int = WIDTH) -> str:
    """One agent's events as a line of `width` signs; without a clock, all events of the run have equal width."""
    cells = [" "] * width
    first, last = view.range
    clocked = view.trace.seconds is not None and last > first
    place = {e.index: k for k, e in enumerate(view.order)} if not clocked else {}
    scale = width / (last - first) if clocked else width / max(len(view.order), 1)
    for event in events:
        start, end = (event.start - first, event.end - first) if clocked else (place[event.index],) * 2
        begin = min(int(start * scale), width - 1)
        sign = SIGNS[event.type]
        for column in range(begin, max(begin + 1, min(int(end * scale) + 1, width))):
            if IMPORTANCE[sign] >= IMPORTANCE.get(cells[column], 0):
                cells[column] = sign
    return "".join(cells).rstrip()


def _axis(view: Timeline) -> str:
    """The heading of the lanes: the times of the first and the last column."""
    first, last = view.range
    unit = view.trace.time_unit
    if view.trace.seconds is None or last <= first:
        ends = "first event", "last event"
    else:
        ends = f"{first:.4g} {unit}", f"{last:.4g} {unit}"
    return ends[0] + ends[1].rjust(WIDTH - len(ends[0]))


def _line(view: Timeline, finding: dict[str, object]) -> Toned:
    place = finding["event"]
    where = f" at {view.order[place].id}" if isinstance(place, int) and place >= 0 else ""
    return Toned(f"{finding['code']}{where}: {finding['message']}", "bad" if finding["level"] == "error" else "warn")
