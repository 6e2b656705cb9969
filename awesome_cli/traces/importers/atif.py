"""ATIF (agent trajectory interchange format, v1.5 to v1.8): steps of one agent, and of the agents below it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from awesome_cli.files.paths import is_file
from awesome_cli.traces.importers._format import RunFiles, TraceFormat
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
from awesome_cli.traces.importers.inference import infer_aggregates
from awesome_cli.traces.importers.log_file import LogFile
from awesome_cli.traces.importers.recording import Recording
from awesome_cli.traces.model import STATUSES, STOP_REASONS, TOKENS

DEEP = 32
WORDS = {"status": STATUSES, "reason": STOP_REASONS, "mode": ("return_to_caller", "pass_control")}
FLAGS = ("tokens_partial", "inferred")
CARRIED = ("type", *WORDS, *FLAGS, *TOKENS, "cost_usd", "error_type")
"""The fields of the events that begin and end a task, in `extra.awesome` of the trajectory that was exported."""


def detect(log: LogFile) -> bool:
    """A document that names an ATIF version, or has steps with a source and an agent."""
    return len(log.head) == 1 and _is_trajectory(log.head[0])


def _is_trajectory(doc: Json) -> bool:
    steps = objects(doc.get("steps"))
    named = text(doc.get("schema_version")).upper().startswith("ATIF")
    return bool(steps) and (named or (isinstance(doc.get("agent"), dict) and "source" in steps[0]))


def group(logs: Sequence[LogFile]) -> Iterator[RunFiles]:
    """A run per trajectory that no other in its folder refers to; those that it refers to are files of its run."""
    known = {log.path: log for log in logs}
    refers = {
        path: [other for name in _references(log.first) if (other := path.parent / name) in known and other != path]
        for path, log in known.items()
    }
    below = {other for others in refers.values() for other in others}
    used: set[Path] = set()
    # Of trajectories that refer to each other in a circle, the first one is the run.
    for path in sorted(known, key=lambda path: path in below):
        if path in used:
            continue
        others = [path]
        for each in others:
            others += [other for other in refers[each] if other not in used and other not in others]
        used |= set(others)
        yield RunFiles(known[path], tuple(known[other] for other in others[1:]), id=_name(known[path].first))


def _references(doc: Json) -> Iterator[str]:
    yield Path(text(doc.get("continued_trajectory_ref"))).name
    for step in objects(doc.get("steps")):
        for result in objects(reach(step, "observation", "results")):
            for reference in objects(result.get("subagent_trajectory_ref")):
                yield Path(text(reference.get("trajectory_path"))).name


def convert(run: RunFiles, *, with_content: bool) -> Iterator[Json]:
    """One trace with the time unit `step`: a step has one time and no end, so its duration is unknown."""
    log = run.main
    doc = log.first
    rec = Recording(FORMAT.name, with_content, unit="step")
    rec.add_loss("durations: a step has one time and no end; t counts steps, parallel agents side by side")
    rec.add_loss("token ids and log probabilities")
    walk = _TrajectoryReader(rec, log.path.parent if log.data is None else None)
    name = rec.root(text(reach(doc, "agent", "name")) or "agent", model=text(reach(doc, "agent", "model_name")))
    walk.known[text(reach(doc, "agent", "extra", "id")) or name] = name
    walk.steps(doc, name, 0)
    if not rec.drafts:
        return
    infer_aggregates(rec)
    spent = any(draft.body.get("tokens_in") for draft in rec.drafts)
    rec.unrecorded |= {"stop", "duration"} | (set() if spent else {"usage"})
    yield rec.trace(
        trace_id=_name(doc) or log.name.partition(".")[0],
        task_id=text(doc.get("session_id")) or log.name.partition(".")[0],
        system=name,
        costs=_costs(doc, rec),
        provenance=run.provenance | {"version": text(doc.get("schema_version"))},
    )


def _usage(metrics: Json) -> dict[str, Any]:
    """The tokens of a step: prompt tokens include those of the cache; `extra` has what has no field of its own."""
    extra = mapping(metrics.get("extra"))
    return tokens_of_whole(
        prompt=metrics.get("prompt_tokens"),
        cached=metrics.get("cached_tokens"),
        cache_write=extra.get("cache_creation_input_tokens"),
        out=metrics.get("completion_tokens"),
        reasoning=extra.get("reasoning_output_tokens") or extra.get("reasoning_tokens"),
    )


def _costs(doc: Json, rec: Recording) -> Json:
    """Wall clock from the steps' times; tokens from the final metrics where no step has its own."""
    times = [at for step in objects(doc.get("steps")) if (at := moment(step.get("timestamp"))) is not None]
    costs: Json = {"wall_clock_s": (max(times) - min(times)) / 1e6} if times else {}
    final = mapping(doc.get("final_metrics"))
    if not any(draft.body.get("tokens_in") for draft in rec.drafts) and final:
        costs["tokens"] = count(final.get("total_prompt_tokens")) + count(final.get("total_completion_tokens"))
    if amount(final.get("total_cost_usd")):
        costs["cost_usd"] = amount(final.get("total_cost_usd"))
    return costs


def _carried(value: object, *kinds: str) -> dict[str, Any]:
    """The fields of `CARRIED` with the values that they can have; the type is one of `kinds`, else the first."""
    given = mapping(value)
    allowed = {"type": kinds, **WORDS}
    found: dict[str, Any] = {"type": kinds[0]}
    found |= {key: word for key, words in allowed.items() if (word := text(given.get(key))) in words}
    found |= {key: True for key in FLAGS if given.get(key) is True}
    found |= {key: count(given.get(key)) for key in TOKENS}
    return found | {"error_type": text(given.get("error_type")), "cost_usd": amount(given.get("cost_usd"))}


class _TrajectoryReader:
    """Records steps, also those of trajectories that they refer to, in the document or in the same folder."""

    def __init__(self, rec: Recording, folder: Path | None) -> None:
        self.rec = rec
        self.folder = folder
        self.open: list[str] = []
        self.sides: dict[str, str] = {}
        # The names of agents by the identity that some programs give: one agent can have several trajectories.
        self.known: dict[str, str] = {}

    def steps(self, doc: Json, agent: str, t: int) -> int:
        """Write the steps of one trajectory from time `t` on; the time after the last one."""
        inside = {_name(child): child for child in objects(doc.get("subagent_trajectories"))}
        asked = False
        for step in objects(doc.get("steps")):
            if step.get("is_copied_context") is True:
                self.rec.add_loss("steps copied from an earlier trajectory, left out")
                continue
            origin = text(step.get("source"))
            if origin == "agent":
                t = self._step(step, self._agent_of(step, agent, t), inside, t)
            elif origin == "user" and asked:
                self.rec.add("human_intervention", agent, t, content=step.get("message"), sender="user")
                t += 1
            elif origin == "system":
                self.rec.add_loss("system messages")
                end = self._uncalled(step, agent, inside, t)
                t = end + 1 if end > t else t
            asked = asked or origin == "user"
        self._close_sides(agent, t)
        following = self._load(text(doc.get("continued_trajectory_ref")))
        return self.steps(following, agent, t) if following else t

    def _agent_of(self, step: Json, agent: str, t: int) -> str:
        """The agent of a step: some converters put the steps of sub-agents among those of their parent."""
        side = text(reach(step, "extra", "agent_id")) if reach(step, "extra", "is_sidechain") is True else ""
        if side and side not in self.sides:
            self.sides[side] = agent
            self.rec.agent(side)
            self.rec.add("spawn", agent, t, to=side, inferred=True)
        return side or agent

    def _close_sides(self, agent: str, t: int) -> None:
        for side, parent in list(self.sides.items()):
            if parent == agent:
                self.rec.add("return", side, t, to=agent, inferred=True)
                del self.sides[side]

    def _step(self, step: Json, agent: str, inside: dict[str, Json], t: int) -> int:
        metrics = mapping(step.get("metrics"))
        calls = step.get("llm_call_count")
        model = text(step.get("model_name"))
        if calls == 0 and reach(step, "extra", "awesome") is None:
            self.rec.add("orchestrator_decision", agent, t, content=step.get("message"))
        elif calls != 0:
            steps = count(calls) if calls is not None else None
            spent = _usage(metrics) | {"cost_usd": amount(metrics.get("cost_usd"))}
            self.rec.add("llm_call", agent, t, model=model, steps=steps, **spent, content=step.get("message"))
            self.rec.agent(agent, model=model)
        results = objects(reach(step, "observation", "results"))
        if not all(text(each.get("source_call_id")) for each in results):
            self.rec.add_loss("results of no tool call")
        answers = {text(r.get("source_call_id")): r for r in results}
        end = self._uncalled(step, agent, inside, t)
        for call in objects(step.get("tool_calls")):
            name = text(call.get("tool_call_id"))
            answer = answers.get(name)
            references = objects(mapping(answer).get("subagent_trajectory_ref"))
            if references:
                for reference in references:
                    end = max(end, self._subagent(call, reference, agent, inside, t, mapping(answer)))
            else:
                self.rec.call(
                    agent,
                    text(call.get("function_name")),
                    t,
                    call_id=name,
                    arguments=call.get("arguments"),
                    result=mapping(answer).get("content"),
                    answered=answer is not None,
                )
        return end + 1

    def _uncalled(self, step: Json, agent: str, inside: dict[str, Json], t: int) -> int:
        """Write the trajectories that results of no call refer to, as that of a compaction; the time of their end."""
        end = t
        for result in objects(reach(step, "observation", "results")):
            if not text(result.get("source_call_id")):
                for reference in objects(result.get("subagent_trajectory_ref")):
                    end = max(end, self._subagent({}, reference, agent, inside, t, result))
        return end

    def _subagent(self, call: Json, reference: Json, agent: str, inside: dict[str, Json], t: int, answer: Json) -> int:
        """The spawn of a sub-agent by a call (`{}` if by none), its steps from the next time on, and its return."""
        name = _name(reference)
        doc = inside.get(name) or self._load(text(reference.get("trajectory_path"))) or {}
        child = text(reach(doc, "agent", "name")) or text(call.get("function_name")) or "agent"
        identity = text(reach(doc, "agent", "extra", "id"))
        again = identity in self.known
        k, unique = 2, self.known.get(identity, child)
        while unique in self.rec.agents and not again:
            unique, k = f"{child}#{k}", k + 1
        if identity:
            self.known[identity] = unique
        self.rec.agent(unique, role=text(call.get("function_name")), model=text(reach(doc, "agent", "model_name")))
        carried = mapping(reach(doc, "extra", "awesome"))
        begun = _carried(carried.get("begun"), *(("delegate", "spawn") if again else ("spawn", "delegate")))
        if carried and not carried.get("begun"):
            self.rec.root(unique)
        else:
            begun["source"] = text(call.get("tool_call_id"))
            self.rec.add(begun.pop("type"), agent, t, to=unique, content=call.get("arguments"), **begun)
        if not doc:
            self.rec.add_loss("trajectories of sub-agents that are neither in the file nor beside it")
        end = t + 1
        if doc and name not in self.open and len(self.open) < DEEP:
            self.open.append(name)
            end = self.steps(doc, unique, t + 1)
            self.open.pop()
        ended = _carried(carried.get("ended"), "return", "stop")
        if ended.pop("type") == "stop":
            self.rec.add("stop", unique, end, scope="agent", **{"reason": "unspecified"} | ended)
        elif not carried or carried.get("ended"):
            self.rec.add("return", unique, end, to=agent, content=answer.get("content"), **ended)
        return end

    def _load(self, reference: str) -> Json | None:
        """A trajectory in the same folder; other folders are not read."""
        name = Path(reference).name
        if not name or self.folder is None or name in self.open or len(self.open) >= DEEP:
            return None
        doc = next(iter(LogFile(self.folder / name).head), None) if is_file(self.folder, name) else None
        if doc is None or not _is_trajectory(doc):
            self.rec.add_loss("trajectories that the file refers to and that are not beside it")
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
