"""Decisions and model calls as a table: one flat row each, of strings, numbers and nulls, with reasons of nulls."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awesome_cli.reports.report import Block, Bullets, Report, Section, Table, Text
from awesome_cli.text.numbers import counted
from awesome_cli.traces.cells import TaxonomyMap, check_map, term_of
from awesome_cli.traces.groups import NO_GROUP, NO_REWARD, NO_TURN, RULES, GroupSpread, Rollout, Std, credit
from awesome_cli.traces.model import ROLLOUT, TOKENS, Trace
from awesome_cli.traces.rewards import NO_REWARDS, RewardTable, disagreement
from awesome_cli.traces.rows import Kind, kinds, scalar
from awesome_cli.traces.training.decisions import DecidedRun, TrainedDecision, decided

DecisionRow = dict[str, Any]
CHANNEL = "team"
CREDITED = {"reward": "reward of the run in the channel", "return_to_go": "discounted rewards from here on"}
COLUMNS: Mapping[str, str] = {
    "path": "the file", "line": "its line, from 1", "trace_id": "the run", "task_id": "its task",
    "group_id": "rollouts of one task", "sample": "number in the group", "policy_version": "the policy that acted",
    "seed": "seed of the run", "train_step": "step of the training",
    "k": "place among the run's rows, from 0, in the order of the replay",
    "event": "id of the event",
    "decision": "spawn, delegate, message, tool_call, aggregate, return or stop; llm_call if none of these follows",
    "agent": "who decided",
    "role": "its role: as declared, else of its own events, else as it was spawned, else its id",
    "model": "the model of the turn",
    "to": "the agent that is spawned, asked or told",
    "tool": "the tool that is called",
    "status": "as recorded",
    "inferred": "1 if an importer added the event, else 0",
    "t_s": "when, in seconds from the first event of the run",
    "duration_s": "how long it lasted, in seconds",
    "model_call": "id of the model call that it came from",
    "turn": "number of this model call among those of the agent, from 0",
    "shared_by": "number of rows of this model call; tokens / shared_by adds up to the tokens of all model calls",
    **dict.fromkeys(TOKENS, "as recorded for the turn"),
    "content_hash": "equal for equal prompts, arguments or messages",
    **CREDITED,
    **{f"{name}_{part}": words for name, rule in RULES.items() for part, words in
       (("unit", f"{rule.unit}, which gets this credit"), ("credit", rule.meaning))},
    "missing": "why columns of this row are null",
}  # fmt: skip
"""Every fixed column and its content. Columns of rewards, of axes and of contents come after them."""
COUNTS = {"line", "k", "turn", "shared_by", "inferred", *TOKENS}
NUMBERS = {"t_s", "duration_s", *CREDITED, *(f"{name}_credit" for name in RULES)}


@dataclass(frozen=True)
class DecisionTable:
    """The rows of all decisions and model calls of some runs, made one run at a time.

    `rewards` are the names of the columns `outcome/…` and `reward/…`: reward families of the survey with a `mapping`,
    channels without one. `gamma` is the discount of a row. Contents are left out unless `with_content`. `joined` holds
    the rewards and groups of a table of their own, `disagreements` a message for each run whose rewards disagree.
    """

    groups: Mapping[str, GroupSpread]
    rewards: tuple[str, ...]
    channel: str = CHANNEL
    gamma: float = 1.0
    mapping: TaxonomyMap | None = None
    with_content: bool = False
    joined: RewardTable = NO_REWARDS
    disagreements: Sequence[str] = ()

    @classmethod
    def over(
        cls, traces: Iterable[Trace], *, channel: str = CHANNEL, std: Std = "population", **options: Any
    ) -> "DecisionTable":
        """The table of some traces: reads all of them once for the groups and the channels."""
        columns: set[str] = set()
        groups: dict[str, list[Rollout]] = defaultdict(list)
        messages: list[str] = []
        mapping = options.get("mapping")
        if mapping is not None:
            check_map(mapping)
        for trace in traces:
            run = decided(trace, options.get("joined", NO_REWARDS))
            columns.update(column for name in run.totals for column in _columns_of(mapping, name))
            if run.group is not None:
                groups[run.group].append(run.rollout(channel))
            if message := disagreement(run.trace, channel):
                messages.append(message)
        spreads = {group: GroupSpread.of(rollouts, std) for group, rollouts in groups.items()}
        return cls(spreads, tuple(sorted(columns)), channel, disagreements=messages, **options)

    @property
    def axes(self) -> Mapping[str, Mapping[str, str]]:
        """The term of each type of event, by axis of the taxonomy and event type."""
        return (self.mapping or {}).get("events", {})

    @property
    def columns(self) -> dict[str, Kind]:
        rewards: dict[str, Kind] = {
            f"{part}/{name}": "number" for part in ("outcome", "reward") for name in self.rewards
        }
        texts = (*self.axes, *(("content",) if self.with_content else ()))
        return kinds(COLUMNS, NUMBERS, COUNTS) | rewards | dict.fromkeys(texts, "text")

    def rows(self, trace: Trace) -> Iterator[DecisionRow]:
        """One row per decision of a trace, and per model call without one, in the order of the replay."""
        run = decided(trace, self.joined)
        rollout = run.rollout(self.channel)
        group = self.groups.get(run.group) if run.group is not None else None
        returns: Sequence[float | None] = run.returns_to_go(self.channel, self.gamma) or [None] * len(run.decisions)
        shared = run.trace.identity() | {name: scalar(run.trace.rollout.get(name)) for name in ROLLOUT}
        shared |= {"task_id": trace.task_id, "reward": rollout.reward} | self._rewards("outcome", run.totals)
        columns, run_id, begin = self.columns, trace.trace_id, min(event.start for event in trace.events)
        rows_of_turn = Counter((each.event.agent, each.turn) for each in run.decisions)
        for k, decision in enumerate(run.decisions):
            event = decision.event
            row: DecisionRow = shared | {"k": k, "return_to_go": returns[k], "role": run.roles[event.agent]}
            row["shared_by"] = None if decision.turn is None else rows_of_turn[event.agent, decision.turn]
            row |= _decision_columns(trace, decision, begin) | self._rewards("reward", decision.rewards)
            row |= {axis: words.get(event.type) for axis, words in self.axes.items()}
            row["content"] = scalar(event.data.get("content"))
            missing = _why_null(run, decision, row)
            for name, (unit, value, reason) in credit(run_id, event.agent, decision.turn, rollout, group).items():
                row |= {f"{name}_unit": unit, f"{name}_credit": value}
                if value is None:
                    missing[f"{name}_credit"] = reason
            row["missing"] = "; ".join(f"{name}: {why}" for name, why in missing.items()) or None
            yield {name: row.get(name) for name in columns}

    def _rewards(self, part: str, rewards: Mapping[str, float]) -> DecisionRow:
        sums: DecisionRow = {}
        for channel, value in rewards.items():
            for column in _columns_of(self.mapping, channel):
                sums[f"{part}/{column}"] = sums.get(f"{part}/{column}", 0.0) + value
        return sums


def _columns_of(mapping: TaxonomyMap | None, channel: str) -> tuple[str, ...]:
    """The columns of a reward channel: `axis=term` for every axis that knows it, else its own name."""
    axes = (mapping or {}).get("rewards", {})
    terms = ((axis, term_of(channel, patterns)) for axis, patterns in axes.items())
    return tuple(f"{axis}={term}" for axis, term in terms if term is not None) or (channel,)


def _decision_columns(trace: Trace, decision: TrainedDecision, begin: float) -> DecisionRow:
    """The columns of the decision and of the turn that it came from; the run begins at `begin`, in the trace's unit."""
    event, call, unit = decision.event, decision.call, trace.seconds
    data = call.data if call is not None else {}
    return {
        "event": event.id,
        "decision": event.type,
        "agent": event.agent,
        "model": data.get("model") or trace.agents.get(event.agent, {}).get("model"),
        "to": event.to,
        "tool": event.tool,
        "status": event.status,
        "inferred": int(event.inferred),
        "t_s": unit and (event.start - begin) * unit,
        "duration_s": unit and (event.end - event.start) * unit,
        "model_call": call and call.id,
        "turn": decision.turn,
        **{name: data.get(name) for name in TOKENS},
        "content_hash": event.data.get("content_hash"),
    }


def _why_null(run: DecidedRun, decision: TrainedDecision, row: DecisionRow) -> dict[str, str]:
    missing: dict[str, str] = {}
    if run.group is None:
        missing["group_id"] = NO_GROUP
    if row["return_to_go"] is None:
        missing |= dict.fromkeys(CREDITED, NO_REWARD)
    if run.trace.seconds is None:
        missing |= dict.fromkeys(("t_s", "duration_s"), run.trace.no_seconds)
    if decision.call is None:
        missing |= dict.fromkeys(("model_call", "turn", "shared_by", *TOKENS), NO_TURN)
    else:
        missing |= {name: "the model call does not record it" for name in TOKENS if row[name] is None}
    return missing


SHOWN = ("k", "agent", "decision", "to", "tool", "turn", "tokens_out", "return_to_go", "group_relative_credit")
FIRST = 40


def decisions_report(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> Report:
    """The decisive columns of the first rows, and why columns are null; CSV and JSON have all rows and columns."""
    many = len({(row["path"], row["line"]) for row in rows}) > 1
    shown = ("trace_id", *SHOWN) if many else SHOWN
    cells = [[row[name] for name in shown] for row in rows[:FIRST]]
    left = len(rows) - len(cells)
    note = f"{counted(left, 'more row')}. All rows and columns: --out FILE, or --format csv" if left else None
    blocks: list[Block] = [Table.of(shown, cells, title=counted(len(rows), "row"), note=note)]
    missing = Counter(reason for row in rows if row["missing"] for reason in row["missing"].split("; "))
    if missing:
        reasons = tuple(f"{reason} ({counted(n, 'row')})" for reason, n in missing.items())
        blocks += [Text("Some columns are null, for these reasons:"), Bullets(reasons)]
    return Report(
        schema="awesome/trace-rows/1",
        data={"rows": list(rows)},
        sections=(Section(None, tuple(blocks)),),
        rows=Table.of(columns, [[row[name] for name in columns] for row in rows]),
    )
