"""Runs by their ids, what an import says at its end, ids of traces, and logs that are not imported yet."""

import gzip
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
RUNS = DATA / "runs"
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
    said = run("trace", "import", "claude:latest", code=2).err
    assert f"no run of claude in {tmp_path}/projects, {tmp_path}/teams" in said
    assert "CLAUDE_CONFIG_DIR" in said
    assert "no such file" in run("trace", "import", "baker:latest", code=2).err


def test_a_program_lists_where_its_runs_worked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Any) -> None:
    kimi = RUNS / "kimi"
    for name, folder in (("KIMI_CODE_HOME", "agent-sessions-real-trimmed"), ("KIMI_SHARE_DIR", "scripted-legacy*/4*")):
        monkeypatch.setenv(name, str(tmp_path / name))
        shutil.copytree(next(kimi.glob(folder)), tmp_path / name / "sessions" / "of-work" / "session_1")
    code, cli = sorted(run("trace", "import", "kimi:", code=2).err.splitlines()[1:3], key=lambda line: -len(line))
    assert code.endswith("UTC  session_1  project")
    assert cli.endswith("UTC  session_1")


def test_a_team_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Any) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    shutil.copytree(RUNS / "claude-code" / "teams", tmp_path / "teams")
    (tmp_path / "tasks" / "humble-chasing-goose").mkdir(parents=True)
    files.document(tmp_path / "tasks" / "humble-chasing-goose" / "1.json", {"subject": "bread"})
    assert "humble-chasing-goose" in run("trace", "import", "claude:", code=2).err
    done = run("trace", "import", "claude:humble-chasing-goose")
    assert done.json["agents"].keys() == {"team-lead", "docs-types", "docs-events"}
    assert "lists of tasks" in done.err


@pytest.mark.usefixtures("home")
def test_a_run_that_is_named_twice_is_imported_once(home: Path, run: Any) -> None:
    whole = home / "projects" / "-kitchen" / "bb33.jsonl"
    assert run("trace", "import", "claude:bb33", "claude:ofbb33", whole).json["trace_id"] == "bb33"


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("name", ["claude: latest", "CLAUDE:AA22", " claude:latest"])
def test_the_name_of_a_run_can_have_spaces_and_capitals(name: str, run: Any) -> None:
    assert run("trace", "import", name).json["trace_id"] == "aa22"


@pytest.mark.usefixtures("home")
def test_a_run_with_an_id_is_read_as_the_format_that_is_named(run: Any) -> None:
    assert "read as atif, but it has no event" in run("trace", "import", "claude:bb33", "--from", "atif", code=3).err
    assert run("trace", "import", "claude:bb33", "--from", "claude-code").json["trace_id"] == "bb33"


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
    for command in (["show"], ["export", "otel"]):
        said = run("trace", *command, path, "--id", one["trace_id"], code=2).err
        assert "both.jsonl:1 (task q1)" in said
        assert "both.jsonl:2 (task a.json)" in said


@pytest.mark.parametrize(
    "path", sorted(path for path in DATA.glob("[rt][ur]*/**/*") if path.is_file()), ids=lambda p: p.name
)
def test_no_file_is_in_two_formats(path: Path) -> None:
    assert sum(form.detect(LogFile(path)) for form in FORMATS.values()) <= 1


@pytest.mark.parametrize(
    ("command", "code"),
    [("check", 1), ("metrics", 3), ("replay", 3), ("show", 3), ("export otel", 3), ("export chrome", 3), ("rows", 3)],
)
def test_a_log_must_be_imported_first(command: str, code: int, run: Any) -> None:
    path = TRACES / "claude-code" / "spotter" / "short.jsonl"
    done = run("trace", *command.split(), path, code=code)
    said = f"this is a log of claude-code; import it first: awesome trace import {path} --out run.json"
    assert (done.out + done.err).count(said) == 1
    assert said in run("trace", "diff", path, path, code=3).err


def test_a_log_in_a_folder_and_lines_that_are_no_traces_have_one_finding_each(run: Any) -> None:
    folder = RUNS / "kimi" / "scripted-legacy-kimi-cli-1.49.0"
    found = run("trace", "check", folder, "--format", "json", code=4).json["findings"]
    logs = [each["path"] for each in found if each["message"].startswith("this is a log of kimi-cli; import it first")]
    assert sorted(logs) == sorted(map(str, folder.rglob("wire.jsonl")))
    (lines,) = (each["message"] for each in found if each["path"] == str(folder / "TRUTH.jsonl"))
    assert lines == "no line is a trace: none has 'trace_id' or 'events'"


def test_traces_beside_logs_are_read(tmp_path: Path, run: Any) -> None:
    shutil.copytree(SESSION, tmp_path / "logs")
    run("trace", "import", SESSION, "--out", tmp_path / "logs" / "run.json")
    files.lines(tmp_path / "logs" / "late.jsonl", [{"x": 1}, run("trace", "import", SESSION).json])
    rows = run("trace", "check", tmp_path, "--format", "json", code=4).json["data"]["rows"]
    assert [row["readable"] for row in rows].count(True) == 2


def test_a_tool_call_of_another_program_is_not_one_of_autogen(tmp_path: Path) -> None:
    wire = {"timestamp": 1.0, "message": {"type": "ToolCall", "payload": {"id": "a", "function": {"name": "Agent"}}}}
    assert not FORMATS["autogen"].detect(LogFile(files.lines(tmp_path / "wire.jsonl", [wire, wire])))


@pytest.mark.parametrize(
    "name",
    [
        "kimi/agent-sessions-real-trimmed/state.json",
        "kimi/scripted-legacy-kimi-cli-1.49.0/4ec21eb4-f1d3-4be0-9fc2-fb9f9c338077/state.json",
        "kimi/scripted-legacy-kimi-cli-1.49.0/4ec21eb4-f1d3-4be0-9fc2-fb9f9c338077/subagents/afc840cce/meta.json",
        (
            "claude-code/agent-sessions-subagents-meta/0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f/subagents"
            "/agent-a0ad4f44468bdf20d.meta.json"
        ),
        "codex/multi-agent/scripted-v2-trace-bundle-cli0.169/bundle/state.json",
    ],
)
def test_a_description_beside_a_log_leads_to_its_run(name: str, run: Any) -> None:
    path = RUNS / name
    log = next(path.parent.glob("*.jsonl"), path.parent / "agents" / "main" / "wire.jsonl")
    assert run("trace", "import", path).json == run("trace", "import", log).json


@pytest.mark.parametrize("folder", ["agent-sessions-real-trimmed", "scripted-legacy-kimi-cli-1.49.0"])
def test_a_second_log_of_an_agent_is_named(folder: str, tmp_path: Path, run: Any) -> None:
    shutil.copytree(RUNS / "kimi" / folder, tmp_path / "session")
    one = min((tmp_path / "session").rglob("wire.jsonl"))
    packed = one.with_name("wire.jsonl.gz")
    packed.write_bytes(gzip.compress(one.read_bytes()))
    said = f"a second log of an agent, not read: {one.parent.name}/wire.jsonl.gz"
    for path in (one, packed):
        assert run("trace", "import", path).json["provenance"]["lossy"][-1] == said
