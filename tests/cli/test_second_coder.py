"""A program as second coder: real programs, good and bad ones, on the coffee survey."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import word_coder
import yaml

from awesome_cli.model.second_coder import CoderRequest
from awesome_cli.publish.schemas import schema_text

Run = Callable[..., Any]
Script = Callable[[str], str]
CODES = {
    "device": [{"term": "drip", "evidence": "It drips.", "quote": "Drips"}, {"term": "cold", "part": True}],
    "taste": [{"term": "bitter", "strength": "tasted", "confidence": "low"}, {"term": "sour", "strength": "measured"}],
    "beans": "NA",
}
ANSWER = {"schema": "awesome/coder-answer/1", "coder": "parrot 2", "codings": CODES}
ABSTRACT = "We drip water.\nThe panel found it bitter."
COLUMNS = ["device", "taste", "beans"]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """The command that runs some lines of Python; `request` is what they are asked."""

    def made(lines: str) -> str:
        path = tmp_path / "my coder.py"
        path.write_text(f"import json, sys, time\nrequest = json.load(sys.stdin)\n{lines}\n")
        return shlex.join([sys.executable, str(path)])

    return made


@pytest.fixture
def parrot(script: Script) -> Script:
    """A program that always says the same, `ANSWER` with other codings."""

    def made(**codings: object) -> str:
        answer = {**ANSWER, "codings": {**CODES, **codings}}
        return script(f"print(json.dumps({answer!r}))")

    return made


def audited(root: Path, name: str = "second") -> Any:
    return yaml.safe_load((root / "audits" / f"{name}.yaml").read_text())


def code(run: Run, root: Path, command: str, *words: str, **how: Any) -> Any:
    return run("audit", "code", "--with", command, "--name", "second", "--on", "2026-04-01", *words, root=root, **how)


def test_a_program_becomes_the_second_coder_of_an_audit(run: Run, root: Path, parrot: Script):
    before = {path: path.read_bytes() for path in root.glob("*/*.yaml")}
    done = code(run, root, parrot(), "drip2021", "aero2020", "--format", "json")
    data = done.json["data"]
    assert done.err == "wrote audits/second.yaml\n"
    assert (data["asked"], data["left_out"]) == (2, [])
    assert (data["audit"]["second"], data["audit"]["blind"]) == ("parrot 2", "blind")
    assert data["audit"]["axes"]["device"]["n"] == 2
    audit = audited(root)
    assert (audit["second"], audit["blind"], audit["columns"]) == ("parrot 2", True, COLUMNS)
    assert audit["program"] is True
    assert run("audit", "list", "-f", "json", root=root).json["data"]["audits"][0]["coder"] == "parrot 2 (a program)"
    assert audit["chosen"] == "named on the command line"
    assert audit["codings"][0]["key"] == "drip2021"
    assert audit["codings"][0]["second"] == {
        "device": "drip; cold:part",
        "taste": "bitter:tasted; sour:measured",
        "beans": "NA",
    }
    assert {path: path.read_bytes() for path in before} == before
    shown = run("audit", "report", "second", root=root, code=0).out
    assert "the second coder had seen" not in shown


def test_what_a_program_is_asked_fits_its_schema_and_has_nothing_of_the_first_coder(run: Run, root: Path):
    record = root / "corpus" / "drip2021.yaml"
    record.write_text(record.read_text() + f"extra: {{abstract: {json.dumps(ABSTRACT)}}}\n")
    done = run("audit", "code", "drip2021", "--with", "cat", "--dry-run", "--format", "json", root=root)
    (request,) = done.json["data"]["requests"]
    assert done.json["data"]["papers"] == [{"key": "drip2021", "sent": "abstract", "reason": None}]
    schema = json.loads(run("schema", "coder-request", root=root).out)
    jsonschema_rs.validate(schema, request)
    paper = yaml.safe_load(record.read_text())
    assert request["paper"]["title"] == paper["title"]
    assert request["paper"]["abstract"] == ABSTRACT
    sent = json.dumps(request)
    first = [paper["summary"], *(tag["evidence"] for tag in paper["tags"]["taste"] if "evidence" in tag)]
    assert "drip2021" not in sent
    assert [text for text in first if text in sent] == []
    axes = {axis["id"]: axis for axis in request["axes"]}
    assert [axes[name]["na"] for name in COLUMNS] == [False, True, True]
    assert [term["id"] for term in axes["device"]["terms"]] == ["press", "siphon", "drip", "cold"]
    assert {word["id"] for word in request["confidences"]} == {"low", "medium", "high"}
    assert not (root / "audits").exists()


def test_the_answer_of_the_reference_program_fits_its_schema(run: Run, root: Path, tmp_path: Path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "drip2021.md").write_text("# Methods\n\nWater runs through. Bitterness was measured.\n")
    words = [
        "audit",
        "code",
        "drip2021",
        "--texts",
        str(tmp_path / "texts"),
        "--with",
        "cat",
        "--dry-run",
        "-f",
        "json",
    ]
    request = run(*words, root=root).json["data"]["requests"][0]
    assert "Bitterness" in request["paper"]["text"]
    answer = word_coder.answer(CoderRequest.model_validate(request))
    for schema in (run("schema", "coder-answer", root=root).out, schema_text("coder-answer", None)):
        jsonschema_rs.validate(json.loads(schema), answer)
    codings: Any = answer["codings"]
    (taste,) = codings["taste"]
    assert (taste["term"], taste["strength"]) == ("bitter", "measured")
    assert taste["quote"] == "Bitterness was measured."
    assert codings["beans"] == "NA"


WRONG = {
    "unknown axis 'devise'; did you mean 'device'?": {"devise": []},
    "device: unknown term 'drips'; did you mean 'drip'?": {"device": [{"term": "drips"}]},
    "device: unknown term 'immersion'": {"device": [{"term": "immersion"}]},
    "device: NA is not allowed, because every paper needs a term": {"device": "NA"},
    "device: 2 main terms, but the axis takes one": {"device": [{"term": "drip"}, {"term": "cold"}]},
    "device: 'drip' has the strength 'tasted', but the axis has none": {
        "device": [{"term": "drip", "strength": "tasted"}]
    },
    "device: unknown confidence 'sure'": {"device": [{"term": "drip", "confidence": "sure"}]},
    "taste: 'sour' has no strength; expected one of mentioned, tasted, measured": {"taste": [{"term": "sour"}]},
    "taste: unknown strength 'smelt'": {"taste": [{"term": "sour", "strength": "smelt"}]},
    "taste: 'sour' is given twice": {"taste": [{"term": "sour", "strength": "tasted"}] * 2},
    "taste: parts are not allowed on an axis": {"taste": [{"term": "sour", "strength": "tasted", "part": True}]},
    "codings.beans: must be a list": {"beans": "arabica"},
    "codings.beans.0.term is missing": {"beans": [{}]},
    "codings.beans.0.mood is not a known field here": {"beans": [{"term": "arabica", "mood": "x"}]},
    "codings.beans.0.quote: must have 2000 or fewer characters": {"beans": [{"term": "arabica", "quote": "x" * 3000}]},
}


@pytest.mark.parametrize("reason", WRONG)
def test_a_wrong_answer_is_named_and_costs_its_paper(run: Run, root: Path, script: Script, reason: str):
    wrong = {**ANSWER, "codings": {**CODES, **WRONG[reason]}}
    command = script(f"print(json.dumps({wrong!r} if 'rip' in request['paper']['title'] else {ANSWER!r}))")
    done = code(run, root, command, "drip2021", "aero2020", "--format", "json", code=4)
    (left,) = done.json["data"]["left_out"]
    assert left["key"] == "drip2021"
    assert left["reason"].startswith(reason)
    assert [coding["key"] for coding in audited(root)["codings"]] == ["aero2020"]
    assert "Left out: drip2021." in audited(root)["note"]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("pass", "the answer is empty"),
        ("print('[1, 2')", "the answer is not valid JSON: line 2, column 1: ',' is missing"),
        ("print('[' * 100000)", "the answer is not valid JSON: it is nested too deeply"),
        ("sys.stdout.buffer.write(b'\\xff')", "the answer is not UTF-8"),
        ("print('{}')", "schema is missing; codings is missing"),
        ("print('\\n' * 2000000)", "it wrote more than 1,000,000 bytes"),
        ("sys.exit('no \\x1b[2Jmodel')", "it ended with exit code 1: no model"),
        ("time.sleep(60)", "it did not finish within 0.5 s"),
    ],
)
def test_where_no_paper_is_answered_nothing_is_written(run: Run, root: Path, script: Script, lines: str, reason: str):
    done = code(run, root, script(lines), "drip2021", *(["--timeout", "0.5"] if "sleep" in lines else []), code=3)
    assert "the program gave no usable answer for 1 paper; no audit was written" in done.err
    assert reason in done.err
    assert not (root / "audits").exists()


def test_every_paper_without_an_answer_is_named(run: Run, root: Path):
    said = " ".join(code(run, root, "true", "drip2021", "aero2020", code=3).err.split())
    assert "drip2021: the answer is empty; aero2020: the answer is empty" in said


def test_a_coder_that_leaves_a_child_behind_is_heard(run: Run, root: Path, script: Script):
    child = "import subprocess; subprocess.Popen(['sleep', '20'], start_new_session=True)"
    done = code(run, root, script(f"{child}; print({json.dumps(ANSWER)!r})"), "drip2021", "-f", "json")
    assert done.json["data"]["left_out"] == []


def test_quotes_that_were_not_sent_are_named_and_counted(run: Run, root: Path, parrot: Script):
    title = yaml.safe_load((root / "corpus" / "drip2021.yaml").read_text())["title"]
    beans = [{"term": "arabica", "quote": title}]
    command = parrot(device=[{"term": "drip", "quote": "Nobody ever wrote this sentence."}], beans=beans)
    done = code(run, root, command, "drip2021", "--format", "json")
    quotes = done.json["data"]["quotes"]
    assert (quotes["given"], quotes["found"], quotes["share"]) == (2, 1, 0.5)
    assert [(one["axis"], one["state"]) for one in quotes["not_found"]] == [("device", "missing")]
    note = audited(root)["note"]
    assert "Codings: 4; with a quote: 2; quotes found in the text sent: 1." in note
    assert "Not found: drip2021 device=drip." in note


def test_a_sample_is_that_of_the_sheet(run: Run, root: Path, parrot: Script):
    sheet = run("audit", "sample", "--n", "3", "--seed", "5", "--stratify", "device", root=root).out
    code(run, root, parrot(), "--n", "3", "--seed", "5", "--stratify", "device", "--who", "Ada's parrot")
    audit = audited(root)
    assert [coding["key"] for coding in audit["codings"]] == [row.split(",")[0] for row in sheet.splitlines()[1:]]
    assert audit["sample"] == {"size": 3, "seed": 5, "stratify": "device"}
    assert audit["second"] == "Ada's parrot"


def test_axes_are_asked_alone(run: Run, root: Path, script: Script):
    command = script(
        "assert [axis['id'] for axis in request['axes']] == ['beans']\n"
        "print(json.dumps({'schema': 'awesome/coder-answer/1', 'codings': {'beans': [{'term': 'robusta'}]}}))"
    )
    code(run, root, command, "drip2021", "--by", "beans")
    audit = audited(root)
    assert (audit["columns"], audit["codings"][0]["second"]) == (["beans"], {"beans": "robusta"})
    assert audit["second"].startswith("python")


def test_nothing_is_written_over_and_no_program_is_asked_then(run: Run, root: Path, script: Script, tmp_path: Path):
    code(run, root, script(f"print({json.dumps(ANSWER)!r})"), "drip2021")
    before = (root / "audits" / "second.yaml").read_bytes()
    mark = tmp_path / "asked"
    asking = script(f"open({str(mark)!r}, 'w')")
    assert "audits/second.yaml already exists" in code(run, root, asking, "drip2021", code=1).err
    (tmp_path / "answers").write_text("mine")
    words = ["drip2021", "--out", str(tmp_path / "answers"), "--name", "third"]
    assert "already exists" in code(run, root, asking, *words, code=1).err
    assert "not a valid name of an audit" in code(run, root, asking, "drip2021", "--name", "Third One", code=2).err
    assert not mark.exists()
    assert (root / "audits" / "second.yaml").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--with", "none-such-program"], "the program 'none-such-program' is not installed"),
        (["--with", ""], "the command is empty"),
        (["--with", "cat", "X1"], "X1 is not a paper"),
        (["--with", "cat", "drip2021", "--n", "2"], "cannot be combined with --n"),
        (["--with", "cat", "--by", "devise"], "unknown axis 'devise'"),
        (["--with", "cat", "--out", "-"], "the report goes to standard output"),
    ],
)
def test_mistakes_are_said_before_anything_runs(run: Run, root: Path, words: list[str], message: str):
    assert message in run("audit", "code", *words, root=root, code=2).err


def test_trying_writes_nothing(run: Run, root: Path, parrot: Script):
    would = run("audit", "code", "drip2021", "--with", parrot(), "--dry-run", root=root).out
    assert "dry run: would send" in would
    assert "title" in would
    shown = code(run, root, parrot(), "drip2021", "--diff").out
    assert "+++ b/audits/second.yaml" in shown
    assert not (root / "audits").exists()


def test_the_answers_are_kept_line_by_line(run: Run, root: Path, parrot: Script, tmp_path: Path):
    out = tmp_path / "answers.jsonl"
    code(run, root, parrot(), "drip2021", "aero2020", "--out", str(out))
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert {line["key"] for line in lines} == {"drip2021", "aero2020"}
    assert lines[0]["answer"]["codings"]["device"][0]["quote"] == "Drips"
    assert (lines[0]["sent"], lines[0]["error"]) == ("title", None)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_keeps_the_answers_and_ends_the_program(root: Path, script: Script, tmp_path: Path):
    out, mark = tmp_path / "answers.jsonl", tmp_path / "alive"
    command = script(
        f"if 'rip' in request['paper']['title']:\n    while True:\n"
        f"        open({str(mark)!r}, 'a').write('x'); time.sleep(0.02)\nprint({json.dumps(ANSWER)!r})"
    )
    words = ["audit", "code", "aero2020", "drip2021", "--with", command, "--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "awesome_cli", "-C", str(root), *words],
        stderr=subprocess.PIPE,
        env=os.environ,
        text=True,
    )
    for _ in range(600):
        if mark.exists() and out.exists():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130, said
    assert "no audit was written" in said
    assert [json.loads(line)["key"] for line in out.read_text().splitlines()] == ["aero2020"]
    size = mark.stat().st_size
    time.sleep(0.2)
    assert mark.stat().st_size == size
    assert not (root / "audits").exists()
