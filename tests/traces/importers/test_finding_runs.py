"""Runs by their ids, what an import says at its end, ids of traces, and logs that are not imported yet."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import foreign_files as files
import pytest
from builders import DATA

from awesome_cli.traces.importers import FORMATS
from awesome_cli.traces.importers.log_file import LogFile

TRACES = DATA / "traces"
SESSION = TRACES / "claude-code" / "4b2030ed"


def session(project: Path, name: str, changed: int, **more: Any) -> None:
    """A session with its sub-agent, both changed at a time."""
    own = {"sessionId": name, **more}
    rows = [row | own | {"uuid": f"{name}-{row['uuid']}"} if "uuid" in row else row | own for row in files.session()]
    paths = [files.lines(project / f"{name}.jsonl", rows)]
    paths.append(files.lines(project / name / "subagents" / f"agent-of{name}.jsonl", files.scout()))
    for path in paths:
        os.utime(path, (changed, changed))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a program with three sessions."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "home"))
    projects = tmp_path / "home" / "projects"
    session(projects / "-bakery", "aa11", 1_800_000_000, cwd="/shop/bakery")
    session(projects / "-bakery", "aa22", 1_800_000_120)
    session(projects / "-kitchen", "bb33", 1_700_000_000)
    return tmp_path / "home"


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(("name", "found"), [("latest", "aa22"), ("bb", "bb33"), ("aa11", "aa11"), ("ofaa1", "aa11")])
def test_a_run_is_found_by_its_id(name: str, found: str, run: Any) -> None:
    trace = run("trace", "import", f"claude:{name}").json
    assert trace["trace_id"] == found
    assert len(trace["provenance"]["companions"]) == 1


@pytest.mark.usefixtures("home")
def test_an_id_that_is_not_clear_names_the_runs(run: Any, golden: Any) -> None:
    said = [run("trace", "import", f"claude:{name}", code=2).err for name in ("aa", "zz", "")]
    golden("trace/ids.txt", "\n".join(said))


def test_a_program_without_runs_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Any) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    assert "~/.claude" in run("trace", "import", "claude:latest", code=2).err
    assert "no such file" in run("trace", "import", "baker:latest", code=2).err


def test_an_import_says_what_came_of_every_file(tmp_path: Path, run: Any, golden: Any, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(SESSION, "logs/session")
    shutil.copytree(TRACES / "who-and-when", "logs/failures")
    Path("logs/README.md").write_text("What these are.\n", encoding="utf-8")
    files.document(Path("logs/odd.json"), {"x": 1})
    whole = files.lines(tmp_path / "logs" / "S1.jsonl", files.session())
    (whole.parent / "S1" / "subagents").mkdir(parents=True)
    (whole.parent / "S1" / "subagents" / "agent-k1.jsonl").write_bytes(b"\x1f\x8b broken")
    done = run("trace", "import", "logs", "--out", "all.jsonl", code=4)
    golden("trace/import.txt", done.err)
    lost = [json.loads(line)["provenance"]["lossy"] for line in Path("all.jsonl").read_text().splitlines()]
    assert sum("a file of the run that cannot be read: agent-k1.jsonl" in each for each in lost) == 1


def test_files_of_one_run_named_one_by_one_are_one_run(tmp_path: Path, run: Any) -> None:
    shutil.copytree(SESSION, tmp_path / "s")
    assert run("trace", "import", *sorted((tmp_path / "s").rglob("*.jsonl"))).json["agents"].keys() >= {"main"}


def test_traces_of_one_import_have_ids_of_their_own(tmp_path: Path, run: Any) -> None:
    for folder, document in (("Algorithm-Generated", files.group_chat()), ("Hand-Crafted", files.magentic())):
        (tmp_path / folder).mkdir()
        for n in (1, 2):
            files.document(tmp_path / folder / f"{n}.json", document | {"question_ID": f"q{n}"})
    files.document(tmp_path / "1.json", files.group_chat() | {"question_ID": "q1", "level": "Hard"})
    rows = [json.loads(line) for line in run("trace", "import", tmp_path).out.splitlines()]
    ids = sorted(row["trace_id"] for row in rows)
    assert len(set(ids)) == 5
    assert {name.partition("~")[0] for name in ids} == {"1-q1", "2-q2"}
    # The suffix comes from the content: a file keeps its id when others are added.
    fewer = [
        json.loads(line)
        for line in run("trace", "import", tmp_path / "Hand-Crafted", tmp_path / "1.json").out.splitlines()
    ]
    assert {row["trace_id"] for row in fewer if "~" in row["trace_id"]} <= set(ids)


def test_an_id_of_several_traces_is_an_error_that_tells_them_apart(tmp_path: Path, run: Any) -> None:
    one = run("trace", "import", files.document(tmp_path / "a.json", files.magentic())).json
    other = run("trace", "import", files.document(tmp_path / "a.json", files.group_chat())).json
    path = files.lines(tmp_path / "both.jsonl", [one, other | {"trace_id": one["trace_id"]}])
    for command in (["show"], ["export", "v1"]):
        said = run("trace", *command, path, "--id", one["trace_id"], code=2).err
        assert "both.jsonl:1: task q1, 2 agents, 6 events" in said
        assert "both.jsonl:2: task a.json, 2 agents, 3 events" in said


@pytest.mark.parametrize(
    "path", sorted(path for path in DATA.glob("[rt][ur]*/**/*") if path.is_file()), ids=lambda p: p.name
)
def test_no_file_is_in_two_formats(path: Path) -> None:
    assert sum(form.detect(LogFile(path)) for form in FORMATS.values()) <= 1


@pytest.mark.parametrize(
    ("command", "code"),
    [("check", 1), ("metrics", 3), ("replay", 3), ("show", 3), ("export v1", 3), ("export mermaid", 3)],
)
def test_a_log_must_be_imported_first(command: str, code: int, run: Any) -> None:
    path = TRACES / "claude-code" / "spotter" / "short.jsonl"
    done = run("trace", *command.split(), path, code=code)
    said = f"this is a log of claude-code; import it first: awesome trace import {path} --out run.json"
    assert (done.out + done.err).count(said) == 1
    assert said in run("trace", "diff", path, path, code=3).err


def test_a_folder_of_logs_has_one_finding_per_log(run: Any) -> None:
    done = run("trace", "check", SESSION, "--format", "json", code=4)
    assert [finding["code"] for finding in done.json["findings"]] == ["TP005", "TP005"]


def test_a_tool_call_of_another_program_is_not_one_of_autogen(tmp_path: Path) -> None:
    wire = {"timestamp": 1.0, "message": {"type": "ToolCall", "payload": {"id": "a", "function": {"name": "Agent"}}}}
    assert not FORMATS["autogen"].detect(LogFile(files.lines(tmp_path / "wire.jsonl", [wire, wire])))
