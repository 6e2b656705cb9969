"""The process around the commands: its streams and its arguments."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tiers import sampled

AWESOME = Path(sys.executable).parent / "awesome"


def shell(root: Path, line: str) -> subprocess.CompletedProcess[str]:
    """What a line of the shell does in a survey, with `awesome` in it."""
    words = ["bash", "-c", line.replace("awesome", f"{AWESOME} --offline --no-input", 1)]
    return subprocess.run(words, cwd=root, capture_output=True, text=True, errors="replace", timeout=60)


CLOSED = ["2>&-", "<&-", ">&-", ">/dev/full", ">&- 2>&-", ">&- 2>&- <&-"]
COMMANDS = [("list", 0), ("validate --format json", 0), ("import -", 4), ("show nothing", 2), ("--help", 0)]


@pytest.mark.parametrize("closed", sampled(CLOSED, ">&-", ">&- 2>&- <&-"))
@pytest.mark.parametrize(("command", "code"), COMMANDS)
@pytest.mark.parametrize("buffered", sampled([True, False], True))
def test_an_answer_that_cannot_be_written_is_an_error(
    root: Path, command: str, code: int, closed: str, buffered: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PYTHONUNBUFFERED", "" if buffered else "1")
    done = shell(root, f"awesome {command} {closed} {'' if '<' in closed else '</dev/null'}")
    is_lost = closed[0] == ">" and code != 2  # an error leaves standard output empty
    assert done.returncode == (3 if is_lost else code), done
    assert "bug:" not in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert "Exception ignored" not in done.stderr
    if is_lost and "2>&-" not in closed:
        reason = "No space left on device" if "full" in closed else "standard output is closed"
        assert f"error: {reason}\n  hint: " in done.stderr


def test_no_file_is_taken_for_a_stream_that_was_closed(root: Path):
    """The first file that is opened gets the number of a closed stream: messages would be written into it."""
    done = shell(root, "awesome set drip2021 venue=Cups >&- 2>&- <&-")
    assert done.returncode == 3
    text = (root / "corpus" / "drip2021.yaml").read_text(encoding="utf-8")
    assert "venue: Cups\n" in text
    assert shell(root, "awesome validate").returncode == 0


@pytest.mark.parametrize("word", [b"\xff", b"title=a\xed\xa0\x80b"])
@pytest.mark.parametrize(
    "command",
    [["show"], ["list"], ["add", "--set"], ["set", "drip2021"], ["init"], ["export", "csv", "--out"], ["nothing"]],
)
def test_an_argument_that_is_no_text_is_refused(root: Path, command: list[str], word: bytes):
    before = sorted(os.walk(root))
    done = subprocess.run([str(AWESOME), *command, word], cwd=root, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: the argument '")
    assert sorted(os.walk(root)) == before


@pytest.mark.parametrize(
    "word", ["title=a\u202eb", "title=a\U000e0041b", 'authors=["A,\\u2028 B"]', 'extra={"a\\eb": c}']
)
@pytest.mark.parametrize("command", [["set", "drip2021"], ["add", "--set", "title=x", "--set"]])
def test_a_typed_character_that_nobody_sees_is_refused(root: Path, command: list[str], word: str):
    before = {path: path.read_bytes() for path in root.rglob("*.yaml")}
    done = subprocess.run([str(AWESOME), *command, word], cwd=root, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert "invisible character" in done.stderr
    assert {path: path.read_bytes() for path in root.rglob("*.yaml")} == before


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["show"], 2),
        (["list", "--where"], 2),
        (["add"], 2),
        (["import"], 2),
        (["explain"], 2),
        (["export", "csv", "--out"], 3),
        (["-C"], 2),
        (["trace", "check"], 3),
    ],
)
def test_a_very_long_argument_is_an_error_in_words(root: Path, run, command: list[str], code: int):
    done = run(*command, "a" * 120_000, root=None if command == ["-C"] else root, code=None)
    assert done.err.startswith("error: ")
    assert done.code in {code, 1, 2, 3}


@pytest.mark.parametrize("out", [".", "corpus"])
@pytest.mark.parametrize("command", [["export", "csv"], ["trace", "import", "run.json"]])
def test_a_folder_where_a_file_is_written_is_an_error_in_words(root: Path, run, command: list[str], out: str):
    done = run(*command, "--out", root / out, root=root, code=None)
    assert done.code in {2, 3}
    assert done.err.startswith("error: ")


@pytest.mark.parametrize("path", ["", ".", "/nowhere", "/"])
def test_traces_are_imported_from_no_place_without_a_fault(root: Path, run, path: str, monkeypatch):
    monkeypatch.chdir(root)
    if path != "/":  # the whole machine is too much to read
        assert run("trace", "import", path, code=None).code == 2
