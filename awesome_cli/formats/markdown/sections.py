"""Headings of a page: the path to an entry, and the sections in which no papers stand."""

import re

from awesome_cli.formats.markdown.page import Part
from awesome_cli.formats.markdown.pieces import clean
from awesome_cli.text.folding import spaced

NUMBER = re.compile(r"^(?:\(?\d{1,2}[.):]|\d+(?:\.\d+)+[.):]?|[IVX]+\.)\s*(?=\D)")
TOP = re.compile(r"(?:(?:go |re)?(?:turn |back )?(?:to )?(?:the )?(?:top|contents?|toc|index)|back)|")
"""Words of a link from a heading to the top of the page."""
CONTENTS = re.compile(r"(?:table of )?contents?|toc|outline|index|catalogue?|navigation|quick links|目录|menu")
ASIDE = re.compile(
    r"(?:latest |recent |our )?(?:news|updates?|announcements?|change ?logs?|what s new|updates? logs?|news updates?)"
    r"|updates? news|news and updates|.*\bcontributors|contacts?(?: us)?|maintainers?|sponsors?|support(?: us)?|credits"
    r"|(?:how to )?contribut(?:e|ing|ions?|ors?|ion guidelines?)(?: guidelines?| guide| to this .*)?"
    r"|(?:how to )?cit(?:e|ing|ations?)(?: us| this.*| our.*)?|bibtex|acknowledge?ments?|licen[cs]es?|star history"
    r"|stargazers|sharing|disclaimer|feedback|join us|about us|todo(?: list)?"
)
"""Headings of sections that hold no papers."""
SILENT = re.compile(
    r"(?:.*\b)?(?:click|expand|unfold|show|details?|abstract|bibtex|table of contents?|toc|fold|see more|view)\b.*"
    r"|more|full list|list"
)
"""What a summary says that is no heading."""


def heading_text(part: Part) -> str:
    """The words of a heading, without numbers, emoji and anchors."""
    shown = [
        p for p in part.pieces if not p.image and not (p.url.startswith("#") and TOP.fullmatch(spaced(clean(p.text))))
    ]
    text = re.sub(r"[(\[]\s*[)\]]", "", clean("".join(piece.text for piece in shown)))
    text = text.strip(" #:：*_-—–|©↑^").rstrip("([ ")
    return NUMBER.sub("", text).strip(" #:：*_") or text


class Sections:
    """The headings above the part that is read. The first heading of the first level is the page's title."""

    def __init__(self) -> None:
        self.title = ""
        self.below = False
        self.fresh = False
        self.stack: list[tuple[float, str]] = []

    def enter(self, level: float, text: str) -> None:
        """Come to a heading; one of level 1 that is the first of them names the page."""
        self.leave(level)
        if level == 1 and not self.title:
            self.title = text
            return
        self.below = self.fresh = True
        if text:
            self.stack.append((level, text))

    def leave(self, level: float) -> None:
        """Leave the headings of a level and those below it."""
        while self.stack and self.stack[-1][0] >= level:
            self.stack.pop()

    @property
    def path(self) -> tuple[str, ...]:
        """The headings, outermost first, each once; those of contents and the like are none."""
        found: list[str] = []
        for _, text in self.stack:
            plain = spaced(text)
            if not CONTENTS.fullmatch(plain) and not (found and spaced(found[-1]) == plain):
                found.append(text)
        return tuple(found)

    @property
    def aside(self) -> str:
        """The heading of a section in which no papers stand; nothing elsewhere."""
        if self.stack and CONTENTS.fullmatch(spaced(self.stack[-1][1])):
            return self.stack[-1][1]
        return next((text for _, text in self.stack if ASIDE.fullmatch(spaced(text))), "")

    @property
    def of_papers(self) -> bool:
        """Whether a heading says that papers stand below it."""
        return any(re.search(r"\b(?:papers?|publications?|articles)\b", spaced(text)) for _, text in self.stack)
