"""Make text safe for terminals, logs, pages and spreadsheets by escaping control and invisible characters."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
    "\ud800-\udfff\ufffe\uffff"
)
UNSEEN = re.compile(f"[{_UNSEEN}]")
"""Invisible characters that no record needs: control characters except tab and line feed, line and paragraph
separators, bidirectional and shaping controls, byte order marks, annotation marks, tags, surrogates, noncharacters.
Joiners, soft hyphens and other zero-width characters are allowed: many languages need them."""
CONTROL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_](?:[^\x07\x1b]*(?:\x07|\x1b\\))?)")
"""A terminal control sequence or control string (ECMA-48)."""
ACTIVE = re.compile(f"[{_UNSEEN}\u061c\u200e\u200f]")
"""Unseen characters and direction marks; right-to-left text may need the latter."""
COMMAND = re.compile(r"^(?:[^\S\n]|\x1b\[[\d;]*m)*:(?=:)|#(?=#\[)", re.MULTILINE)
"""A workflow command of GitHub Actions: `::` at the start of a line (after spaces and colours), `##[` anywhere."""
FORMULA = re.compile(r"'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""The start of a cell that a spreadsheet evaluates as a formula, also after apostrophes; includes full-width signs."""
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def visible(text: str) -> str:
    r"""Escape active characters as `\x1b` or `\u202e`; tabs and line feeds are unchanged."""
    return ACTIVE.sub(_escape, text)


def visible_line(text: str) -> str:
    r"""Like `visible`, for text that must stay on one line: tabs and line feeds are escaped, too."""
    return visible(text).replace("\t", "\\t").replace("\n", "\\n")


def named(character: str) -> str:
    """Return the code point of a character and its Unicode name, if any: `U+202E (right-to-left override)`."""
    name = unicodedata.name(character, "").lower()
    return f"U+{ord(character):04X}" + (f" ({name})" if name else "")


def without_unseen(value: Any) -> Any:
    """Remove unseen characters and control sequences from all strings of a JSON-like value, keys included.

    Line ends become line feeds; other unseen whitespace becomes a space.
    """
    if isinstance(value, str):
        if not UNSEEN.search(value):
            return value
        return UNSEEN.sub(lambda match: " " * match[0].isspace(), CONTROL.sub("", re.sub("\r\n?", "\n", value)))
    if isinstance(value, Mapping):
        return {without_unseen(name): without_unseen(inner) for name, inner in value.items()}
    return type(value)(map(without_unseen, value)) if isinstance(value, list | tuple) else value


def without_commands(text: str) -> str:
    r"""Escape workflow commands of GitHub Actions: `::error::` becomes `\x3a:error::`."""
    return COMMAND.sub(lambda match: match[0][:-1] + _escape(match), text)


def inert(text: str) -> str:
    """Escape everything that a terminal or a workflow log would interpret."""
    return without_commands(visible(text))


def to_json(value: object, **options: Any) -> str:
    """Return a value as JSON with non-ASCII text as is and active characters escaped.

    It parses to the same value, except that infinite numbers and NaN become null.
    """
    import json  # Imported here, since most commands print none.

    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, **options)
    except ValueError:
        return to_json(finite(value), **options)
    return ACTIVE.sub(lambda match: json.dumps(match[0])[1:-1], text).replace("##[", "#\\u0023[")


def finite(value: Any) -> Any:
    """Replace numbers that JSON cannot hold, infinities and NaN, by None."""
    if isinstance(value, Mapping):
        return {finite(name): finite(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [finite(inner) for inner in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def to_cell(value: Any) -> Any:
    """Return a value for CSV; text that a spreadsheet would evaluate gets an apostrophe in front."""
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) and not NUMBER.fullmatch(value) else value


def to_csv(rows: Iterable[Iterable[object]], *, raw: bool = False, mark: str = ",") -> str:
    """Return rows as CSV with LF line ends; None is an empty cell. Unless `raw`, formulas are escaped."""
    import csv
    from io import StringIO

    text = StringIO()
    csv.writer(text, delimiter=mark, lineterminator="\n").writerows(row if raw else map(to_cell, row) for row in rows)
    return text.getvalue()


def from_cell(text: str) -> str:
    """Undo `to_cell`: remove the apostrophe in front of a formula."""
    return text[1:] if text.startswith("'") and FORMULA.match(text) else text


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0][-1])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
