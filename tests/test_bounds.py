"""docs/robustness.md lists every bound as the code has it."""

import ast
import re
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any

from builders import PACKAGE

ROW = re.compile(r"^\| .+ \| ([\d,]+) \| [^|]*\| `([\w.]+)\.([A-Z]\w*(?:\.\w+)?)` \|$", re.MULTILINE)
NAMES = re.compile(r"LARGEST|LONGEST|DEEPEST|TRACE|UNPACKED|MAX_[A-Z]+|MOST(?:_[A-Z]+)?")
"""How constants that bound what is read are named."""
WRITTEN = {
    "curation.intake.summary.MOST",
    "formats.csv.LONGEST",
    "survey.keys.LONGEST",
    "text.known.LONGEST",
}
"""The lengths of what messages and pictures show and of keys that are made bound nothing that is read."""


def listed(repository: Path) -> dict[str, int]:
    """The bounds of the page by their place in the package."""
    text = (repository / "docs" / "robustness.md").read_text(encoding="utf-8")
    table = text.partition("## Bounds\n")[2].partition("\n## ")[0]
    found = {f"{match[2]}.{match[3]}": int(match[1].replace(",", "")) for match in ROW.finditer(table)}
    assert len(found) == sum(line.startswith("| ") for line in table.splitlines()) - 2, "a row names no constant"
    return found


def in_the_code(place: str) -> Any:
    """The value of a bound: `files.git.BYTES`, `system.network.wire.Limits.size`."""
    module, *names = re.split(r"\.(?=[A-Z])|(?<=Limits)\.", place)
    return reduce(getattr, names, import_module(f"awesome_cli.{module}"))


def test_a_bound_is_what_the_page_says(repository: Path):
    bounds = listed(repository)
    assert bounds == {place: in_the_code(place) for place in bounds}


def test_every_bound_is_on_the_page(repository: Path):
    constants = {
        f"{'.'.join(path.relative_to(PACKAGE).with_suffix('').parts)}.{target.id}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and NAMES.fullmatch(target.id) and isinstance(node.value, ast.Constant)
    }
    assert constants - listed(repository).keys() == WRITTEN


def test_the_page_names_tests_that_exist(repository: Path):
    text = (repository / "docs" / "robustness.md").read_text(encoding="utf-8")
    named = re.findall(r"`pytest (tests/\S+?)(?: -k (\w+|\"[\w ]+\"))?(?: --hypothesis-profile[ =]long)?`", text)
    assert len(named) == text.count("`pytest ")
    for path, words in named:
        tests = re.findall(r"^def (test_\w+)", (repository / path).read_text(encoding="utf-8"), re.MULTILINE)
        assert all(any(word in test for test in tests) for word in words.strip('"').split(" or ")), (path, words)
