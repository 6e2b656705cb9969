"""The text of an HTML page, section by section, in time proportional to its length however broken it is.

The parser of the standard library takes quadratic time for some broken pages. This one never reads a character twice:
what is open at the end of a page (a tag, a comment, a script) hides the rest, as in a browser.
"""

import html
import re
from collections.abc import Iterator

MARKUP = re.compile(r"<(?:!--|(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*)|[!?/])")
TAG_END = re.compile(r"(?:=\s*\"[^\"]*\"|=\s*'[^']*'|[^>])*+>")
ATTRIBUTE = re.compile(r"""(?P<name>[^\s=/>"']+)\s*(?:=\s*(?:"(?P<a>[^"]*)"|'(?P<b>[^']*)'|(?P<c>[^\s>]*)))?""")
NO_CHARACTER = re.compile(r"&#\d{8,};?")
"""A number of more digits than any character has; Python does not read one of thousands of digits."""
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
HIDDEN = frozenset({"annotation", "annotation-xml", "head", "noscript", "script", "style", "template"})
"""Elements whose text no reader sees; LaTeX stands in the annotations of formulas."""
BLOCK = re.compile(r"</?(?:jats:)?(?:p|sec|title|br|div|list|list-item|disp-formula)\b[^<>]*>", re.IGNORECASE)
INLINE = re.compile(
    r"</?(?:\w+:[\w-]+|i|b|u|em|strong|sub|sup|sc|scp|span|italic|bold|inline-formula|tex-math)\b[^<>]*>", re.IGNORECASE
)
REFERENCE = re.compile(r"&(?:#\d+|#x[0-9a-f]+|[a-z]\w*);", re.IGNORECASE)


def unmarked(text: str) -> str:
    """A title or an abstract of a registry on one line, without the tags of JATS and HTML and character references.

    Another `<` stays, since formulas stand in such texts.
    """
    if "<" in text:
        text = INLINE.sub("", BLOCK.sub(" ", text))
    return " ".join(REFERENCE.sub(lambda found: unescaped(found[0]), text).split())


def sections(page: str) -> tuple[tuple[str, str], ...]:
    """`(heading, text)` of a page in its order; the first heading is ''. Markup counts as a blank."""
    found: list[tuple[str, list[str]]] = [("", [])]
    heading: str | None = None
    for name, text in pieces(page):
        if name in HEADINGS:
            found.append(("", []))
            heading = name
        elif heading is not None and name == f"/{heading}":
            found[-1] = (" ".join("".join(found[-1][1]).split()), found[-1][1])
            heading = None
        found[-1][1].append("\n" if name else text)
    return tuple((title, "".join(texts)) for title, texts in found)


def pieces(page: str, hiding: frozenset[str] = HIDDEN) -> Iterator[tuple[str, str]]:
    """`("", text)` for a text, `(name, attributes)` for a start tag, `("/name", …)` for an end tag.

    What elements named in `hiding` hold is left out.
    """
    hidden, depth = "", 0
    at = 0
    while at < len(page):
        found = MARKUP.search(page, at)
        if not depth and (text := page[at : found.start() if found else None]):
            yield "", unescaped(text)
        if found is None:
            return
        name, step = (found["name"] or "").lower(), -1 if found["end"] else 1
        at = _behind(page, found, name)
        if depth:
            depth += step if name == hidden else 0
        elif name in hiding:
            hidden, depth = name, max(step, 0)
        elif name:
            yield f"{found['end']}{name}", page[found.end() : at]


def attributes(tag: str) -> dict[str, str]:
    """The attributes of a start tag by lower-case name, each the first of its name."""
    found: dict[str, str] = {}
    for match in ATTRIBUTE.finditer(tag):
        found.setdefault(match["name"].lower(), unescaped(match["a"] or match["b"] or match["c"] or ""))
    return found


def unescaped(text: str) -> str:
    """The text with its character references read; a number that no character has is a replacement character."""
    return html.unescape(NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", text))


def _behind(page: str, found: re.Match[str], name: str) -> int:
    """The place behind a tag, comment or script; the end of the page if it is not closed."""
    if found[0] == "<!--":
        end = page.find("-->", found.end())
        return end + 3 if end >= 0 else len(page)
    tag = TAG_END.match(page, found.end())
    if tag is None:
        return len(page)
    if name in {"script", "style"} and not found["end"]:
        # What a script holds is no markup, up to its end tag.
        closed = re.compile(rf"</{name}\b", re.IGNORECASE).search(page, tag.end())
        return closed.start() if closed else len(page)
    return tag.end()
