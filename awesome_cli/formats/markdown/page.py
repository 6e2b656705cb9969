"""A page of Markdown, and of the HTML in it, as a flat list of parts: headings, texts, items, cells of tables."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from awesome_cli.formats.markdown.pieces import BREAK, SOFT, Fragment, merged
from awesome_cli.formats.markdown.words import BLOCK_TAGS
from awesome_cli.text.html import attributes, pieces

Kind = Literal["heading", "summary", "end", "text", "quote", "cell"]
DEPTH = 20
"""Items of lists are told apart to this depth."""
HEADINGS = {f"h{n}": n for n in range(1, 7)}
LOOKS = {"strong": "b", "b": "b", "em": "i", "i": "i", "code": "c"}
BLOCKS = BLOCK_TAGS | HEADINGS.keys()
NESTED = re.compile(r"(?:%5D|\])\((https?://[^()]*)\)?$")
"""The address of a link that was written within that of another."""
SHOWN = {"text": "", "softbreak": SOFT, "hardbreak": BREAK}
SPACED = re.compile(r"\]\s+\((?=https?://)")
"""A link that is written with a blank between its text and its address."""


@dataclass(frozen=True, slots=True)
class Part:
    """What stands between two block marks.

    `level` is that of a heading. `items` are the items around it, outermost first, each with a number of its own.
    `cell` is the table, the row and the column that it stands in; `head` says that its row names the columns.
    """

    kind: Kind
    pieces: tuple[Fragment, ...]
    line: int
    level: int = 0
    items: tuple[int, ...] = ()
    cell: tuple[int, int, int] | None = None
    head: bool = False


@dataclass
class _Reader:
    """Collects parts while it is told which marks open and close."""

    parts: list[Part] = field(default_factory=list)
    waiting: list[Fragment] = field(default_factory=list)
    looks: list[str] = field(default_factory=list)
    url: str = ""
    heading: int = 0
    summary: bool = False
    quotes: int = 0
    details: int = 0
    items: list[int] = field(default_factory=list)
    lists: list[int] = field(default_factory=list)
    counted: int = 0
    tables: list[list[Any]] = field(default_factory=list)

    def text(self, text: str, line: int) -> None:
        if text:
            self.waiting.append(Fragment(text, line, self.url, "".join(sorted(set(self.looks)))))

    def image(self, text: str, address: str, line: int) -> None:
        self.waiting.append(Fragment(text, line, self.url, image=address))

    def flush(self, line: int) -> None:
        """End a part; what is only blanks is none."""
        found = tuple(merged(self.waiting))
        self.waiting = []
        if not any(piece.text.strip() or piece.image for piece in found):
            return
        kind: Kind = "text"
        if self.heading:
            kind = "heading"
        elif self.summary:
            kind = "summary"
        elif self.tables and self.tables[-1][3]:
            kind = "cell"
        elif self.quotes:
            kind = "quote"
        at = next((piece.line for piece in found if piece.text.strip() or piece.image), line)
        cell = tuple(self.tables[-1][:3]) if kind == "cell" else None
        level = self.heading or self.details
        head = kind == "cell" and bool(self.tables[-1][4])
        self.parts.append(Part(kind, found, at, level, tuple(self.items[:DEPTH]), cell, head))

    def opened(self, tag: str, marks: dict[str, str], line: int) -> None:
        if tag in BLOCKS:
            self.flush(line)
            self._opened_block(tag, marks.get("rowspan", ""))
        elif tag in LOOKS:
            self.looks.append(LOOKS[tag])
        elif tag == "a":
            nested = NESTED.search(marks.get("href", ""))
            self.url = nested[1] if nested else marks.get("href", "").strip().removeprefix("%5B").lstrip("[<")
        elif tag == "br":
            self.text(BREAK, line)
        elif tag == "img":
            self.image(marks.get("alt", ""), marks.get("src", ""), line)

    def _opened_block(self, tag: str, rows: str) -> None:
        self.heading = 0 if tag in {"ul", "ol", "table", "details"} else HEADINGS.get(tag, self.heading)
        if tag in {"ul", "ol"}:
            self.lists.append(len(self.items))
        elif tag == "li":
            del self.items[self.lists[-1] if self.lists else 0 :]
            self.counted += 1
            self.items.append(self.counted)
        elif tag == "table":
            self.counted += 1
            self.tables.append([self.counted, 0, 0, False, False, {}])
        elif tag in {"tr", "td", "th"} and self.tables:
            self._cell(tag, int(rows) if rows.isdecimal() and len(rows) < 5 else 1)
        self.summary = self.summary or tag == "summary"
        self.quotes += tag == "blockquote"
        self.details += tag == "details"

    def _cell(self, tag: str, rows: int) -> None:
        """A new row, or a new cell that may reach down over several rows."""
        table = self.tables[-1]
        if tag == "tr":
            table[1:5] = [table[1] + 1, 0, False, False]
            return
        column, reaching = table[2] + 1, table[5]
        while reaching.get(column, 0) >= table[1]:
            column += 1
        reaching[column] = table[1] + rows - 1
        table[2:5] = [column, True, tag == "th"]

    def closed(self, tag: str, line: int) -> None:
        if tag in BLOCKS:
            self.flush(line)
            self._closed_block(tag, line)
        elif tag in LOOKS and LOOKS[tag] in self.looks:
            self.looks.remove(LOOKS[tag])
        elif tag == "a":
            self.url = ""

    def _closed_block(self, tag: str, line: int) -> None:
        if tag == "details" and self.details:
            self.parts.append(Part("end", (), line, self.details))
            self.details -= 1
        elif tag in {"ul", "ol", "li"} and self.lists:
            del self.items[self.lists.pop() if tag != "li" else self.lists[-1] :]
        elif tag in {"table", "td", "th"} and self.tables:
            self.tables[-1][3] = False
            del self.tables[len(self.tables) - (tag == "table") :]
        self.heading = 0 if tag in HEADINGS else self.heading
        self.summary = self.summary and tag != "summary"
        self.quotes = max(0, self.quotes - (tag == "blockquote"))
        if tag in {"p", "li", "td", "th", "blockquote", *HEADINGS}:
            self.looks.clear()
            self.url = ""


def parts_of(text: str) -> list[Part]:
    """The parts of a page in their order; code blocks and comments are none."""
    from markdown_it import MarkdownIt

    reader = _Reader()
    markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for token in markdown.parse(SPACED.sub("](", text)):
        line = token.map[0] + 1 if token.map else 1
        if token.type == "inline":
            _inline(token.children or (), line, reader)
        elif token.type == "html_block":
            _html(token.content, line, reader)
        elif token.nesting > 0:
            reader.opened(token.tag, {}, line)
        elif token.nesting < 0:
            reader.closed(token.tag, line)
        elif token.type == "hr":
            reader.flush(line)
    reader.flush(text.count("\n") + 1)
    return reader.parts


def _inline(tokens: Any, line: int, reader: _Reader) -> None:
    for token in tokens:
        if token.type in SHOWN:
            line += bool(SHOWN[token.type])
            reader.text(SHOWN[token.type] or token.content, line)
        elif token.type == "code_inline":
            reader.opened("code", {}, line)
            reader.text(token.content, line)
            reader.closed("code", line)
        elif token.type == "image":
            reader.image(token.content, str(token.attrGet("src") or ""), line)
        elif token.type == "html_inline":
            _html(token.content, line, reader)
            line += token.content.count("\n")
        elif token.nesting > 0:
            reader.opened(token.tag, {"href": str(token.attrGet("href") or "")}, line)
        elif token.nesting < 0:
            reader.closed(token.tag, line)


def _html(text: str, line: int, reader: _Reader) -> None:
    """Tell of the marks and texts of some HTML; a line ends nothing there."""
    for name, content, at in _with_lines(text, line):
        if not name:
            reader.text(re.sub(r"\s+", " ", content), at)
        elif name.startswith("/"):
            reader.closed(name[1:], at)
        else:
            reader.opened(name, dict(attributes(content)), at)
            if name == "hr":
                reader.flush(at)


def _with_lines(text: str, line: int) -> Iterator[tuple[str, str, int]]:
    for name, content in pieces(_uncommented(text)):
        if name:
            yield name, content, line
        else:
            # One text for each line, so that a link is found on its own.
            for n, part in enumerate(content.split("\n")):
                yield "", f"{' ' if n else ''}{part}", line + n
        line += content.count("\n")


def _uncommented(text: str) -> str:
    """The text without its comments, on as many lines."""
    first, *others = text.split("<!--")
    shown = (part.partition("-->") for part in others)
    return first + "".join("\n" * (hidden + mark).count("\n") + rest for hidden, mark, rest in shown)
