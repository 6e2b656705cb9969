"""Finding out what a file is, folders, refusals, and files that are broken on purpose."""

import copy
import gzip
import json
from pathlib import Path

import foreign_files as files
import generated_tables
import kimi_files as kimi
import pytest
from event_lines import event_lines
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trace_runs import import_path

from awesome_cli.traces import importers
from awesome_cli.traces.importers import FORMATS, log_file
from awesome_cli.traces.importers.finding import recognise
from awesome_cli.traces.importers.foreign import decoded
from awesome_cli.traces.importers.log_file import LogFile, LogFileError
from awesome_cli.traces.reading import read_document

SAMPLES = {
    "codex": files.codex(),
    "codex-bundle": files.codex_bundle(),
    "claude-code": files.session(),
    "kimi-code": kimi.main(),
    "kimi-cli": kimi.old_cli(),
    "claude-stream": files.claude_stream(),
    "claude-team": files.claude_team(),
    "openai-agents-sdk": files.sdk(handoff=True),
    "otlp": [files.batch(files.agent_span("boss", "a", "", 0, 9), files.model_span("b", "a", 0, 1))],
    "langsmith": files.langsmith(),
    "atif": [files.atif()],
    "who-and-when": [files.magentic()],
    "swe-agent": [files.swe()],
    "autogen": [files.team()],
}


def test_every_format_has_a_sample():
    assert SAMPLES.keys() == FORMATS.keys()


def test_every_module_of_a_format_is_in_the_table():
    folder = Path(importers.__file__).parent
    written = {p.stem for p in folder.glob("*.py") if "FORMAT = TraceFormat(" in p.read_text(encoding="utf-8")}
    assert written == {module.__name__.rpartition(".")[2] for module in importers.TABLE}


def test_the_table_of_formats_is_current(repository, updating):
    header = ("`--from`", "reads", "spawn and return", "inferred", "lost")
    rows = [(f"`{f.name}`", f.reads, f.spawns, f.inferred, f.lost) for f in FORMATS.values()]
    generated_tables.check(repository / "docs" / "trace-import.md", "formats", header, rows, update=updating)


@pytest.mark.parametrize("form", SAMPLES)
def test_the_format_is_found_in_the_content_not_in_the_name(form, tmp_path, imported):
    rows = SAMPLES[form]
    name = tmp_path / "mystery.log"
    path = files.document(name, rows[0]) if len(rows) == 1 else files.lines(name, rows)
    plain = imported(path, form)
    packed = tmp_path / "mystery.json.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert event_lines(imported(packed, form)) == event_lines(plain)


@pytest.mark.parametrize("form", SAMPLES)
def test_prompts_and_outputs_stay_out(form, tmp_path, imported):
    def marked(value):
        if isinstance(value, dict):
            return {key: mark(key, item) for key, item in value.items()}
        return [marked(item) for item in value] if isinstance(value, list) else value

    def mark(key, item):
        texts = {"content", "message", "text", "input", "output", "thought", "response", "observation", "arguments"}
        if isinstance(item, str) and key in texts:
            return "SECRET " + item
        return marked(item)

    rows = marked(copy.deepcopy(SAMPLES[form]))
    trace = imported(files.lines(tmp_path / "t.jsonl", rows), form)
    assert "SECRET" not in json.dumps(trace)


WORTHLESS = st.sampled_from(
    [None, True, -1, 1e400, 0.5, "", "x" * 40, "2026", [], {}, [{}], {"type": 1}, "\ud800"]
).map(copy.deepcopy)


@st.composite
def mutants(draw):
    """A sample in which some values anywhere are replaced or gone."""
    form = draw(st.sampled_from(sorted(SAMPLES)))
    rows = copy.deepcopy(SAMPLES[form])
    for _ in range(draw(st.integers(1, 4))):
        at = rows
        while isinstance(at, dict | list) and at:
            keys = sorted(at) if isinstance(at, dict) else list(range(len(at)))
            key = draw(st.sampled_from(keys))
            if not isinstance(at[key], dict | list) or not at[key] or draw(st.integers(0, 4)) == 0:
                if isinstance(at, dict) and draw(st.booleans()):
                    del at[key]
                else:
                    at[key] = draw(WORTHLESS)
                break
            at = at[key]
    return form, rows


@settings(
    max_examples=5 * settings.default.max_examples,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(mutants())
def test_a_broken_file_is_refused_or_gives_a_readable_trace(tmp_path, mutant):
    form, rows = mutant
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (result,) = import_path(path, form=form)
    assert (result.error is None) == bool(result.traces)
    for trace in result.traces:
        json.dumps(trace, ensure_ascii=False, allow_nan=False).encode()
        reading = read_document(trace)
        assert reading.trace is not None, reading.findings[:3]


def test_unknown_formats_are_refused_with_what_was_recognised(tmp_path, run):
    done = run("trace", "import", files.document(tmp_path / "a.json", {"role": "user", "x": 1}), code=3)
    assert "it looks like JSON with role, x (similar to chat messages)" in done.err
    assert "--from" in done.err
    (tmp_path / "b.json").write_text("hello", encoding="utf-8")
    assert "it looks like text that is not JSON" in run("trace", "import", tmp_path / "b.json", code=3).err


def test_a_trace_is_not_imported_again(tmp_path, run):
    path = tmp_path / "out.json"
    run("trace", "import", files.document(tmp_path / "t.traj", files.swe()), "--out", path)
    assert "awesome trace check" in run("trace", "import", path, code=3).err


def test_one_bad_file_of_several_stops_nobody(tmp_path, run):
    files.document(tmp_path / "a.json", {"trajectory": "cut"})
    files.document(tmp_path / "b.traj", files.swe())
    files.lines(tmp_path / "c" / "S1.jsonl", files.session())
    files.lines(tmp_path / "c" / "S1" / "subagents" / "agent-k1.jsonl", files.scout())
    done = run("trace", "import", tmp_path, code=4)
    assert [json.loads(line)["system"] for line in done.out.splitlines()] == ["SWE-agent", "Claude Code"]
    assert "2 runs imported, 1 file could not" in done.err


def test_a_file_of_no_format_beside_a_run_is_skipped(tmp_path, run):
    files.lines(tmp_path / "c" / "S1.jsonl", files.session())
    files.document(tmp_path / "c" / "about.json", {"x": 1})
    assert "about.json: not a known format; it looks like JSON with x" in run("trace", "import", tmp_path).err
    assert "about.json" in run("trace", "import", tmp_path / "c" / "about.json", code=3).err
    files.document(tmp_path / "other.json", {"x": 1})
    (tmp_path / "d").mkdir()
    files.document(tmp_path / "d" / "alone.json", {"x": 1})
    done = run("trace", "import", tmp_path, code=4)
    assert f"error: 1 run imported, 1 file could not be imported:\n  {tmp_path / 'd' / 'alone.json'}" in done.err


def test_the_report_names_the_new_ids_of_runs_with_equal_ids(tmp_path, run):
    for folder, words in (("a", "x"), ("b", "x"), ("c", "y")):
        (tmp_path / folder).mkdir()
        messages = [{"type": "TextMessage", "source": "baker", "content": words}]
        files.document(tmp_path / folder / "chat.json", {"messages": messages})
    done = run("trace", "import", tmp_path)
    ids = [json.loads(line)["trace_id"] for line in done.out.splitlines()]
    assert len(set(ids)) == 3
    assert ids[0].removesuffix("~1") == ids[1].removesuffix("~2")
    assert f"3 runs have the id chat; their trace ids are now {', '.join(ids)}\n" in done.err
    assert "have the id" not in run("trace", "import", tmp_path / "a").err


def test_a_sessions_folder_stands_for_the_session(tmp_path, run):
    files.lines(tmp_path / "S1.jsonl", files.session())
    files.lines(tmp_path / "S1" / "subagents" / "agent-k1.jsonl", files.scout())
    assert run("trace", "import", tmp_path / "S1").json["agents"].keys() == {"k1", "main"}


def test_the_format_can_be_named_and_a_wrong_name_is_a_usage_error(tmp_path, run):
    path = files.document(tmp_path / "t.json", files.swe())
    assert run("trace", "import", path, "--from", "swe-agent").json["system"] == "SWE-agent"
    assert "otlp" in run("trace", "import", path, "--from", "nothing", code=2).err
    assert "no such" in run("trace", "import", tmp_path / "none.json", code=2).err
    assert "has no event" in run("trace", "import", path, "--from", "atif", code=3).err


def test_no_path_of_this_machine_is_written(tmp_path, imported):
    trace = imported(files.document(tmp_path / "t.json", files.swe()), "swe-agent")
    assert str(tmp_path) not in json.dumps(trace)


def test_standard_input_is_a_file_too(run):
    trace = run("trace", "import", "-", stdin="".join(json.dumps(row) + "\n" for row in files.sdk())).json
    assert trace["provenance"]["file"] == "stdin"
    assert trace["costs"]["tokens"] == 220


def test_a_damaged_archive_is_named(tmp_path, run):
    path = tmp_path / "t.json.gz"
    path.write_bytes(gzip.compress(json.dumps(files.swe()).encode())[:-12])
    assert "gzip" in run("trace", "import", path, code=3).err


def test_what_a_log_holds_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, bound in (("TRACE", 20_000), ("UNPACKED", 40_000), ("MOST_LINES", 200)):
        monkeypatch.setattr(log_file, name, bound)
    texts = {"one": "[" + " " * 30_000 + "]", "many": "{}\n" * 201, "all": ("{}" + " " * 9_997 + "\n") * 9}
    whys = {"one": "20,000 bytes", "many": "200 lines", "all": "40,000 bytes"}
    for name, text in texts.items():
        for path, data in ((tmp_path / name, text.encode()), (tmp_path / f"{name}.gz", gzip.compress(text.encode()))):
            path.write_bytes(data)
            assert f"{path.name} has more than {whys[name]}; AWESOME_LIMITS=2" in str(import_path(path)[0].error)


def test_json_that_is_nested_too_deeply_is_named(tmp_path, run):
    (tmp_path / "deep.json").write_text("[" * 200_000 + "]" * 200_000)
    assert "looks like JSON that is nested too deeply" in run("trace", "import", tmp_path / "deep.json", code=3).err


def test_a_long_line_is_parsed_once_to_find_the_format(tmp_path, monkeypatch):
    long = json.dumps({"type": "note", "text": "x" * 100_000})
    (tmp_path / "log.jsonl").write_text(f"{long}\n{long}\n")
    lengths = []
    monkeypatch.setattr(log_file, "decoded", lambda words: lengths.append(len(words)) or decoded(words))
    with pytest.raises(LogFileError):
        recognise(LogFile(tmp_path / "log.jsonl"))
    assert len([length for length in lengths if length > 100_000]) == 2


@pytest.mark.parametrize("source", ["log.jsonl", "."])
def test_an_imported_log_is_not_overwritten(source, tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = files.lines(tmp_path / "log.jsonl", files.sdk(handoff=True)).read_bytes()
    result = run("trace", "import", source, "--out", "log.jsonl", code=2)
    assert "log.jsonl is one of the imported files" in result.err
    assert (tmp_path / "log.jsonl").read_bytes() == before


def test_indented_objects_that_follow_one_another_are_read(tmp_path, imported):
    """OpenTelemetry's console exporter writes them; the last one can be cut off."""
    rows = files.sdk(handoff=True)
    text = "\n".join(json.dumps(row, indent=1) for row in rows)
    (tmp_path / "log.json").write_text(text)
    trace = imported(tmp_path / "log.json", "openai-agents-sdk")
    assert event_lines(trace) == event_lines(imported(files.lines(tmp_path / "log.jsonl", rows), "openai-agents-sdk"))
    (tmp_path / "log.json").write_text(text + '\n{"object":')
    cut = imported(tmp_path / "log.json", "openai-agents-sdk")
    assert event_lines(cut) == event_lines(trace)
    assert "lines that are not JSON: 1" in cut["provenance"]["lossy"]


@pytest.mark.parametrize("place", [0, 1, 9])
def test_a_line_that_is_not_json_is_counted_wherever_it_is(place, tmp_path, imported):
    lines = [json.dumps(row) for row in files.sdk(handoff=True)]
    lines.insert(place, "INFO run started")
    (tmp_path / "log.jsonl").write_text("\n".join(lines))
    lossy = imported(tmp_path / "log.jsonl", "openai-agents-sdk")["provenance"]["lossy"]
    assert "lines that are not JSON: 1" in lossy


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('[{"a": 1},\n]', "JSON with an error in line 2, column 1: "),
        ('[\n{"a": [1, 2', "JSON with an error in line 2, column "),
        ("hello", "text that is not JSON"),
    ],
)
def test_an_error_in_json_has_its_place(text, what, tmp_path, run):
    (tmp_path / "log.json").write_text(text)
    assert f"looks like {what}" in run("trace", "import", tmp_path / "log.json", code=3).err


def test_the_import_names_the_trace_and_counts_its_agents_only(tmp_path, run):
    path = files.document(tmp_path / "bread.team.json", files.team())
    result = run("trace", "import", path, "--out", tmp_path / "out.json")
    trace = json.loads((tmp_path / "out.json").read_text())
    kinds = [agent["kind"] for agent in trace["agents"].values()]
    assert "human" in kinds
    assert trace["trace_id"] == "bread.team"
    assert f"autogen: {kinds.count('llm')} agents, " in result.err
    assert "trace_id bread.team" in result.err
