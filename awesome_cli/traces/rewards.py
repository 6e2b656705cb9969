"""Rewards of runs: as recorded, and joined from a table (CSV, TSV or JSON Lines) to traces that carry none.

`trace,group,value` and `run-1,sum,0.5` give the run `run-1` the group `sum` and the reward 0.5.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isclose
from pathlib import Path

from awesome_cli.errors import UsageError
from awesome_cli.text.known import shown, unknown
from awesome_cli.text.numbers import shortened
from awesome_cli.text.tables import Cell, read_table
from awesome_cli.traces.model import Trace
from awesome_cli.traces.sources import place

COLUMNS = ("trace", "agent", "group", "value")


def rewards_of(trace: Trace) -> dict[str, float]:
    """A run's rewards by channel: those of the trace, else the sums of its reward events."""
    return {**_sums_of_events(trace), **trace.rewards}


def disagreement(trace: Trace, channel: str = "team") -> str | None:
    """Return a message if the trace's reward in a channel differs from the sum of its reward events."""
    recorded, summed = trace.rewards.get(channel), _sums_of_events(trace).get(channel)
    if recorded is None or summed is None or isclose(recorded, summed):
        return None
    return (
        f"{place(trace.path, trace.line)}: the reward {channel!r} of the run is {recorded:g}, "
        f"the sum of its reward events {summed:g}; that of the run counts"
    )


def _sums_of_events(trace: Trace) -> dict[str, float]:
    sums: dict[str, float] = defaultdict(int)
    for event in trace.events if "reward" in trace.fields else ():
        if event.type == "reward":
            for channel, value in event.data["reward"].items():
                sums[channel] += value
    return sums


@dataclass(frozen=True)
class RunRewards:
    """A run's rows in a table: the cell of its name, its group, and rewards by agent ("" for the whole run).

    Each reward is stored with the cell of its agent, for messages.
    """

    trace: Cell
    group: Cell
    values: dict[str, tuple[Cell, float]]


@dataclass(frozen=True, slots=True)
class RewardTable:
    """The runs of a table by trace id, with rewards in one channel."""

    runs: Mapping[str, RunRewards] = field(default_factory=dict)
    channel: str = "team"

    def agents(self, trace: Trace) -> dict[str, dict[str, float]]:
        """The rewards of the agents of a trace by channel."""
        values = self.runs[trace.trace_id].values if trace.trace_id in self.runs else {}
        return {agent: {self.channel: value} for agent, (_, value) in values.items() if agent}

    def join(self, trace: Trace) -> Trace:
        """Return the trace with its group and its reward: the run's reward, else the sum of its agents' rewards.

        Raises `AwesomeError` for an agent that is not in the trace.
        """
        if (run := self.runs.get(trace.trace_id)) is None:
            return trace
        for agent, (cell, _) in run.values.items():
            if agent not in ("", *trace.names):
                raise cell.error(unknown(agent, trace.names, "agent", owner=f"trace {trace.trace_id!r}"))
        header = dict(trace.header)
        if run.values:
            _, total = run.values.get("", ("", sum(value for _, value in run.values.values())))
            header["rewards"] = {**trace.rewards, self.channel: total}
        if run.group.text:
            header["rollout"] = {**trace.rollout, "group_id": run.group.text}
        return replace(trace, header=header)

    def mismatches(self, traces: Collection[str]) -> Iterator[str]:
        """Return messages about traces that only the table or only the input contains.

        Raises `UsageError` if no trace of the table is in the input.
        """
        if not self.runs or not traces:
            return
        missing = [run.trace for trace, run in self.runs.items() if trace not in traces]
        if missing:
            message = f"{missing[0].place}: {unknown(missing[0].text, traces, 'trace', owner='the input')}"
            if len(missing) == len(self.runs):
                raise UsageError(message, hint="the ids of the traces: awesome trace metrics FILE --format csv")
            yield f"{message} ({len(missing)} of {len(self.runs)} traces of the table are not in the input)"
        if without := [trace for trace in traces if trace not in self.runs]:
            yield f"the table has no reward for {len(without)} of {len(traces)} traces: {shortened(without, 1)}"


NO_REWARDS = RewardTable()


def read_rewards(path: str | Path | None, channel: str = "team") -> RewardTable:
    """Read a table of rewards, empty for None; raises `AwesomeError` with the place of a fault."""
    runs: dict[str, RunRewards] = {}
    for row in read_table(Path(path), COLUMNS) if path is not None else ():
        trace, agent, group, value = (row[name] for name in COLUMNS)
        if not trace.text:
            raise trace.error("the row names no trace")
        run = runs.setdefault(trace.text, RunRewards(trace, group, {}))
        if run.group.text != group.text:
            raise group.error(f"the group of the trace is {shown(run.group.text)} at {run.group.place}")
        if value.text or not group.text:
            cell, _ = run.values.setdefault(agent.text, (agent, value.number()))
            if cell is not agent:
                raise value.error(f"the same trace and agent have a reward at {cell.place}")
    return RewardTable(runs, channel)
