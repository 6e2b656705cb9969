"""Manifestations of works: identifiers, title, authors and venue of a record or draft, normalised for comparison."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations
from sys import intern  # titles share their words: one copy of each in tens of thousands of works
from typing import Any

from awesome_cli.model.codings import Frozen
from awesome_cli.model.identifiers import SCHEMES, Reference, behind_doi, in_address, read
from awesome_cli.model.records import PAPER_LABELS, AnyRecord, Exclusion, Identifiers, Version, to_document
from awesome_cli.survey.keys import STOP
from awesome_cli.text.folding import fold, plain, spaced
from awesome_cli.text.names import is_cut

WORD = re.compile(r"[^\W_]+")
BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
SIGN = re.compile(r"[:.;?!()\[\]]|\s[-\u2013\u2014]+\s|\u2014")
"""Separators of a subtitle."""
NUMERALS = frozenset(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"])
TENS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ORDINALS = {word: str(place) for place, word in enumerate(TENS, 1)}
ORDINAL = re.compile(r"^(\d+)(?:st|nd|rd|th)$")
PART = re.compile(r"\b(?:part|volume|vol\.?|chapter)\s+(\w+)")
PART_WORDS = frozenset(["part", "volume", "vol", "chapter", "version", "edition", "ed", "no", "number", "issue"])
NAME = re.compile(r"[^\s.,;'\u2019`\u00b4&()\-]*[^\W\d_][^\s.,;'\u2019`\u00b4&()\-]*")
"""A word of a name, perhaps with other characters in place of lost letters."""
AND = re.compile(r";|\s&\s|\sand\s")
SPELLED_OUT = re.compile(r"\b(?:\w ){3,}\w\b")
"""A name with spaced letters: `g r a e f e`."""
CUT = re.compile(r"[^\w\s.)'\u2019]\s*$")
"""The end of a truncated list of authors: a character such as a broken ellipsis."""
SOURCE = re.compile(r"(?<=\w\w\w)[.,;?]\W*\sin:?\s(.*)$")
"""A source after a title: `. In Machine Learning, volume 1`."""
YEAR = re.compile(r"\s((?:19|20)\d\d)$")
VENUE = re.compile(
    r"^(?:\S+ ){3,}?((?:in )?(?:the )?"
    r"(?:(?:acm|ieee|siam|proc|proceedings|vldb|sigmod|arxiv|corr|technical report|tech rep)\b"
    r"|(?:\S+ )?(?:international |annual |european |national )?(?:conference|symposium|workshop)\b"
    r"|(?:\S+ )?journal\b|trans(?:actions)?\b|very large data ?bases\b).*)$"
)
"""A venue at the end of a title."""
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
"""Kinds of publications by words in the name of the venue; the first match applies."""
REPOSITORY = re.compile(
    r"10\.(?:1101/\d|(?:2139|5281|6084|17605|20944|21203|22541|26434|31219|31222|31223|31234|31235|36227|48550)/)"
)
"""DOIs of repositories for preprints, data and software. Each version of a work often has another DOI there."""
CHAPTERS = frozenset(["inbook", "incollection", "inproceedings"])
BOOKS = frozenset(["book", "booklet", "collection", "manual", "proceedings"])


TELLING = ("venue", "citation", "identifiers", "extra", "paper")
"""The fields of a record that distinguish works with the same title, authors and year."""
REMARKS = re.compile(
    r"key|arxiv_version|abstract|keywords|.*(?:url|link|date|time|hash|note).*|ann?ot.*|bib\w*|owner|groups?|mendeley.*"
    r"|readstatus|rating|tags?|merged|candidate"
)
"""Names of values that do not describe the work, or differ between libraries."""
ONE_NAME = {"part": "volume", "issue": "number"}


@dataclass(frozen=True, slots=True)
class Printed:
    """Bibliographic details of a publication, normalised for comparison; `type` is a BibTeX type."""

    type: str = ""
    container: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    edition: str = ""

    @classmethod
    def of(cls, citation: Mapping[str, Any], extra: Mapping[str, Any]) -> "Printed":
        """Create the details from the fields of a record's `citation` and `extra`."""
        texts = [str(citation.get(name) or extra.get(name) or "") for name in cls.__slots__]
        folded = [fold(text).strip() for text in texts]
        # Most values are folded already, or equal in many works: one copy of each.
        return cls(*(text if text == folds else intern(folds) for text, folds in zip(texts, folded, strict=True)))


@dataclass(frozen=True, slots=True)
class Name:
    """An author's family name as one normalised word, and the given names or initials."""

    family: str
    given: tuple[str, ...]

    @classmethod
    @lru_cache(maxsize=1 << 14)
    def of(cls, author: str) -> "Name":
        """Parse `Last, First` or `First Last`."""
        folded = SPELLED_OUT.sub(lambda match: match[0].replace(" ", ""), plain(author))
        last, comma, first = folded.partition(",")
        words = NAME.findall(last)
        if not comma or not first.strip():
            given, words = words[:-1], words[-1:]
        else:
            given = NAME.findall(first)
        return cls("".join(words), tuple(given))

    def may_be(self, other: "Name") -> bool:
        """True if the given names can belong to one person, as `Jane A.`, `J`, `J. A.` and `JA` can."""
        if all(x.startswith(y) or y.startswith(x) for x, y in zip(self.given, other.given, strict=False)):
            return True
        mine, theirs = ("".join(words) for words in (self.given, other.given))
        return "".join(x[0] for x in self.given) == theirs or mine == "".join(x[0] for x in other.given)


def difference(left: Mapping[str, Any], right: Mapping[str, Any]) -> str:
    """Return the first difference of two documents (`venue differs: a, b`), remarks excepted; empty if equal."""
    mine, theirs = (dict(_telling({name: record.get(name) for name in TELLING})) for record in (left, right))
    for name in (name for name in mine if name in theirs):
        one, other = spaced(mine[name]), spaced(theirs[name])
        if one and other and one != other and not (name == "venue" and is_extended(mine[name], theirs[name])):
            return f"{name} differs: {one}, {other}"
    return ""


def is_extended(venue: str, other: str) -> bool:
    """True if one venue is the other and more after a sign: `Blood. Conference: 57th Annual Meeting`."""
    short, long = sorted((fold(venue).strip(), fold(other).strip()), key=len)
    return long.startswith(short) and re.match(r"\s*[^\w\s&'\u2019]", long[len(short) :]) is not None


def _telling(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each value, also from nested mappings."""
    for name, value in values.items():
        if REMARKS.fullmatch(name):
            continue
        if isinstance(value, Mapping):
            yield from _telling({n: v for n, v in value.items() if name != "paper" or n in TELLING})
        elif value:
            yield ONE_NAME.get(name, name), str(value)


def split_names(text: str) -> tuple[Name, ...]:
    """Parse an author field, which may have several names: `Aha, D. W., Kibler, D., and Albert, M. K.`."""
    pieces = AND.split(text)
    if len(pieces) > 1 or text.count(",") > 1:
        pieces = [name for piece in pieces for name in (piece.split(",") if piece.count(",") > 1 else [piece])]
    names = map(Name.of, pieces)
    return tuple(name for name in names if len(name.family) > 2 or (len(name.family) == 2 and name.given))


Identity = tuple[str, str]  # (scheme, id)
NONE: frozenset[Identity] = frozenset()


def identity(scheme: str, text: str) -> Identity | None:
    """Normalise an identifier for comparison, in lower case; None if it is empty.

    The version of an arXiv id is dropped; a DOI that arXiv or the ACL Anthology made from an id becomes that id.
    """
    reference = read(scheme, text) if scheme in SCHEMES else None
    return _compared(reference or Reference(scheme, text.strip()))


def from_url(url: str) -> Identity | None:
    """Return the identity in a URL of arXiv, OpenReview, the ACL Anthology or with a DOI; None for other URLs."""
    page = in_address(url)
    reference = read(*page) if page else None
    return _compared(reference) if reference else None


def _compared(reference: Reference) -> Identity | None:
    reference = behind_doi(reference) or reference
    return (reference.scheme, reference.id.casefold()) if reference.id else None


def identities(pairs: Iterable[Identity], urls: Iterable[str]) -> frozenset[Identity]:
    """Return all identities in identifiers and URLs."""
    ids = [*(identity(scheme, text) for scheme, text in pairs), *map(from_url, urls)]
    return frozenset(filter(None, ids)) or NONE  # an empty set takes 200 bytes


UNKNOWN = Printed()
UNSAID = STOP | PART_WORDS | NUMERALS
"""Words that do not count when titles are compared."""
RAREST = 3
"""Number of rare or long words, and of family names, that index keys are made of."""
LONGEST = 50
"""Number of words of a title that are compared."""
NEEDED = {"letters", "spaced", "content", "decisive", "elsewhere"}
SHORT = re.compile(r"\d{1,3}")


class Cached:
    """Base of values with slots whose cached properties take a dictionary of their own, which can be emptied."""


@dataclass(frozen=True, slots=True)
class Manifestation(Cached):
    """A publication of a work, with the values that are compared.

    Authors are `Last, First` or `First Last`; the author `others` marks a truncated list. `apart` has the keys of
    records that are not matched, `source` all fields of the record.
    """

    key: str
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    identities: frozenset[Identity] = frozenset()
    apart: tuple[str, ...] = field(default=(), compare=False)  # a set takes 200 bytes
    printed: Printed = UNKNOWN
    source: Frozen | Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def forget(self, kept: Iterable[str]) -> None:
        """Drop the cached properties, except those in `kept`."""
        values = {name: vars(self)[name] for name in kept if name in vars(self)}
        vars(self).clear()  # and not single values: the table of a dictionary never shrinks
        vars(self).update(values)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The title's words without case, accents, punctuation and markup; a title without letters is one word."""
        folded = plain(self.title)
        return tuple(map(intern, WORD.findall(folded))) or (folded,)

    @cached_property
    def letters(self) -> str:
        """The title's words without spaces."""
        return "".join(self.words)

    @cached_property
    def spaced(self) -> str:
        """The title's words that are compared, one word in each line; a set would need more memory."""
        return lines(self.words[:LONGEST])

    @cached_property
    def core(self) -> tuple[str, ...]:
        """The title's words outside brackets, or all words if there are none outside."""
        return outside_brackets(plain(self.title))

    @cached_property
    def content(self) -> tuple[str, ...]:
        """The title's words without `the`, `part II`, single letters, and a final venue or year that no field has."""
        words = [word for word in self._kept[0] if len(word) > 1 and word not in UNSAID and not SHORT.fullmatch(word)]
        return tuple(words) or self.core

    @property
    def when(self) -> int | None:
        """The year, perhaps from the end of the title."""
        return self._kept[1]

    @property
    def where(self) -> str:
        """The normalised venue, perhaps from the end of the title."""
        return self._kept[2]

    @cached_property
    def _kept(self) -> tuple[tuple[str, ...], int | None, str]:
        """The words of the title without year and venue, the year, and the venue."""
        title, year, venue = plain(self.title), self.year, " ".join(WORD.findall(plain(self.venue or "")))
        if not venue and (match := SOURCE.search(title)):
            title, venue = title[: match.start()], " ".join(WORD.findall(match[1]))
        text = " ".join(outside_brackets(title))
        if year is None and (match := YEAR.search(text)):
            text, year = text[: match.start()], int(match[1])
        if not venue and (match := VENUE.search(text)):
            text, venue = text[: match.start(1)], match[1]
        return tuple(map(intern, text.split())), year, venue

    @cached_property
    def decisive(self) -> tuple[str, ...]:
        """Index keys of a work: the words of `content` without duplicates."""
        words = tuple(dict.fromkeys(self.content))
        return words if len(words) < len(self.content) else self.content

    @cached_property
    def marks(self) -> int:
        """The words of `decisive` as bits of a number, one bit for a word; words may share a bit."""
        bits = 0
        for word in self.decisive:
            bits |= 1 << (hash(word) & 63)
        return bits

    @cached_property
    def pairs(self) -> tuple[tuple[str, ...], ...]:
        """Index keys of a work: each of its longest words with a family name or with another of these words."""
        words = sorted(sorted(self.decisive), key=len, reverse=True)[:RAREST]
        names = dict.fromkeys(self.surnames[:RAREST])
        return (*((word, name, "by") for word in words for name in names), *combinations(sorted(words), 2))

    @cached_property
    def elsewhere(self) -> str:
        """Words of authors, venue and year, and the venue's initials; another title may contain these words."""
        venue = self.where.split()
        words = {*venue, *WORD.findall(plain(" ".join(self.authors))), str(self.when)}
        initials = "".join(word[0] for word in venue if word not in STOP)
        return lines(words | ({initials} if len(initials) > 2 else set()))

    @property
    def pieces(self) -> frozenset[tuple[str, ...]]:
        """For each separator such as a colon, the words of the title before and after it."""
        text = plain(self.title)
        places = [sign.span() for sign in SIGN.finditer(text)]
        return frozenset(tuple(WORD.findall(part)) for start, end in places for part in (text[:start], text[end:]))

    @cached_property
    def parts(self) -> frozenset[str]:
        """Numbers after `part`, `volume` and the like in the title; 1, 1st and first are equal."""
        text = plain(self.title) if self.venue or not self.where else " ".join(self._kept[0])
        return frozenset(ORDINALS.get(number, number) for number in PART.findall(text))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers in the title, which distinguish works: `3d` from `4d`, part I from part II."""
        words = self._kept[0]
        numbers = {ORDINALS.get(word, word) for word in words if word in ORDINALS or any(map(str.isdigit, word))}
        if self.words[-1] in NUMERALS:
            numbers.add(self.words[-1])
        return frozenset(ORDINAL.sub(r"\1", number) for number in numbers) | self.parts

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """The authors, without `others` and without bare initials."""
        return tuple(name for author in self.authors if not is_cut(author) for name in split_names(author))

    @cached_property
    def surnames(self) -> tuple[str, ...]:
        """The family names of the authors."""
        return tuple(name.family for name in self.names)

    @cached_property
    def glued(self) -> str:
        """All authors as one word, to find names that were written without spaces."""
        return "".join(WORD.findall(plain(" ".join(self.authors))))

    @cached_property
    def cut(self) -> bool:
        """True if the list of authors is marked as truncated, or ends in initials or broken characters."""
        return (
            any(map(is_cut, self.authors)) or len(self.names) < len(self.authors) or bool(CUT.search(self.authors[-1]))
        )

    @cached_property
    def unique_ids(self) -> Mapping[str, frozenset[str]]:
        """The identifiers that belong to this work only, by scheme.

        Excluded are ISBNs (of the book around a chapter), OpenReview ids (of a submission), and DOIs of repositories
        (perhaps of one version).
        """
        ids: dict[str, frozenset[str]] = {}
        for scheme, text in self.identities:
            if scheme not in {"isbn", "openreview", "other"} and not REPOSITORY.match(text):
                ids[scheme] = ids.get(scheme, frozenset()) | {text}
        return ids

    @property
    def document(self) -> Mapping[str, Any]:
        """All fields of the publication, as in a record's file."""
        return self.source if isinstance(self.source, Mapping) else to_document(self.source)

    @cached_property
    def kind(self) -> str:
        """The kind of venue: `preprint`, `periodical`, `proceedings`, else `publication`; empty without a venue."""
        venue = self.where
        if not venue:
            return "preprint" if {scheme for scheme, _ in self.identities} == {"arxiv"} else ""
        return next((kind for kind, pattern in VENUES.items() if pattern.search(venue)), "publication")


def lines(words: Iterable[str]) -> str:
    """Join words with a line break before and after each word, so that `in` can find a whole word."""
    return "\n".join(["", *words, ""])


@lru_cache(maxsize=16)
def outside_brackets(title: str) -> tuple[str, ...]:
    """Return the words of a normalised title outside brackets, or all words if there are none outside."""
    outside = BRACKETED.sub(" ", title) if "(" in title or "[" in title else title
    return tuple(map(intern, WORD.findall(outside) or WORD.findall(title) or [title]))


def manifestations(record: AnyRecord) -> tuple[Manifestation, ...]:
    """Return the publication that a record describes, then its other `versions`."""
    apart = tuple(filter(None, [*record.distinct_from, record.key, getattr(record, "version_of", None)]))
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
    """Return a manifestation from the fields of a future record, such as an importer's draft."""
    ids = fields.get("identifiers") or {}
    addresses = [str(link.get("url", "")) for link in fields.get("links") or () if isinstance(link, Mapping)]
    addresses += [str(fields["url"])] if fields.get("url") else []
    year = str(fields.get("year") or "")
    return Manifestation(
        key,
        str(fields.get("title") or ""),
        tuple(map(str, fields.get("authors") or ())),
        int(year) if year.isdigit() else None,
        str(fields["venue"]) if fields.get("venue") else None,
        identities(((scheme, str(text)) for scheme, text in ids.items() if scheme in Identifiers.SCHEMES), addresses),
        printed=Printed.of(fields.get("citation") or {}, fields.get("extra") or {}),
        source=fields,
    )
