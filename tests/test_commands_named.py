"""Every command that a text tells a reader to type is one that the command line takes; what it explains has a page."""

import html
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import get_args

import pytest
from builders import COFFEE, PACKAGE
from pointers import ROOT, explained, fault, in_code, in_text, modules, pages, strings, words
from sites import built

from awesome_cli.analysis.glossary import names
from awesome_cli.analysis.glossary import words as entries
from awesome_cli.cli.verbs import VERBS
from awesome_cli.curation.links import FAILURES, LinkState
from awesome_cli.model.claims import Expectation, State
from awesome_cli.model.records import KINDS
from awesome_cli.publish.manual import manual
from awesome_cli.publish.manual import pages as topics
from awesome_cli.survey.duplicates.scoring import MatchKind

PLACEHOLDER = re.compile(r"X|[A-Z_]+(=[A-Z_]+)?|[A-Z]+ .*")
CHOICE = re.compile(r"\[?[a-z_0-9]+(\|[a-z_0-9]+)+\]?")
TEXTS = {str(str), str(list[str])}
FAIL_ON = {" check-links": FAILURES, " dedupe": get_args(MatchKind)}
"""The values of `--fail-on` where the option takes any text."""
BINARY = {".png", ".svg", ".woff2", ".ico"}
RECIPES = ("awesome url", "awesome explain P005")
"""Commands that exist only after the diffs of docs/development.md are applied."""


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


def test_pages_that_texts_name_open_wherever_the_program_is_installed(repository: Path):
    """No message names a file of the manual, which users of the wheel lack; each opened page is one of the manual."""
    beside = [
        *PACKAGE.rglob("*.yaml"),
        *(path for path in (repository / "templates").rglob("*") if path.suffix == ".j2"),
    ]
    told = [text for path in modules() for text in strings(path)] + [
        path.read_text(encoding="utf-8") for path in beside
    ]
    assert [text for text in told if re.search(r"\bdocs/[\w/-]+\.md|\bSECURITY\.md", text)] == []
    found = [pair for path in modules() for pair in in_code(path)]
    found += [pair for path in (*beside, *pages(repository)) if path.suffix not in BINARY for pair in in_text(path)]
    opened = {(place, words(line)[1]) for place, line in found if re.match(r"awesome help [a-z]", line)}
    assert {"records", "design", "traces"} <= {topic for _, topic in opened}
    assert [(place, topic) for place, topic in opened if topic not in {*VERBS, *topics()}] == []


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
    for word in {*words, *names(), *manual().pages}:
        assert run("explain", word).out.strip(), word


def choices(verb: object, path: str = "") -> Iterator[tuple[str, str]]:
    """`(option, value)` of what takes one of several words; enumerations are asked for beside."""
    for name, inner in getattr(verb, "commands", {}).items():
        yield from choices(inner, f"{path} {name}")
    for one in verb.params:  # type: ignore[attr-defined]
        option = f"{path} {one.opts[0]}"
        if CHOICE.fullmatch(one.metavar or ""):
            yield from ((option, word) for word in re.findall(r"\w+", one.metavar))
        elif "--fail-on" in one.opts and str(one.type_descriptor.annotation) in TEXTS:
            yield from ((option, word) for word in FAIL_ON[path])


def values() -> Iterator[tuple[str, str]]:
    """The words that options take, and those by which JSON tells states, kinds, families and grades of findings."""
    yield from choices(ROOT)
    for model in StrEnum.__subclasses__():
        if model.__module__.startswith(f"{PACKAGE.name}."):
            yield from ((model.__name__, value.value) for value in model)
    for literal in (LinkState, State, MatchKind, Expectation.model_fields["under"].annotation):
        yield from ((str(literal), word) for word in re.findall(r"'(\w+)'", str(literal)))
    yield from (("kind", name) for name in KINDS)
    yield from (("question of a claim", name) for name in Expectation.KINDS)
    yield from (("group of rules", code.rstrip("0123456789")) for code in manual().pages)


def test_values_of_options_and_answers_are_explained(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    found = set(values())
    assert {" check-links --fail-on", " gaps --fail-on", " dedupe --fail-on", "Family", "ClaimStatus"} <= {
        a for a, _ in found
    }
    assert [(place, word) for place, word in sorted(found) if run("explain", word, code=None).code] == []


def test_words_in_help_texts_are_explained(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repository: Path):
    monkeypatch.chdir(tmp_path)
    told = " ".join(run("explain", "--help").out.split())
    prose = re.search(r"Examples of words are (.*?)\. ", told)
    changes = re.search(
        r"`explain` has a page .*? \((.*?)\)", (repository / "CHANGELOG.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert prose
    assert changes
    for word in [*re.split(r", | and ", prose[1]), *changes[1].split(", ")]:
        assert run("explain", word.strip("'` ")).out, word


@pytest.mark.parametrize(
    ("word", "shown"), [("gaps", "gap"), ("Weaker-only", "Weaker-only"), ("near misses", "near miss")]
)
def test_plural_and_singular_are_one_word(run, root: Path, word: str, shown: str):
    assert shown in run("explain", word, root=root).out.partition("\n")[0].replace("_", " ")


@pytest.mark.parametrize("word", ["samovar", "zebra", "bookcase"])
def test_far_words_are_not_guessed(run, root: Path, word: str):
    assert "did you mean" not in run("explain", word, root=root, code=2).err


def test_words_in_pages_are_explained_in_the_survey(run, repository: Path):
    for word in asked(pair for path in pages(repository) if path.suffix not in BINARY for pair in in_text(path)):
        assert run("explain", word, root=repository).out.strip(), word


def test_an_unknown_word_gets_the_nearest_and_the_way_to_the_list(run, root: Path):
    said = run("explain", "confidnces", root=root, code=2).err
    assert "did you mean 'confidence'?" in said
    assert "all words: 'awesome explain words'" in said
    listed = run("explain", "words", root=root).out
    assert all(f"\n{word} " in listed for word in entries())


@pytest.mark.parametrize("word", ["taxonomy", "artifact"])
def test_examples_of_the_taxonomy_are_valid_and_whole(run, tmp_path: Path, word: str):
    run("init", tmp_path / "new", "--title", "New")
    taxonomy = tmp_path / "new" / "taxonomy.yaml"
    text = taxonomy.read_text(encoding="utf-8")
    axis = str(entries()["taxonomy"]["example"])
    more = "" if word == "taxonomy" else str(entries()[word]["example"])
    taxonomy.write_text(text.replace("axes:\n", axis) + more, encoding="utf-8")
    assert run("validate", root=tmp_path / "new").out.startswith("0 records: no findings")


def test_a_mapping_that_is_none_gets_the_names_of_its_fields(run, tmp_path: Path):
    run("init", tmp_path / "new", "--title", "New")
    taxonomy = tmp_path / "new" / "taxonomy.yaml"
    taxonomy.write_text(taxonomy.read_text().replace("  kind: one", "  kind: one\n  strengths: [a, b]"))
    assert (
        "must be a mapping of fields (id, label, definition), not 'a'"
        in run("validate", root=tmp_path / "new", code=1).out
    )
