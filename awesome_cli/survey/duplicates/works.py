"""What identifies the work of a record, folded for comparison."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from sys import intern  # titles share their words: one copy of each in tens of thousands of works
from typing import Any

from awesome_cli.model.codings import Frozen
from awesome_cli.model.records import to_document
from awesome_cli.survey.duplicates.details import Name, Printed, listed
from awesome_cli.survey.duplicates.identity import Identity
from awesome_cli.survey.duplicates.patterns import (
    BRACKETED,
    CUT,
    NUMERALS,
    ORDINAL,
    ORDINALS,
    PART,
    PART_WORDS,
    REPOSITORY,
    SIGN,
    SOURCE,
    VENUE,
    VENUES,
    WORD,
    YEAR,
)
from awesome_cli.survey.keys import STOP
from awesome_cli.text.folding import plain
from awesome_cli.text.names import is_cut

UNKNOWN = Printed()
UNSAID = STOP | PART_WORDS | NUMERALS
"""Words by which no two titles are alike."""
LONGEST = 50
"""The words of a title that are compared."""
NEEDED = {"letters", "spaced", "content", "decisive", "elsewhere"}
SHORT = re.compile(r"\d{1,3}")


@dataclass(frozen=True)
class Manifestation:
    """One publication of a work, with its own identities.

    Authors are written `Last, First` or `First Last`; `others` says that the list was cut. `source` has all fields.
    """

    key: str
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    identities: frozenset[Identity] = frozenset()
    apart: frozenset[str] = field(default=frozenset(), compare=False)
    printed: Printed = UNKNOWN
    source: Frozen | Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def forget(self) -> None:
        """Drop what can be made again, except what most comparisons need."""
        for name in vars(self).keys() - self.__dataclass_fields__.keys() - NEEDED:
            del vars(self)[name]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The title's words without case, accents, punctuation and markup; a title of signs alone is one word."""
        folded = plain(self.title)
        return tuple(map(intern, WORD.findall(folded))) or (folded,)

    @cached_property
    def letters(self) -> str:
        """The title's words without blanks."""
        return "".join(self.words)

    @cached_property
    def spaced(self) -> str:
        """The words that are compared, each on a line: less memory than a set, and as fast to search."""
        return lines(self.words[:LONGEST])

    @cached_property
    def core(self) -> tuple[str, ...]:
        """The title's words outside brackets, or all where there are no others."""
        return outside_brackets(plain(self.title))

    @cached_property
    def content(self) -> tuple[str, ...]:
        """The title's words without `the`, `part II`, single letters, and a venue or year that stands only there."""
        words = [word for word in self._kept[0] if len(word) > 1 and word not in UNSAID and not SHORT.fullmatch(word)]
        return tuple(words) or self.core

    @property
    def when(self) -> int | None:
        """The year, be it at the end of the title."""
        return self._kept[1]

    @property
    def where(self) -> str:
        """The venue, folded, be it at the end of the title."""
        return self._kept[2]

    @cached_property
    def _kept(self) -> tuple[tuple[str, ...], int | None, str]:
        """The words of the title itself, the year, and the venue."""
        title, year, venue = plain(self.title), self.year, " ".join(WORD.findall(plain(self.venue or "")))
        if not venue and (found := SOURCE.search(title)):
            title, venue = title[: found.start()], " ".join(WORD.findall(found[1]))
        text = " ".join(outside_brackets(title))
        if year is None and (found := YEAR.search(text)):
            text, year = text[: found.start()], int(found[1])
        if not venue and (found := VENUE.search(text)):
            text, venue = text[: found.start(1)], found[1]
        return tuple(map(intern, text.split())), year, venue

    @cached_property
    def decisive(self) -> tuple[str, ...]:
        """The words by which the work is filed, each once; one tuple with `content` where that has each once, too."""
        words = tuple(dict.fromkeys(self.content))
        return words if len(words) < len(self.content) else self.content

    @cached_property
    def elsewhere(self) -> str:
        """Words of authors, venue and year, which may stand in another record's title, and the venue's initials."""
        venue = self.where.split()
        words = {*venue, *WORD.findall(plain(" ".join(self.authors))), str(self.when)}
        initials = "".join(word[0] for word in venue if word not in STOP)
        return lines(words | ({initials} if len(initials) > 2 else set()))

    @property
    def pieces(self) -> frozenset[tuple[str, ...]]:
        """The parts of the title between signs such as a colon, and what begins or ends there."""
        text = plain(self.title)
        places = [sign.span() for sign in SIGN.finditer(text)]
        return frozenset(tuple(WORD.findall(part)) for start, end in places for part in (text[:start], text[end:]))

    @cached_property
    def parts(self) -> frozenset[str]:
        """Numbers behind `part`, `volume` and the like, in the title itself: 1, 1st and first are one."""
        text = plain(self.title) if self.venue or not self.where else " ".join(self._kept[0])
        return frozenset(ORDINALS.get(number, number) for number in PART.findall(text))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Numbers in the title: `3d` and `4d`, part I and II name different works."""
        words = self._kept[0]
        numbers = {ORDINALS.get(word, word) for word in words if word in ORDINALS or any(map(str.isdigit, word))}
        if self.words[-1] in NUMERALS:
            numbers.add(self.words[-1])
        return frozenset(ORDINAL.sub(r"\1", number) for number in numbers) | self.parts

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """The authors, without `others` and without mere initials."""
        return tuple(name for author in self.authors if not is_cut(author) for name in listed(author))

    @cached_property
    def surnames(self) -> tuple[str, ...]:
        """The authors' family names."""
        return tuple(name.family for name in self.names)

    @cached_property
    def glued(self) -> str:
        """All letters of the authors, in which names stand that were run together."""
        return "".join(WORD.findall(plain(" ".join(self.authors))))

    @cached_property
    def cut(self) -> bool:
        """Whether the list of authors says that it was cut, or ends in initials or in broken signs."""
        return (
            any(map(is_cut, self.authors)) or len(self.names) < len(self.authors) or bool(CUT.search(self.authors[-1]))
        )

    @cached_property
    def named(self) -> Mapping[str, frozenset[str]]:
        """The identifiers that name this work alone, by scheme.

        An ISBN names the book around a chapter, an OpenReview id a submission, a repository's DOI perhaps one version.
        """
        found: dict[str, frozenset[str]] = {}
        for scheme, text in self.identities:
            if scheme not in {"isbn", "openreview", "other"} and not REPOSITORY.match(text):
                found[scheme] = found.get(scheme, frozenset()) | {text}
        return found

    @property
    def document(self) -> Mapping[str, Any]:
        """All fields of the publication, as they stand in a record's file."""
        return self.source if isinstance(self.source, Mapping) else to_document(self.source)

    @cached_property
    def kind(self) -> str:
        """`preprint`, `periodical`, `proceedings`, `publication` for any other venue, nothing without one."""
        venue = self.where
        if not venue:
            return "preprint" if {scheme for scheme, _ in self.identities} == {"arxiv"} else ""
        return next((kind for kind, pattern in VENUES.items() if pattern.search(venue)), "publication")


def lines(words: Iterable[str]) -> str:
    """The words, each on a line of its own, so that `in` finds a line, or where one begins or ends."""
    return "\n".join(["", *words, ""])


def outside_brackets(title: str) -> tuple[str, ...]:
    """The words of a folded title outside brackets, or all where there are no others."""
    return tuple(map(intern, WORD.findall(BRACKETED.sub(" ", title)) or WORD.findall(title) or [title]))
