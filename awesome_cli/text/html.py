r"""Text of HTML pages by section, in linear time even for malformed pages.

The standard library's parser takes quadratic time for some malformed pages. This one never reads a character twice: an
unclosed tag, comment or script hides the rest of the page, as in a browser.

`<h1>Beans</h1><p>A &amp; B` becomes the sections `("", "")` and `("Beans", "\nBeans\n\nA & B")`.
"""

import html
import re
from collections.abc import Iterator

MARKUP = re.compile(r"<(?:!--|(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*)|[!?/])")
TAG_END = re.compile(r"(?:=\s*\"[^\"]*\"|=\s*'[^']*'|[^>])*+>")
ATTRIBUTE = re.compile(r"""(?P<name>[^\s=/>"']+)\s*(?:=\s*(?:"(?P<a>[^"]*)"|'(?P<b>[^']*)'|(?P<c>[^\s>]*)))?""")
NO_CHARACTER = re.compile(r"&#\d{8,};?")
"""A character reference with too many digits; Python refuses to parse integers of thousands of digits."""
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
HIDDEN = frozenset({"annotation", "annotation-xml", "head", "noscript", "script", "style", "template"})
"""Elements whose text a browser does not show; annotations of formulas contain their LaTeX source."""
BLOCK = re.compile(r"</?(?:jats:)?(?:p|sec|title|br|div|list|list-item|disp-formula)\b[^<>]*>", re.IGNORECASE)
INLINE = re.compile(
    r"</?(?:\w+:[\w-]+|i|b|u|em|strong|sub|sup|sc|scp|span|italic|bold|inline-formula|tex-math)\b[^<>]*>", re.IGNORECASE
)
REFERENCE = re.compile(r"&(?:#\d+|#x[0-9a-f]+|[a-z]\w*);", re.IGNORECASE)


def unmarked(text: str) -> str:
    """Return a title or abstract on one line, without JATS and HTML tags, with character references decoded.

    Any other `<` is left unchanged, since it may belong to a formula.
    """
    if "<" in text:
        text = INLINE.sub("", BLOCK.sub(" ", text))
    return " ".join(REFERENCE.sub(lambda found: unescaped(found[0]), text).split())


def sections(page: str) -> tuple[tuple[str, str], ...]:
    """Return `(heading, text)` of each section in page order; the first heading is ''. Tags become line breaks."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    heading: str | None = None
    for name, text in pieces(page):
        if name in HEADINGS:
            parts.append(("", []))
            heading = name
        elif heading is not None and name == f"/{heading}":
            parts[-1] = (" ".join("".join(parts[-1][1]).split()), parts[-1][1])
            heading = None
        parts[-1][1].append("\n" if name else text)
    return tuple((title, "".join(texts)) for title, texts in parts)


def pieces(page: str, hiding: frozenset[str] = HIDDEN) -> Iterator[tuple[str, str]]:
    """Yield `("", text)`, `(tag, attributes)` and `("/tag", …)` in page order, without the content of `hiding` tags."""
    hidden, depth = "", 0
    at = 0
    while at < len(page):
        tag = MARKUP.search(page, at)
        if not depth and (text := page[at : tag.start() if tag else None]):
            yield "", unescaped(text)
        if tag is None:
            return
        name, step = (tag["name"] or "").lower(), -1 if tag["end"] else 1
        at = _behind(page, tag, name)
        if depth:
            depth += step if name == hidden else 0
        elif name in hiding:
            hidden, depth = name, max(step, 0)
        elif name:
            yield f"{tag['end']}{name}", page[tag.end() : at]


def attributes(tag: str) -> dict[str, str]:
    """Return the attributes of a start tag by lower-case name; the first of duplicates counts."""
    values: dict[str, str] = {}
    for match in ATTRIBUTE.finditer(tag):
        values.setdefault(match["name"].lower(), unescaped(match["a"] or match["b"] or match["c"] or ""))
    return values


def unescaped(text: str) -> str:
    """Decode character references; a number that is not a code point becomes U+FFFD."""
    return html.unescape(NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", text))


def _behind(page: str, tag: re.Match[str], name: str) -> int:
    """Return the offset after a tag, comment or script; the end of the page if it is not closed."""
    if tag[0] == "<!--":
        end = page.find("-->", tag.end())
        return end + 3 if end >= 0 else len(page)
    closing = TAG_END.match(page, tag.end())
    if closing is None:
        return len(page)
    if name in {"script", "style"} and not tag["end"]:
        # The content of a script, up to its end tag, is not markup.
        closed = re.compile(rf"</{name}\b", re.IGNORECASE).search(page, closing.end())
        return closed.start() if closed else len(page)
    return closing.end()
