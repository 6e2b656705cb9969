"""SECURITY.md names a test for each line, and each of them is there."""

import ast
import re

import pytest

from tests.builders import REPOSITORY

LINE = re.compile(r"^\| (?P<source>[^|]+) \| (?P<what>[^|]+) \| (?P<tests>`tests/[^|]+`) \|$", re.MULTILINE)
NAMED = re.compile(r"`(tests/[^`:]+)::(\w+)`")


def lines() -> list[tuple[str, str]]:
    text = (REPOSITORY / "SECURITY.md").read_text(encoding="utf-8").partition("## What must not happen")[2]
    rows = [line for line in text.splitlines() if line.startswith("| ")][2:]
    found = [(match["what"], match["tests"]) for match in LINE.finditer(text)]
    assert len(found) == len(rows), "a line of SECURITY.md names no test"
    return found


@pytest.mark.parametrize(("what", "tests"), lines())
def test_each_line_has_a_test_that_is_there(what: str, tests: str) -> None:
    named = NAMED.findall(tests)
    assert named, what
    for path, name in named:
        functions = [
            node.name
            for node in ast.walk(ast.parse((REPOSITORY / path).read_text(encoding="utf-8")))
            if isinstance(node, ast.FunctionDef)
        ]
        assert name in functions, f"{path} has no {name}"
