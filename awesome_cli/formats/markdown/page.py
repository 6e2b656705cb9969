"""Parse a page of Markdown with HTML into a flat list of parts, and track the headings above each part.

A part is a heading, a text, an item of a list or a cell of a table. It consists of fragments: line breaks, and texts
with a format, link or image. `- **On** [Tea](a)` becomes a list item with a bold and a linked fragment.
"""

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from awesome_cli.text.folding import spaced
from awesome_cli.text.html import attributes, pieces

EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u2300-\u23ff\u2190-\u21ff\u25a0-\u25ff\ufe0f\u200d\u20e3\u2122]+"
    r"|(?<![\w:]):[a-z][a-z0-9_+-]*:(?![\w:])"
)
"""Emoji, as characters or as GitHub's names for them (`:fire:`)."""
NO_REFERENCE = re.compile("(?<=[@#-])\u200b")
"""The zero-width space by which `text.markup.escape` prevents mentions and references."""
BARE = re.compile(r"https?://[^\s<>\"'`\]\[{}|\\^]+")
BREAK = "\n"
SOFT = "\v"
"""A line end that may only wrap a long line."""
LONG = 60
"""Minimum length of a line that may be wrapped, in characters."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """A text with uniform format, and its line number.

    `url` is the target of a link. For an image, `image` is its URL and `text` its alternative text. `look` contains `b`
    for bold, `i` for italic, `c` for code. A break has the text `BREAK`.
    """

    text: str
    line: int
    url: str = ""
    look: str = ""
    image: str = ""

    @property
    def is_break(self) -> bool:
        """True at the end of a line, paragraph or cell."""
        return self.text == BREAK and not self.url


@lru_cache(maxsize=1000)
def clean(text: str) -> str:
    """Return a text on one line, without emoji and surrounding whitespace."""
    return " ".join(EMOJI.sub(" ", NO_REFERENCE.sub("", html.unescape(text))).split())


def merged(pieces: Iterable[Fragment]) -> list[Fragment]:
    """Merge adjacent fragments of the same format and link, link bare URLs, and remove repeated breaks."""
    results: list[Fragment] = []
    for piece in _unwrapped(list(pieces)):
        last = results[-1] if results else None
        is_alike = last and (last.url, last.look, last.image, piece.image) == (piece.url, piece.look, "", "")
        if last and is_alike and not last.is_break and not piece.is_break:
            results[-1] = replace(last, text=last.text + piece.text)
        elif not (piece.is_break and (last is None or last.is_break)):
            results.append(piece)
    return [part for piece in results for part in _linked(piece)]


def _unwrapped(pieces: Sequence[Fragment]) -> Iterator[Fragment]:
    """Replace line ends within a link, formatted text or a wrapped paragraph by a space."""
    for n, piece in enumerate(pieces):
        if piece.text != SOFT:
            yield piece
            continue
        before, after = (pieces[m].text if 0 <= m < len(pieces) else "" for m in (n - 1, n + 1))
        goes_on = len(before) >= LONG and before.rstrip()[-1:] not in ".?!)]:" and after.lstrip()[:1].isalnum()
        beside = (pieces[m] for m in (n - 1, min(n + 1, len(pieces) - 1)) if m >= 0)
        plain = not any(neighbour.url or neighbour.look or neighbour.image for neighbour in beside)
        yield replace(piece, text=" " if piece.url or piece.look or (goes_on and plain) else BREAK)


def _linked(piece: Fragment) -> Iterator[Fragment]:
    """Split a text at its bare URLs, which become links."""
    at = 0
    if not piece.url and not piece.image:
        for bare in BARE.finditer(piece.text):
            url = _whole(bare[0])
            yield replace(piece, text=piece.text[at : bare.start()])
            yield replace(piece, text=url, url=url)
            at = bare.start() + len(url)
    if at < len(piece.text) or piece.image:
        yield replace(piece, text=piece.text[at:])


def _whole(url: str) -> str:
    """Remove trailing punctuation and an unmatched closing bracket from a URL."""
    end, unopened = len(url), url.count(")") - url.count("(")
    while url[end - 1] in ".,;:!?*_" or (url[end - 1] == ")" and unopened > 0):
        unopened -= url[end - 1] == ")"
        end -= 1
    return url[:end]


def plain(pieces: Sequence[Fragment]) -> str:
    """Return the text of fragments on one line, without images."""
    return clean("".join(piece.text for piece in pieces if not piece.image))


Kind = Literal["heading", "summary", "end", "text", "quote", "cell", "field"]
DEPTH = 20
"""Maximum depth at which nested list items are distinguished."""
NESTING = 100
"""Maximum depth of nested blocks and formats; a list item counts twice. The parser's default is 20."""
NESTED_LINKS = 6
"""Maximum depth of brackets that are searched for links; the time for brackets that nothing closes grows with it."""
HEADINGS = {f"h{n}": n for n in range(1, 7)}
LOOKS = {"strong": "b", "b": "b", "em": "i", "i": "i", "code": "c"}
BLOCKS = HEADINGS.keys() | set(
    "p div center section article hr ul ol li dl dt dd table thead tbody tr td th blockquote details summary".split()
)
"""HTML tags that separate texts."""
NESTED = re.compile(r"(?:%5D|\])\((https?://[^()]*)\)?$")
"""The URL of a link that is nested in the URL of another link."""
SHOWN = {"text": "", "softbreak": SOFT, "hardbreak": BREAK}
SPACED = re.compile(r"\]\s+\((?=https?://)")
"""A link with a space between text and URL."""


@dataclass(frozen=True, slots=True)
class Part:
    """The content between two block tags.

    `level` is the level of a heading. `items` are the numbers of the enclosing list items, outermost first. `cell` is
    `(table, row, column)`; `head` is True in a header row. `label` is the name of a `field`, a labelled line.
    """

    kind: Kind
    pieces: tuple[Fragment, ...]
    line: int
    level: int = 0
    items: tuple[int, ...] = ()
    cell: tuple[int, int, int] | None = None
    head: bool = False
    label: str = ""


@dataclass
class _Reader:
    """A builder of parts from opening and closing tags and texts."""

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
        """End the current part; drop a part that is only whitespace."""
        content = tuple(merged(self.waiting))
        self.waiting = []
        if not any(piece.text.strip() or piece.image for piece in content):
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
        at = next((piece.line for piece in content if piece.text.strip() or piece.image), line)
        cell = tuple(self.tables[-1][:3]) if kind == "cell" else None
        level = self.heading or self.details
        head = kind == "cell" and bool(self.tables[-1][4])
        self.parts.append(Part(kind, content, at, level, tuple(self.items[:DEPTH]), cell, head))

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
        """Start a row, or a cell that spans `rows` rows."""
        table = self.tables[-1]
        if tag == "tr" or not table[1]:
            table[1:5] = [table[1] + 1, 0, False, False]
        if tag == "tr":
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
    """Return the parts of a page in order, without code blocks and comments."""
    from markdown_it import MarkdownIt

    reader = _Reader()
    markdown = MarkdownIt("commonmark", {"html": True, "maxNesting": NESTING}).enable(["table", "strikethrough"])
    markdown.core.ruler.before("inline", "nesting", lambda state: state.md.options.update(maxNesting=NESTED_LINKS))
    for token in markdown.parse(SPACED.sub("](", _indented(text))):
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


def _indented(text: str) -> str:
    """Indent the paragraphs below items such as `10. On Tea` by four spaces, where people write two or three."""
    width, lines = 0, text.split("\n")
    for n, line in enumerate(lines):
        if item := re.match(r"\d{2,3}[.)] +(?=\S)", line):
            width = item.end()
        elif line[:1].strip():
            width = 0
        elif width and re.match(r" {2,3}[^\s*+\d-]|   ?\*\S", line):
            lines[n] = " " * width + line.lstrip()
    return "\n".join(lines)


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
    """Pass the tags and texts of HTML to the reader line by line, so that links have the right line number."""
    for name, content in pieces(_uncommented(text)):
        if name.startswith("/"):
            reader.closed(name[1:], line)
        elif name:
            reader.opened(name, attributes(content), line)
        else:
            for n, part in enumerate(content.split("\n")):
                reader.text(re.sub(r"\s+", " ", f"{' ' if n else ''}{part}"), line + n)
        line += content.count("\n")


def _uncommented(text: str) -> str:
    """Remove comments, but not their line breaks."""
    first, *rest = text.split("<!--")
    shown = (part.partition("-->") for part in rest)
    return first + "".join("\n" * (hidden + mark).count("\n") + after for hidden, mark, after in shown)


NUMBER = re.compile(r"^(?:\(?\d{1,2}[.):]|\d+(?:\.\d+)+[.):]?|[IVX]+\.)\s*(?=\D)")
TOP = re.compile(r"(?:(?:go |re)?(?:turn |back )?(?:to )?(?:the )?(?:top|contents?|toc|index)|back)|")
"""Texts of links from a heading to the top of the page."""
CONTENTS = re.compile(r"(?:table of )?contents?|toc|outline|index|quick links|目录|menu")
ASIDE = re.compile(
    r"(?:latest |recent |our )?(?:news|updates?|announcements?|change ?logs?|what s new|updates? logs?|news updates?)"
    r"|updates? news|news and updates|.*\bcontributors|contacts?(?: us)?|maintainers?|sponsors?|support(?: us)?|credits"
    r"|(?:how to )?contribut(?:e|ing|ions?|ors?|ion guidelines?)(?: guidelines?| guide| to this .*)?"
    r"|(?:how to )?cit(?:e|ing|ations?)(?: us| this.*| our.*)?|bibtex|acknowledge?ments?|licen[cs]es?|star history"
    r"|stargazers|sharing|disclaimer|feedback|join us|about us|todo(?: list)?"
)
"""Headings of sections without papers."""
SILENT = re.compile(
    r"(?:.*\b)?(?:click|expand|unfold|show|details?|abstract|bibtex|table of contents?|toc|fold|see more|view)\b.*"
    r"|more|full list|list"
)
"""Texts of `<summary>` that are not headings."""


def heading_text(part: Part) -> str:
    """Return the text of a heading, without numbering, emoji and anchors."""
    shown = [
        p for p in part.pieces if not p.image and not (p.url.startswith("#") and TOP.fullmatch(spaced(clean(p.text))))
    ]
    text = re.sub(r"[(\[]\s*[)\]]", "", clean("".join(piece.text for piece in shown)))
    text = text.strip(" #:：*_-—–|©↑^").rstrip("([ ")
    return NUMBER.sub("", text).strip(" #:：*_") or text


@dataclass
class Sections:
    """A stack of the headings above the current part. The first heading of level 1 is the page's title."""

    title: str = ""
    below: bool = False
    fresh: bool = False
    stack: list[tuple[float, str]] = field(default_factory=list)

    def enter(self, level: float, text: str) -> None:
        """Push a heading; the first one of level 1 becomes the title of the page."""
        self.leave(level)
        if level == 1 and not self.title:
            self.title = text
            return
        self.below = self.fresh = True
        if text:
            self.stack.append((level, text))

    def leave(self, level: float) -> None:
        """Pop the headings of a level and of deeper levels."""
        while self.stack and self.stack[-1][0] >= level:
            self.stack.pop()

    @property
    def path(self) -> tuple[str, ...]:
        """The headings, outermost first, without repetitions and tables of contents."""
        headings: list[str] = []
        for _, text in self.stack:
            plain = spaced(text)
            if not CONTENTS.fullmatch(plain) and not (headings and spaced(headings[-1]) == plain):
                headings.append(text)
        return tuple(headings)

    @property
    def in_details(self) -> bool:
        """True in a collapsible section (`<details>`)."""
        return bool(self.stack) and self.stack[-1][0] > 9

    @property
    def aside(self) -> str:
        """The heading of the current section if it has no papers, else ''."""
        if self.stack and CONTENTS.fullmatch(spaced(self.stack[-1][1])):
            return self.stack[-1][1]
        return next((text for _, text in self.stack if ASIDE.fullmatch(spaced(text))), "")

    @property
    def of_papers(self) -> bool:
        """True if a heading announces papers."""
        return any(re.search(r"\b(?:papers?|publications?|articles)\b", spaced(text)) for _, text in self.stack)
