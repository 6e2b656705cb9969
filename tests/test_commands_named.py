"""Every command that a text tells a reader to type is one that the command line takes; what it explains has a page."""

import html
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from builders import COFFEE
from pointers import explained, fault, in_code, in_text, modules, pages
from sites import built

from awesome_cli.analysis.glossary import names
from awesome_cli.publish.manual import manual

PLACEHOLDER = re.compile(r"X|[A-Z_]+(=[A-Z_]+)?|[A-Z]+ .*")
BINARY = {".png", ".svg", ".woff2", ".ico"}
RECIPES = ("awesome url", "awesome explain P003")
"""What recipes of docs/development.md add: a verb and a rule."""


def wrong(found: Iterable[tuple[str, str]]) -> dict[str, str]:
    told = [(place, command) for place, command in found if not command.startswith(RECIPES)]
    assert told
    return {f"{place}: {command}": why for place, command in told if (why := fault(command))}


def asked(found: Iterable[tuple[str, str]]) -> set[str]:
    """The words that `awesome explain` is asked for; placeholders in capitals are left out."""
    told = (command for _, command in found if not command.startswith(RECIPES))
    named = {word for command in told if not fault(command) and (word := explained(command))}
    return {word for word in named if not PLACEHOLDER.fullmatch(word)}


@pytest.mark.parametrize(
    ("command", "sound"),
    [
        ("awesome list --where AXIS=TERM", True),
        ("awesome -C DIR status", True),
        ("awesome list AXIS=TERM", False),
        ("awesome lst", False),
        ("awesome tag KEY --evidnce TEXT", False),
        ("awesome show KEY KEY", False),
        ("awesome taxonomy renam OLD NEW", False),
    ],
)
def test_a_wrong_command_is_noticed(command: str, sound: bool):
    assert (fault(command) is None) is sound


def test_commands_in_help_and_messages():
    assert wrong(pair for path in modules() for pair in in_code(path)) == {}


def test_commands_in_pages_templates_and_workflows(repository: Path):
    found = (pair for path in pages(repository) if path.suffix not in BINARY for pair in in_text(path))
    assert wrong(found) == {}


def test_commands_in_the_files_that_init_writes(run, tmp_path: Path):
    run("init", tmp_path / "new", "--title", "New")
    files = [path for path in (tmp_path / "new").rglob("*") if path.is_file() and path.suffix not in BINARY]
    assert wrong(pair for path in files for pair in in_text(path)) == {}


def test_commands_in_the_site(tmp_path: Path):
    built(COFFEE, tmp_path)
    shown = [
        (path.name, html.unescape(code))
        for path in tmp_path.rglob("*.html")
        for code in re.findall(r"<code[^>]*>(awesome [^<]*)</code>", path.read_text(encoding="utf-8"))
    ]
    assert wrong(shown) == {}


def test_words_of_the_program_are_explained_without_a_survey(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    words = asked(pair for path in modules() for pair in in_code(path))
    assert {"stages", "reasons", "query"} <= words
    for word in {*words, *names(), *manual()}:
        assert run("explain", word).out.strip(), word


def test_words_in_pages_are_explained_in_the_survey(run, repository: Path):
    for word in asked(pair for path in pages(repository) if path.suffix not in BINARY for pair in in_text(path)):
        assert run("explain", word, root=repository).out.strip(), word


def test_an_unknown_word_gets_the_nearest_and_the_list(run, root: Path):
    said = run("explain", "confidnces", root=root, code=2).err
    assert "did you mean 'confidence'?" in said
    assert "words: alias, " in said
