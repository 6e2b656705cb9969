"""At a terminal of any width no word is broken, no line is too long, and what is left out is named."""

import re
import shlex
from functools import cache
from pathlib import Path

import pytest
from builders import COFFEE, EXAMPLES
from rich.cells import cell_len
from running import invoke
from terminals import typed

from awesome_cli.output.layout import COPIED

SHIPPED = """
audit list
audit report
claims check
claims check --reading strict
dedupe
evidence
evidence check
explain query
explain near-miss
flow
gaps
gaps --by {axes}
gaps {term}
list
list --kind candidate
list --kind exclusion
list --columns key,title,authors,year,venue,{axes}
sensitivity
show {key}
stats
stats --by {axes}
status
taxonomy show
taxonomy usage
validate
trace check {traces}/rich-v2.json
trace metrics {traces}/rich-v2.json
"""
LONGEST = 44
"""A word that is longer may be broken: an address, a path."""


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


@cache
def names(root: Path) -> dict[str, str]:
    """Two axes, a term and a record of a survey that no test changes."""
    axes = [axis["id"] for axis in invoke("taxonomy", "show", "-f", "json", root=root).json["data"]["axes"]]
    papers = invoke("list", "-f", "json", root=root).json["data"]["papers"]
    richest = max(papers, key=lambda paper: len(str(paper)))
    axis = next(axis for axis in reversed(axes) if richest["tags"].get(axis))
    tag = next(iter(tags)) if isinstance(tags := richest["tags"][axis], list) else tags
    term = tag if isinstance(tag, str) else tag["term"]
    return {"axes": ",".join(axes[2:4]), "term": f"{axis}={term.split(':')[0]}", "key": richest["key"]}


def asked(line: str, root: Path) -> list[str]:
    """The words of a command."""
    return shlex.split(line.format(**names(root), traces=EXAMPLES))


def faults(words: list[str], root: Path, columns: int) -> dict[str, object]:
    """The lines that are too long, and the words that a pipe gets and a terminal does not."""
    seen = typed(*words, root=root, columns=columns)
    # A width that holds everything is as good as a pipe, and marks the same.
    whole = typed(*words, root=root, columns=10_000)
    left_out = re.findall(r"^Not shown in a terminal this narrow: (.*)\.$", seen, re.MULTILINE | re.DOTALL)
    long = [line for line in lines(seen) if cell_len(line) > columns and not COPIED.match(line)]
    lost = {word for word in whole.split() if len(word) < LONGEST} - set(seen.split())
    return {"long": long} if long else {"lost": lost} if lost and not left_out else {}


@pytest.mark.parametrize("line", lines(SHIPPED))
def test_at_80_columns_words_are_whole(repository: Path, line: str):
    assert faults(asked(line, repository), repository, 80) == {}


@pytest.mark.parametrize("columns", [60, 120])
@pytest.mark.parametrize("line", ["sensitivity", "gaps --by {axes}", "list", "show {key}", "status"])
def test_at_other_widths_too(repository: Path, line: str, columns: int):
    assert faults(asked(line, repository), repository, columns) == {}


@pytest.mark.parametrize("line", ["gaps", "gaps {term}", "list", "sensitivity", "show {key}", "status"])
def test_in_another_survey(line: str):
    assert faults(asked(line, COFFEE), COFFEE, 60) == {}


def test_a_pipe_gets_every_column(root: Path):
    assert "Not shown" not in invoke("status", root=root).out


def test_without_colours_a_terminal_has_its_width_all_the_same(repository: Path):
    seen = typed("sensitivity", root=repository, color="never")
    assert max(map(cell_len, seen.splitlines())) <= 80
