"""How fast traces are read, replayed and measured, against the time that parsing their bytes takes.

`python -m bench.traces` prints the figures; `run()` returns them as `(name, measured, floor, ratio, target)`, where
`measured` and `floor` are seconds (megabytes for memory), `ratio` is what the target is about and `target` says it.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson

from awesome_cli.traces.rows import analyze
from awesome_cli.traces.sources import pieces
from awesome_cli.traces.workers import analyze_all

Figure = tuple[str, float, float, float, str]
CHILDREN = 25
REPEATS = 5
MEMORY = """
import resource, sys
from pathlib import Path
from awesome_cli.traces.rows import analyze
assert analyze(Path(sys.argv[1]).read_bytes())["error"] is None
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
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
    document = {
        "schema_version": "2.0", "trace_id": f"run-{number}", "task_id": f"task-{number // 8}", "time_unit": "s",
        "root_agents": ["lead"], "agents": {"lead": {"kind": "llm"}, "search": {"kind": "tool"}},
        "tools": {"search": {"output_trusted": False, "privileged": False}},
        "rollout": {"group_id": f"task-{number // 8}", "policy_version": "step-1"},
        "events": found, "edges": edges, "rewards": {"team": number % 2}, "costs": {"tokens": 1, "wall_clock_s": 1e6},
    }  # fmt: skip
    return orjson.dumps(document)


def median(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Median seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def check(data: bytes) -> None:
    """Read and check without the replay."""
    from awesome_cli.traces.checking import check_trace
    from awesome_cli.traces.reading import read_trace

    read = read_trace(data).trace
    assert read is not None
    assert check_trace(read, with_replay=False) == ()


def whole(data: bytes) -> None:
    """Check, replay and metrics."""
    row = analyze(data)
    assert (row["error"], row["errors"], row["warnings"]) == (None, 0, 0)


def one_trace() -> Iterator[Figure]:
    """100,000 events against orjson, then ten times as many."""
    small, large = trace(100_000), trace(1_000_000)
    floor = median(lambda: orjson.loads(small))
    seconds = median(lambda: whole(small))
    yield "check + replay + metrics, 100,000 events", seconds, floor, seconds / floor, "<= 18 x orjson.loads"
    checked = median(lambda: check(small))
    yield "check without replay, 100,000 events", checked, floor, checked / floor, "<= 8 x orjson.loads"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trace.json"
        file.write_bytes(small)
        done = subprocess.run([sys.executable, "-c", MEMORY, str(file)], check=True, capture_output=True, text=True)
    memory = float(done.stdout)
    yield "peak memory of the same, MB", memory, len(small) / 2**20, memory, "< 300 MB"
    floor_large = median(lambda: orjson.loads(large), 3)
    seconds_large = median(lambda: whole(large), 3)
    per_event = (seconds_large / large.count(b'"agent"')) / (seconds / small.count(b'"agent"'))
    yield "time per event, 1,000,000 against 100,000", seconds_large, floor_large, per_event, "<= 1.3 (linear)"


def many_traces(count: int = 2000, size: int = 750) -> Iterator[Figure]:
    """2,000 traces with 1.5 million events: one job, two jobs, a running Dask cluster of two workers."""
    from distributed import Client, LocalCluster

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "traces.jsonl"
        with file.open("wb") as out:
            for number in range(count):
                out.write(trace(size, number) + b"\n")
        names = [str(file)]
        one = median(lambda: list(analyze_all(pieces(names))), 3)
        two = median(lambda: list(analyze_all(pieces(names), jobs=2)), 3)
        yield f"{count:,} traces, --jobs 2 against one", two, one, one / two, ">= 1.6 times as fast"
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
            Client(cluster),
        ):
            list(analyze_all(pieces(names), dask=cluster.scheduler_address))
            dask = median(lambda: list(analyze_all(pieces(names), dask=cluster.scheduler_address)), 3)
        yield f"{count:,} traces, Dask against --jobs 2", dask, two, dask / two, "<= 1.4"


def run() -> list[Figure]:
    """All figures of the trace half."""
    return [*one_trace(), *many_traces()]


def main() -> None:
    """Print the figures."""
    for name, measured, floor, ratio, target in run():
        print(f"{name:<46} {measured:>9.3f} {floor:>9.3f} {ratio:>8.2f}  {target}")


if __name__ == "__main__":
    main()
