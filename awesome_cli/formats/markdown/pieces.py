"""Pieces of a line of Markdown: a text with its look, a link, a picture or a break."""

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

EMOJI = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u2300-\u23ff\u2190-\u21ff\u25a0-\u25ff\ufe0f\u200d\u20e3\u2122]+"
    r"|(?<![\w:]):[a-z][a-z0-9_+-]*:(?![\w:])"
)
"""Pictures within a text, as characters or as GitHub's names for them (`:fire:`)."""
NO_REFERENCE = re.compile("(?<=[@#-])\u200b")
"""What a page writes so that GitHub takes no sign for a mention or a reference (`text.markup.escape`)."""
BARE = re.compile(r"https?://[^\s<>\"'`\]\[{}|\\^]+")
BREAK = "\n"
SOFT = "\v"
"""The end of a line that may go on in the next one."""
LONG = 60
"""A line this long may be cut by its width, and not by its meaning."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of a text in one look, with the line it stands on.

    `url` is the address of a link. `image` is the address of a picture, and `text` what stands for it. `look` holds
    `b` for bold, `i` for italic, `c` for code. A break is the text `BREAK`.
    """

    text: str
    line: int
    url: str = ""
    look: str = ""
    image: str = ""

    @property
    def is_break(self) -> bool:
        """Whether the piece is the end of a line, of a paragraph or of a cell."""
        return self.text == BREAK and not self.url


def clean(text: str) -> str:
    """A text on one line, without emoji and the blanks around it."""
    return " ".join(EMOJI.sub(" ", NO_REFERENCE.sub("", html.unescape(text))).split())


def merged(pieces: Iterable[Fragment]) -> list[Fragment]:
    """Neighbours of one look and one link as one piece, bare addresses as links, breaks each once."""
    found: list[Fragment] = []
    for piece in _unwrapped(list(pieces)):
        last = found[-1] if found else None
        if last and _is_one(last, piece):
            found[-1] = replace(last, text=last.text + piece.text)
        elif not (piece.is_break and (last is None or last.is_break)):
            found.append(piece)
    return [part for piece in found for part in _linked(piece)]


def _unwrapped(pieces: Sequence[Fragment]) -> Iterator[Fragment]:
    """The pieces, with a blank for an end of a line within a link, a look or a long plain text."""
    for n, piece in enumerate(pieces):
        if piece.text != SOFT:
            yield piece
            continue
        before, after = (pieces[m].text if 0 <= m < len(pieces) else "" for m in (n - 1, n + 1))
        goes_on = len(before) >= LONG and before.rstrip()[-1:] not in ".?!)]:" and after.lstrip()[:1].isalnum()
        plain = not any(
            pieces[m].url or pieces[m].look or pieces[m].image for m in (n - 1, min(n + 1, len(pieces) - 1)) if m >= 0
        )
        yield replace(piece, text=" " if piece.url or piece.look or (goes_on and plain) else BREAK)


def _is_one(last: Fragment, piece: Fragment) -> bool:
    """Whether two neighbours are one text in one look."""
    is_alike = (last.url, last.look, last.image, piece.image) == (piece.url, piece.look, "", "")
    return is_alike and not last.is_break and not piece.is_break


def _linked(piece: Fragment) -> Iterator[Fragment]:
    """A text with the addresses in it as links of their own."""
    at = 0
    if not piece.url and not piece.image:
        for found in BARE.finditer(piece.text):
            url = _whole(found[0])
            yield replace(piece, text=piece.text[at : found.start()])
            yield replace(piece, text=url, url=url)
            at = found.start() + len(url)
    if at < len(piece.text) or piece.image:
        yield replace(piece, text=piece.text[at:])


def _whole(url: str) -> str:
    """An address in a text, without the marks that end the sentence or the bracket around it."""
    while url[-1] in ".,;:!?*_" or (url[-1] == ")" and url.count("(") < url.count(")")):
        url = url[:-1]
    return url


def plain(pieces: Sequence[Fragment]) -> str:
    """The text of some pieces on one line, without pictures."""
    return clean("".join(piece.text for piece in pieces if not piece.image))
