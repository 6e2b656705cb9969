"""Text that a terminal, a log, a page or a spreadsheet takes as text: what would act or hide is shown as an escape."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
    "\ud800-\udfff\ufffe\uffff"
)
UNSEEN = re.compile(f"[{_UNSEEN}]")
"""What acts unseen and no record needs: control characters but tab and line feed, separators of lines and paragraphs,
what changes the direction of writing or the form of letters, byte order marks, marks of annotation, tags, and what is
no character. Joiners, soft hyphens and other blanks without width stay: they are part of texts in many languages."""
CONTROL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_](?:[^\x07\x1b]*(?:\x07|\x1b\\))?)")
"""A control sequence, or a string for a terminal up to its end (ECMA-48)."""
ACTIVE = re.compile(f"[{_UNSEEN}\u061c\u200e\u200f]")
"""What acts unseen, and the marks of direction, which a text from right to left may need."""
COMMAND = re.compile(r"^(?:[^\S\n]|\x1b\[[\d;]*m)*:(?=:)|#(?=#\[)", re.MULTILINE)
"""What makes a line a command for the runner of a GitHub workflow: `::` behind blanks and colours, `##[` anywhere."""
FORMULA = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""How a cell begins that a spreadsheet would run, or one of these behind apostrophes; wide forms count, too."""
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def visible(text: str) -> str:
    r"""The text with each active character as `\x1b` or `\u202e`; tabs and line feeds stay."""
    return ACTIVE.sub(_escape, text)


def visible_line(text: str) -> str:
    r"""Like `visible`, for text that must stay on one line: tabs and line feeds are escaped, too."""
    return visible(text).replace("\t", "\\t").replace("\n", "\\n")


def named(character: str) -> str:
    """A character by its number, and by its name if it has one: `U+202E (right-to-left override)`."""
    name = unicodedata.name(character, "").lower()
    return f"U+{ord(character):04X}" + (f" ({name})" if name else "")


def without_unseen(value: Any) -> Any:
    """A value whose texts, names of fields included, have no characters that act unseen, and no control sequences.

    The end of a line becomes a line feed, another character that parts words a blank.
    """
    if isinstance(value, str):
        return UNSEEN.sub(lambda found: " " * found[0].isspace(), CONTROL.sub("", re.sub("\r\n?", "\n", value)))
    if isinstance(value, Mapping):
        return {without_unseen(name): without_unseen(inner) for name, inner in value.items()}
    return type(value)(map(without_unseen, value)) if isinstance(value, list | tuple) else value


def without_commands(text: str) -> str:
    r"""The text with no line that a workflow would obey: `\x3a:error::` in place of `::error::`."""
    return COMMAND.sub(lambda found: found[0][:-1] + _escape(found), text)


def inert(text: str) -> str:
    """The text with nothing that a terminal, or the log of a workflow, would obey."""
    return without_commands(visible(text))


def to_json(value: object, **how: Any) -> str:
    """A value as JSON in UTF-8 in which active characters stand as escapes of JSON; reading gives the same value."""
    import json  # Imported here, since most commands print none.

    indent = how.pop("indent", None)
    dump = json.JSONEncoder(ensure_ascii=False, **how).encode
    text = _indented(value, "\n", " " * indent, dump) if indent else dump(value)
    return ACTIVE.sub(lambda found: json.dumps(found[0])[1:-1], text).replace("##[", "#\\u0023[")


def _indented(value: object, before: str, step: str, dump: Callable[[object], str]) -> str:
    """JSON as Python's slow encoder indents it; `before` ends a line at its depth, `dump` writes what holds nothing."""
    if not value or not isinstance(value, dict | list | tuple):
        return dump(value)
    after = before + step
    if isinstance(value, dict):
        names = (name if isinstance(name, str) else dump(name) for name in value)
        pairs = zip(map(dump, names), value.values(), strict=True)
        parts = [f"{name}: {_indented(one, after, step, dump)}" for name, one in pairs]
    else:
        parts = [_indented(one, after, step, dump) for one in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}{after}{f',{after}'.join(parts)}{before}{end}"


def to_cell(value: Any) -> Any:
    """A value for CSV: a text that a spreadsheet would run as a formula gets an apostrophe in front."""
    is_formula = isinstance(value, str) and FORMULA.match(value) and not NUMBER.fullmatch(value)
    return f"'{value}" if is_formula else value


def to_csv(rows: Iterable[Iterable[object]], *, raw: bool = False) -> str:
    """Rows as CSV with LF line ends; None is an empty cell. Unless `raw`, no cell is a formula for a spreadsheet."""
    import csv
    from io import StringIO

    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(row if raw else map(to_cell, row) for row in rows)
    return text.getvalue()


def from_cell(text: str) -> str:
    """The text of which `to_cell` made a cell."""
    return text[1:] if text.startswith("'") and FORMULA.match(text) else text


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0][-1])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
