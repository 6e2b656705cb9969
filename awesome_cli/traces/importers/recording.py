"""Collect the events of one run in any order, and write them as an orchestration trace of version 2.

`rec.add("spawn", "boss", 2_000_000, to="baker")` becomes `{"id": "e1", "t": 0.0, "type": "spawn", "agent": "boss",
"to": "baker", "seq": 0}`, if it is the first event, and an edge to the next event of `baker`.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from awesome_cli import __version__
from awesome_cli.traces.importers.event_order import EventDraft, by_cause
from awesome_cli.traces.importers.foreign import Json, content_hash, count, iso, items, writable

NAMELESS = "unnamed"
# Phases order events of equal time: ends come before begins, and the stop of the run comes last.
ENDS, RETURNS, SPAWNS, BEGINS, AFTER, STOPS = range(6)
ADDRESSED = {"spawn", "delegate", "message", "return"}
CAPS = ("max_turns", "maxturns", "max turns", "max_iterations", "max_messages", "recursion", "budget", "cost", "limit")
CLOCKS = ("timeout", "timed out", "deadline")


@dataclass
class Recording:
    """The events of one run. `unit` is `us` for clocks (written as seconds) or `step` for formats without time.

    `unrecorded` has the words of `UNRECORDED` for facts that the format cannot record; rules do not ask for these.
    `trace` adds `usage` if no event has tokens.
    """

    format: str
    with_content: bool
    unit: str = "us"
    agents: dict[str, Json] = field(default_factory=dict)
    tools: dict[str, Json] = field(default_factory=dict)
    roots: list[str] = field(default_factory=list)
    lost: dict[str, None] = field(default_factory=dict)
    drafts: list[EventDraft] = field(default_factory=list)
    call_ids: dict[str, int] = field(default_factory=dict)
    unrecorded: set[str] = field(default_factory=set)

    def add_loss(self, what: str, n: int | None = None) -> None:
        """Add to `provenance.lossy` something that the trace does not keep; `n` is the number of cases (0: skip)."""
        if n is None or n > 0:
            self.lost[what if n is None else f"{what}: {n}"] = None

    def has(self, kind: str) -> bool:
        return any(draft.body["type"] == kind for draft in self.drafts)

    def agent(self, name: str, **about: object) -> str:
        """Declare an agent; return its name. Empty fields are left out; fields but `kind` keep their first value."""
        name = name or NAMELESS
        entry = self.agents.setdefault(name, {"kind": "llm"})
        entry |= {key: value for key, value in about.items() if value and (key not in entry or key == "kind")}
        return name

    def root(self, name: str, **about: object) -> str:
        """Declare an agent that runs from the start; return its name."""
        name = self.agent(name, **about)
        if name not in self.roots:
            self.roots.append(name)
        return name

    def add(
        self,
        kind: str,
        agent: str,
        t: int,
        *,
        end: int | None = None,
        phase: int = BEGINS,
        rank: int = 0,
        content: object = None,
        inferred: bool = False,
        sender: str = "",
        **fields: object,
    ) -> EventDraft:
        """Add an event; `sender` is its `from`. Empty fields are left out; content is hashed, and kept if wanted."""
        body: Json = {"type": kind, "agent": agent or NAMELESS, **({"from": sender} if sender else {})}
        if kind in {"spawn", "delegate"}:
            fields["to"] = fields.get("to") or NAMELESS
        # 0 steps mean that no model was called.
        body |= {k: v for k, v in fields.items() if v is False or v not in (None, "", 0, []) or (k, v) == ("steps", 0)}
        if digest := content_hash(content):
            body["content_hash"] = digest
            if self.with_content:
                body["content"] = writable(content)
                if body["content"] != content:
                    self.add_loss("values in contents that JSON cannot hold, such as infinite numbers: replaced")
        if inferred:
            body["inferred"] = True
        draft = EventDraft(t, max(t if end is None else end, t), phase, rank, len(self.drafts), body)
        if end is not None:
            body["t_end"] = draft.end
        self.drafts.append(draft)
        return draft

    def call(
        self,
        agent: str,
        tool: str,
        t: int,
        *,
        end: int | None = None,
        call_id: str = "",
        arguments: object = None,
        result: object = None,
        answered: bool = True,
        status: str = "",
        error_type: str = "",
        **fields: Any,
    ) -> EventDraft:
        """Add a tool call with more `fields` and, if `answered`, its result; a repeated call id gets a number."""
        name = tool or "unnamed tool"
        unique = self._unique(call_id or f"call-{len(self.call_ids) + 1}")
        call = self.add("tool_call", agent, t, end=end, tool=name, call_id=unique, content=arguments, **fields)
        if answered:
            phase = BEGINS if self.unit == "step" else ENDS if call.end > t else AFTER
            untrusted = self.tools.get(name, {}).get("output_trusted") is False
            self.add(
                "tool_result", agent, call.end, phase=phase, tool=name, call_id=unique, content=result, status=status,
                error_type=error_type, trusted=False if untrusted else None,
            )  # fmt: skip
        return call

    def _unique(self, call_id: str) -> str:
        n = self.call_ids.get(call_id, 0) + 1
        self.call_ids[call_id] = n
        return call_id if n == 1 else self._unique(f"{call_id}~{n}")

    def infer_aggregates(self) -> None:
        """Infer aggregations: an agent combines returns in its first model call after the return of its last child.

        The aggregation is at the end of that call. A return with explicit delivery counts when it is read. A stopped
        child does not have to return.
        """
        by_agent: dict[str, list[EventDraft]] = defaultdict(list)
        spawners = {draft.body["to"]: draft.body["agent"] for draft in self.drafts if draft.body["type"] == "spawn"}
        for draft in self.drafts:
            body = draft.body
            if body["type"] in {"llm_call", "spawn", "delegate", "aggregate"}:
                by_agent[str(body["agent"])].append(draft)
            elif body["type"] == "return":
                by_agent[str(body.get("to"))].append(draft)
            elif body["type"] == "stop" and body.get("scope") == "agent":
                by_agent[str(spawners.get(body["agent"]))].append(draft)
        for agent, drafts in by_agent.items():
            for call in aggregating_calls(list(by_cause(drafts))):
                self.add("aggregate", agent, call.end, phase=ENDS if call.end > call.t else AFTER, inferred=True)

    def trace(
        self, *, trace_id: str, task_id: str, provenance: Json, costs: Mapping[str, object] = {}, **fields: object
    ) -> Json:
        """Return the run as a version 2 trace; `costs` from the log override the costs that are counted here."""
        drafts = list(by_cause(self.drafts))
        begin = drafts[0].t if drafts else 0
        ids = {draft.order: f"e{n}" for n, draft in enumerate(drafts, 1)}
        events = [self._event(draft, begin, ids) | {"seq": n} for n, draft in enumerate(drafts)]
        edges = list(_edges(drafts, events))
        about: Json = {"format": self.format, "importer": f"awesome {__version__}", **provenance}
        if self.unit == "us" and drafts:
            about["started_at"] = iso(begin)
        about["lossy"] = list(self.lost)
        tokens = sum(count(event.get(key)) for event in events for key in ("tokens_in", "tokens_out"))
        about["unrecorded"] = sorted(self.unrecorded if tokens else self.unrecorded | {"usage"})
        about["inferred"] = {
            "events": sum(event.get("inferred") is True for event in events),
            "edges": sum(edge.get("inferred") is True for edge in edges),
        }
        elapsed = max((draft.end for draft in drafts), default=begin) - begin
        counted: Json = {
            "tokens": tokens,
            "wall_clock_s": elapsed / 1e6 if self.unit == "us" else 0,
            "tool_calls": sum(event["type"] == "tool_call" for event in events),
            "messages": sum(event["type"] == "message" for event in events),
        }
        used = {event.get("tool") for event in events}
        tools = {name: self.tools[name] for name in sorted(self.tools) if name in used}
        trace: Json = {
            "schema_version": "2.0",
            "trace_id": trace_id or "unnamed",
            "task_id": task_id or "unnamed",
            "time_unit": "s" if self.unit == "us" else "step",
            # People, tools and workflow engines act, but they are not agents.
            "root_agents": [name for name in self.roots if self.agents[name].get("kind") == "llm"],
            "agents": {name: self.agents[name] for name in sorted(self.agents)},
            **({"tools": tools} if self.tools else {}),
            "events": events,
            "edges": edges,
            "rewards": {},
            "costs": counted | dict(costs),
        }
        return trace | {k: v for k, v in fields.items() if v not in (None, "", {})} | {"provenance": about}

    def _event(self, draft: EventDraft, begin: int, ids: Mapping[int, str]) -> Json:
        times = {"t": draft.t} | ({"t_end": draft.end} if "t_end" in draft.body else {})
        written = {key: (at - begin) / 1e6 if self.unit == "us" else at - begin for key, at in times.items()}
        # The times come before the type, and are in units of the trace.
        event: Json = {"id": ids[draft.order], **written, **draft.body, **written}
        if "inputs" in event:
            event["inputs"] = [ids[read.order] for read in cast("list[EventDraft]", event["inputs"])]
        return event


def _edges(drafts: list[EventDraft], events: list[Json]) -> Iterator[Json]:
    """Yield edges: from spawn, delegate, message and return to the receiver's next event, and from call to result."""
    begins: dict[object, list[tuple[int, int]]] = defaultdict(list)
    results: dict[object, Json] = {}
    readers: dict[object, Json] = {}
    for i, event in enumerate(events):
        begins[event["agent"]].append((drafts[i].t, i))
        if event["type"] == "tool_result":
            results[event["call_id"]] = event
        readers |= dict.fromkeys(items(event.get("inputs")), event)
    for i, event in enumerate(events):
        kind = event["type"]
        target = results.get(event["call_id"]) if kind == "tool_call" else None
        if kind in ADDRESSED and event.get("delivery") == "explicit":
            target = readers.get(event["id"])
        elif kind in ADDRESSED and "to" in event:
            after = begins.get(event["to"], [])
            at = bisect_left(after, (drafts[i].end, i + 1))
            target = events[after[at][1]] if at < len(after) else None
        if target is not None and target is not event:
            edge = {"src": event["id"], "dst": target["id"], "type": kind if kind in ADDRESSED else "tool_dependency"}
            yield edge | ({"inferred": True} if event.get("inferred") else {})


def aggregating_calls(drafts: list[EventDraft]) -> Iterator[EventDraft]:
    """Yield the model calls in which an agent combines returns; `drafts` are the agent's events."""
    running, returned = 0, 0
    for draft in drafts:
        match draft.body["type"]:
            case "spawn" | "delegate" if draft.body.get("mode") != "pass_control":
                running += 1
            case "return" | "stop" as kind:
                running = max(running - 1, 0)
                returned += kind == "return" and draft.body.get("delivery") != "explicit"
            case "aggregate":
                returned = 0
            case "llm_call":
                read = cast("list[EventDraft]", draft.body.get("inputs", []))
                returned += sum(r.body["type"] == "return" and r.body.get("delivery") == "explicit" for r in read)
                if returned and not running:
                    yield draft
                    returned = 0


def stop_reason(status: str, error_type: str) -> str:
    """Return the reason of a stop event, from the last status and the type of the error."""
    words = error_type.casefold()
    if any(word in words for word in CLOCKS) or status == "timeout":
        return "timeout"
    if any(word in words for word in CAPS):
        return "budget"
    if status == "cancelled":
        return "cancelled"
    return "error" if status == "error" else "answered"
