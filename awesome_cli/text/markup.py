"""Markdown: escaping, tables, links."""

import html
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar
from urllib.parse import quote

from awesome_cli.text.inert import visible

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~$])")
URL_SAFE = ":/?#@!$&'*+,;=%~-._"
LEADING = re.compile(r"^(\d+(?=[.)](?:\s|$))|(?=[#+-]))")
"""The start of a line that would open a heading or a list."""
REFERENCE = re.compile(r"@|#(?=\d)|(?<![^\W_])gh-(?=\d)", re.IGNORECASE)
"""The start of a mention (`@name`) or a reference to an issue (`#1`, `owner/name#1`, `GH-1`)."""
NAME = re.compile(r"`[^`]*`|[^\W_](?:[\w.=-]*\w)?")
"""A word that can be a name, such as a key of a record; a code span is one word."""
T = TypeVar("T")
BREAK = "&#8203;"
"""A zero-width space. GitHub finds references in rendered text, so neither a backslash nor an entity prevents one
(github/cmark-gfm, issue 181); a character between sign and name does."""


class Markdown(str):
    """Text that is already Markdown and must not be escaped again."""

    __slots__ = ()


def escape(text: str) -> str:
    """Escape text so that Markdown renders it unchanged, on one line, without links, mentions or issue references."""
    return escape_part(" ".join(text.split()))


def escape_part(text: str) -> str:
    """Escape a part of a line, whose whitespace stays."""
    line = SPECIAL.sub(r"\\\1", visible(text))
    line = LEADING.sub(r"\1\\", line)
    # Entities prevent bare links and other entities; copied text is the same as the original.
    line = re.sub(r"&(?=#|\w+;)", "&amp;", line)
    line = REFERENCE.sub(r"\g<0>" + BREAK, line)
    return line.replace("://", ":&#47;&#47;").replace("www.", "www&#46;")


def split(text: str, lookup: Callable[[re.Match[str]], T | None]) -> Iterator[str | T]:
    """Split a text into plain parts and the values that `lookup` returns for the words that are names."""
    end = 0
    for match in NAME.finditer(text):
        if (value := lookup(match)) is not None:
            yield from (text[end : match.start()], value)
            end = match.end()
    yield text[end:]


def unescape(text: str) -> str:
    """Undo `escape`."""
    return html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text.replace(BREAK, "")))


def link(text: str, url: str) -> Markdown:
    """Return an inline link, or only the text if the URL is not http or https."""
    if not re.match(r"https?://", url, re.IGNORECASE):
        return Markdown(escape(text))
    return Markdown(f"[{escape(text)}]({quote(url, safe=URL_SAFE)})")


def code(text: str) -> Markdown:
    """Return a code span that is safe inside a table."""
    return Markdown("`" + " ".join(visible(text).split()).replace("`", "'").replace("|", "\\|") + "`")


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> Markdown:
    """Return an aligned pipe table; `right` marks right-aligned columns. Cells other than `Markdown` are escaped."""
    cells = [[str(text) if isinstance(text, Markdown) else escape(text) for text in row] for row in (columns, *rows)]
    widths = [max(3, *(len(row[i]) for row in cells)) for i in range(len(columns))]
    marks = ["-" * (w - 1) + ":" if right[i] else "-" * w for i, w in enumerate(widths)]
    lines = [
        " | ".join(
            text.rjust(w) if right[i] else text.ljust(w) for i, (text, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    ]
    lines.insert(1, " | ".join(marks))
    return Markdown("\n".join(f"| {line} |" for line in lines))
