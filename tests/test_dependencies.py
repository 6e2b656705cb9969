"""docs/dependencies.md has a line for each package that is asked for, and no other."""

import json
import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

BY_HEADING = {"Tests": "test", "Fuzzing": "fuzz"}
"""Headings of the page that are not the name of their group."""


def test_every_package_has_a_line_and_every_line_a_package(repository: Path):
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    asked = {name: names(group) for name, group in project["dependency-groups"].items() if names(group)}
    asked["at run time"] = names(project["project"]["dependencies"])
    asked["extras"] = names([text for group in project["project"]["optional-dependencies"].values() for text in group])
    npm = json.loads((repository / "requirements" / "npm" / "package.json").read_text(encoding="utf-8"))
    asked["from npm"] = list(npm["dependencies"])
    page = (repository / "docs" / "dependencies.md").read_text(encoding="utf-8")
    told = {}
    for section in page.split("\n## ")[1:]:
        heading = section.partition("\n")[0]
        rows = re.findall(r"^\| `([^`]+)` \| [^|]+ \| [^|]+ \|$", section, re.MULTILINE)
        assert len(rows) == sum(line.startswith("| ") for line in section.splitlines()) - 2, heading
        told[BY_HEADING.get(heading, heading.casefold())] = rows
    assert told == asked


def names(texts: list[object]) -> list[str]:
    """The packages of a list of requirements; groups that are included have a heading of their own."""
    return [Requirement(text).name for text in texts if isinstance(text, str)]
