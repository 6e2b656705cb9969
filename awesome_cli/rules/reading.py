"""Rules on how a file is read: its text (Y), its fields (S), its form (C), and characters that nobody sees."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from awesome_cli.files import yaml_reading
from awesome_cli.files.tree import FileTree
from awesome_cli.reports.findings import Level, RawFinding
from awesome_cli.rules.registry import page
from awesome_cli.text.inert import UNSEEN, named

WARNINGS = frozenset({"S005", "C001"})
PAGES: Mapping[str, str] = {
    "Y001": """The file is not UTF-8 text.

It contains bytes that are not UTF-8, or a control character. Either an editor saved it in another encoding, or it is
a binary file. Save it as UTF-8.""",
    "Y002": """The file is not YAML.

Most often a text that contains ": " has no quotes, or the indentation is wrong:

    title: Coffee: a study        # wrong
    title: "Coffee: a study"      # right""",
    "Y003": """The file contains a merge-conflict marker.

Git could not merge two versions of the record. Keep the right lines and remove `<<<<<<<`, `=======` and `>>>>>>>`.""",
    "Y004": """A field is given twice.

YAML readers keep one of the two without a warning, some the first and some the last. Remove one.""",
    "Y005": """YAML anchors and aliases are not allowed.

A record gives each value in its own place. A few aliases can also expand to gigabytes, so the file is rejected before
they are expanded. A text that starts with `&` or `*` needs quotes.""",
    "Y006": """The file is nested too deeply.

No record needs more than a few levels. A file with so many is damaged, or made to crash the program that reads it.""",
    "Y007": """The file is too large for a record.

Records are small texts. Store data elsewhere and link to it.""",
    "Y008": """The file contains several YAML documents.

One record is one file. Remove the `---` line, or move what follows it to a file of its own.""",
    "Y009": """YAML tags are not allowed.

A tag such as `!!python/object` tells the reader to create an object. Records contain only texts, numbers, lists and
mappings. A text that starts with `!` needs quotes.""",
    "Y010": """A text holds an invisible character that acts.

It is a control character, which a terminal would obey, a separator of lines, a byte order mark, a mark of annotation, a
tag, or one that changes the direction of writing, so that people read another text than programs do. Such a character
also hides what a change does. The program shows it as an escape, such as `\\u202e`, wherever it prints the text. Remove
it; a text from right to left needs none. Joiners, soft hyphens, blanks without width and the single marks U+200E,
U+200F and U+061C are left alone: many languages need them.""",
    "S001": """A field is unknown.

Often its name is misspelt, and then no command would read it. `awesome schema paper` lists the fields; put data that
has no field under `extra`.""",
    "S002": """A required field is missing.

A paper needs `title` and `added`; an exclusion needs `title` and `screening` with stage, reason and day.""",
    "S003": """A value has the wrong type.

For instance a text where a list is expected, a word where a number is expected, a day that does not exist, or an
empty file. The message says what is expected; `awesome schema` prints the types of all fields.""",
    "S004": """The name of the file cannot be a key.

The file name without `.yaml` is the key of the record. It has lower-case letters, digits, `.`, `_` and `-`, for
instance `rossi2021.yaml`. Ids of exclusions may have capitals.""",
    "S005": """The file is not a record.

The names of records end in `.yaml`. No command reads other files, for instance those that merges and editors leave
behind; remove them.""",
    "S006": """The file is named like a record but is not read.

Records are files directly in `corpus`, `exclusions`, `candidates` or `audits`. A file in a subfolder, a folder named
`x.yaml`, and a link that leads out of the survey or to no file are not read.""",
    "C002": """A change of several files was interrupted.

Some of its files may be new, others old. `awesome recover` finishes the change, `awesome recover --undo` takes it back,
and either says with `--dry-run` what it would do. Every command that writes finishes it first.""",
    "S007": """The file or folder cannot be read.

A file of a survey is a plain file inside of it, of 50 MB at most, that you may read; links are followed as long as they
stay inside. A named pipe, a device, a folder in place of a file (or a file in place of a folder), and a link that leads
out of the survey or in a circle are not read and not written.""",
    "C001": """The file is not in canonical form.

There is one way to write a record: fields in the order of the schema, axes in the order of the taxonomy, one field a
line, double quotes only where YAML needs them. This keeps differences between versions small. Commands that edit a
record keep the form, and `awesome fmt` rewrites a file; comments stay beside the values that they describe.""",
}

for code, manual in PAGES.items():
    page(code, Level.WARNING if code in WARNINGS else Level.ERROR, manual)


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
