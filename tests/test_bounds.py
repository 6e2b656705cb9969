"""docs/robustness.md lists every bound as the code has it."""

import ast
import re
from functools import reduce
from importlib import import_module
from typing import Any

import pytest

from tests.builders import REPOSITORY

ROW = re.compile(r"^\| .+ \| ([\d,]+) \| [^|]*\| `([\w.]+)\.([A-Z]\w*(?:\.\w+)?)` \|$", re.MULTILINE)
NAMES = re.compile(r"LARGEST|LONGEST|DEEPEST|TRACE|UNPACKED|MAX_[A-Z]+|MOST(?:_[A-Z]+)?")
"""How constants that bound what is read are named."""
WRITTEN = {"curation.intake.summary.MOST", "formats.csv.LONGEST", "survey.keys.LONGEST", "text.known.LONGEST"}
"""The lengths of what messages show and of keys that are made bound nothing that is read."""


def listed() -> dict[str, int]:
    """The bounds of the page by their place in the package."""
    text = (
        (REPOSITORY / "docs" / "robustness.md")
        .read_text(encoding="utf-8")
        .partition("## Bounds\n")[2]
        .partition("\n## ")[0]
    )
    found = {f"{match[2]}.{match[3]}": int(match[1].replace(",", "")) for match in ROW.finditer(text)}
    assert len(found) == sum(line.startswith("| ") for line in text.splitlines()) - 2, "a row names no constant"
    return found


@pytest.mark.parametrize(("place", "value"), listed().items())
def test_a_bound_is_what_the_page_says(place: str, value: int) -> None:
    module, *names = re.split(r"\.(?=[A-Z])|(?<=Limits)\.", place)
    found: Any = reduce(getattr, names, import_module(f"awesome_cli.{module}"))
    assert found == value


def test_every_bound_is_on_the_page() -> None:
    package = REPOSITORY / "awesome_cli"
    constants = {
        f"{'.'.join(path.relative_to(package).with_suffix('').parts)}.{target.id}"
        for path in package.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and NAMES.fullmatch(target.id) and isinstance(node.value, ast.Constant)
    }
    assert constants - listed().keys() == WRITTEN
