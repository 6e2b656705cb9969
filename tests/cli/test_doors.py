"""A survey whose texts try to act on a terminal, a workflow's log, a page, a picture or a spreadsheet: none does."""

import csv
import io
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from builders import EXAMPLES, PACKAGE
from running import invoke, run_git
from tiers import sampled
from verb_table import LINES, ask, command_of, formats, shortest

from awesome_cli.text.inert import ACTIVE, COMMAND, FORMULA, NUMBER

ACTS = "\x1b]0;owned\x07 \x1b[2J \u202e \x9b31m \u2028 \uffff ##[error]forged"
TITLE, OTHER = f"=HYPERLINK(1) {ACTS}", f"::error title=x::forged {ACTS}"
LONGER = f"{OTHER}\n::warning::{ACTS}\n  ::stop-commands::x"
TEXTS = {"title": TITLE, "summary": LONGER, "note": LONGER, "evidence": LONGER, "because": LONGER, "basis": OTHER}
TEXTS |= dict.fromkeys(("definition", "question", "statement", "venue", "label", "unit", "short", "context"), OTHER)
COLOURS = re.compile(r"\x1b\[[\d;]*m")
INTENDED = re.compile(r"::(error|warning|notice) file=[^:]*,line=\d+,col=\d+,title=\w+::.*")
FINDINGS = {"validate", "trace check {traces}/violations-v2.json"}
"""Lines whose findings are annotations, which name the file and nothing of its texts as a command."""


def poisoned(value: Any, name: str = "") -> Any:
    """The value with hostile texts where a text may say anything."""
    match value:
        case dict():
            return {inner: poisoned(one, inner) for inner, one in value.items()}
        case list():
            return [poisoned(one, name) for one in value]
        case str() if name in TEXTS:
            return f"{TEXTS[name]} {value}"
    return value


@pytest.fixture(scope="module")
def hostile(survey: Path) -> Path:
    """That survey, with hostile texts in every file, and hostile traces."""
    for path in survey.rglob("*.yaml"):
        path.write_text(yaml.safe_dump(poisoned(yaml.load(path.read_text(), yaml.BaseLoader)), sort_keys=False))
    for name in ("rich-v2.json", "violations-v2.json", "minimal-v1.json"):
        trace = (EXAMPLES / name).read_text()
        for word in ("lead", "north", "harbours-7", "planner", "web.search", "answer"):
            trace = trace.replace(f'"{word}"', json.dumps(f"{OTHER}{word}"))
        (survey / name).write_text(trace)
    return survey


@pytest.fixture
def readable(hostile: Path, tmp_path: Path) -> Path:
    """A copy of it, for commands that write."""
    return Path(shutil.copytree(hostile, tmp_path / "coffee"))


def acting(text: str) -> list[str]:
    """What a terminal or a workflow would obey."""
    return [found[0] for one in (ACTIVE, COMMAND) for found in one.finditer(text)]


def faults(form: str, text: str) -> list[str]:
    """What acts in an answer."""
    if form == "csv":
        cells = [cell for row in csv.reader(io.StringIO(text), strict=True) for cell in row]
        return [cell for cell in cells if FORMULA.match(cell) and cell[0] != "'" and not NUMBER.fullmatch(cell)]
    if form == "github":
        return [line for line in text.splitlines() if not INTENDED.fullmatch(line) or ACTIVE.search(line)]
    if form == "svg":
        ET.fromstring(text)
    if form in {"json", "sarif"}:
        json.loads(text)
    return acting(text)


@pytest.mark.parametrize("line", sampled(LINES, *shortest()))
def test_no_answer_acts(line: str, hostile: Path):
    said = ask(line, hostile, hostile, formats()[command_of(line)] - {"text"})
    colours = ask(line, hostile, hostile, ["text"], "--color", "always")["text"]
    found = {form: faults(form, done.out) for form, done in said.items() if done.out}
    found |= {"colours": acting(COLOURS.sub("", colours.out)), "messages": acting(colours.err)}
    assert {form: wrong for form, wrong in found.items() if wrong} == {}
    assert line not in FINDINGS or "::error file=" in said["github"].out


def test_what_would_act_is_shown_as_an_escape(hostile: Path):
    text = invoke("show", "aero2020", root=hostile).out
    assert "\\x1b[2J \\u202e \\x9b31m \\u2028 \\uffff \\x23#[error]forged" in text
    assert "\\x3a:warning::" in text


@pytest.mark.parametrize("command", ["validate", "status", "list", "stats", "fmt"])
def test_no_name_of_a_file_acts(command: str, readable: Path):
    (readable / "corpus" / "::error::\x1b[2J\u202e.yaml").write_text("title: [\n")
    for form in ("text", "md", "json", "csv"):
        done = invoke(command, "--format", form, root=readable, code=None)
        assert (done.out and faults(form, done.out), acting(done.err)) in (([], []), ("", []))
    assert "\\x1b[2J" in invoke(command, root=readable, code=None).out + done.err


@pytest.mark.parametrize("words", [
    "export bibtex", "export ris", "export csv", "export csljson", "export json", "flow --format svg", "schema paper",
    "flow --format mermaid", "list --format csv", "list --format json", "render --diff", "audit sample --n 2",
    "trace export otel rich-v2.json", "trace export chrome rich-v2.json",
])  # fmt: skip
def test_a_person_at_a_terminal_gets_data_that_do_nothing(words: str, readable: Path):
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "awesome_cli", "--color", "never", *words.split()]
    said = bytearray()
    # A dumb terminal gets no progress, whose line is taken back with escapes.
    dumb = {**os.environ, "TERM": "dumb"}
    with subprocess.Popen(command, cwd=readable, stdout=follower, stderr=follower, env=dumb) as running:
        os.close(follower)
        with suppress(OSError):  # the end of a terminal
            while part := os.read(leader, 65536):
                said += part
    os.close(leader)
    assert running.returncode == 0
    assert ACTIVE.findall(said.decode().replace("\r\n", "\n")) == []


@pytest.mark.slow
def test_pages_feeds_and_pictures_carry_nothing_active(readable: Path):
    invoke("site", "build", "--out", readable / "_site", root=readable)
    invoke("render", root=readable)
    invoke("changelog", "HEAD~1..HEAD", "--atom", readable / "changes.atom", root=readable)
    invoke("trace", "show", readable / "rich-v2.json", "--html", readable / "_site" / "run.html", root=readable)
    kinds = ("gaps", "heatmap", "measure", "years", "flow")
    invoke("plot", *kinds, "--out", readable / "pictures", root=readable)
    written = (path for path in readable.rglob("*") if ".awesome" not in path.parts)  # kept answers are not published
    pages = [path for path in written if path.suffix in {".html", ".js", ".atom", ".svg", ".json", ".md"}]
    assert {path.suffix for path in pages} == {".html", ".js", ".atom", ".svg", ".json", ".md"}
    found = {path.name: ACTIVE.findall(path.read_text()) for path in pages if "-v2" not in path.name}
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    for path in (path for path in pages if path.suffix in {".atom", ".svg"}):
        ET.parse(path)
    for path in (readable / "_site").rglob("*.csv"):
        assert faults("csv", path.read_text()) == [], path


def test_the_values_are_whole(readable: Path):
    [record] = [
        one for one in invoke("export", "json", root=readable).json["data"]["papers"] if one["key"] == "aero2020"
    ]
    assert record["title"].startswith(TITLE)
    rows = [*csv.DictReader(io.StringIO(invoke("--raw", "export", "csv", root=readable).out))]
    marked = [*csv.DictReader(io.StringIO(invoke("export", "csv", root=readable).out))]
    assert [row["title"][:5] for row in rows if row["key"] == "aero2020"] == ["=HYPE"]
    assert [row["title"][:5] for row in marked if row["key"] == "aero2020"] == ["'=HYP"]
    listed = invoke("list", "--format", "csv", "--raw", root=readable).out
    assert "'=" not in listed
    assert ",=HYPERLINK" in listed


def test_a_table_comes_back_as_it_was(readable: Path, tmp_path: Path):
    title = "=1+1 over -2"
    invoke("set", "aero2020", f"title={title}", "note='@quoted", root=readable)
    table = tmp_path / "papers.csv"
    table.write_text(invoke("export", "csv", "--where", "key=aero2020", root=readable).out)
    assert f",'{title}," in table.read_text()
    other = tmp_path / "other"
    invoke("init", other)
    invoke("import", table, root=other)
    [record] = invoke("export", "json", root=other).json["data"]["papers"]
    assert (record["title"], record["note"]) == (title, "'@quoted")


def test_hidden_characters_are_found_where_they_stand(readable: Path):
    run_git(readable, "add", "-A")
    (readable / "corpus" / "plain.yaml").write_text(
        'title: "a\\e[31mb"\n# a\u202eb\nadded: 2026-01-01\nnote: a\u2066b\n'
    )
    found = invoke("validate", "--format", "json", root=readable, code=1).json["findings"]
    hidden = [f for f in found if f["code"] == "Y010"]
    own = [(f["line"], f["column"], f["key"], f["level"]) for f in hidden if f["path"] == "corpus/plain.yaml"]
    assert own == [(1, 8, "plain", "error"), (2, 4, "plain", "error"), (4, 8, "plain", "error")]
    paths = {f["path"].partition("/")[0] for f in hidden}
    assert paths >= {"taxonomy.yaml", "claims.yaml", "corpus", "exclusions", "candidates"}


def test_only_the_doors_print():
    """A print elsewhere would pass the doors by."""
    direct = re.compile(r"typer\.s?echo\(|(?<!\.)\bprint\(|sys\.std(out|err)\.write\(")
    modules = {path: path.read_text() for path in PACKAGE.rglob("*.py")}
    assert {path.name for path, text in modules.items() if direct.search(text)} == {"_printing.py", "main.py"}
