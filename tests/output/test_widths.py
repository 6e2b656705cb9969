"""At a terminal of any width no word is broken, no line is too long, and what is left out is named: in the shipped survey.

tests/cli/test_every_verb.py asks the same of every verb in a small survey.
"""

import shlex
from functools import cache
from pathlib import Path

import pytest
from builders import EXAMPLES
from rich.cells import cell_len
from running import invoke
from terminals import cut, typed, words

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


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


@cache
def names(root: Path) -> dict[str, str]:
    """Two axes, a term and a record of a survey that no test changes."""
    shown = invoke("taxonomy", "show", "-f", "json", root=root).json["data"]["axes"]
    axes = [axis["id"] for axis in shown if not axis.get("bookkeeping")]
    papers = invoke("list", "-f", "json", root=root).json["data"]["papers"]
    richest = max(papers, key=lambda paper: len(str(paper)))
    axis = next(axis for axis in reversed(axes) if richest["tags"].get(axis))
    tag = next(iter(tags)) if isinstance(tags := richest["tags"][axis], list) else tags
    term = tag if isinstance(tag, str) else tag["term"]
    return {"axes": ",".join(axes[2:4]), "term": f"{axis}={term.split(':')[0]}", "key": richest["key"]}


def cut_at(width: int, line: str, root: Path) -> object:
    """What a terminal of that width cuts of the answer to a line."""
    command = shlex.split(line.format(**names(root), traces=EXAMPLES))
    whole = words(typed(*command, root=root, columns=10_000))
    return cut(typed(*command, root=root, columns=width), width, whole)


@pytest.mark.slow
@pytest.mark.parametrize("line", lines(SHIPPED))
def test_at_80_columns_words_are_whole(repository: Path, line: str):
    assert not cut_at(80, line, repository)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [60, 120])
@pytest.mark.parametrize("line", ["sensitivity", "gaps --by {axes}", "list", "show {key}", "status"])
def test_at_other_widths_too(repository: Path, line: str, columns: int):
    assert not cut_at(columns, line, repository)


def test_a_pipe_gets_every_column(root: Path):
    assert "Not shown" not in invoke("status", root=root).out


def test_without_colours_a_terminal_has_its_width_all_the_same(repository: Path):
    seen = typed("sensitivity", root=repository, color="never")
    assert max(map(cell_len, seen.splitlines())) <= 80
