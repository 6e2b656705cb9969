"""Invisible characters that act: in values, names of fields and comments of every file that is checked."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from awesome_cli.files import yaml_reading
from awesome_cli.files.tree import FileTree
from awesome_cli.reports.findings import Level, RawFinding
from awesome_cli.rules.registry import page
from awesome_cli.text.inert import UNSEEN, named

page(
    "Y010",
    Level.ERROR,
    """A text holds an invisible character that acts.

It is a control character, which a terminal would obey, a separator of lines, a byte order mark, a mark of annotation, a
tag, or one that changes the direction of writing, so that people read another text than programs do. Such a character
also hides what a change does. The program shows it as an escape, such as `\\u202e`, wherever it prints the text. Remove
it; a text from right to left needs none. Joiners, soft hyphens, blanks without width and the single marks U+200E,
U+200F and U+061C are left alone: many languages need them.""",
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

    def read(self, path: str) -> bytes | None:
        data = self.tree.read(path)
        if data is not None and (b"\\" in data or UNSEEN.search(_unix(data.decode("utf-8-sig", "replace")))):
            self.suspects[path] = data
        return data

    def findings(self) -> Iterator[RawFinding]:
        """A finding for each line of a file, or value in it, that holds one."""
        for path, data in self.suspects.items():
            folder, _, name = path.rpartition("/")
            places = {place[:2]: place[2] for place in reversed([*unseen(data)])}
            for (line, column), character in places.items():
                message = f"a text holds the invisible character {named(character)}"
                key = name.removesuffix(".yaml") if folder else None
                fix = f"awesome edit {key} # remove the character" if key else f"remove the character from {path}"
                yield RawFinding("Y010", path, (), message, fix, key, place=(line, column))


def unseen(data: bytes) -> Iterator[tuple[int, int, str]]:
    """`(line, column, character)` of the first in each line, and in each value that has it as an escape."""
    try:
        text = _unix(yaml_reading.decode(data))
        lines = {n: found for n, line in enumerate(text.split("\n"), 1) if (found := UNSEEN.search(line))}
        yield from ((n, found.start() + 1, found[0]) for n, found in lines.items())
        for value, line, column in yaml_reading.scalars(text):
            if line not in lines and (found := UNSEEN.search(value)):
                yield line, column, found[0]
    except yaml_reading.UnreadableError:
        return  # Another rule says so.


def _unix(text: str) -> str:
    """The text with line feeds alone at the ends of lines."""
    return text.replace("\r\n", "\n")
