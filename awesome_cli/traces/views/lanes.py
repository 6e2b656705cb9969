"""Lanes in the terminal: one line per agent, time from left to right, the most important event of each column."""

from collections import defaultdict
from collections.abc import Sequence

from awesome_cli.reports.findings import TONE, Level
from awesome_cli.reports.report import Bullets, Cell, Report, Section, Table, Text, Tone, Toned
from awesome_cli.text.numbers import counted
from awesome_cli.traces.model import Event
from awesome_cli.traces.views.timeline import STATUS, Timeline, Wait, facts, families, length, only_waits, waits

WIDTH = 80
GAP = 2
"""Blanks between two columns of a table."""
NARROW = 10
"""A lane is at least so wide."""
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


def report(view: Timeline, *, limit: int = LIMIT, width: int = WIDTH) -> Report:
    """The trace as a report whose table fits `width` columns.

    Many agents are shown in groups; of more than `limit` lines those with the most events.
    """
    lanes, waiting = view.lanes(), _waits(view)
    lines = _lines(view)
    sizes = [sum(len(lanes[a]) for a in members) for _, _, members in lines]
    busiest = sorted(range(len(lines)), key=lambda n: (-sizes[n], n))[:limit]
    shown = [lines[n] for n in sorted(busiest)]
    cells = [_cells(view, lanes, *line) for line in shown]
    heads = ("agent", "state", "events", "tokens")
    label = min(max(len(heads[0]), *(len(str(row[0])) for row in cells)), max(NARROW, width // 4))
    sides = [max(len(head), *(len(_word(row[n])) for row in cells)) for n, head in enumerate(heads) if n]
    room = max(NARROW, width - label - sum(sides) - GAP * len(heads))
    drawn = []
    for _, _, members in shown:
        events = [view.order[k] for a in members for k in lanes[a]]
        drawn.append(strip(view, events, [wait for a in members for wait in waiting.get(a, ())], room))
    rows = [(_fitted(str(row[0]), label), *row[1:], drawn[n]) for n, row in enumerate(cells)]
    table = Table.of((*heads, _axis(view, room)), rows, note=_note(drawn, len(lines) - len(shown)))
    numbers = (f"{value} {name}" for name, value in facts(view))
    sections = [Section(None, (Text(" · ".join(numbers), "muted"), table))]
    if view.kinds:
        found = [_line(view, *kind) for kind in view.kinds[:FINDINGS]]
        more = len(view.kinds) - len(found)
        found += [Toned(f"and {counted(more, 'more kind')}: awesome trace check lists all", "muted")] if more else []
        sections.append(Section("Findings", (Bullets(tuple(found)),)))
    return Report(
        schema="awesome/trace-show/1", data={"rows": [data(view)]}, sections=tuple(sections), title=view.trace.trace_id
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


def _waits(view: Timeline) -> dict[int, list[Wait]]:
    found: dict[int, list[Wait]] = defaultdict(list)
    for wait in waits(view):
        found[wait.agent].append(wait)
    return found


def _lines(view: Timeline) -> list[tuple[str, int, tuple[int, ...]]]:
    """The label, depth and agents of each line: one agent, or a group in the place of its first one."""
    groups = families(view)
    first = {group.members[0]: group for group in groups}
    inside = {a for group in groups for a in group.members}
    lines = []
    for a, name in enumerate(view.names):
        if a in first:
            lines.append((first[a].label, view.depths[a], first[a].members))
        elif a not in inside:
            lines.append((name, view.depths[a], (a,)))
    return lines


def _cells(
    view: Timeline, lanes: Sequence[Sequence[int]], label: str, depth: int, members: Sequence[int]
) -> tuple[Cell, ...]:
    """Agent, state, events and tokens of a line; two blanks per level show the spawn tree."""
    states = {status for a in members if (status := _status(view, view.names[a])) in STATUS}
    status = states.pop() if len(states) == 1 else None
    state = Toned(status, TONES[status]) if status is not None else "mixed" if states else None
    places = [k for a in members for k in lanes[a]]
    return "  " * min(depth, 8) + label, state, len(places), sum(view.order[k].tokens or 0 for k in places) or None


def _word(cell: Cell) -> str:
    return "" if cell is None else str(cell)


def _fitted(label: str, size: int) -> str:
    """A label of at most `size` signs; the end of a long name stays, since names of siblings differ there."""
    if len(label) <= size:
        return label
    head = (size - 1) // 2
    return f"{label[:head]}…{label[len(label) - (size - 1 - head) :]}"


def _note(drawn: Sequence[str], hidden: int) -> str:
    """The legend of the signs in use, and the number of lines that are not shown."""
    used = {sign for lane in drawn for sign in lane}
    legend = "  ".join(f"{sign} {meaning}" for sign, meaning in MEANING.items() if sign in used)
    more = f"\n{counted(hidden, 'more line')}, with fewer events; --html shows all" if hidden else ""
    return legend + more


def strip(view: Timeline, events: Sequence[Event], waiting: Sequence[Wait] = (), width: int = WIDTH) -> str:
    """Events as a line of `width` signs; without a clock, all events of the run have equal width.

    An aggregation that an importer inferred is not drawn: nothing says that there was an answer. Neither is a call that
    only waits: its wait is.
    """
    cells = [" "] * width
    first, last = view.range
    clocked = view.trace.seconds is not None and last > first
    place = {e.index: k for k, e in enumerate(view.order)} if not clocked else {}
    begins, whole = (first, last - first) if clocked else (0.0, max(len(view.order), 1))
    shown = [e for e in events if not (e.type == "aggregate" and e.inferred) and not (clocked and only_waits(e))]
    spans: list[tuple[str, float, float]] = [("wait", wait.start, wait.end) for wait in waiting]
    spans += [(e.type, e.start, e.end) if clocked else (e.type, place[e.index], place[e.index]) for e in shown]
    for kind, start, end in spans:
        sign, _ = SIGNS[kind]
        # A length can be so short that its inverse is no number.
        begin = min(int((start - begins) / whole * width), width - 1)
        stop = int((end - begins) / whole * width) + 1 if clocked else begin + 1
        for column in range(begin, max(begin + 1, min(stop, width))):
            if IMPORTANCE[sign] >= IMPORTANCE.get(cells[column], 0):
                cells[column] = sign
    return "".join(cells).rstrip()


def _axis(view: Timeline, width: int) -> str:
    """The heading of the lanes: the times of the first and the last column."""
    first, last = view.range
    if view.trace.seconds is None or last <= first:
        ends = "first event", "last event"
    else:
        ends = length(view.trace, first), length(view.trace, last)
    return ends[0] + ends[1].rjust(width - len(ends[0])) if sum(map(len, ends)) < width else ends[1].rjust(width)


def _line(view: Timeline, first: int, number: int) -> Toned:
    """One kind of finding: the first of it, and how many there are."""
    finding = view.findings[first]
    place = finding["event"]
    where = f"{' first' * (number > 1)} at {view.order[place].id}" if place >= 0 else ""
    times = f" \u00d7 {number:,}" if number > 1 else ""
    return Toned(f"{finding['code']}{times}{where}: {finding['message']}", TONE[Level(finding["level"])])
