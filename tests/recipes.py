"""The table and the diffs of docs/development.md."""

import re
from dataclasses import dataclass

from blocks import commands
from builders import REPOSITORY

PAGE = (REPOSITORY / "docs" / "development.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Recipe:
    """A section with a diff: its commands with their output, and the files that `make golden` rewrites."""

    name: str
    diff: str
    commands: tuple[tuple[str, str], ...]
    generated: frozenset[str]

    @property
    def written(self) -> frozenset[str]:
        """The files that the diff changes."""
        return frozenset(re.findall(r"^\+\+\+ b/(.+)$", self.diff, re.MULTILINE))


@dataclass(frozen=True)
class Change:
    """A row of the table: paths, names in the files at these paths, and words and a path of the tests."""

    name: str
    paths: tuple[str, ...]
    names: tuple[str, ...]
    tests: tuple[str, ...]


def _block(section: str, language: str) -> str:
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    return str(block)


def _recipe(section: str) -> Recipe:
    (sentence,) = re.findall(r"^`make golden` rewrites (.+)\.$", section, re.MULTILINE)
    generated = frozenset(re.findall(r"`(.+?)`", sentence))
    return Recipe(section.partition("\n")[0], _block(section, "diff"), commands(_block(section, "console")), generated)


def _change(row: str) -> Change:
    name, *cells = row.strip("| ").split(" | ")
    return Change(re.sub(r"^\[(.+)\]\(.+\)$", r"\1", name), *(tuple(re.findall(r"`(.+?)`", cell)) for cell in cells))


_SECTIONS = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
RECIPES = tuple(_recipe(section) for section in _SECTIONS if "```diff" in section)
CHANGES = tuple(_change(row) for row in re.findall(r"^\| (?:\[?An? ).+ \|$", PAGE, re.MULTILINE))
