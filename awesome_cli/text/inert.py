"""Text that a terminal, a log or a page takes as text: what would act or hide is shown as an escape."""

import re

ACTIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
)
"""Control characters but tab and line feed, what changes the direction of writing, line separators, lone surrogates."""


def visible(text: str) -> str:
    r"""The text with each active character as `\x1b` or `\u202e`; tabs and line feeds stay."""
    return ACTIVE.sub(_escape, text)


def visible_line(text: str) -> str:
    r"""Like `visible`, for text that must stay on one line: tabs and line feeds are escaped, too."""
    return visible(text).replace("\t", "\\t").replace("\n", "\\n")


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
