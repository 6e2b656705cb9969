"""Traces: reading, replaying and measuring against parsing the same bytes; many traces in parallel."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson

from awesome_cli.traces.checking import check_trace
from awesome_cli.traces.reading import read_trace
from awesome_cli.traces.rows import analyze, analyze_all
from awesome_cli.traces.sources import pieces
from bench.timing import Row

LIMIT = 300 * 2**20
CHILDREN = 25
REPEATS = 3
# The high-water mark of this process alone: the one that the parent is told covers the parent's own size, too.
MEMORY = """
import sys
from pathlib import Path
from awesome_cli.traces.checking import check_trace
from awesome_cli.traces.reading import read_trace
from awesome_cli.traces.rows import analyze
assert analyze(Path(sys.argv[1]).read_bytes())["error"] is None
mark = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(int(mark.split()[1]) * 1024)
"""


def events(size: int, trace: int = 0) -> Iterator[dict[str, object]]:
    """About `size` events of a run that forks 25 children per round, each with model and tool calls, and joins them."""
    turns = 22
    rounds = max(1, round(size / (CHILDREN * (turns * 3 + 2) + 1)))
    if size < CHILDREN * (turns * 3 + 2):
        turns = max(1, round((size / CHILDREN - 2) / 3))
    n = 0

    def event(time: float, kind: str, agent: str, **more: object) -> dict[str, object]:
        nonlocal n
        n += 1
        return {"id": f"e{n}", "t": round(time, 3), "seq": n, "type": kind, "agent": agent, **more}

    now = 0.0
    for r in range(rounds):
        yield event(now, "llm_call", "lead", t_end=round(now + 1.5, 3), tokens_in=900, tokens_out=80, status="ok")
        now += 1.5
        names = [f"worker-{r}-{c}" for c in range(CHILDREN)]
        for name in names:
            yield event(now, "spawn", "lead", to=name, task_ref=f"task of {name}")
        for c, name in enumerate(names):
            at = now
            for turn in range(turns):
                call, content = f"{name}-{turn}", f"sha256:{(r * 7 + c * turn + trace) % 4096:016x}"
                yield event(at, "llm_call", name, t_end=round(at + 0.7, 3), tokens_in=500, tokens_out=60, status="ok")
                yield event(
                    at + 0.7,
                    "tool_call",
                    name,
                    t_end=round(at + 1, 3),
                    tool="search",
                    call_id=call,
                    content_hash=content,
                )
                yield event(
                    at + 1, "tool_result", "search", tool="search", call_id=call, status="ok", trusted=turn % 3 > 0
                )
                at += 1
            yield event(at, "return", name, to="lead", task_ref=f"task of {name}", correct=c % 4 > 0)
        now += turns + 0.5
    yield event(now, "aggregate", "lead")
    yield event(now + 0.5, "stop", "lead", reason="answered")


def trace(size: int, number: int = 0) -> bytes:
    """A trace of about `size` events as JSON on one line, with an edge for every spawn and every tool's result."""
    found = list(events(size, number))
    calls = {e["call_id"]: e["id"] for e in found if e["type"] == "tool_call"}
    edges = [
        {"src": calls[e["call_id"]], "dst": e["id"], "type": "tool_dependency"}
        for e in found
        if e["type"] == "tool_result"
    ]
    tokens = sum(e.get("tokens_in", 0) + e.get("tokens_out", 0) for e in found)
    document = {
        "schema_version": "2.0", "trace_id": f"run-{number}", "task_id": f"task-{number // 8}", "time_unit": "s",
        "root_agents": ["lead"], "agents": {"lead": {"kind": "llm"}, "search": {"kind": "tool"}},
        "tools": {"search": {"output_trusted": False, "privileged": False}},
        "rollout": {"group_id": f"task-{number // 8}", "policy_version": "step-1"},
        "events": found, "edges": edges, "rewards": {"team": number % 2},
        "costs": {"tokens": tokens, "wall_clock_s": 1e6},
    }  # fmt: skip
    return orjson.dumps(document)


def median(work: Callable[[], object], repeats: int = REPEATS, clock: Callable[[], float] = time.process_time) -> float:
    """Median seconds: of the processor, or by the clock on the wall for work that is shared."""
    times = []
    for _ in range(repeats):
        start = clock()
        work()
        times.append(clock() - start)
    return statistics.median(times)


def check(data: bytes) -> None:
    """Read and check without the replay."""
    read = read_trace(data).trace
    assert read is not None
    assert check_trace(read, with_replay=False) == ()


def whole(data: bytes) -> None:
    """Check, replay and metrics."""
    row = analyze(data)
    assert (row["error"], row["errors"], row["warnings"]) == (None, 0, 0)


def peak_bytes(data: bytes) -> int:
    """Peak memory of a process that analyzes one trace."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trace.json"
        file.write_bytes(data)
        done = subprocess.run([sys.executable, "-c", MEMORY, str(file)], check=True, capture_output=True, text=True)
    return int(done.stdout)


def one_trace() -> Iterator[Row]:
    """100,000 events against orjson, then four times as many."""
    small = trace(100_000)
    floor = median(lambda: orjson.loads(small))
    seconds = median(lambda: whole(small))
    yield Row("check + replay + metrics, 100,000 events", seconds, floor, 18)
    yield Row("check without replay, 100,000 events", median(lambda: check(small)), floor, 8)
    yield Row("memory, 100,000 events", peak_bytes(small), LIMIT, 1, "B")
    large = trace(400_000)
    events_small, events_large = (data.count(b'"agent":') for data in (small, large))
    whole_large = median(lambda: whole(large), 1)
    yield Row("microseconds per event, 400,000 against 100,000", whole_large / events_large * 1e6,
              seconds / events_small * 1e6, 1.3, "us")  # fmt: skip


def many_traces(count: int = 300, size: int = 750) -> Iterator[Row]:
    """300 traces with 225,000 events: one job, two jobs, a running Dask cluster of two workers."""
    from distributed import Client, LocalCluster

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "traces.jsonl"
        with file.open("wb") as out:
            for number in range(count):
                out.write(trace(size, number) + b"\n")
        names = [str(file)]
        one = median(lambda: list(analyze_all(pieces(names))), 2, time.perf_counter)
        two = median(lambda: list(analyze_all(pieces(names), jobs=2)), 2, time.perf_counter)
        yield Row(f"{count:,} traces, --jobs 2 against one job", two, one, 1 / 1.6)
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
            address = cluster.scheduler_address
            list(analyze_all(pieces(names), dask=address))
            dask = median(lambda: list(analyze_all(pieces(names), dask=address)), 2, time.perf_counter)
        yield Row(f"{count:,} traces, Dask against --jobs 2", dask, two, 1.4)


def run() -> Iterator[Row]:
    """All figures of the trace half, as they come."""
    yield from one_trace()
    yield from many_traces()


if __name__ == "__main__":
    for row in run():
        print(row.line(), flush=True)
