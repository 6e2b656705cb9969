"""SECURITY.md names a test for each line, and each of them is there."""

import ast
import re
from pathlib import Path

LINE = re.compile(r"^\| [^|]+ \| (?P<what>[^|]+) \| (?P<tests>`tests/[^|]+`) \|$", re.MULTILINE)
NAMED = re.compile(r"`(tests/[^`:]+)::(\w+)`")


def test_each_line_names_tests_that_are_there(repository: Path):
    text = (repository / "SECURITY.md").read_text(encoding="utf-8").partition("## Guarantees")[2]
    lines = text.splitlines()
    rows = [number for number, line in enumerate(lines) if line.startswith("|")]
    assert rows == [*range(rows[0], rows[0] + len(rows))], "the lines of SECURITY.md stand in more than one table"
    found = [(match["what"], NAMED.findall(match["tests"])) for match in LINE.finditer(text)]
    assert len(found) == len(rows) - 2, "a line of SECURITY.md names no test"
    assert found
    for what, named in found:
        assert named, what
        for path, name in named:
            tree = ast.parse((repository / path).read_text(encoding="utf-8"))
            functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
            assert name in functions, f"{path} has no {name} ({what})"
