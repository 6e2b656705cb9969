"""Whole commands over generated arguments, surveys and files: an answer or an error in words, never a fault."""

import shutil
from contextlib import chdir
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from builders import COFFEE, DATA
from docs_pages import commands
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from running import APP
from typer.testing import CliRunner

from awesome_cli.cli._app import require_text
from awesome_cli.errors import UsageError
from awesome_cli.text.inert import UNSEEN
from tests.fuzz.mutating import mutated
from tests.fuzz.seeds import SEEDS

NEVER = {"--dask", "--debug", "--help", "--show-completion", "--install-completion"}
"""Options that start a cluster, show a traceback on purpose, or end before anything is done."""
FILES = {
    "claims.yaml": SEEDS / "claims" / "coffee.yaml",
    "protocol.yaml": SEEDS / "protocol" / "coffee.yaml",
    "audits/second.yaml": SEEDS / "audits" / "second.yaml",
    "README.md": SEEDS / "islands" / "readme.md",
    "entries.bib": DATA / "inputs" / "cases" / "parts.bib",
    "table.csv": DATA / "inputs" / "cases" / "au.csv",
    "run.json": DATA / "traces" / "v1" / "example.json",
    "spans.jsonl": DATA / "traces" / "openai-agents-sdk" / "lead_two_researchers_handoff.spans.jsonl",
}
FITTING = [
    "aero2020", "drip2021", "X1", "salt2026", "device=drip", "taste=sour:measured", "year=2020", "year>=2020", "title=A title",
    "*", "pool", "V001", "drip", "sour", "taste", "2026-03-01", "json", "csv", "md", "bibtex", "10.1000/coffee.1", "HEAD", "tea",
    "abstract", "corpus", "corpus/aero2020.yaml", "new.csv", "new", *FILES,
]  # fmt: skip
WORDS = FITTING * 3 + [
    "nothing", "summary=", "NOT (", "stop", "2020", "-1", "1.5", "text", "github", "all", "papers", "2001.00010", "out/deep/file",
    "https://localhost/x", "-", "--", "", " ", "a" * 300, "\u202e", "\x1b[31m", "²", "٣", "é", "Con", "[red]", "%s", "{x}", "=1+1",
]  # fmt: skip
"""What may be typed: words that fit somewhere, the more often, and words that fit nowhere."""


COMMANDS = sorted(
    (name.split(), [word for option in command.params for word in option.opts if word[0] == "-" and word not in NEVER])
    for name, command in commands().items()
    if name != "site serve"
)
"""Every command with its options, but for the one that serves until it is stopped."""
lines = st.sampled_from(COMMANDS).flatmap(
    lambda found: st.lists(st.sampled_from(WORDS + found[1] * 5), max_size=5).map(lambda words: [*found[0], *words])
)
changes = st.dictionaries(
    st.sampled_from(
        ["taxonomy.yaml", "corpus/aero2020.yaml", "exclusions/X1.yaml", "candidates/salt2026.yaml", *FILES]
    ),
    st.integers(0, 2**32),
    max_size=2,
)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No editor that waits, and a cache of the test's own."""
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.setenv("AWESOME_CACHE_DIR", str(tmp_path / "cache"))


@pytest.mark.slow
@settings(max_examples=2 * settings.default.max_examples, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=lines, changed=changes, given_=st.binary(max_size=40))
@example(["dedupe", "--merge", "salt2026", "drip2021"], {}, b"")
@example(["trace", "import", ""], {}, b"")
@example(["list", "(" * 3000], {}, b"")
@example(["add", "--set", "\udcff"], {}, b"")
def test_a_command_answers_or_says_what_is_wrong(alone: None, words: list[str], changed: dict[str, int], given_: bytes):
    with TemporaryDirectory() as folder:
        root = Path(folder) / "coffee"
        shutil.copytree(COFFEE, root)
        (root / "audits").mkdir()
        for name, source in FILES.items():
            shutil.copyfile(source, root / name)
        for name, number in changed.items():
            (root / name).write_bytes(mutated((root / name).read_bytes(), Random(number), 20_000))
        with chdir(root):
            done = CliRunner().invoke(APP, ["--offline", *words], input=given_)
        assert list(Path(folder).iterdir()) == [root], "something was written beside the survey"
    shown = f"{words}\n[{done.exit_code}]\n{done.stdout}\n{done.stderr}\n{done.exception!r}"
    assert done.exit_code in range(5), shown
    assert not any(line.startswith(("bug:", "Traceback")) for line in (done.stdout + done.stderr).splitlines()), shown
    assert isinstance(done.exception, SystemExit | None), shown


@given(st.text(st.characters(), max_size=5))
def test_an_argument_is_text_exactly_if_a_file_may_hold_it(word: str):
    if UNSEEN.search(word):  # halves of characters, too
        with pytest.raises(UsageError):
            require_text([word])
    else:
        require_text([word])
