"""`awesome help`: the list, verbs and pages."""

import re
from pathlib import Path

import pytest

from awesome_cli.cli.verbs import VERBS
from awesome_cli.publish.manual import page, pages, title


def test_without_a_topic_every_verb_and_page_has_a_line_of_80_columns(run):
    lines = run("help").out.splitlines()
    assert max(map(len, lines)) <= 80
    named = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sorted(named) == sorted([*VERBS, *pages()])
    assert {"Start:", "Records:", "Pages of the manual:"} <= set(lines)
    assert any(line.split() == ["importing", "Adding,", "importing,", "refreshing"] for line in lines)


@pytest.mark.parametrize("words", [["list"], ["taxonomy"], ["taxonomy", "rename"], ["trace", "check"]])
def test_a_verb_has_its_own_help(run, words: list[str]):
    assert run("help", *words).out == run(*words, "--help").out


def test_a_page_opens_with_commands_in_place_of_links(run):
    text = run("help", "importing").out
    assert text.startswith("# Adding, importing, refreshing\n")
    assert "`awesome help formats`" in text
    assert "](formats.md)" not in text


@pytest.mark.parametrize("topic", pages(every=True))
def test_no_page_links_to_a_file(topic: str):
    assert not re.findall(r"\]\([^):]*\.md[^)]*\)", page(topic))


def test_what_a_page_leads_to_opens(run):
    assert "why (`awesome help 0006-strength-in-queries`)" in run("help", "ideas").out
    assert run("help", "0006-strength-in-queries").out.startswith("# ")
    assert "contributing (CONTRIBUTING.md in the sources of the tool)" in run("help", "development").out


def test_the_help_of_a_verb_breaks_lines_where_they_end(run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert "add a stub that 'awesome refresh' completes later." in run("add", "--help").out
    assert "\n Example: awesome audit import" in run("audit", "import", "--help").out


def test_a_page_is_laid_out_for_a_terminal(run):
    text = run("help", "records", "--color", "always").out
    assert "\x1b[" in text
    assert "```" not in text


def test_a_page_with_the_name_of_a_verb_follows_its_help(run, repository: Path):
    text = run("help", "evidence").out
    assert text.index("Usage: awesome evidence") < text.index(title(repository / "docs" / "evidence.md"))


def listed(text: str) -> list[str]:
    """The commands that a search lists, best first."""
    return [
        match[1] for match in re.finditer(r"^  (awesome (?:help|explain) \S+(?: \S+)?)(?:  |$)", text, re.MULTILINE)
    ]


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("latex", "awesome explain latex"),
        ("typst", "awesome help write-a-paper"),
        ("gitlab", "awesome help run-in-ci"),
        ("notebook", "awesome help python"),
        ("notebooks", "awesome help python"),
        ("jupyter", "awesome help python"),
        ("spreadsheet", "awesome help code-in-a-spreadsheet"),
        ("spreadsheets", "awesome help code-in-a-spreadsheet"),
        ("excel", "awesome help formats"),
        ("zotero", "awesome help start-from-a-list"),
        ("kappa", "awesome explain kappa"),
        ("kappa", "awesome help audit report"),
        ("prisma", "awesome help flow"),
        ("inter-rater", "awesome help audit"),
        ("merge two records", "awesome explain dedupe"),
        ("tag table changed since export", "awesome help code-in-a-spreadsheet"),
        ("spreadsheat", "awesome help code-in-a-spreadsheet"),
        ("jupiter", "awesome help python"),
        ("importin", "awesome help importing"),
        ("pull request", "awesome help run-in-ci"),
        ("csv", "awesome help formats"),
    ],
)
def test_other_words_are_searched(run, words: str, command: str):
    """The command that a person would want is the first or the second."""
    text = run("help", *words.split()).out
    assert command in listed(text)[:2]
    assert max(map(len, text.splitlines())) <= 80


def test_a_search_shows_titles_and_the_text_that_matches(run):
    lines = run("help", "typst").out.splitlines()
    assert lines[0].split("  ")[-1].strip() == "Write a paper in LaTeX or Typst"
    assert "Typst" in lines[0]
    for command in listed("\n".join(lines)):
        assert run(*command.split()[1:]).out


def test_words_that_nothing_matches_name_a_page(run):
    error = run("help", "qqqzzz", "qxqx", code=2).err
    assert "no page of the manual matches 'qqqzzz qxqx'" in error
    assert re.search(r"the nearest page: 'awesome help [\w-]+'", error)


def test_an_unknown_part_of_a_group_gets_the_nearest(run):
    assert "awesome site has no verb 'buld'; did you mean 'build'?" in run("help", "site", "buld", code=2).err


def test_outside_of_a_survey(run, tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert run("help", "rules").out
