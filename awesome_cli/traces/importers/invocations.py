"""A span tree becomes the events of a run: who spawned whom, what was handed off, what came back.

What no span format says is inferred and marked so: the aggregation of returned answers and the end of the run.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from awesome_cli.traces.importers.inference import infer_aggregates, infer_stop
from awesome_cli.traces.importers.recording import AFTER, BEGINS, RETURNS, SPAWNS, Recording
from awesome_cli.traces.importers.spans import TraceSpan, Tree, merged_calls

LEAVES = {"llm", "tool", "guardrail", "decision"}


@dataclass
class AgentRun:
    """One run of one agent.

    `through` is the tool or hand-off span that started it. `handed_by` is the run that handed its task to this one,
    `handed_to` the run that this one handed its task to. An `invented` run stands for the workflow above all agents.
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
    def answered_at(self) -> int:
        """When the task comes back: at the end of the last run that it was handed to."""
        last, t, seen = self, self.finish, {id(self)}
        while last.handed_to is not None and id(last.handed_to) not in seen:
            last = last.handed_to
            seen.add(id(last))
            t = max(t, last.finish)
        return t


Owner = Callable[[TraceSpan], AgentRun | None]


def record(spans: Sequence[TraceSpan], rec: Recording, *, fallback: str) -> bool:
    """Add the events of one span tree to `rec`; `fallback` names the actor of calls that no agent made.

    False where the tree holds nothing that an orchestration trace could tell.
    """
    merged = merged_calls(spans)
    rec.add_loss("model calls described once more by a second instrumentation or a wrapper", len(spans) - len(merged))
    tree = Tree(merged)
    runs, owner = _runs(tree)
    _hand_off(tree, runs, owner, rec)
    held = {run.through.id for run in runs if run.through is not None}
    leaves = [span for span in tree.spans if span.kind in LEAVES and span.id not in held]
    root = _root(tree, runs, [leaf for leaf in leaves if owner(leaf) is None], rec, fallback)
    if root is not None:
        runs.insert(0, root)
    _name(runs, rec)
    for leaf in leaves:
        run = owner(leaf) or root
        if run is not None:
            _leaf(leaf, run.agent, rec)
            _stretch(run, leaf)
    _invocations(runs, rec)
    infer_aggregates(rec)
    _end(runs, rec)
    other = sum(span.kind == "other" for span in tree.spans)
    rec.add_loss("spans that are neither agent, model nor tool", other)
    return bool(rec.drafts)


def _runs(tree: Tree) -> tuple[list[AgentRun], Owner]:
    """Every run of an agent by start; a client span and the span of the same agent below it are one run."""
    by_span: dict[str, AgentRun] = {}
    runs: list[AgentRun] = []

    def owner(span: TraceSpan) -> AgentRun | None:
        return next((by_span[up.id] for up in tree.above(span) if up.id in by_span), None)

    for span in (s for s in tree.spans if s.kind == "agent"):
        above, through = None, None
        for up in tree.above(span):
            above = by_span.get(up.id)
            if above is not None:
                break
            through = through or (up if up.kind == "tool" else None)
        if above is not None and through is None and above.span.name == span.name and above.span.end >= span.end:
            by_span[span.id] = above
            continue
        run = AgentRun(span, "", span.start, span.end, above, through, depth=above.depth + 1 if above else 0)
        by_span[span.id] = run
        runs.append(run)
    return runs, owner


def _hand_off(tree: Tree, runs: list[AgentRun], owner: Owner, rec: Recording) -> None:
    """Match each hand-off with the next run of the agent that it names."""
    by_name: dict[str, list[AgentRun]] = defaultdict(list)
    for run in runs:
        by_name[run.span.name].append(run)
    missed = 0
    for span in (s for s in tree.spans if s.kind == "handoff"):
        source = owner(span)
        free = (r for r in by_name[span.target] if r.begin >= span.start and r.handed_by is None and r is not source)
        target = next(free, None)
        if source is None or target is None:
            missed += 1
            continue
        target.handed_by, target.through, source.handed_to = source, span, target
        target.parent, target.depth = source.parent, source.depth
    rec.add_loss("hand-offs whose target never ran", missed)


def _root(tree: Tree, runs: list[AgentRun], loose: list[TraceSpan], rec: Recording, fallback: str) -> AgentRun | None:
    """An actor above all agents, where there must be one: loose calls, or agents that nothing connects."""
    tops = [run for run in runs if run.parent is None and run.handed_by is None]
    if not loose and len(tops) < 2:
        return None
    members = [*loose, *(run.span for run in tops)]
    above = {up.id for span in members for up in tree.above(span)}
    failed = any(s.status == "error" for s in tree.spans if s.id in above)
    first, last = min(s.start for s in members), max(s.end for s in members)
    span = TraceSpan("", "", "agent", fallback, first, last, status="error" if failed else "")
    root = AgentRun(span, fallback, first, last, invented=True)
    for run in runs:
        run.depth += 1
        run.parent = run.parent or root
    # An engine that only starts agents makes no model call of its own.
    rec.root(fallback, kind="llm" if any(s.kind == "llm" for s in loose) else "environment")
    rec.add_loss("who started the top agents: written as spawned by the workflow", len(tops))
    return root


def _name(runs: list[AgentRun], rec: Recording) -> None:
    """Name every run; the second run of `x` is `x#2`.

    Runs share a name only where the format gives them one identity, or control comes back to an agent that had it.
    """
    taken = {run.span.name for run in runs if run.invented}
    latest: dict[str, AgentRun] = {}
    numbers: dict[str, int] = defaultdict(lambda: 2)
    for run in runs:
        base = run.span.name or "agent"
        identity = run.span.agent_id or base
        before = latest.get(identity)
        again = before is not None and before.parent is run.parent and before.finish <= run.begin
        if run.invented:
            run.agent = base
        elif before is not None and again and (run.span.agent_id or run.handed_by is not None):
            run.agent = before.agent
        else:
            run.agent = base
            while run.agent in taken:
                run.agent = f"{base}#{numbers[base]}"
                numbers[base] += 1
            taken.add(run.agent)
        latest[identity] = run
        role = run.span.name if run.agent != run.span.name else ""
        declare = rec.root if run.parent is None and not run.invented else rec.agent
        declare(run.agent, role=role, model=run.span.model)


def _leaf(span: TraceSpan, agent: str, rec: Recording) -> None:
    match span.kind:
        case "llm":
            rec.add(
                "llm_call",
                agent,
                span.start,
                end=span.end,
                model=span.model,
                tokens_in=span.tokens_in,
                tokens_out=span.tokens_out,
                tokens_cached=span.tokens_cached,
                cost_usd=span.cost_usd,
                content=span.content_out,
                source=span.id,
                status=span.status,
                error_type=span.error_type,
            )
            rec.agent(agent, model=span.model)
        case "tool":
            rec.call(
                agent,
                span.name,
                span.start,
                end=span.end,
                call_id=span.call_id,
                arguments=span.content_in,
                result=span.content_out,
                status=span.status,
                error_type=span.error_type,
                source=span.id,
            )
        case "guardrail":
            rec.add(
                "safety_event",
                agent,
                span.start,
                end=span.end,
                role=span.name,
                source=span.id,
                status=span.status,
                error_type=span.error_type,
            )
        case _:
            rec.add(
                "orchestrator_decision",
                agent,
                span.start,
                end=span.end,
                content=span.content_out,
                source=span.id,
                status=span.status,
                error_type=span.error_type,
            )


def _stretch(run: AgentRun | None, leaf: TraceSpan) -> None:
    """A run lasts as long as what happened in it: the clocks of different processes need not agree."""
    while run is not None:
        run.begin, run.finish = min(run.begin, leaf.start), max(run.finish, leaf.end)
        run = run.parent


def _invocations(runs: list[AgentRun], rec: Recording) -> None:
    """How every run began and how it came back."""
    last = {draft.body["agent"]: draft.key for draft in sorted(rec.drafts, key=lambda draft: draft.key)}
    known = set(rec.roots)
    for run in runs:
        by = run.handed_by or run.parent
        if by is None:
            continue
        passed = run.handed_by is not None and run.parent is None
        through = run.through
        rec.add(
            "delegate" if run.agent in known else "spawn",
            by.agent,
            min(run.begin, through.start) if through is not None else run.begin,
            phase=SPAWNS,
            rank=run.depth,
            to=run.agent,
            mode="pass_control" if passed else "",
            role=run.span.name if run.agent != run.span.name else "",
            content=through.content_in if through is not None else run.span.content_in,
            inferred=by.invented,
            source=run.span.id if run.handed_by is None else through.id if through else "",
        )
        known.add(run.agent)
        if passed:
            continue
        t = run.answered_at
        late = last.get(run.agent, (0,)) >= (t, BEGINS)
        rec.add(
            "return",
            run.agent,
            t,
            phase=AFTER if late else RETURNS,
            rank=-run.depth,
            to=by.agent,
            status=run.span.status,
            error_type=run.span.error_type,
            content=run.span.content_out if through is None else run.span.content_out or through.content_out,
            inferred=by.invented or run.handed_by is not None,
            source=run.span.id,
        )


def _end(runs: list[AgentRun], rec: Recording) -> None:
    """The run ends with its last top agent."""
    tops = [run for run in runs if run.parent is None]
    if not tops or not rec.drafts:
        return
    final = max(tops, key=lambda run: (run.finish, run.begin))
    span = final.span
    infer_stop(rec, final.agent, max(r.finish for r in tops), status=span.status, error_type=span.error_type)
