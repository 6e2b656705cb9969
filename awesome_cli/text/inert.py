"""Text that a terminal, a log, a page or a spreadsheet takes as text: what would act or hide is shown as an escape."""

import re
from typing import Any

ACTIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)
"""Control characters but tab and line feed, what changes the direction of writing, and what is no character at all."""
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


def without_commands(text: str) -> str:
    r"""The text with no line that a workflow would obey: `\x3a:error::` in place of `::error::`."""
    return COMMAND.sub(lambda found: found[0][:-1] + _escape(found), text)


def inert(text: str) -> str:
    """The text with nothing that a terminal, or the log of a workflow, would obey."""
    return without_commands(visible(text))


def to_json(value: object, **how: Any) -> str:
    """A value as JSON in UTF-8 in which active characters stand as escapes of JSON; reading gives the same value."""
    import json  # Imported here, since most commands print none.

    text = json.dumps(value, ensure_ascii=False, **how)
    return ACTIVE.sub(lambda found: f"\\u{ord(found[0]):04x}", text).replace("##[", "#\\u0023[")


def to_cell(value: Any) -> Any:
    """A value for CSV: a text that a spreadsheet would run as a formula gets an apostrophe in front."""
    is_formula = isinstance(value, str) and FORMULA.match(value) and not NUMBER.fullmatch(value)
    return f"'{value}" if is_formula else value


def from_cell(text: str) -> str:
    """The text of which `to_cell` made a cell."""
    return text[1:] if text.startswith("'") and FORMULA.match(text) else text


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0][-1])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
