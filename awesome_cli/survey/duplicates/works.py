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
PREPRINT = re.compile(r"\b(arxiv|preprint|corr|openreview|submitted|under review|techreport|technical report)\b")
PERIODICAL = re.compile(r"\b(journal|j|trans|transactions|record|letters|magazine|bulletin|review|annals|tacl|jmlr)\b")


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
        numbers |= {self.core[-1]} & NUMERALS
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
        )
        for version in getattr(record, "versions", ())
    )
    return (own, *others)


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
    )
