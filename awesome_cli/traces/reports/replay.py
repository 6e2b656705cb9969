"""The reports of `awesome trace replay`: whole replays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from awesome_cli.reports.findings import TONE
from awesome_cli.reports.report import Block, Bullets, Report, Section, Table, Text, Toned, as_tables
from awesome_cli.text.numbers import counted
from awesome_cli.traces.machine import Machine
from awesome_cli.traces.model import Trace
from awesome_cli.traces.reading import Reading
from awesome_cli.traces.replay import Replay
from awesome_cli.traces.rules import TraceFinding
from awesome_cli.traces.wording import place

REPLAY_FIELDS = ("digest", "state_digest", "shape_digest", "steps", "events", "findings", "state")


@dataclass(frozen=True, slots=True)
class Replayed:
    """The answer about one replay, for programs and for people; `illegal` counts the findings about illegal events."""

    row: dict[str, Any]
    section: Section
    readable: bool = False
    illegal: int = 0

    @classmethod
    def of(cls, reading: Reading, replayed: Replay | None, agent: str | None = None) -> "Replayed":
        """Digests, findings and the state. With `agent`, people see the part of that agent only."""
        if reading.trace is None or replayed is None:
            row = {**reading.identity(), **dict.fromkeys(REPLAY_FIELDS), "error": reading.error}
            return cls(row, Section(None, (Text(reading.error or "", "bad"),)))
        section = replay_section(reading, reading.trace, replayed, agent)
        return cls(replay_row(reading, reading.trace, replayed), section, readable=True, illegal=len(replayed.illegal))


def replay_row(reading: Reading, trace: Trace, replayed: Replay) -> dict[str, Any]:
    """The published form of a replay."""
    return {
        **reading.identity(),
        "digest": replayed.digest,
        "state_digest": replayed.state_digest,
        "shape_digest": replayed.shape_digest,
        "steps": replayed.steps,
        "events": len(trace.events),
        "findings": [found.to_json() for found in replayed.findings],
        "state": replayed.machine.to_json(),
    }


def replay_report(replays: Sequence[Replayed]) -> Report:
    """Many replays, one section each."""
    columns = ("path", "line", "trace_id", "steps", "events", "digest", "state_digest", "shape_digest", "error")
    table = Table.of(columns, [[each.row.get(name) for name in columns] for each in replays], title="replays")
    sections = tuple(each.section for each in replays)
    return Report(
        schema="awesome/trace-replay/1",
        data={"rows": [each.row for each in replays]},
        sections=sections,
        rows=(table, *as_tables(sections)),
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
    listed = [found for found in replayed.findings if agent is None or found.agent == agent]
    if listed:
        blocks.append(Bullets(tuple(finding_line(trace, found) for found in listed)))
    blocks.append(agents_table(machine, agent))
    return Section(f"{place(reading.path, reading.line)} ({trace.trace_id})", tuple(blocks))


def finding_line(trace: Trace, found: TraceFinding) -> Toned:
    """A finding of the replay in one line, in the tone of its level."""
    at = f" at {found.event.id}" if found.event else ""
    return Toned(f"{found.code}{at}: {found.message}", TONE[found.rule.levels[trace.version]])
