"""Markdown: escaping, tables, links."""

import html
import re
from collections.abc import Sequence
from urllib.parse import quote

from awesome_cli.text.inert import visible

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~$])")
# At the start of a line these would open a heading, a list or a quotation.
URL_SAFE = ":/?#@!$&'*+,;=%~-._"
LEADING = re.compile(r"^(\d+(?=[.)](?:\s|$))|(?=[#+-]))")

REFERENCE = re.compile(r"@|#(?=\d)|(?<![^\W_])gh-(?=\d)", re.IGNORECASE)
"""What begins a mention, or a reference by which a pull request closes an issue: `#1`, `owner/name#1`, `GH-1`."""
BREAK = "&#8203;"
"""A blank without width. GitHub looks for references in the text that readers see: neither a backslash nor an entity in
place of the sign hides one (github/cmark-gfm, issue 181), only what comes between."""


class Markdown(str):
    """Text that is Markdown already and must not be escaped again."""

    __slots__ = ()


def escape(text: str) -> str:
    """`text` so that Markdown shows it unchanged, on one line, without links, mentions or references to issues."""
    line = SPECIAL.sub(r"\\\1", visible(" ".join(text.split())))
    line = LEADING.sub(r"\1\\", line)
    # Entities, so that entities and bare links stay text, and a reader copies the same characters.
    line = re.sub(r"&(?=#|\w+;)", "&amp;", line)
    line = REFERENCE.sub(r"\g<0>" + BREAK, line)
    return line.replace("://", ":&#47;&#47;").replace("www.", "www&#46;")


def unescape(text: str) -> str:
    """The text that Markdown shows where `escape` gave this."""
    return html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text.replace(BREAK, "")))


def link(text: str, url: str) -> Markdown:
    """An inline link; an address that is not http or https is left out and the text stays."""
    if not re.match(r"https?://", url, re.IGNORECASE):
        return Markdown(escape(text))
    return Markdown(f"[{escape(text)}]({quote(url, safe=URL_SAFE)})")


def code(text: str) -> Markdown:
    """A code span, safe inside a table."""
    return Markdown("`" + " ".join(visible(text).split()).replace("`", "'").replace("|", "\\|") + "`")


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> Markdown:
    """A pipe table with aligned pipes; cells that are not `Markdown` are escaped, `right` names number columns."""
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
