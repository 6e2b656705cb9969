"""Rewards and groups of runs from a table (CSV, TSV or JSON Lines), joined to traces that carry none.

`trace,group,value` and `run-1,sum,0.5` give the run `run-1` the group `sum` and the reward 0.5.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from awesome_cli.errors import AwesomeError, UsageError, reason
from awesome_cli.text.known import shown, unknown
from awesome_cli.text.tables import Cell, read_table
from awesome_cli.traces.model import Trace

COLUMNS = ("trace", "agent", "group", "value")


@dataclass(slots=True)
class RunRewards:
    """The group of a run and its rewards by agent, each with the cell of the agent; "" is the whole run."""

    trace: Cell
    group: Cell
    values: dict[str, tuple[Cell, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RewardTable:
    """The runs of a table by trace id, with rewards in one channel."""

    runs: Mapping[str, RunRewards] = field(default_factory=dict)
    channel: str = "team"

    def agents(self, trace: Trace) -> dict[str, float]:
        """The rewards of the agents of a trace."""
        run = self.runs.get(trace.trace_id)
        return {agent: value for agent, (_, value) in run.values.items() if agent} if run else {}

    def join(self, trace: Trace) -> Trace:
        """Return the trace with its group and its reward: that of the run, else the sum of those of its agents.

        Raises `AwesomeError` for an agent that is not in the trace.
        """
        if (run := self.runs.get(trace.trace_id)) is None:
            return trace
        for agent, (cell, _) in run.values.items():
            if agent not in ("", *trace.names):
                raise cell.error(unknown(agent, trace.names, "agent", owner=f"trace {trace.trace_id!r}"))
        header = dict(trace.header)
        if run.values:
            total = run.values[""][1] if "" in run.values else sum(self.agents(trace).values())
            header["rewards"] = {**trace.rewards, self.channel: total}
        if run.group.text:
            header["rollout"] = {**trace.rollout, "group_id": run.group.text}
        return replace(trace, header=header)

    def unused(self, traces: Collection[str]) -> str | None:
        """Say which traces of the table are not among these ids; raises `UsageError` if none is."""
        missing = [run.trace for trace, run in self.runs.items() if trace not in traces]
        if not missing or not traces:
            return None
        message = f"{missing[0].place}: {unknown(missing[0].text, traces, 'trace', owner='the input')}"
        if len(missing) == len(self.runs):
            raise UsageError(message, hint="the ids of the traces: awesome trace metrics FILE --format csv")
        return f"{message} ({len(missing)} of {len(self.runs)} traces of the table are not in the input)"


NO_REWARDS = RewardTable()


def read_rewards(path: str | Path | None, channel: str = "team") -> RewardTable:
    """The table in a file, empty for None; raises `AwesomeError` with the place of a fault."""
    if path is None:
        return NO_REWARDS
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot read the rewards: {reason(error)}") from error
    except UnicodeDecodeError as error:
        raise AwesomeError(f"{path} is not UTF-8 text", hint="save the table as UTF-8") from error
    runs: dict[str, RunRewards] = {}
    for row in read_table(text, str(path), COLUMNS):
        add_row(runs, *(row[name] for name in COLUMNS))
    if not runs:
        raise AwesomeError(f"{path}:1:1: the table has no rows", hint=f"its columns are {', '.join(COLUMNS)}")
    return RewardTable(runs, channel)


def add_row(runs: dict[str, RunRewards], trace: Cell, agent: Cell, group: Cell, value: Cell) -> None:
    """Add a row of the table; one with a group need not have a value."""
    if not trace.text:
        raise trace.error("the row names no trace", "the columns of the table: awesome help training")
    run = runs.setdefault(trace.text, RunRewards(trace, group))
    if group.text and run.group.text not in ("", group.text):
        raise group.error(f"the trace has the group {shown(run.group.text)} at {run.group.place}")
    run.group = group if group.text else run.group
    if value.text or not group.text:
        cell, _ = run.values.setdefault(agent.text, (agent, value.number()))
        if cell is not agent:
            raise value.error(f"the same trace and agent have a reward at {cell.place}")
