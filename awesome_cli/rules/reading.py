"""Rules on reading files: YAML syntax (Y), schema (S), canonical form (C), and invisible characters."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from awesome_cli.files import yaml_reading
from awesome_cli.files.tree import FileTree
from awesome_cli.reports.findings import Level, RawFinding
from awesome_cli.rules.registry import FIXABLE, page
from awesome_cli.survey.loading import FOLDERS
from awesome_cli.text.inert import UNSEEN, named

PAGES: Mapping[str, str] = {
    "Y001": """The file is not UTF-8 text.

It contains invalid bytes or a control character: an editor saved it in another encoding, or it is a binary file.
Save it as UTF-8.""",
    "Y002": """The file is not valid YAML.

The usual causes are wrong indentation, and an unquoted text that contains ": ":

    title: Coffee: a study        # wrong
    title: "Coffee: a study"      # right""",
    "Y003": """The file contains a merge-conflict marker.

Git could not merge two versions of the record. Keep the correct lines; remove `<<<<<<<`, `=======` and `>>>>>>>`.""",
    "Y004": """A field occurs twice.

YAML readers silently drop one of the two, some the first, some the last. Remove one.""",
    "Y005": """YAML anchors and aliases are not allowed.

Write each value where it belongs. A few aliases can expand to gigabytes, so the file is rejected before they are
expanded. Quote texts that start with `&` or `*`.""",
    "Y006": """The file is nested too deeply.

Records need only a few levels. A file with many is damaged, or an attempt to crash its reader.""",
    "Y007": """The file is too large for a record.

Records are small text files. Store data elsewhere and link to it.""",
    "Y008": """The file contains several YAML documents.

A file contains one record. Remove the `---` line, or move the text after it to another file.""",
    "Y009": """YAML tags are not allowed.

A tag such as `!!python/object` makes some readers create objects. Records contain only texts, numbers, lists and
mappings. Quote texts that start with `!`.""",
    "Y010": """A text contains an invisible character.

It is a control character, line separator, byte order mark, annotation mark, tag, or a character that changes the
writing direction. People then read another text than programs do, and reviews of changes can be deceived. awesome
prints it as an escape, such as `\\u202e`. Remove it; right-to-left texts do not need it. Joiners, soft hyphens,
zero-width blanks and the marks U+200E, U+200F and U+061C are allowed, because many languages need them.""",
    "S001": """A field is unknown.

Its name may be misspelt; no command would read it. `awesome schema paper` lists the fields. Put data without a field
under `extra`.""",
    "S002": """A required field is missing.

A paper needs `title` and `added`; an exclusion needs `title` and `screening` with stage, reason and date.""",
    "S003": """A value has the wrong type.

For instance a text instead of a list, a word instead of a number, an impossible date, or an empty file. The message
names the expected type; `awesome schema` prints the types of all fields.""",
    "S004": """The file name is not a valid key.

The file name without `.yaml` is the key of the record. It may contain lower-case letters, digits, `.`, `_` and `-`, for
instance `rossi2021.yaml`. Ids of exclusions may contain capitals.""",
    "S005": """The file is not a record.

Records end in `.yaml`. No command reads other files, such as backups of editors and merges; remove them.""",
    "S006": """The file is named like a record but is ignored.

Records are files directly in `corpus`, `exclusions`, `candidates` or `audits`. Files in subfolders, folders named
`x.yaml`, broken links and links out of the survey are ignored, and so are files whose names end in `.yml`.""",
    "C002": """A change of several files was interrupted.

Some of its files may not be updated. `awesome recover` finishes the change, `awesome recover --undo` rolls it back;
`--dry-run` shows either in advance. Every command that writes finishes it first.""",
    "S007": """The file or folder cannot be read.

A file of a survey must be a regular, readable file in its folder, of at most 50 MB. Links are followed inside the
survey. Named pipes, devices, folders in place of files (or files in place of folders), circular links and links out of
the survey are neither read nor written.""",
    "C001": """The file is not in canonical form.

The canonical form has fields in the order of the schema, axes in the order of the taxonomy, one field a line, and
double quotes only if YAML needs them. This keeps diffs small. Commands that edit a record keep the form, and `awesome
fmt` restores it; comments stay beside their values.""",
    "C003": """The field name `on` is not quoted, and other YAML readers take it for a truth value.

YAML 1.1, which PyYAML and others read, takes `on:` for true. Write `"on":`.""",
}

for code, manual in PAGES.items():
    page(code, Level.WARNING if code in {"S005", "C001", "C003"} else Level.ERROR, manual)


@dataclass(frozen=True)
class NotingTree:
    """A file tree that saves the bytes of files which may contain invisible characters, and field names without quotes.

    In records, missing quotes are reported as a form that is not canonical.
    """

    tree: FileTree
    suspects: dict[str, bytes] = field(default_factory=dict)
    bare: dict[str, bytes] = field(default_factory=dict)

    def list(self, folder: str) -> tuple[str, ...]:
        return self.tree.list(folder)

    def strays(self, folder: str) -> tuple[str, ...]:
        return self.tree.strays(folder)

    def read(self, path: str) -> bytes | None:
        data = self.tree.read(path)
        if data is not None and (b"\\" in data or UNSEEN.search(_unix(data.decode("utf-8-sig", "replace")))):
            self.suspects[path] = data
        if data is not None and path.rpartition("/")[0] not in FOLDERS and yaml_reading.BARE.search(data):
            self.bare[path] = data
        return data

    def findings(self) -> Iterator[RawFinding]:
        """Yield findings on lines, or escaped values, with an invisible character, and on names without quotes."""
        for path, data in self.bare.items():
            for match in yaml_reading.BARE.finditer(data):
                head = data[: match.start()].decode("utf-8", "replace")
                place = head.count("\n") + 1, len(head) - head.rfind("\n")
                yield RawFinding("C003", path, (), "other YAML readers take `on` for true", FIXABLE, place=place)
        for path, data in self.suspects.items():
            folder, _, name = path.rpartition("/")
            places = {place[:2]: place[2] for place in reversed([*unseen(data)])}
            for (line, column), character in places.items():
                message = f"the text contains an invisible character ({named(character)})"
                key = name.removesuffix(".yaml") if folder in FOLDERS else None
                fix = f"awesome edit {key} # remove the character" if key else f"remove the character from {path}"
                yield RawFinding("Y010", path, (), message, fix, key, place=(line, column))


def unseen(data: bytes) -> Iterator[tuple[int, int, str]]:
    """Yield `(line, column, character)` of the first invisible character per line, and per value with an escape."""
    try:
        text = _unix(yaml_reading.decode(data))
        lines = {n: match for n, line in enumerate(text.split("\n"), 1) if (match := UNSEEN.search(line))}
        yield from ((n, match.start() + 1, match[0]) for n, match in lines.items())
        for value, line, column in yaml_reading.scalars(text):
            if line not in lines and (match := UNSEEN.search(value)):
                yield line, column, match[0]
    except yaml_reading.UnreadableError:
        return  # reported by another rule


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")
