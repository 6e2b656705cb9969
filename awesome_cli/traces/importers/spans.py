"""Build the tree of the spans of any format, and convert it to events: spawns, hand-offs, calls and returns.

The importer of a format sets the kind of each span. A span of the agent `baker` below a span of `boss` becomes a spawn
and a return; a model call below it becomes an `llm_call` of `baker`. No span format records aggregations and the end of
the run; these events are inferred, and marked as inferred.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Literal

from awesome_cli.traces.importers.foreign import Json, grouped
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.recording import AFTER, BEGINS, RETURNS, SPAWNS, STOPS, Recording, stop_reason

SpanKind = Literal["agent", "llm", "tool", "handoff", "guardrail", "decision", "other"]
LEAVES = {"llm", "tool", "guardrail", "decision"}
MISSING = "missing"
"""The `parent` of a span that replaces the missing span of an agent; the agent's end and status are unknown."""

OVERLAP = 0.9
DATED = re.compile(r"(?:[-@](?:\d{4}-\d\d-\d\d|\d{8}|\d{4})|-latest)\Z")
"""The version at the end of a model's name; some instrumentations record the requested name, without a version."""
AT_ONCE = 500
"""A span is compared with at most this many spans that run at the same time, those that began last."""


@dataclass(frozen=True, slots=True)
class TraceSpan:
    """One span; times in microseconds since 1970.

    `name` is the name of the agent or tool; for a hand-off, of the agent that hands off. `target` is the agent that
    takes over. Spans with the same `agent_id` are runs of one agent; `agent` is the agent that another span names.
    `usage` has the fields for tokens and cost of the model call's event. `content_in` and `content_out` are prompts,
    arguments and results. `scope` is the instrumentation.

    Only OpenTelemetry spans have `attributes`, and `marks`: the span events that `awesome trace export otel` writes, as
    name, time and attributes.
    """

    id: str
    parent: str
    name: str
    start: int
    end: int
    kind: SpanKind = "other"
    scope: str = ""
    agent_id: str = ""
    agent: str = ""
    target: str = ""
    model: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    call_id: str = ""
    status: str = ""
    error_type: str = ""
    content_in: object = None
    content_out: object = None
    attributes: Mapping[str, object] = field(default_factory=dict)
    marks: Sequence[tuple[str, int, Mapping[str, object]]] = ()

    @property
    def tokens(self) -> int:
        return int(self.usage.get("tokens_in", 0) + self.usage.get("tokens_out", 0))


class Tree:
    """Spans in the order of their start, and the parent of each span by the span's id.

    If a parent is missing and its children name an agent, a stand-in for the span of that agent becomes their parent.
    """

    def __init__(self, spans: Iterable[TraceSpan]) -> None:
        by_id = {span.id: span for span in spans}
        self.orphans = [span for span in by_id.values() if span.parent and span.parent not in by_id]
        stand_ins: dict[str, TraceSpan] = {}
        for parent, children in grouped(self.orphans, lambda span: span.parent).items():
            names = dict.fromkeys(span.agent for span in children if span.agent)
            for name in names:
                group = [span for span in children if span.agent == name or len(names) == 1]
                start, end = min(span.start for span in group), max(span.end for span in group)
                stand_in = TraceSpan(f"{parent}/{name}", MISSING, name, start, end, "agent")
                stand_ins |= dict.fromkeys((span.id for span in group), stand_in)
        by_id |= {stand_in.id: stand_in for stand_in in stand_ins.values()}
        self.spans = sorted(by_id.values(), key=lambda span: (span.start, -span.end, span.id))
        self.parents = {span.id: stand_ins.get(span.id, by_id.get(span.parent)) for span in self.spans}

    def downwards(self) -> list[TraceSpan]:
        """Return the spans, parents before their children. Start times do not tell this order: clocks can differ."""
        depths: dict[str, int] = {}
        for span in self.spans:
            way = list(takewhile(lambda up: up.id not in depths, (span, *self.above(span))))
            top = self.parents[way[-1].id] if way else None
            depth = depths.get(top.id, 0) if top is not None else 0
            depths.update({step.id: depth + n for n, step in enumerate(reversed(way), 1)})
        return sorted(self.spans, key=lambda span: depths[span.id])

    def above(self, span: TraceSpan) -> Iterator[TraceSpan]:
        """Yield the ancestors of a span, nearest first."""
        seen = {span.id}
        up = self.parents[span.id]
        while up is not None and up.id not in seen:
            seen.add(up.id)
            yield up
            up = self.parents[up.id]

    def adopt(self) -> None:
        """Make the agent that covers a span in time its parent, if the recorded parent is not in the file.

        If several nested agents cover the span, the innermost agent is used; if parallel agents cover it, no agent is.
        """
        orphans = {span.id for span in self.spans if span.parent and self.parents[span.id] is None}
        agents = [span for span in self.spans if span.kind == "agent"] if orphans else []
        lineages = {agent.id: [agent, *self.above(agent)] for agent in agents}
        depths = {name: sum(up.kind == "agent" for up in lineage) for name, lineage in lineages.items()}
        live: list[TraceSpan] = []
        for span in self.spans if agents else ():
            if span.id in orphans:
                live = [agent for agent in live[-AT_ONCE:] if agent.end >= span.start]
                around = [agent for agent in live if agent.end >= span.end and lineages[agent.id][-1].id != span.id]
                self.parents[span.id] = _innermost(around, depths)
            if span.kind == "agent":
                live.append(span)

    def merge_calls(self) -> int:
        """Remove duplicate spans of a model call; return their number.

        If two instrumentations (scopes) record one call, the span with more tokens is kept, below an agent if either
        span is. A span around a model call can repeat the call's tokens, and is removed.
        """
        calls = [span for span in self.spans if span.kind == "llm"]
        outer = [next((up for up in self.above(call) if up.kind in {"llm", "agent", "tool"}), None) for call in calls]
        removed = {span.id for span in outer if span is not None and span.kind == "llm"}
        live: list[TraceSpan] = []
        for call in (call for call in calls if call.id not in removed):
            live = [other for other in live[-AT_ONCE:] if other.end > call.start]
            twin = next((other for other in live if other.scope != call.scope and _same(other, call)), None)
            if twin is None:
                live.append(call)
                continue
            weaker, better = sorted((call, twin), key=lambda span: (span.tokens, -span.start))
            removed.add(weaker.id)
            above = list(self.above(weaker))
            agents = [any(up.kind == "agent" for up in ups) for ups in (above, self.above(better))]
            if agents == [True, False] and better not in above:
                self.parents[better.id] = self.parents[weaker.id]
            live = [better if other is twin else other for other in live]
        self.spans = [span for span in self.spans if span.id not in removed]
        self.parents = {s.id: next((up for up in self.above(s) if up.id not in removed), None) for s in self.spans}
        return len(removed)


def _same(a: TraceSpan, b: TraceSpan) -> bool:
    """True if two calls have nearly the same time and model: `openai/gpt-4o-2025-01-31` is `gpt-4o`."""
    shared = min(a.end, b.end) - max(a.start, b.start)
    longer = max(a.end - a.start, b.end - b.start)
    families = {DATED.sub("", span.model.rpartition("/")[2]) for span in (a, b)}
    return longer > 0 and shared >= OVERLAP * longer and len(families) == 1


def _innermost(agents: Sequence[TraceSpan], depths: Mapping[str, int]) -> TraceSpan | None:
    """Return the deepest agent such that each level down to it has only one agent."""
    levels = grouped(agents, lambda agent: depths[agent.id])
    alone = takewhile(lambda depth: len(levels[depth]) == 1, sorted(levels))
    return next((levels[depth][0] for depth in reversed(list(alone))), None)


@dataclass(eq=False)
class AgentRun:
    """One run of one agent.

    `through` is the tool or hand-off span that started it. The run `handed_by` handed its task to this run; this run
    handed its task to the run `handed_to`. An `invented` run represents the workflow above all agents.
    """

    span: TraceSpan
    agent: str
    begin: int
    finish: int
    parent: "AgentRun | None" = None
    through: TraceSpan | None = None
    handed_by: "AgentRun | None" = None
    handed_to: "AgentRun | None" = None
    invented: bool = False
    depth: int = 0

    @property
    def role(self) -> str:
        """The name of the span if the agent has another name: `baker` for `baker#2`."""
        return self.span.name if self.agent != self.span.name else ""

    def lineage(self) -> "Iterator[AgentRun]":
        """Yield the run, the run that started it, and so on."""
        run: AgentRun | None = self
        while run is not None:
            yield run
            run = run.parent

    @property
    def answered_at(self) -> int:
        """The time at which the task is returned: the end of the last run that it was handed to."""
        last, t, seen = self, self.finish, {id(self)}
        while last.handed_to is not None and id(last.handed_to) not in seen:
            last = last.handed_to
            seen.add(id(last))
            t = max(t, last.finish)
        return t


def traces_of(
    spans: Sequence[TraceSpan], log: LogFile, form: str, *, with_content: bool, fallback: str, **header: Any
) -> Iterator[Json]:
    """Yield the trace of one span tree if it has events. `fallback` names the actor of calls outside of any agent."""
    rec = Recording(form, with_content)
    rec.unrecorded |= {"delivery", "stop"}
    rec.add_loss("lines that are not JSON", log.broken())
    tree = Tree(spans)
    rec.add_loss("spans whose parents are not in the file", len(tree.orphans))
    tree.adopt()
    rec.add_loss("duplicate spans of model calls, by a second instrumentation or a wrapper", tree.merge_calls())
    runs, owners = _runs(tree)
    _match_handoffs(tree, runs, owners, rec)
    starters = {run.through.id for run in runs if run.through is not None}
    leaves = [span for span in tree.spans if span.kind in LEAVES and span.id not in starters]
    root = _common_root(tree, runs, [leaf for leaf in leaves if owners[leaf.id] is None], rec, fallback)
    _name_agents(runs, rec)
    for leaf in leaves:
        if run := owners[leaf.id] or root:
            _record_leaf(leaf, run, rec)
    _record_starts_and_returns(runs, rec)
    rec.infer_aggregates()
    if not rec.has("llm_call"):
        rec.add_loss("model calls: the log has none")
        rec.add_loss("tokens of agents without model calls", sum(run.span.tokens for run in runs))
    rec.add_loss("spans that are neither agent, model nor tool", sum(span.kind == "other" for span in tree.spans))
    if rec.drafts:
        _record_stop(runs, rec)
        wall_clock = (max(span.end for span in spans) - min(span.start for span in spans)) / 1e6
        yield rec.trace(provenance=log.provenance, costs={"wall_clock_s": wall_clock}, **header)


def _runs(tree: Tree) -> tuple[list[AgentRun], Mapping[str, AgentRun | None]]:
    """Return the runs of agents in the order of their start, and the run around each span by the span's id.

    A client span and the span of the same agent directly below it are one run.
    """
    owners: dict[str, AgentRun | None] = {}
    within: dict[str, tuple[AgentRun | None, TraceSpan | None]] = {}
    runs: list[AgentRun] = []
    for span in tree.downwards():
        up = tree.parents[span.id]
        run, tool = within.get(up.id, (None, None)) if up is not None else (None, None)
        owners[span.id] = run
        if span.kind == "agent":
            same = run is not None and tool is None and run.span.name == span.name and run.span.end >= span.end
            if not same:
                run = AgentRun(span, "", span.start, span.end, run, tool, depth=run.depth + 1 if run else 0)
                runs.append(run)
            tool = None
        within[span.id] = run, span if span.kind == "tool" else tool
    places = {span.id: place for place, span in enumerate(tree.spans)}
    return sorted(runs, key=lambda run: (run.begin, run.depth, places[run.span.id])), owners


def _match_handoffs(tree: Tree, runs: list[AgentRun], owners: Mapping[str, AgentRun | None], rec: Recording) -> None:
    """Connect each hand-off with the next run of its target agent. Skip runs that wait for the hand-off's source."""
    missed = 0
    by_name = grouped(runs, lambda run: run.span.name)
    for span in (span for span in tree.spans if span.kind == "handoff"):
        source = owners[span.id]
        waiting = list(source.lineage()) if source is not None else []
        later = (run for run in by_name.get(span.target, ()) if run.begin >= span.start)
        target = next((run for run in later if run.handed_by is None and run not in waiting), None)
        if source is None or target is None:
            missed += 1
        else:
            target.handed_by, target.through, source.handed_to = source, span, target
            target.parent, target.depth = source.parent, source.depth
    rec.add_loss("hand-offs to agents that never ran", missed)


def _common_root(
    tree: Tree, runs: list[AgentRun], unowned: list[TraceSpan], rec: Recording, fallback: str
) -> AgentRun | None:
    """Add an actor above all agents if a call has no agent, or if the agents have no common parent."""
    tops = [run for run in runs if run.parent is None and run.handed_by is None]
    if not unowned and len(tops) < 2:
        return None
    spans = [*unowned, *(run.span for run in tops)]
    above = {up.id for span in spans for up in tree.above(span)}
    failed = any(span.status == "error" for span in tree.spans if span.id in above)
    first, last = min(span.start for span in spans), max(span.end for span in spans)
    missing = any(span.parent and tree.parents[span.id] is None for span in tree.spans)
    span = TraceSpan("", MISSING if missing else "", fallback, first, last, "agent", status="error" if failed else "")
    root = AgentRun(span, fallback, first, last, invented=True)
    for run in runs:
        run.depth += 1
        run.parent = run.parent or root
    runs.insert(0, root)
    # A workflow engine that only starts agents is not an agent itself.
    rec.root(fallback, kind="llm" if any(span.kind == "llm" for span in unowned) else "environment")
    rec.add_loss("agents that no other agent started, recorded as spawned by the workflow", len(tops))
    return root


def _name_agents(runs: list[AgentRun], rec: Recording) -> None:
    """Name the agent of every run; the second run of `x` is `x#2`.

    Two runs are one agent only if the format gives them one identity, or if control returns to the agent.
    """
    taken = {run.agent for run in runs if run.invented}
    latest: dict[str, AgentRun] = {}
    numbers = Counter[str]()
    for run in (run for run in runs if not run.invented):
        base = run.span.name or "agent"
        identity = run.span.agent_id or base
        before = latest.get(identity)
        again = before is not None and before.parent is run.parent and before.finish <= run.begin
        if before is not None and again and (run.span.agent_id or run.handed_by is not None):
            run.agent = before.agent
        else:
            run.agent = base
            while run.agent in taken:
                numbers[base] += 1
                run.agent = f"{base}#{numbers[base] + 1}"
            taken.add(run.agent)
        latest[identity] = run
        declare = rec.root if run.parent is None else rec.agent
        declare(run.agent, role=run.role, model=run.span.model)


def _record_leaf(span: TraceSpan, run: AgentRun, rec: Recording) -> None:
    agent = run.agent
    common: dict[str, Any] = {"end": span.end, "source": span.id, "error_type": span.error_type, "status": span.status}
    match span.kind:
        case "llm":
            rec.add("llm_call", agent, span.start, model=span.model, **span.usage, content=span.content_out, **common)
            rec.agent(agent, model=span.model)
        case "tool":
            about: dict[str, Any] = {"call_id": span.call_id, "arguments": span.content_in, "result": span.content_out}
            rec.call(agent, span.name, span.start, **about, **common)
        case "guardrail":
            rec.add("safety_event", agent, span.start, role=span.name, **common)
        case _:
            rec.add("orchestrator_decision", agent, span.start, content=span.content_out, **common)
    # The clocks of different processes can differ: an agent runs at least as long as its calls.
    for each in run.lineage():
        each.begin, each.finish = min(each.begin, span.start), max(each.finish, span.end)


def _record_starts_and_returns(runs: list[AgentRun], rec: Recording) -> None:
    last = {draft.body["agent"]: draft.key for draft in sorted(rec.drafts, key=lambda draft: draft.key)}
    known = set(rec.roots)
    for run in runs:
        by, span, through = run.handed_by or run.parent, run.span, run.through
        if by is None:
            continue
        passed = run.handed_by is not None and run.parent is None
        start = min(run.begin, through.start) if through is not None else run.begin
        rec.add(
            "delegate" if run.agent in known else "spawn", by.agent, start, phase=SPAWNS, rank=run.depth,
            to=run.agent, mode="pass_control" if passed else "", role=run.role, inferred=by.invented,
            content=(through or span).content_in,
            source=(through or span).id if run.handed_by is not None else span.id,
        )  # fmt: skip
        known.add(run.agent)
        if passed:
            continue
        if span.parent == MISSING:
            rec.unrecorded.add("return")
            continue
        t = run.answered_at
        late = last.get(run.agent, (0,)) >= (t, BEGINS)
        rec.add(
            "return", run.agent, t, phase=AFTER if late else RETURNS, rank=-run.depth, to=by.agent,
            status=span.status, error_type=span.error_type, content=span.content_out or (through or span).content_out,
            inferred=by.invented or run.handed_by is not None, source=span.id,
        )  # fmt: skip


def _record_stop(runs: list[AgentRun], rec: Recording) -> None:
    """Add the inferred stop of the run, by the top-level agent that ended last, unless that agent's span is missing."""
    final = max((run for run in runs if run.parent is None), key=lambda run: (run.finish, run.begin))
    if final.span.parent == MISSING:
        return
    t = max(final.finish, *(draft.end for draft in rec.drafts))
    reason = stop_reason(final.span.status, final.span.error_type)
    rec.add("stop", final.agent, t, phase=STOPS, reason=reason, scope="trace", inferred=True)
