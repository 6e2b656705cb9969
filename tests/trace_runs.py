"""Traces to look at."""

import random
from pathlib import Path
from typing import Any

from awesome_cli.traces.importers.importing import Imported, import_all
from awesome_cli.traces.model import Trace
from awesome_cli.traces.reading import read_document


def trace(events: list[dict[str, Any]], **header: Any) -> Trace:
    """A version 2 trace of the events, with ids and `seq` in their order."""
    numbered = [{"id": f"e{n}", "seq": n} | event for n, event in enumerate(events, 1)]
    tokens = sum(event.get(name, 0) for event in events for name in ("tokens_in", "tokens_out"))
    document = {
        "schema_version": "2.0", "trace_id": "run-1", "task_id": "lunch", "time_unit": "s", "root_agents": ["boss"],
        "edges": [], "rewards": {}, "costs": {"tokens": tokens, "wall_clock_s": max(100, events[-1]["t"])}, **header, "events": numbered,
    }  # fmt: skip
    reading = read_document(document)
    assert reading.trace is not None, reading.findings
    return reading.trace


def lunch(**header: Any) -> Trace:
    """Two helpers of which one calls a tool; a message after the end is the one violation."""
    return trace(
        [
            {"t": 0, "t_end": 2, "type": "llm_call", "agent": "boss", "tokens_in": 30, "tokens_out": 3},
            {"t": 2, "type": "spawn", "agent": "boss", "to": "baker", "role": "bread"},
            {"t": 2, "type": "spawn", "agent": "boss", "to": "cook"},
            {"t": 3, "t_end": 5, "type": "llm_call", "agent": "baker", "tokens_in": 10, "tokens_out": 1},
            {"t": 3, "t_end": 7, "type": "tool_call", "agent": "cook", "tool": "oven", "call_id": "c1"},
            {"t": 4, "t_end": 6, "type": "tool_call", "agent": "cook", "tool": "knife", "call_id": "c2"},
            {"t": 6, "type": "tool_result", "agent": "cook", "call_id": "c2", "status": "error"},
            {"t": 7, "type": "tool_result", "agent": "cook", "call_id": "c1", "status": "ok"},
            {"t": 7, "type": "return", "agent": "baker", "to": "boss"},
            {"t": 8, "type": "return", "agent": "cook", "to": "boss"},
            {"t": 8, "t_end": 9, "type": "llm_call", "agent": "boss", "tokens_in": 30, "tokens_out": 3},
            {"t": 9, "type": "aggregate", "agent": "boss", "inferred": True},
            {"t": 10, "type": "stop", "agent": "boss", "reason": "answered"},
            {"t": 11, "type": "message", "agent": "baker", "to": "cook"},
        ],
        **{"costs": {"tokens": 77, "wall_clock_s": 100}} | header,
    )


def swarm(rounds: int, workers: int, steps: int) -> Trace:
    """A fork-join run: every round the lead starts all workers anew, each makes `steps` model and tool calls."""
    chance = random.Random(7)
    events: list[dict[str, Any]] = []
    now = 0.0
    for _ in range(rounds):
        events.append({"t": now, "t_end": now + 1, "type": "llm_call", "agent": "boss", "tokens_in": 900})
        now += 1
        last = now
        for w in range(workers):
            name, t = f"worker {w}", now + 0.01
            events.append({"t": now, "type": "spawn", "agent": "boss", "to": name})
            for _ in range(steps):
                long, call = chance.uniform(0.2, 2), f"c{len(events)}"
                events.append({"t": t, "t_end": t + long, "type": "llm_call", "agent": name, "tokens_in": 200})
                t += long
                long = chance.uniform(0.1, 1)
                tool = chance.choice(["web.search", "python", "read"])
                events.append(
                    {"t": t, "t_end": t + long, "type": "tool_call", "agent": name, "tool": tool, "call_id": call}
                )
                t += long
                status = "error" if chance.random() < 0.1 else "ok"
                events.append({"t": t, "type": "tool_result", "agent": name, "call_id": call, "status": status})
            events.append({"t": t, "type": "return", "agent": name, "to": "boss"})
            last = max(last, t)
        now = last + 0.05
        events.append({"t": now, "type": "aggregate", "agent": "boss"})
        now += 0.01
    events.append({"t": now, "type": "stop", "agent": "boss", "reason": "answered"})
    events.sort(key=lambda event: event["t"])
    return trace(events, trace_id="swarm")


def import_path(path: Path, *, with_content: bool = False, form: str | None = None) -> list[Imported]:
    """The runs in one file or folder, as `import_all` reads them."""
    return list(import_all([path], with_content=with_content, form=form).results)
