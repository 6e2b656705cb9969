"""The manifestations of a work: identifiers, title, authors and place of a record or draft, folded to compare."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from sys import intern  # titles share their words: one copy of each in tens of thousands of works
from typing import Any
from urllib.parse import unquote

from awesome_cli.model.codings import Frozen
from awesome_cli.model.identifiers import SCHEMES, Reference, behind_doi, on_page, read
from awesome_cli.model.records import PAPER_LABELS, AnyRecord, Exclusion, Identifiers, Version, to_document
from awesome_cli.survey.keys import STOP
from awesome_cli.text.folding import fold, plain, spaced
from awesome_cli.text.names import is_cut

WORD = re.compile(r"[^\W_]+")
BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
SIGN = re.compile(r"[:.;?!()\[\]]|\s[-\u2013\u2014]+\s|\u2014")
"""What sets a subtitle off."""
NUMERALS = frozenset(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"])
TENS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ORDINALS = {word: str(place) for place, word in enumerate(TENS, 1)}
ORDINAL = re.compile(r"^(\d+)(?:st|nd|rd|th)$")
PART = re.compile(r"\b(?:part|volume|vol\.?|chapter)\s+(\w+)")
PART_WORDS = frozenset(["part", "volume", "vol", "chapter", "version", "edition", "ed", "no", "number", "issue"])
NAME = re.compile(r"[^\s.,;'\u2019`\u00b4&()\-]*[^\W\d_][^\s.,;'\u2019`\u00b4&()\-]*")
"""A word of a name, with signs in it where letters were lost."""
AND = re.compile(r";|\s&\s|\sand\s")
SPELLED_OUT = re.compile(r"\b(?:\w ){3,}\w\b")
"""`g r a e f e`."""
CUT = re.compile(r"[^\w\s.)'\u2019]\s*$")
"""A list of authors that ends in a sign, such as an ellipsis with broken letters."""
SOURCE = re.compile(r"(?<=\w\w\w)[.,;?]\W*\sin:?\s(.*)$")
"""`. In Machine Learning, volume 1` behind a title."""
YEAR = re.compile(r"\s((?:19|20)\d\d)$")
VENUE = re.compile(
    r"^(?:\S+ ){3,}?((?:in )?(?:the )?"
    r"(?:(?:acm|ieee|siam|proc|proceedings|vldb|sigmod|arxiv|corr|technical report|tech rep)\b"
    r"|(?:\S+ )?(?:international |annual |european |national )?(?:conference|symposium|workshop)\b"
    r"|(?:\S+ )?journal\b|trans(?:actions)?\b|very large data ?bases\b).*)$"
)
"""A venue that stands at the end of a title."""
VENUES = {
    "preprint": re.compile(
        r"\b(\w*rxiv|preprints?|ssrn|zenodo|corr|openreview|submitted|under review|techreport|technical report)\b"
    ),
    "periodical": re.compile(
        r"\b(journal|j|trans|transactions|record|letters?|lett|magazine|mag|bulletin|bull"
        r"|review|rev|annals|annalen|annales|ann|tacl|jmlr)\b"
    ),
    "proceedings": re.compile(
        r"\b(proc|proceedings|inproceedings|conf|conference|symposium|workshop|congress|meeting)\b"
    ),
}
"""Kinds of publications, by words in the name of the venue; the first that fits."""
REPOSITORY = re.compile(
    r"10\.(?:1101/\d|(?:2139|5281|6084|17605|20944|21203|22541|26434|31219|31222|31223|31234|31235|36227|48550)/)"
)
"""DOIs that repositories of preprints, data and software give, often one for each version."""
CHAPTERS = frozenset(["inbook", "incollection", "inproceedings"])
BOOKS = frozenset(["book", "booklet", "collection", "manual", "proceedings"])


TELLING = ("venue", "citation", "identifiers", "extra", "paper")
"""The fields of a record with what tells its work from others of one title, authors and year."""
REMARKS = re.compile(
    r"key|arxiv_version|abstract|keywords|.*(?:url|link|date|time|hash|note).*|ann?ot.*|bib\w*|owner|groups?|mendeley.*"
    r"|readstatus|rating|tags?|merged|candidate"
)
"""Names of values that say nothing of the work, or differ from library to library."""
ONE_NAME = {"part": "volume", "issue": "number"}


@dataclass(frozen=True, slots=True)
class Printed:
    """How a publication was printed, as far as a record says, folded; `type` is a type of BibTeX."""

    type: str = ""
    container: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    edition: str = ""

    @classmethod
    def of(cls, citation: Mapping[str, Any], extra: Mapping[str, Any]) -> "Printed":
        """From the fields of a record's `citation`, and those that stand under `extra`."""
        given = {name: citation.get(name) or extra.get(name) or "" for name in cls.__slots__}
        return cls(**{name: fold(str(value)).strip() for name, value in given.items()})


@dataclass(frozen=True, slots=True)
class Name:
    """An author's family name as one folded word, with a sign where a letter was lost, and the words before it."""

    family: str
    given: tuple[str, ...]

    @classmethod
    def of(cls, author: str) -> "Name":
        """From `Last, First` or `First Last`."""
        folded = SPELLED_OUT.sub(lambda found: found[0].replace(" ", ""), plain(author))
        last, comma, first = folded.partition(",")
        words = NAME.findall(last)
        if not comma or not first.strip():
            given, words = words[:-1], words[-1:]
        else:
            given = NAME.findall(first)
        return cls("".join(words), tuple(given))

    def may_be(self, other: "Name") -> bool:
        """True if the given names are those of one person: `Jane A.`, `J`, `J. A.` and `JA` are."""
        if all(x.startswith(y) or y.startswith(x) for x, y in zip(self.given, other.given, strict=False)):
            return True
        mine, theirs = ("".join(words) for words in (self.given, other.given))
        return "".join(x[0] for x in self.given) == theirs or mine == "".join(x[0] for x in other.given)


def difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The first value in two records' documents that both have, that tells of the work, and that differs."""
    mine, theirs = (dict(_telling({name: record.get(name) for name in TELLING})) for record in (one, other))
    names = (name for name, value in mine.items() if theirs.get(name, value) != value)
    return next((f"{name} differs: {mine[name]}, {theirs[name]}" for name in names), "")


def _telling(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each value by its name alone, folded, wherever a record has it."""
    for name, value in values.items():
        if REMARKS.fullmatch(name):
            continue
        if isinstance(value, Mapping):
            yield from _telling({n: v for n, v in value.items() if name != "paper" or n in TELLING})
        elif value and (text := spaced(str(value))):
            yield ONE_NAME.get(name, name), text


def listed(text: str) -> tuple[Name, ...]:
    """The names in an author's place, where several may stand: `Aha, D. W., Kibler, D., and Albert, M. K.`."""
    pieces = AND.split(text)
    if len(pieces) > 1 or text.count(",") > 1:
        pieces = [name for piece in pieces for name in (piece.split(",") if piece.count(",") > 1 else [piece])]
    names = map(Name.of, pieces)
    return tuple(name for name in names if len(name.family) > 2 or (len(name.family) == 2 and name.given))


Identity = tuple[str, str]  # (scheme, id)
NONE: frozenset[Identity] = frozenset()
PUBLISHER = re.compile(rf"/doi/(?:[^?#]*?/)?(?={SCHEMES['doi'].pattern})([^?#]+?)(?:\.pdf)?/?(?:[?#].*)?$", re.ASCII)
"""Publishers' addresses of a work, which end in its DOI."""


def identity(scheme: str, text: str) -> Identity | None:
    """An identifier of a record in the spelling that is compared, that is without case; None for an empty one.

    An arXiv id loses its version; a DOI that arXiv or the ACL Anthology made of an id becomes that id.
    """
    reference = read(scheme, text) if scheme in SCHEMES else None
    return _compared(reference or Reference(scheme, text.strip()))


def from_url(url: str) -> Identity | None:
    """The identity that an address names: arXiv, DOI, OpenReview or ACL Anthology; None for any other address."""
    page = on_page(url)
    if page is None and "/doi/" in url and (found := PUBLISHER.search(unquote(url))):
        page = "doi", found[1]
    reference = read(*page) if page else None
    return _compared(reference) if reference else None


def _compared(reference: Reference) -> Identity | None:
    reference = behind_doi(reference) or reference
    return (reference.scheme, reference.id.casefold()) if reference.id else None


def identities(pairs: Iterable[Identity], urls: Iterable[str]) -> frozenset[Identity]:
    """All identities that identifiers and addresses name."""
    named = [identity(scheme, text) for scheme, text in pairs]
    return frozenset(found for found in [*named, *map(from_url, urls)] if found) or NONE  # an empty set takes 200 bytes


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
        """True if the list of authors says that it was cut, or ends in initials or in broken signs."""
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


def manifestations(record: AnyRecord) -> tuple[Manifestation, ...]:
    """The record as its own manifestation, followed by its other versions."""
    apart = frozenset(filter(None, [*record.distinct_from, record.key, getattr(record, "version_of", None)]))
    return tuple(
        Manifestation(
            record.key,
            source.title or record.title,
            record.authors,
            source.year or record.year,
            getattr(source, "venue", None),
            identities(source.identifiers.pairs(), _urls(source)),
            apart,
            Printed.of(_citation(source), getattr(source, "extra", {})),
            source,
        )
        for source in (record, *getattr(record, "versions", ()))
    )


def _citation(source: AnyRecord | Version) -> Mapping[str, Any]:
    if isinstance(source, Exclusion):
        return source.paper.get("citation") or {}
    return vars(source.citation) if source.citation else {}


def _urls(source: AnyRecord | Version) -> Iterable[str]:
    if isinstance(source, Exclusion | Version):
        return [source.url] if source.url else []
    return [link.url for link in source.links if link.label.casefold() in PAPER_LABELS]


def sketched(key: str, fields: Mapping[str, Any]) -> Manifestation:
    """A manifestation from the fields of a record that has not been made yet, such as an importer's draft."""
    named = fields.get("identifiers") or {}
    addresses = [str(link.get("url", "")) for link in fields.get("links") or () if isinstance(link, Mapping)]
    addresses += [str(fields["url"])] if fields.get("url") else []
    year = str(fields.get("year") or "")
    return Manifestation(
        key,
        str(fields.get("title") or ""),
        tuple(map(str, fields.get("authors") or ())),
        int(year) if year.isdigit() else None,
        str(fields["venue"]) if fields.get("venue") else None,
        identities(((scheme, str(text)) for scheme, text in named.items() if scheme in Identifiers.SCHEMES), addresses),
        printed=Printed.of(fields.get("citation") or {}, fields.get("extra") or {}),
        source=fields,
    )
