"""Characters that nobody sees and that act: in values, names of fields and comments of every file that is checked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from awesome_cli.files import yaml_reading
from awesome_cli.files.plain import UnusableError
from awesome_cli.files.tree import FileTree
from awesome_cli.reports.findings import Level, RawFinding
from awesome_cli.rules.registry import page

DIRECTIONS = "\u202a-\u202e\u2066-\u2069"
HIDDEN = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{DIRECTIONS}]")
"""Control characters but tab and line feed, and what overrides the direction of writing."""
SUSPECT = re.compile(rb"\\[0abefrvNxuU]|\xc2\x85|\xe2(?:\x80[\xaa-\xae]|\x81[\xa6-\xa9])")
"""Bytes without which a readable file has none of them: escapes of YAML, and the characters themselves in UTF-8."""

page(
    "Y010",
    Level.ERROR,
    """A text holds a character that nobody sees.

It is a control character, which a terminal would obey, or one that overrides the direction of writing, so that people
read another text than programs do. Such a character also hides what a change does. The program shows it as an escape,
such as `\\u202e`, wherever it prints the text. Remove it; a text from right to left needs none.""",
)


@dataclass(frozen=True)
class NotingTree:
    """A tree that keeps, of the files that are read, the bytes of those that may hold such a character."""

    tree: FileTree
    suspects: dict[str, bytes] = field(default_factory=dict)

    def list(self, folder: str) -> tuple[str, ...]:
        return self.tree.list(folder)

    def strays(self, folder: str) -> tuple[str, ...]:
        return self.tree.strays(folder)

    def faults(self, path: str) -> Iterator[UnusableError]:
        return self.tree.faults(path)

    def read(self, path: str) -> bytes | None:
        data = self.tree.read(path)
        if data is not None and SUSPECT.search(data):
            self.suspects[path] = data
        return data

    def findings(self) -> Iterator[RawFinding]:
        """A finding for each line of a file, or value in it, that holds one."""
        for path, data in self.suspects.items():
            folder, _, name = path.rpartition("/")
            places = {place[:2]: place[2] for place in reversed([*hidden(data)])}
            for (line, column), character in places.items():
                what = "changes the direction of writing" if re.match(f"[{DIRECTIONS}]", character) else "is a control"
                message = f"a text holds U+{ord(character):04X}, which nobody sees and which {what}"
                key = name.removesuffix(".yaml") if folder else None
                fix = f"awesome edit {key} # remove the character" if key else f"remove the character from {path}"
                yield RawFinding("Y010", path, (), message, fix, key, place=(line, column))


def hidden(data: bytes) -> Iterator[tuple[int, int, str]]:
    """`(line, column, character)` of the first in each line, and in each value that has it as an escape."""
    try:
        text = yaml_reading.decode(data)
        lines = {n: found for n, line in enumerate(text.split("\n"), 1) if (found := HIDDEN.search(line))}
        yield from ((n, found.start() + 1, found[0]) for n, found in lines.items())
        for value, line, column in yaml_reading.scalars(text):
            if line not in lines and (found := HIDDEN.search(value)):
                yield line, column, found[0]
    except yaml_reading.UnreadableError:
        return  # Another rule says so.
