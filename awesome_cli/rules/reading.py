"""Manual pages of the faults that reading a file finds: texts (Y), shapes (S) and form (C)."""

from collections.abc import Mapping

from awesome_cli.reports.findings import Level

ERROR, WARNING = Level.ERROR, Level.WARNING

READING: Mapping[str, tuple[Level, str]] = {
    "Y001": (
        ERROR,
        """The file is not UTF-8 text.

Bytes that are not UTF-8, a NUL or another control character: an editor saved another encoding, or the file is
binary. Save it as UTF-8.""",
    ),
    "Y002": (
        ERROR,
        """The file is not YAML.

Most often a text with ": " in it lacks its quotes, or the indentation is off:

    title: GAIA: a benchmark        # wrong
    title: "GAIA: a benchmark"      # right""",
    ),
    "Y003": (
        ERROR,
        """A merge-conflict marker stands in the file.

Git could not merge two versions of the record. Keep the right lines and remove `<<<<<<<`, `=======` and `>>>>>>>`.""",
    ),
    "Y004": (
        ERROR,
        """A field stands twice.

YAML readers silently keep one of the two; which one differs. Remove one.""",
    ),
    "Y005": (
        ERROR,
        """Anchors and aliases are not allowed.

A record says what it says in its own place. Aliases can also grow without bound when they are expanded, so they are
refused before anything does. A text that starts with `&` or `*` needs quotes.""",
    ),
    "Y006": (
        ERROR,
        """The file is nested too deeply.

No record needs more than a handful of levels; what nests deeper is damaged or hostile.""",
    ),
    "Y007": (
        ERROR,
        """The file is too large for a record.

Records are small texts. Put data elsewhere and link to them.""",
    ),
    "Y008": (
        ERROR,
        """The file holds several YAML documents.

One record is one file. Remove the `---` line, or move what follows it to a file of its own.""",
    ),
    "Y009": (
        ERROR,
        """YAML tags are not allowed.

A tag such as `!!python/object` asks a reader to build something. Records are texts, lists and mappings. A text that
starts with `!` needs quotes.""",
    ),
    "S001": (
        ERROR,
        """A field is unknown.

A misspelt field would be ignored by everything that reads the record. `awesome schema paper` lists the fields; what
has no field of its own goes under `extra`.""",
    ),
    "S002": (
        ERROR,
        """A required field is missing.

A paper needs `title` and `added`; an exclusion `title` and `screening` with stage, reason and day.""",
    ),
    "S003": (
        ERROR,
        """A value has the wrong shape.

A list where a text belongs, a word where a number belongs, a date that is not one, an empty file. The message names
what was expected; `awesome schema` prints the whole shape.""",
    ),
    "S004": (
        ERROR,
        """The file's name is no key.

The file name is the key of the record: lower-case letters, digits, `.`, `_` and `-`, for instance `magrpo.yaml`.
Ids of exclusions may have capitals.""",
    ),
    "S005": (
        WARNING,
        """The file is not a record.

Records end in `.yaml`. Leftovers of merges and editors are not read by anything; remove them.""",
    ),
    "S006": (
        ERROR,
        """What is named like a record is none.

Records are files directly in `corpus`, `exclusions`, `candidates` or `audits`. A file in a subfolder, a folder named
`x.yaml`, a link that leads nowhere and a link that leads out of the survey are not read.""",
    ),
    "C001": (
        WARNING,
        """The file is not in canonical form.

There is one way to write a record: field order of the schema, axes in the order of the taxonomy, one field a line,
double quotes only where YAML needs them. It keeps differences small, and every edit by command keeps to it.
`awesome fmt` rewrites a file; comments stay beside the values that they speak of.""",
    ),
}
