"""Answers about traces as reports: what people read, and the JSON that programs read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awesome_cli.reports.findings import TONE, is_bad, summary
from awesome_cli.reports.report import Block, Bullets, Report, Section, Table, Text, Toned
from awesome_cli.traces.cells import by_axis, exercised
from awesome_cli.traces.checking import Checked
from awesome_cli.traces.codes import level
from awesome_cli.traces.comparing import Difference
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.reading import Reading, sentence
from awesome_cli.traces.replay import Breach, Replay, Step
from awesome_cli.traces.rows import BASELINE, COLUMNS, DIGESTS, IDENTITY, Analysis, cell_columns, table_row
from awesome_cli.traces.sources import LINES

FINDING_COLUMNS = ("code", "level", "path", "line", "column", "key", "message", "fix", "pointer")


def place(path: str, line: int) -> str:
    """A file, and the line in it where there can be more than one trace."""
    many = path.removesuffix(".gz").endswith((*LINES, ".parquet"))
    return f"{path}:{line}" if many or line > 1 else path


def counted(n: int, noun: str) -> str:
    """`1 trace`, `2 traces`."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def check_report(checked: Sequence[Checked]) -> Report:
    """The findings of every trace; JSON rows say how many, and whether the trace could be read."""
    found = [finding for each in checked for finding in each.findings]
    blocks: list[Block] = [Text(sentence(f) + (f"\n    fix: {f.fix}" if f.fix else ""), TONE[f.level]) for f in found]
    blocks.append(Text(f"{counted(len(checked), 'trace')}: {summary(found)}", "bad" if is_bad(found) else "good"))
    table = [(f.code, f.level.value, f.path, f.line, f.column, f.key, f.message, f.fix, f.pointer) for f in found]
    return Report(
        schema="awesome/trace-check/1",
        data={"rows": [{**each.row, "findings": [f.to_json() for f in each.findings]} for each in checked]},
        sections=(Section(None, tuple(blocks)),),
        rows=Table.of(FINDING_COLUMNS, table),
        findings=tuple(f.to_json() for f in found),
    )


REPLAY_FIELDS = ("digest", "state_digest", "shape_digest", "steps", "events", "findings", "state")


@dataclass(frozen=True, slots=True)
class Replayed:
    """The answer about one replay, for programs and for people; `illegal` counts the events that broke a rule."""

    row: dict[str, Any]
    section: Section
    readable: bool = False
    illegal: int = 0

    @classmethod
    def of(cls, reading: Reading, replayed: Replay | None, agent: str | None = None) -> "Replayed":
        """Digests, what was illegal or left open, and the state; `agent` shows people that agent's part alone."""
        if reading.trace is None or replayed is None:
            row = {**reading.identity(), **dict.fromkeys(REPLAY_FIELDS), "error": reading.error}
            return cls(row, Section(None, (Text(reading.error or "", "bad"),)))
        section = replay_section(reading, reading.trace, replayed, agent)
        return cls(replay_row(reading, reading.trace, replayed), section, readable=True, illegal=len(replayed.breaches))


def replay_row(reading: Reading, trace: Trace, replayed: Replay) -> dict[str, Any]:
    """The published form of a replay."""
    return {
        **reading.identity(),
        "digest": replayed.digest,
        "state_digest": replayed.state_digest,
        "shape_digest": replayed.shape_digest,
        "steps": replayed.steps,
        "events": len(trace.events),
        "findings": [breach.to_json() for breach in (*replayed.breaches, *replayed.warnings)],
        "state": replayed.machine.to_json(),
    }


def replay_report(replays: Sequence[Replayed]) -> Report:
    """Many replays, one section each."""
    columns = ("path", "line", "trace_id", "steps", "events", "digest", "state_digest", "shape_digest", "error")
    return Report(
        schema="awesome/trace-replay/1",
        data={"rows": [each.row for each in replays]},
        sections=tuple(each.section for each in replays),
        rows=Table.of(columns, [[each.row.get(name) for name in columns] for each in replays]),
    )


AGENT_COLUMNS = ("agent", "status", "parent", "depth", "open tasks", "open calls", "live children")


def agents_table(machine: Machine, only: str | None = None) -> Table:
    """The agents of a state, or one of them."""
    rows = [
        (name, a.status, a.parent, a.depth, len(a.tasks), a.calls, a.children)
        for name, a in machine.agents.items()
        if only is None or name == only
    ]
    return Table.of(AGENT_COLUMNS, rows)


def state_report(machine: Machine, number: int) -> Report:
    """The whole state after a step, for people."""
    state = machine.to_json()
    calls = [f"open call {key}: {c.tool} by {c.agent}" for key, c in machine.calls.items() if c.status == "open"]
    tasks = [f"open task {key}: {t.to} for {t.by}" for key, t in machine.tasks.items() if t.open]
    unread = [f"unread return {key} for {who or 'nobody'}" for key, who in state["unread"].items()]
    ends = f"answer {machine.answer or 'none yet'}, {'stopped: ' + machine.stopped if machine.stopped else 'running'}"
    blocks: list[Block] = [Text(f"state after step {number}: {ends}", "strong"), agents_table(machine)]
    if calls or tasks or unread:
        blocks.append(Bullets((*calls, *tasks, *unread)))
    return Report("awesome/trace-state/1", {"step": number, "state": state}, (Section(None, tuple(blocks)),))


def step_report(step: Step, machine: Machine, later: Sequence[Breach] = ()) -> Report:
    """One step for people: the event, what it changed, what is illegal, and what it leaves open to the end."""
    event = step.event
    to = f" → {event.to}" if event.to else ""
    lasts = f" to {event.end}" if event.end > event.start else ""
    head = f"{step.number}. {event.id}  {event.type}  {event.agent}{to}  at {event.start}{lasts}"
    changes: list[str | Toned] = [" ".join("-" if part is None else part for part in change) for change in step.changes]
    wrong: list[str | Toned] = [Toned(f"{b.code} {b.message}", "bad") for b in step.breaches]
    wrong += [Toned(f"{b.code} {b.message}", "warn") for b in later]
    blocks: list[Block] = [Text(head, "strong"), Text("changes nothing") if not changes else Bullets(tuple(changes))]
    if wrong:
        blocks.append(Bullets(tuple(wrong)))
    touched = event.to if event.type in ("spawn", "delegate") and event.to else event.agent
    blocks.append(agents_table(machine, touched))
    return Report("awesome/trace-step/1", {"step": step.number, "event": event.id}, (Section(None, tuple(blocks)),))


def replay_section(reading: Reading, trace: Trace, replayed: Replay, agent: str | None) -> Section:
    """One replay for people."""
    machine = replayed.machine
    stopped = f"stopped: {machine.stopped}" if machine.stopped else "not stopped"
    done = f"{replayed.steps:,} of {counted(len(trace.events), 'event')}, {stopped}"
    answer = f", answer {machine.answer}" if machine.answer else ""
    blocks: list[Block] = [
        Text(done + answer),
        Text(f"digest        {replayed.digest}\nstate digest  {replayed.state_digest}\n"
             f"shape digest  {replayed.shape_digest}", "muted"),
    ]  # fmt: skip
    listed = [b for b in (*replayed.breaches, *replayed.warnings) if agent is None or b.agent == agent]
    if listed:
        blocks.append(Bullets(tuple(breach_line(trace, breach) for breach in listed)))
    blocks.append(agents_table(machine, agent))
    return Section(f"{place(reading.path, reading.line)} ({trace.trace_id})", tuple(blocks))


def breach_line(trace: Trace, breach: Breach) -> Toned:
    """A breach in one line, in the tone of its level."""
    at = f" at {breach.event.id}" if breach.event else ""
    return Toned(f"{breach.code}{at}: {breach.message}", TONE[level(breach.code, trace.version)])


def metrics_row(analysis: Analysis) -> dict[str, Any]:
    """The published form of a trace's metrics."""
    row = analysis.row
    head = {name: row[name] for name in IDENTITY}
    rest = {name: row[name] for name in COLUMNS if name not in IDENTITY and name != "error"}
    alone = {name: rest.pop(name) for name in (*DIGESTS, *BASELINE)}
    if row["error"] is not None:
        return {**head, **alone, "values": None, "not_computable": None, "error": row["error"]}
    answer = {**head, **alone, "values": rest, "not_computable": dict(analysis.not_computable)}
    return {**answer, "taxonomy": by_axis(analysis.cells)} if analysis.cells else answer


def metrics_report(analyses: Sequence[Analysis], groups: Mapping[str, Mapping[str, Any]]) -> Report:
    """One trace as a list of its metrics, many as a table of the most telling; groups below; CSV has every column."""
    rows = [metrics_row(a) for a in analyses]
    blocks: list[Block] = [Text(a.row["error"], "bad") for a in analyses if a.row["error"]]
    good = [a for a in analyses if a.row["error"] is None]
    if len(good) == 1:
        blocks += single(good[0])
    elif good:
        blocks.append(overview(good))
    sections = [Section(None, tuple(blocks))]
    sections += [group_section(name, summaries) for name, summaries in groups.items() if summaries]
    cells = exercised([a.cells for a in good if a.cells])
    sections += cell_sections(cells)
    columns = cell_columns(analyses)
    table = [[*table_row(a, columns).values()] for a in analyses]
    return Report(
        schema="awesome/trace-metrics/1",
        data={"rows": rows, "groups": groups, **({"taxonomy": cells} if cells else {})},
        sections=tuple(sections),
        rows=Table.of((*COLUMNS, *columns), table),
    )


def single(analysis: Analysis) -> list[Block]:
    """Every metric of one trace, and why the others are missing."""
    row = analysis.row
    values = [(name, value) for name, value in metrics_row(analysis)["values"].items() if value is not None]
    missing: list[str | Toned] = [f"{name}: {reason}" for name, reason in analysis.not_computable.items()]
    title = f"{place(row['path'], row['line'])} ({row['trace_id']})"
    blocks: list[Block] = [Table.of(("metric", "value"), values, title=title)]
    return [*blocks, Text("Not computable from this trace:"), Bullets(tuple(missing))]


OVERVIEW = (
    "trace_id", "events", "agents", "critical_steps", "potential_speedup_steps", "achieved_speedup",
    "protocol_overhead", "wasted_work", "tokens", "reward", "errors", "warnings",
)  # fmt: skip


def overview(good: Sequence[Analysis]) -> Table:
    """The most telling columns of many traces."""
    rows = [[a.row[name] for name in OVERVIEW] for a in good]
    return Table.of(OVERVIEW, rows, title=counted(len(good), "trace"), note="All columns: --format csv, or --out FILE.")


GROUP_COLUMNS = ("n", "success", "deviation", "cost_per_success", "tokens_per_success", "error_amplification", "shapes")


def group_section(name: str, summaries: Mapping[str, Any]) -> Section:
    """One line per group."""
    rows = [[key, *(summary[column] for column in GROUP_COLUMNS)] for key, summary in summaries.items()]
    return Section(f"By {name}", (Table.of((name, *GROUP_COLUMNS), rows),))


def cell_sections(axes: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> list[Section]:
    """What is exercised, as one table per axis."""
    columns = ("term", "state", "traces", "events", "reward channels")
    states = Toned("never", "warn"), Toned("exercised", "good")
    sections = []
    for axis, terms in axes.items():
        lines = [
            (term, states[cell["traces"] > 0], cell["traces"], cell["events"], ", ".join(cell["rewards"]))
            for term, cell in terms.items()
        ]
        sections.append(Section(f"Taxonomy: {axis}", (Table.of(columns, lines),)))
    return sections


def diff_report(a: Reading, b: Reading, difference: Difference) -> Report:
    """Where two runs part, and the metrics that differ."""
    parting = difference.parting
    blocks: list[Block] = []
    if parting is None:
        blocks.append(Text("The same orchestration: the replays never part.", "good"))
    else:
        blocks.append(Text(f"The replays part at step {parting.step:,}:", "warn"))
        blocks.append(
            Table.of(
                ("run", "event", "type", "agent", "to"), [event_cells("A", parting.a), event_cells("B", parting.b)]
            )
        )
    blocks.append(
        Table.of(
            ("", "A", "B"),
            [
                ("file", place(a.path, a.line), place(b.path, b.line)),
                ("events", *difference.steps),
                ("illegal events", *difference.breaches),
                ("digest", *(d[:16] for d in difference.digests)),
                ("shape digest", *(d[:16] for d in difference.shape_digests)),
            ],
        )
    )
    rows = [(name, left, right, change(left, right)) for name, (left, right) in difference.metrics.items()]
    metrics = Table.of(("metric", "A", "B", "B - A"), rows)
    body: tuple[Block, ...] = (metrics,) if rows else (Text("No metric differs."),)
    return Report(
        schema="awesome/trace-diff/1",
        data={
            "rows": [a.identity(), b.identity()],
            "same_shape": difference.same_shape,
            "parting": None
            if parting is None
            else {"step": parting.step, "a": event_json(parting.a), "b": event_json(parting.b)},
            "digests": list(difference.digests),
            "shape_digests": list(difference.shape_digests),
            "metrics": {name: list(pair) for name, pair in difference.metrics.items()},
        },
        sections=(Section(None, tuple(blocks)), Section("Metrics that differ", body)),
        rows=metrics,
    )


def change(left: float | None, right: float | None) -> float | None:
    """The difference, where both are known."""
    return None if left is None or right is None else right - left


def event_cells(run: str, event: Event | None) -> tuple[str | None, ...]:
    """An event as cells; a run that is over has none."""
    return (run, event.id, event.type, event.agent, event.to) if event else (run, "(over)", None, None, None)


def event_json(event: Event | None) -> dict[str, Any] | None:
    """An event as a program needs it to find it."""
    return {"event": event.id, "type": event.type, "agent": event.agent, "pointer": event.pointer} if event else None
