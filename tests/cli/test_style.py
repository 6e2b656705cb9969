"""Errors and hints have one form: they begin small, unless with a name, and end without a full stop."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import PACKAGE

pytestmark = pytest.mark.source

NAMES = {"Crossref", "DataCite", "OpenReview", "Parquet", "Dask", "GitHub", "YAML", "HTML", "TERM", "KEY", "FILE"}


def texts(path: Path) -> Iterator[tuple[int, str, str]]:
    """The line, the beginning and the end of each message and hint of an error; empty where a value stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "").endswith("Error"):
            given = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg == "hint")]
            for value in given:
                parts = value.values if isinstance(value, ast.JoinedStr) else [value]
                ends = [part.value if isinstance(part, ast.Constant) else "" for part in (parts[0], parts[-1])]
                yield node.lineno, str(ends[0] or ""), str(ends[1] or "")


def test_errors_and_hints_have_one_form():
    found = ((path, *told) for path in sorted(PACKAGE.rglob("*.py")) for told in texts(path))
    wrong = [
        (path, line, first, last)
        for path, line, first, last in found
        if (re.match("[A-Z][a-z]", first) and first.split()[0] not in NAMES)
        or re.search(r"[.!]$", last)
        or first.startswith("write: ")
    ]
    assert wrong == []
