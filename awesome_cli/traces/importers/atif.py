"""ATIF (agent trajectory interchange format, v1.5 to v1.8): the steps of an agent and of its sub-agents.

A step with `"source": "agent"` is a model call and its tool calls; a call whose result has a `subagent_trajectory_ref`
is the spawn of an agent, its steps and its return.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from awesome_cli.files.paths import is_file
from awesome_cli.traces.importers.foreign import (
    Json,
    amount,
    count,
    mapping,
    moment,
    objects,
    reach,
    text,
    tokens_of_whole,
)
from awesome_cli.traces.importers.log_file import LogFile, RunFiles, TraceFormat
from awesome_cli.traces.importers.recording import Recording

DEEP = 32


def detect(log: LogFile) -> bool:
    """Return True for a document that names an ATIF version, or that has an agent and steps with a source."""
    return len(log.head) == 1 and _is_trajectory(log.head[0])


def _is_trajectory(doc: Json) -> bool:
    steps = objects(doc.get("steps"))
    versioned = text(doc.get("schema_version")).upper().startswith("ATIF")
    return bool(steps) and (versioned or (isinstance(doc.get("agent"), dict) and "source" in steps[0]))


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """Yield a run per trajectory that no other one refers to; the trajectories that it refers to are its files."""
    known = {log.path: log for log in logs}
    refers = {path: [path.parent / name for name in _references(log.first)] for path, log in known.items()}
    inner = {target for path, targets in refers.items() for target in targets if target != path}
    left = dict(known)
    # If trajectories refer to each other in a circle, the first trajectory is the run.
    for path in sorted(known, key=lambda path: path in inner):
        if path in left:
            run = [left.pop(path)]
            for log in run:
                run += [left.pop(target) for target in refers[log.path] if target in left]
            yield RunFiles(run[0], tuple(run[1:]), id=_name(run[0].first))


def _references(doc: Json) -> Iterator[str]:
    yield Path(text(doc.get("continued_trajectory_ref"))).name
    for step in objects(doc.get("steps")):
        for result in objects(reach(step, "observation", "results")):
            for reference in objects(result.get("subagent_trajectory_ref")):
                yield Path(text(reference.get("trajectory_path"))).name


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """Yield one trace with the time unit `step`, because a step has no end and therefore no duration."""
    log, doc = run.main, run.main.first
    rec = Recording(FORMAT.name, with_content, unit="step")
    rec.add_loss("durations: a step has no end; t counts steps, and parallel agents have equal times")
    rec.add_loss("token ids and log probabilities")
    walk = _TrajectoryReader(rec, log.path.parent if log.data is None else None)
    name = rec.root(text(reach(doc, "agent", "name")) or "agent", model=text(reach(doc, "agent", "model_name")))
    walk.steps(doc, name, 0)
    if not rec.drafts:
        return
    rec.infer_aggregates()
    spent = any(draft.body.get("tokens_in") for draft in rec.drafts)
    rec.unrecorded |= {"stop", "duration"} | (set() if spent else {"usage"})
    times = [at for step in objects(doc.get("steps")) if (at := moment(step.get("timestamp"))) is not None]
    costs: Json = {"wall_clock_s": (max(times) - min(times)) / 1e6} if times else {}
    if (final := mapping(doc.get("final_metrics"))) and not spent:
        costs["tokens"] = count(final.get("total_prompt_tokens")) + count(final.get("total_completion_tokens"))
    if cost := amount(final.get("total_cost_usd")):
        costs["cost_usd"] = cost
    yield rec.trace(
        trace_id=_name(doc) or log.stem,
        task_id=text(doc.get("session_id")) or log.stem,
        system=name,
        costs=costs,
        provenance=run.provenance | {"version": text(doc.get("schema_version"))},
    )


class _TrajectoryReader:
    """Records the steps of a trajectory, and of trajectories in the same document or folder that it refers to."""

    def __init__(self, rec: Recording, folder: Path | None) -> None:
        self.rec = rec
        self.folder = folder
        self.open: list[str] = []
        self.sides: dict[str, str] = {}

    def steps(self, doc: Json, agent: str, t: int) -> int:
        """Add the steps of one trajectory from time `t` on; return the time after the last step."""
        inside = {_name(child): child for child in objects(doc.get("subagent_trajectories"))}
        prompted = False
        for step in objects(doc.get("steps")):
            source = text(step.get("source"))
            if step.get("is_copied_context") is True:
                self.rec.add_loss("steps copied from an earlier trajectory, left out")
            elif source == "agent":
                actor = self._agent_of(step, agent, t)
                self._model_call(step, actor, t)
                t = self._results(step, actor, inside, t) + 1
            elif source == "user":
                if prompted:
                    self.rec.add("human_intervention", agent, t, content=step.get("message"), sender="user")
                    t += 1
                prompted = True
            elif source == "system":
                self.rec.add_loss("system messages")
                end = self._results(step, agent, inside, t)
                t = end + 1 if end > t else t
        for side in [side for side, parent in self.sides.items() if parent == agent]:
            self.rec.add("return", side, t, to=agent, inferred=True)
            del self.sides[side]
        following = self._load(text(doc.get("continued_trajectory_ref")))
        return self.steps(following, agent, t) if following else t

    def _agent_of(self, step: Json, agent: str, t: int) -> str:
        """Return the agent of a step. Harbor's converter writes the steps of sub-agents among those of the parent."""
        side = text(reach(step, "extra", "agent_id")) if reach(step, "extra", "is_sidechain") is True else ""
        if side and side not in self.sides:
            self.sides[side] = agent
            self.rec.agent(side)
            self.rec.add("spawn", agent, t, to=side, inferred=True)
        return side or agent

    def _model_call(self, step: Json, agent: str, t: int) -> None:
        """Add the model call of a step; ATIF's prompt tokens include cached tokens."""
        calls, model = step.get("llm_call_count"), text(step.get("model_name"))
        if calls == 0:
            self.rec.add("orchestrator_decision", agent, t, content=step.get("message"))
            return
        metrics = mapping(step.get("metrics"))
        extra = mapping(metrics.get("extra"))
        spent = {"steps": None if calls is None else count(calls)} | tokens_of_whole(
            prompt=metrics.get("prompt_tokens"),
            cached=metrics.get("cached_tokens"),
            cache_write=extra.get("cache_creation_input_tokens"),
            out=metrics.get("completion_tokens"),
            reasoning=extra.get("reasoning_output_tokens") or extra.get("reasoning_tokens"),
        )
        cost = amount(metrics.get("cost_usd"))
        self.rec.add("llm_call", agent, t, model=model, **spent, cost_usd=cost, content=step.get("message"))
        self.rec.agent(agent, model=model)

    def _results(self, step: Json, agent: str, inside: dict[str, Json], t: int) -> int:
        """Add a step's tool calls and sub-agents; return their end time. A compaction has a result but no call."""
        results = objects(reach(step, "observation", "results"))
        answers = {name: result for result in results if (name := text(result.get("source_call_id")))}
        uncalled: list[tuple[Json, Json | None]] = [({}, r) for r in results if not text(r.get("source_call_id"))]
        if uncalled and step.get("source") == "agent":
            self.rec.add_loss("results without a tool call")
        end = t
        calls = [(call, answers.get(text(call.get("tool_call_id")))) for call in objects(step.get("tool_calls"))]
        for call, answer in uncalled + calls:
            references = objects(reach(answer, "subagent_trajectory_ref"))
            for reference in references:
                end = max(end, self._subagent(call, reference, agent, inside, t, mapping(answer)))
            if call and not references:
                self.rec.call(
                    agent, text(call.get("function_name")), t, call_id=text(call.get("tool_call_id")),
                    arguments=call.get("arguments"), result=reach(answer, "content"), answered=answer is not None,
                )  # fmt: skip
        return end

    def _subagent(self, call: Json, reference: Json, agent: str, inside: dict[str, Json], t: int, answer: Json) -> int:
        """Add a sub-agent's spawn by `call` (`{}` if unknown), its steps and its return; return the time of its end."""
        name = _name(reference)
        doc = inside.get(name) or self._load(text(reference.get("trajectory_path"))) or {}
        role = text(call.get("function_name"))
        child = unique = text(reach(doc, "agent", "name")) or role or "agent"
        k = 2
        while unique in self.rec.agents:
            unique, k = f"{child}#{k}", k + 1
        self.rec.agent(unique, role=role, model=text(reach(doc, "agent", "model_name")))
        self.rec.add("spawn", agent, t, to=unique, content=call.get("arguments"), source=text(call.get("tool_call_id")))
        if not doc:
            self.rec.add_loss("trajectories of sub-agents that are neither in the file nor in its folder")
        end = t + 1
        if doc and name not in self.open and len(self.open) < DEEP:
            self.open.append(name)
            end = self.steps(doc, unique, end)
            self.open.pop()
        self.rec.add("return", unique, end, to=agent, content=answer.get("content"))
        return end

    def _load(self, reference: str) -> Json | None:
        """Load a trajectory from the same folder; None if the file is missing, or if its steps are being read."""
        name = Path(reference).name
        if not name or self.folder is None or name in self.open or len(self.open) >= DEEP:
            return None
        doc = next(iter(LogFile(self.folder / name).head), None) if is_file(self.folder, name) else None
        if doc is None or not _is_trajectory(doc):
            self.rec.add_loss("trajectories that the file refers to, but that are not in its folder")
            return None
        self.open.append(name)
        return doc


def _name(value: Json) -> str:
    return text(value.get("trajectory_id")) or text(value.get("session_id"))


FORMAT = TraceFormat(
    "atif", detect, convert, keys=("steps", "trajectory_id"),
    reads="ATIF 1.5 to 1.8; sub-trajectories inside or in the same folder",
    spawns="a call whose result refers to a trajectory",
    inferred="aggregation; spawn and return of flattened side chains",
    lost="durations; copied steps; system messages; log probabilities",
    group=group,
)  # fmt: skip
