import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from running import invoke
from tiers import sampled
from wellformed import run

from awesome_cli.errors import UsageError
from awesome_cli.traces import sources
from awesome_cli.traces.rows import COLUMNS, analyze, analyze_all, write_rows
from awesome_cli.traces.sources import pieces, readings

DOCUMENTS = [run(seed, 12) | {"trace_id": f"run-{seed}"} for seed in range(5)]
LINES = [json.dumps(document).encode() for document in DOCUMENTS]


def found(*names: Path) -> list[tuple[str, int, str | None]]:
    """Path, line and trace of everything read."""
    return [(Path(r.path).name, r.line, r.trace and r.trace.trace_id) for r in readings(pieces(map(str, names)))]


def test_json_lines_and_gzip(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(json.dumps(DOCUMENTS[0], indent=2).encode())
    (tmp_path / "b.jsonl").write_bytes(b"\n".join([LINES[1], b"", LINES[2]]) + b"\n")
    (tmp_path / "c.json.gz").write_bytes(gzip.compress(LINES[3]))
    (tmp_path / "d.jsonl.gz").write_bytes(gzip.compress(LINES[4] + b"\n" + LINES[0]))
    (tmp_path / "note.txt").write_text("no trace")
    expected = [
        ("a.json", 1, "run-0"), ("b.jsonl", 1, "run-1"), ("b.jsonl", 3, "run-2"), ("c.json.gz", 1, "run-3"),
        ("d.jsonl.gz", 1, "run-4"), ("d.jsonl.gz", 2, "run-0"),
    ]  # fmt: skip
    assert found(tmp_path) == expected


@pytest.mark.parametrize("verb", ["metrics", "rows", "check"])
def test_a_copy_of_a_run_is_named_once(verb: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"\n".join([*LINES, LINES[0], LINES[1]]))
    invoked = invoke("trace", verb, path, code=None)
    message = f"{path}:6: a copy of {path}:1, with the same id and the same events; both count\nand 1 more\n"
    assert invoked.err == message


def test_lines_are_recognised_by_content(tmp_path: Path) -> None:
    (tmp_path / "traces").write_bytes(b"\n".join(LINES))
    assert [line for _, line, _ in found(tmp_path / "traces")] == [1, 2, 3, 4, 5]
    # The same in a file, in gzip and on standard input, whatever blank lines lie between.
    (tmp_path / "apart").write_bytes(b"\n\n\n".join(LINES))
    (tmp_path / "packed").write_bytes(gzip.compress(b"\n\n\n".join(LINES)))
    assert [line for _, line, _ in found(tmp_path / "apart")] == [1, 4, 7, 10, 13]
    assert [line for _, line, _ in found(tmp_path / "packed")] == [1, 4, 7, 10, 13]
    (tmp_path / "one").write_bytes(LINES[0] + b"\n")
    assert found(tmp_path / "one") == [("one", 1, "run-0")]


def test_a_broken_line_stops_no_other(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"\n".join([LINES[0], b"{broken", b'{"events": 1}', LINES[1]]))
    assert [trace for _, _, trace in found(tmp_path / "a.jsonl")] == ["run-0", None, None, "run-1"]
    broken = [r for r in readings(pieces([str(tmp_path / "a.jsonl")])) if r.trace is None]
    assert [(r.line, r.findings[0].line, r.findings[0].code) for r in broken] == [(2, 2, "TP004"), (3, 3, "TS002")]


def test_pieces_of_a_large_file_keep_lines_whole_and_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(LINES * 4))
    whole = found(tmp_path / "a.jsonl")
    monkeypatch.setattr(sources, "PIECE", 3000)
    assert len(list(pieces([str(tmp_path / "a.jsonl")]))) > 3
    assert found(tmp_path / "a.jsonl") == whole


def test_a_damaged_archive_is_one_unreadable_trace(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b"\n".join(LINES))[:-20])
    (tmp_path / "b.json").write_bytes(LINES[1])
    results = list(readings(pieces([str(tmp_path)])))
    assert results[-1].trace is not None
    assert [r.findings[0].code for r in results if r.trace is None] == ["TP005"]


def test_a_file_that_cannot_be_read() -> None:
    # A process' memory is a file that nobody can read from its start, root included.
    assert [r.findings[0].code for r in readings(pieces(["/proc/self/mem"]))] == ["TP005"]


def test_what_does_not_exist_is_a_wrong_argument(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        list(pieces([str(tmp_path / "nothing.json")]))
    with pytest.raises(UsageError, match="no trace files"):
        list(pieces([str(tmp_path)]))


def test_parquet_holds_one_trace_per_row(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table({"trace": [line.decode() for line in LINES], "step": [1, 1, 2, 2, 3]})
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=2)
    assert [(line, trace) for _, line, trace in found(tmp_path / "a.parquet")] == [
        (i + 1, f"run-{i}") for i in range(5)
    ]
    assert len(list(pieces([str(tmp_path / "a.parquet")]))) == 3
    parquet.write_table(pyarrow.table({"other": [1]}), tmp_path / "b.parquet")
    assert [r.findings[0].code for r in readings(pieces([str(tmp_path / "b.parquet")]))] == ["TP005"]
    for values in ([None, LINES[0]], [1, 2]):
        parquet.write_table(pyarrow.table({"trace": values}), tmp_path / "c.parquet")
        results = readings(pieces([str(tmp_path / "c.parquet")]))
        assert [r.trace and r.trace.trace_id for r in results] == [None, "run-0" if None in values else None]


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of several pieces with a bad line in the middle."""
    monkeypatch.setattr(sources, "PIECE", 20_000)
    (tmp_path / "many.jsonl").write_bytes(b"\n".join([*LINES * 3, b"{broken", *LINES * 3]))
    return tmp_path / "many.jsonl"


def test_processes_give_the_same_rows_in_the_same_order(many: Path) -> None:
    one = [a.row for a in analyze_all(pieces([str(many)]))]
    assert [a.row for a in analyze_all(pieces([str(many)]), jobs=2)] == one
    assert [row["error"] is None for row in one].count(False) == 1
    assert all(tuple(row) == COLUMNS for row in one)
    assert [row["line"] for row in one] == list(range(1, 32))


DASK = """
import json, sys, warnings
warnings.simplefilter("ignore")
from distributed import LocalCluster
from awesome_cli.traces import sources
from awesome_cli.traces.sources import pieces
from awesome_cli.traces.rows import analyze_all

if __name__ == "__main__":
    sources.PIECE = 20_000
    workers, paths = int(sys.argv[1]), sys.argv[2:]
    rows = [[a.row for a in analyze_all(pieces(paths))]]
    apart = {"n_workers": workers, "processes": workers > 1}
    with LocalCluster(**apart, threads_per_worker=1, dashboard_address=None) as cluster:
        assert len(list(pieces(paths))) > 2
        rows += [[a.row for a in analyze_all(pieces(paths), dask=cluster.scheduler_address)]]
    if workers > 1:
        rows += [[a.row for a in analyze_all(pieces(paths), dask="local", jobs=workers)]]
    print(json.dumps([all(row == rows[0] for row in rows), len(rows[0])]))
"""


@pytest.mark.parametrize("workers", sampled((1, 2), 1))
def test_a_dask_cluster_gives_the_same_rows(workers: int, many: Path, tmp_path: Path) -> None:
    # A process of its own: a cluster's threads and sockets end with it. One worker is a thread of it.
    script = tmp_path / "on_dask.py"
    script.write_text(DASK)
    command = [sys.executable, str(script), str(workers), str(many)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [True, 31]


def test_no_scheduler_is_an_answer_not_a_traceback(many: Path) -> None:
    with pytest.raises(UsageError, match="is not a scheduler"):
        list(analyze_all(pieces([str(many)]), dask="somewhere"))


def test_rows_are_the_same_in_every_table(tmp_path: Path) -> None:
    import csv

    from pyarrow import parquet

    rows = [analyze(line) for line in LINES] + [analyze(b"{")]
    for name in ("rows.csv", "rows.jsonl", "rows.parquet"):
        write_rows(rows, tmp_path / name)
    with (tmp_path / "rows.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    lines = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    columns = parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    assert lines == rows
    for row, text, typed in zip(rows, table, columns, strict=True):
        assert list(text) == list(typed) == list(COLUMNS)
        assert typed["critical_steps"] == row["critical_steps"]
        assert text["digest"] == (row["digest"] or "")
        assert typed["error"] == row["error"]
    with pytest.raises(UsageError, match="xlsx"):
        write_rows(rows, tmp_path / "rows.xlsx")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["rows.csv", "rows.jsonl", "rows.parquet"]


def test_what_only_looks_like_parquet_is_one_unreadable_trace(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and nothing behind it")
    (tmp_path / "b.json").write_bytes(LINES[1])
    results = list(readings(pieces([str(tmp_path)])))
    assert [r.trace is None for r in results] == [True, False]
    assert "not Parquet" in results[0].findings[0].message


def reasons(*names: Path) -> list[tuple[int, str]]:
    """Line and reason of what could not be read."""
    return [(r.line, r.findings[0].message) for r in readings(pieces(map(str, names))) if r.trace is None]


def test_a_line_that_is_too_long_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "TRACE", 20_000)
    monkeypatch.setattr(sources, "PIECE", 3_000)
    text = b"\n".join([LINES[0], b'{"x": "' + b"a" * 50_000 + b'"}', LINES[1]])
    (tmp_path / "a.jsonl").write_bytes(text)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(text))
    why = "cannot be read: the line has more than 20,000 bytes; AWESOME_LIMITS=2 allows 40,000"
    for name in ("a.jsonl", "b.jsonl.gz"):
        assert found(tmp_path / name) == [(name, 1, "run-0"), (name, 2, None), (name, 3, "run-1")]
        assert reasons(tmp_path / name) == [(2, why)]
    monkeypatch.setenv("AWESOME_LIMITS", "3")
    assert [message for _, message in reasons(tmp_path / "a.jsonl")] == ["has no 'trace_id'"]


def test_what_a_packed_file_holds_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "TRACE", 20_000)
    monkeypatch.setattr(sources, "UNPACKED", 40_000)
    monkeypatch.setattr(sources, "MOST_LINES", 200)
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(b" " * 1_000_000))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(LINES[0] + b"\n" + (b" " * 10_000 + b"\n") * 100))
    (tmp_path / "c.jsonl").write_bytes(LINES[0] + b"\n" * 300)
    assert [(line, message.split(";")[0]) for line, message in reasons(tmp_path)] == [
        (1, "cannot be read: the trace has more than 20,000 bytes"),
        (1, "cannot be read: what the file holds has more than 40,000 bytes"),
        (1, "cannot be read: what the file holds has more than 200 lines"),
    ]
    assert [name for name, _, trace in found(tmp_path) if trace] == ["b.jsonl.gz", "c.jsonl"]


def test_a_bound_is_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_bytes(LINES[0])
    monkeypatch.setenv("AWESOME_LIMITS", "1000000")
    with pytest.raises(UsageError, match="expected an integer from 1 to 999999 in AWESOME_LIMITS, got '1000000'"):
        found(tmp_path)
