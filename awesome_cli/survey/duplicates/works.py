"""What identifies the work of a record, folded for comparison."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from awesome_cli.model.records import AnyRecord, Exclusion, Identifiers
from awesome_cli.survey.duplicates.identity import Identity, identities
from awesome_cli.survey.keys import STOP
from awesome_cli.text.folding import fold, plain
from awesome_cli.text.names import family, is_cut

BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
NUMERALS = frozenset(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"])
PART = re.compile(r"\b(?:part|volume|vol\.?|chapter)\s+(\w+)")
WORD = re.compile(r"[^\W_]+")
PREPRINT = re.compile(
    r"\b(\w*rxiv|preprints?|ssrn|zenodo|corr|openreview|submitted|under review|techreport|technical report)\b"
)
REPOSITORY = re.compile(
    r"10\.(?:1101/\d|(?:2139|5281|6084|17605|20944|21203|22541|26434|31219|31222|31223|31234|31235|36227|48550)/)"
)
"""DOIs that repositories of preprints, data and software give, often one for each version."""
BOOKS = frozenset(["book", "booklet", "collection", "manual", "proceedings"])
PERIODICAL = re.compile(
    r"\b(journal|j|trans|transactions|record|letters?|lett|magazine|mag|bulletin|bull"
    r"|review|rev|annals|annalen|annales|ann|tacl|jmlr)\b"
)


@dataclass(frozen=True, slots=True)
class Printed:
    """How a publication was printed, as far as a record says, folded; `type` is a type of BibTeX."""

    type: str = ""
    container: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    edition: str = ""
    file: str = ""

    @classmethod
    def of(cls, citation: Mapping[str, Any], extra: Mapping[str, Any]) -> "Printed":
        """From the fields of a record's `citation`, and those that stand under `extra`."""
        given = {name: citation.get(name) or extra.get(name) or "" for name in cls.__slots__}
        return cls(**{name: fold(str(value)).strip() for name, value in given.items()})


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
    printed: Printed = Printed()

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
    def decisive(self) -> frozenset[str]:
        """The title's words without frequent ones such as `the`."""
        return frozenset(self.core).difference(STOP) or frozenset(self.core)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Numbers among the title's words: `3d` and `4d`, part I and II name different works."""
        numbers = {word for word in self.core if any(map(str.isdigit, word))}
        numbers |= {self.core[-1], self.words[-1]} & NUMERALS
        return frozenset(numbers.union(PART.findall(plain(self.title))))

    @cached_property
    def surnames(self) -> tuple[str, ...]:
        """Family names, folded, each as one word; of a name without a comma its last word. Without `others`."""
        named = ((author, WORD.findall(plain(family(author)))) for author in self.authors)
        return tuple("".join(words if "," in author else words[-1:]) for author, words in named if words)

    @cached_property
    def cut(self) -> bool:
        """Whether the list of authors says that it was cut."""
        return any(map(is_cut, self.authors))

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
        """`preprint`, `periodical`, `proceedings`, or nothing without a venue."""
        venue = fold(self.venue or "")
        if not venue:
            return "preprint" if {scheme for scheme, _ in self.identities} == {"arxiv"} else ""
        if PREPRINT.search(venue):
            return "preprint"
        return "periodical" if PERIODICAL.search(venue) else "proceedings"


def manifestations(record: AnyRecord) -> tuple[Manifestation, ...]:
    """The record as its own manifestation, followed by its other versions."""
    apart = frozenset(filter(None, [*record.distinct_from, record.key, getattr(record, "version_of", None)]))
    own = Manifestation(
        record.key,
        record.title,
        record.authors,
        record.year,
        getattr(record, "venue", None),
        identities(record.identifiers.pairs(), _urls(record)),
        apart,
        Printed.of(_citation(record), record.extra),
    )
    others = (
        Manifestation(
            record.key,
            version.title or record.title,
            record.authors,
            version.year or record.year,
            version.venue,
            identities(version.identifiers.pairs(), [version.url] if version.url else []),
            apart,
            Printed.of(vars(version.citation) if version.citation else {}, {}),
        )
        for version in getattr(record, "versions", ())
    )
    return (own, *others)


def _citation(record: AnyRecord) -> Mapping[str, Any]:
    if isinstance(record, Exclusion):
        return record.paper.get("citation") or {}
    return vars(record.citation) if record.citation else {}


def _urls(record: AnyRecord) -> Iterable[str]:
    if isinstance(record, Exclusion):
        return [record.url] if record.url else []
    return [link.url for link in record.links if link.label.casefold() in PAPER_LABELS]


PAPER_LABELS = frozenset(["paper", "arxiv", "pdf", "doi", "preprint", "proceedings", "publisher", "openreview", "acl"])
"""Labels of links that lead to the work itself; a link to code or to a survey page may name another work."""


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
    )
