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
from awesome_cli.survey import kept

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
    options = ("--name", "second", "--on", "2026-04-01", "--retries", "0")
    return run("audit", "code", "--with", command, *options, *words, root=root, **how)


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
    assert "answers:1 is not a saved answer for these papers" in code(run, root, asking, *words, code=1).err
    assert (tmp_path / "answers").read_text() == "mine"
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


def test_a_fetched_abstract_is_sent(run: Run, root: Path):
    kept.keep(root, kept.ABSTRACTS, kept.ABSTRACTS, {"arxiv:2001.00010": ABSTRACT})
    done = run("audit", "code", "aero2020", "--with", "cat", "--dry-run", "--format", "json", root=root)
    assert done.json["data"]["requests"][0]["paper"]["abstract"] == ABSTRACT


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
    assert (lines[0]["settings"]["sent"], lines[0]["settings"]["axes"]) == ("title", "device,taste,beans")


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
    assert f"{out} has the answers so far; repeat the command to ask for the others" in " ".join(said.split())
    assert [json.loads(line)["key"] for line in out.read_text().splitlines()] == ["aero2020"]
    size = mark.stat().st_size
    time.sleep(0.2)
    assert mark.stat().st_size == size
    assert not (root / "audits").exists()


@pytest.fixture
def limited(tmp_path: Path) -> Callable[..., str]:
    """A program that notes each title and answers, but fails as its lines say; it is the same command with other lines."""

    def made(lines: str = "", **answer: object) -> str:
        path, calls = tmp_path / "limited.py", tmp_path / "calls"
        path.write_text(
            f"import json, sys, time\nfrom pathlib import Path\nrequest = json.load(sys.stdin)\n"
            f"title, calls = request['paper']['title'], Path({str(calls)!r})\n"
            f"calls.open('a').write(title + chr(10))\nn = len(calls.read_text().splitlines())\n"
            f"{lines}\nprint(json.dumps({ ({**ANSWER, **answer})!r}))\n"
        )
        return shlex.join([sys.executable, str(path)])

    return made


KEYS = ("drip2021", "aero2020", "siphon2019")


def asked(tmp_path: Path, root: Path) -> list[str]:
    """The keys of the papers that the limited program was asked for since the last look, in order."""
    titles = {yaml.safe_load((root / "corpus" / f"{key}.yaml").read_text())["title"]: key for key in KEYS}
    calls = tmp_path / "calls"
    keys = [titles[line] for line in calls.read_text().splitlines()] if calls.exists() else []
    calls.unlink(missing_ok=True)
    return keys


def saved(out: Path) -> list[str]:
    return [json.loads(line)["key"] for line in out.read_text().splitlines()]


def test_a_rerun_after_a_rate_limit_asks_only_for_what_is_missing(
    run: Run, root: Path, limited: Callable[..., str], tmp_path: Path
):
    out = tmp_path / "answers.jsonl"
    words = [*KEYS, "--out", str(out)]
    facts = {"model": "small", "settings": {"temperature": 0}, "usage": {"input_tokens": 5}}
    command = limited("if n > 1: sys.exit('rate limit')", **facts)
    done = code(run, root, command, *words, "--format", "json", code=4)
    assert [left["reason"] for left in done.json["data"]["left_out"]] == ["it ended with exit code 1: rate limit"] * 2
    assert asked(tmp_path, root) == [*KEYS]
    assert [coding["key"] for coding in audited(root)["codings"]] == ["drip2021"]
    assert "Not found: drip2021 device=drip." in audited(root)["note"]
    would = code(run, root, command, *words, "--dry-run", "--format", "json").json["data"]["papers"]
    assert [paper["key"] for paper in would] == ["aero2020", "siphon2019"]

    done = code(run, root, limited(**facts), *words)
    assert f"{out} has 1 of 3 answers; asking for 2 more" in done.err
    assert asked(tmp_path, root) == ["aero2020", "siphon2019"]
    assert [coding["key"] for coding in audited(root)["codings"]] == [*KEYS]
    assert "A program coded 3 of 3 papers" in audited(root)["note"]
    assert saved(out) == [*KEYS]

    code(run, root, limited(**facts), *words, "--name", "again")
    assert asked(tmp_path, root) == []
    assert audited(root, "again") == audited(root)


def test_a_rerun_on_a_later_day_replaces_the_audit_that_has_the_name_of_the_file(
    run: Run, root: Path, limited: Callable[..., str], tmp_path: Path
):
    words = ["audit", "code", *KEYS, "--out", str(tmp_path / "answers.jsonl"), "--retries", "0", "--with"]
    run(*words, limited("if n > 1: sys.exit('rate limit')"), "--on", "2026-04-01", root=root, code=4)
    run(*words, limited(), "--on", "2026-04-02", root=root)
    assert [path.name for path in (root / "audits").iterdir()] == ["answers.yaml"]
    assert [coding["key"] for coding in audited(root, "answers")["codings"]] == [*KEYS]


def test_an_audit_that_a_person_changed_is_not_replaced(
    run: Run, root: Path, limited: Callable[..., str], tmp_path: Path
):
    words = [*KEYS, "--out", str(tmp_path / "answers.jsonl")]
    code(run, root, limited("if n > 1: sys.exit('rate limit')"), *words, code=4)
    path = root / "audits" / "second.yaml"
    path.write_text(path.read_text().replace("note: ", "note: Read again. "))
    asked(tmp_path, root)
    assert "audits/second.yaml already exists" in code(run, root, limited(), *words, code=1).err
    assert asked(tmp_path, root) == []
    assert "Read again." in path.read_text()


def test_a_killed_run_keeps_its_answers(run: Run, root: Path, limited: Callable[..., str], tmp_path: Path):
    out = tmp_path / "answers.jsonl"
    words = [*KEYS, "--out", str(out)]
    command = limited("if n == 3: time.sleep(60)")
    process = subprocess.Popen(
        [sys.executable, "-m", "awesome_cli", "-C", str(root), "audit", "code", *words, "--with", command],
        env=os.environ, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for _ in range(600):
        if (tmp_path / "calls").exists() and len((tmp_path / "calls").read_text().splitlines()) == 3:
            break
        time.sleep(0.05)
    process.kill()
    process.wait()
    assert saved(out) == ["drip2021", "aero2020"]
    asked(tmp_path, root)
    code(run, root, limited(), *words)
    assert asked(tmp_path, root) == ["siphon2019"]
    assert saved(out) == [*KEYS]


def other_definition(root: Path) -> None:
    path = root / "taxonomy.yaml"
    path.write_text(path.read_text().replace("Water runs through.", "Water drips."))


def other_title(root: Path) -> None:
    path = root / "corpus" / "aero2020.yaml"
    path.write_text(path.read_text().replace("matters", "counts"))


@pytest.mark.parametrize(
    ("words", "change", "reason"),
    [
        (["--by", "beans"], None, "drip2021 was coded with other settings (axes: device,taste,beans, now beans)"),
        ([], other_definition, "drip2021 was coded with other settings (definitions: sha256:"),
        ([], other_title, "aero2020 was coded with other settings (paper: sha256:"),
        (["--with", "cat"], None, "drip2021 was coded with other settings (command: "),
    ],
)
def test_answers_to_other_requests_are_refused(
    run: Run, root: Path, limited: Callable[..., str], tmp_path: Path, words: list[str],
    change: Callable[[Path], None] | None, reason: str,
):  # fmt: skip
    out = tmp_path / "answers.jsonl"
    code(run, root, limited(), "drip2021", "aero2020", "--out", str(out))
    asked(tmp_path, root)
    if change:
        change(root)
    before = out.read_bytes()
    done = code(run, root, limited(), *KEYS, "--out", str(out), "--name", "third", *words, code=1)
    said = " ".join(done.err.split())
    assert reason in said
    assert "repeat the earlier command, delete the line to ask again, or choose another file with --out FILE" in said
    assert asked(tmp_path, root) == []
    assert out.read_bytes() == before


def test_answers_of_another_model_are_refused(run: Run, root: Path, limited: Callable[..., str], tmp_path: Path):
    out = tmp_path / "answers.jsonl"
    code(run, root, limited(model="small", settings={"temperature": 0}), "drip2021", "--out", str(out))
    before = out.read_bytes()
    done = code(run, root, limited(model="large"), *KEYS, "--out", str(out), "--name", "third", code=1)
    said = " ".join(done.err.split())
    assert "aero2020 is now coded by parrot 2, model large, but the saved answers are by" in said
    assert "by parrot 2, model small, temperature 0" in said
    assert out.read_bytes() == before
    assert not (root / "audits" / "third.yaml").exists()


@pytest.mark.slow
def test_a_failure_is_tried_again(run: Run, root: Path, limited: Callable[..., str], tmp_path: Path):
    failing = limited("if n < 3: sys.exit(print('Sorry, busy.') if n == 1 else 'rate limit')")
    code(run, root, failing, "drip2021", "--retries", "2")
    assert asked(tmp_path, root) == ["drip2021"] * 3
    failing = limited("sys.exit('rate limit')")
    said = code(run, root, failing, "drip2021", "--retries", "1", "--name", "third", code=3).err
    assert "it ended with exit code 1: rate limit (tried 2 times)" in " ".join(said.split())
    assert asked(tmp_path, root) == ["drip2021"] * 2


def test_jobs_run_at_a_time_and_the_file_has_the_order_of_the_papers(
    run: Run, root: Path, limited: Callable[..., str], tmp_path: Path
):
    meeting = "while len(calls.read_text().splitlines()) < 3: time.sleep(0.01)\ntime.sleep(0.2 * ('rip' in title))"
    files = {}
    for jobs, lines in (("3", meeting), ("1", "")):
        files[jobs] = tmp_path / f"{jobs}.jsonl"
        code(run, root, limited(lines), *KEYS, "--jobs", jobs, "--out", str(files[jobs]), "--name", f"jobs{jobs}")
        asked(tmp_path, root)
    assert saved(files["3"]) == [*KEYS]
    assert files["3"].read_bytes() == files["1"].read_bytes()
    assert audited(root, "jobs3") == audited(root, "jobs1")


@pytest.mark.parametrize(
    "lines",
    [
        "print('```json\\n' + text + '\\n```')",
        "print('Here is my coding:\\n\\n```json\\n' + text + '\\n```\\nI hope that it helps.')",
        "print('A coding: ' + text + ' (end)')",
    ],
)
def test_text_around_an_answer_is_ignored(run: Run, root: Path, script: Script, lines: str):
    command = script(f"text = json.dumps({ANSWER!r}, indent=1)\n{lines}")
    code(run, root, command, "drip2021")
    assert audited(root)["second"] == "parrot 2"


def test_two_answers_are_refused(run: Run, root: Path, script: Script):
    command = script(f"print(json.dumps({ANSWER!r}), 'or', json.dumps({ANSWER!r}))")
    said = " ".join(code(run, root, command, "drip2021", code=3).err.split())
    assert "the answer is not valid JSON" in said
    assert "more text follows the end of the value" in said


@pytest.mark.parametrize(
    "facts",
    [
        {"usage": {"tokens": 10**400}},
        {"usage": {"k" * 70: 1}},
        {"settings": {"a\nb": 1}},
        {"cost": {"amount": 1e308, "currency": "USD"}},
    ],
)
def test_facts_that_no_record_can_hold_are_refused(
    run: Run, root: Path, limited: Callable[..., str], facts: dict[str, Any]
):
    done = run("audit", "code", "drip2021", "--with", limited(**facts), "--retries", "0", root=root, code=3)
    assert "no audit was written" in done.err
    assert not (root / "audits").exists()
    run("validate", root=root)


def test_usage_and_cost_are_kept_and_summed(run: Run, root: Path, limited: Callable[..., str]):
    facts = {
        "model": "small",
        "settings": {"temperature": 0, "top_p": 0.5, "cache": True, "version": "1.10"},
        "usage": {"input_tokens": 1200, "output_tokens": 30},
        "cost": {"amount": 0.1, "currency": "EUR"},
    }
    code(run, root, limited(**facts), *KEYS)
    audit = audited(root)
    assert [coding["answer"] for coding in audit["codings"]] == [{**facts, "coder": "parrot 2"}] * 3
    assert (
        'settings: {temperature: 0, top_p: 0.5, cache: true, version: "1.10"}'
        in (root / "audits" / "second.yaml").read_text()
    )
    run("fmt", "--check", root=root)
    assert audit["prompt"].startswith("sha256:")
    assert run("validate", root=root).code == 0
    data = run("audit", "report", "second", "--format", "json", root=root).json["data"]
    assert data["usage"] == {"input_tokens": 3600, "output_tokens": 90, "EUR": 0.3}
    assert data["prompt"] == audit["prompt"]
    shown = run("audit", "report", "second", root=root).out
    assert "Coded by parrot 2, model small, temperature 0, top_p 0.5, cache True, version 1.10." in shown
    assert "Usage, where answers state it: 3600 input tokens, 90 output tokens, 0.3 EUR." in shown
    wrong = {**facts, "cost": {"amount": -1, "currency": "euro"}}
    said = " ".join(code(run, root, limited(**wrong), "drip2021", "--name", "third", code=3).err.split())
    assert "cost.amount: must be 0.0 or more" in said
    assert "cost.currency: must be the three capital letters of a currency, such as USD, not 'euro'" in said


def test_only_a_coding_whose_quote_was_found_has_a_command_and_its_evidence(run: Run, root: Path, parrot: Script):
    path = root / "corpus" / "drip2021.yaml"
    title = yaml.safe_load(path.read_text())["title"]
    path.write_text(
        path.read_text().replace(
            "beans: robusta", 'beans: {term: arabica, part: true, source: "table 2", confidence: high}'
        )
    )
    beans = [{"term": "arabica", "evidence": "It's in the\ntitle: $(beans).", "quote": title}]
    taste = [
        {"term": "sweet", "strength": "tasted", "quote": "Nobody ever wrote this sentence."},
        {"term": "salty", "strength": "tasted", "evidence": "A guess."},
    ]
    code(run, root, parrot(device=[{"term": "press"}], beans=beans, taste=taste), "drip2021")
    data = run("audit", "report", "second", "--format", "json", root=root).json["data"]
    differ = {each["axis"]: each for each in data["disagreements"]}
    evidence = shlex.quote("It's in the title: $(beans).")
    command = f"awesome tag drip2021 beans=arabica --revised --evidence {evidence} --quote {shlex.quote(title)}"
    assert differ.pop("beans")["command"] == command
    # Without a quote (device, salty), with a quote that was not sent (sweet), and NA in place of the coding (others).
    assert {"device", "taste=sweet", "taste=salty", "taste=bitter"} <= differ.keys()
    assert {(each["command"], each["withheld"]) for each in differ.values()} == {(None, True)}
    assert f"Without a command ({len(differ)})" in run("audit", "report", "second", root=root).out
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    subprocess.run(["git", "-C", str(root), "config", "user.name", "Ada Bean"], check=True)
    run(*shlex.split(command)[1:], root=root)
    paper = yaml.safe_load(path.read_text())
    (tag,) = paper["tags"]["beans"]
    assert tag == {"term": "arabica", "evidence": "It's in the title: $(beans).", "quote": title}
    assert [entry["by"] for entry in paper["history"]] == ["Ada Bean"]
