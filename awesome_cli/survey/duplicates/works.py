"""What identifies the work of a record, folded for comparison."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from awesome_cli.survey.duplicates.details import Name, Printed
from awesome_cli.survey.duplicates.identity import Identity
from awesome_cli.survey.duplicates.patterns import (
    BRACKETED,
    CUT,
    NUMERALS,
    ORDINAL,
    ORDINALS,
    PART,
    REPOSITORY,
    SIGN,
    VENUE,
    VENUES,
    WORD,
    YEAR,
)
from awesome_cli.survey.keys import STOP
from awesome_cli.text.folding import plain
from awesome_cli.text.names import is_cut

UNKNOWN = Printed()


@dataclass(frozen=True)
class Manifestation:
    """One publication of a work, with its own identities.

    Authors are written `Last, First` or `First Last`; `others` says that the list was cut.
    """

    key: str
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    identities: frozenset[Identity] = frozenset()
    apart: frozenset[str] = field(default=frozenset(), compare=False)
    printed: Printed = UNKNOWN

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The title's words without case, accents, punctuation and markup; a title of signs alone is one word."""
        folded = plain(self.title)
        return tuple(WORD.findall(folded)) or (folded,)

    @cached_property
    def text(self) -> str:
        """The title's words, joined by blanks."""
        return " ".join(self.words)

    @cached_property
    def core(self) -> tuple[str, ...]:
        """The title's words outside brackets, or all where there are no others."""
        return tuple(WORD.findall(BRACKETED.sub(" ", plain(self.title)))) or self.words

    @cached_property
    def content(self) -> tuple[str, ...]:
        """The title's words without `the`, single letters, and a venue or year that the record has nowhere else."""
        words = [word for word in self._kept[0] if word not in STOP and len(word) > 1]
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
        text, year, venue = " ".join(self.core), self.year, " ".join(WORD.findall(plain(self.venue or "")))
        if year is None and (found := YEAR.search(text)):
            text, year = text[: found.start()], int(found[1])
        if not venue and (found := VENUE.search(text)):
            text, venue = text[: found.start(1)], found[1]
        return tuple(text.split()), year, venue

    @cached_property
    def decisive(self) -> frozenset[str]:
        """The words by which the work is filed."""
        return frozenset(self.content)

    @cached_property
    def elsewhere(self) -> frozenset[str]:
        """Words of authors, venue and year, which may stand in another record's title, and the venue's initials."""
        venue = self.where.split()
        words = {*venue, *WORD.findall(plain(" ".join(self.authors))), str(self.when)}
        initials = "".join(word[0] for word in venue if word not in STOP)
        return frozenset(words | ({initials} if len(initials) > 2 else set()))

    @cached_property
    def pieces(self) -> frozenset[tuple[str, ...]]:
        """The parts of the title between signs such as a colon, and what begins or ends there."""
        text = plain(self.title)
        places = [sign.span() for sign in SIGN.finditer(text)]
        return frozenset(tuple(WORD.findall(part)) for start, end in places for part in (text[:start], text[end:]))

    @cached_property
    def parts(self) -> frozenset[str]:
        """Numbers behind `part`, `volume` and the like: 1 and I are one."""
        return frozenset(ORDINALS.get(number, number) for number in PART.findall(plain(self.title)))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Numbers in the title: `3d` and `4d`, part I and II name different works."""
        numbers = {ORDINALS.get(word, word) for word in self.core if word in ORDINALS or any(map(str.isdigit, word))}
        if self.words[-1] in NUMERALS:
            numbers.add(self.words[-1])
        return frozenset(ORDINAL.sub(r"\1", number) for number in numbers) | self.parts

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """The authors, without `others` and without mere initials."""
        names = (Name.of(author) for author in self.authors if not is_cut(author))
        return tuple(name for name in names if name.family and (len(name.family) > 2 or name.given))

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

    @cached_property
    def kind(self) -> str:
        """`preprint`, `periodical`, `proceedings`, `publication` for any other venue, nothing without one."""
        venue = self.where
        if not venue:
            return "preprint" if {scheme for scheme, _ in self.identities} == {"arxiv"} else ""
        return next((kind for kind, pattern in VENUES.items() if pattern.search(venue)), "publication")
