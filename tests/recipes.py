"""The recipes of docs/development.md: the diff, the commands, and what they print."""

import re
from dataclasses import dataclass

from blocks import commands
from builders import REPOSITORY

PAGE = (REPOSITORY / "docs" / "development.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Recipe:
    """A change: its name, a diff, commands with what they print, and a row of the table at the top of the page."""

    name: str
    diff: str
    commands: tuple[tuple[str, str], ...]
    places: int
    generated: frozenset[str]

    @property
    def written(self) -> frozenset[str]:
        """The files that the diff changes."""
        return frozenset(re.findall(r"^\+\+\+ b/(.+)$", self.diff, re.MULTILINE))


def _block(section: str, language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    return str(found)


def _recipe(section: str) -> Recipe:
    name = section.partition("\n")[0]
    (row,) = re.findall(
        rf"^\| \[{name}\]\(#{name.lower().replace(' ', '-')}\) \| (\d+) \| (.*) \|$", PAGE, re.MULTILINE
    )
    generated = frozenset(re.findall(r"`(.+?)`", row[1]))
    return Recipe(name, _block(section, "diff"), commands(_block(section, "console")), int(row[0]), generated)


RECIPES = tuple(map(_recipe, re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]))
