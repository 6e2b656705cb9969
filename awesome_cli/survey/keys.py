"""Citation keys, and keys of new records from title, author and year: no counters, since git branches would collide."""

import hashlib
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from awesome_cli.model.records import AnyRecord, AnyWork, Candidate, Exclusion
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.folding import fold
from awesome_cli.text.names import family

WORD = re.compile(r"[a-z0-9]+")
STOP = frozenset(
    "a an and as at by for from in into is it of on or the to towards via with without using".split()  # noqa: SIM905
)
ACRONYM_WORDS = 3
LONGEST = 64
"""Maximum length of generated keys."""
FILE_NAME = 120
"""Maximum length of keys, so that file names and their temporary names are valid on all systems."""
FORBIDDEN = re.compile(r"[\s\"#%'(),={}~^\\]")
"""Characters that are not allowed in a citation key of BibTeX."""
RESERVED = frozenset(["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))])
"""File names that Windows reserves, with any extension."""


@dataclass
class Names:
    """The keys in use; `key in names` is True if a new record cannot have the key.

    `keys` has keys and former keys in lower case, since file names must not differ only in case; `cited` has the
    citation keys of works.
    """

    keys: set[str] = field(default_factory=set)
    cited: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, corpus: Corpus) -> "Names":
        """Collect the keys of a corpus, including those of unreadable records."""
        names = cls({key.casefold() for key in corpus.unread})
        for record in corpus.records:
            names.add(record)
        return names

    def add(self, record: AnyRecord) -> None:
        self.keys.update(key.casefold() for key in (record.key, *record.aliases))
        if not isinstance(record, Exclusion):
            self.cited.add((record.citation.key if record.citation else None) or record.key)

    def __contains__(self, key: object) -> bool:
        name = str(key).casefold()
        return name in self.keys or name.partition(".")[0] in RESERVED or len(name) > FILE_NAME


def paper_key(
    title: str, authors: Sequence[str], year: int | None, taken: Container[str] = (), details: object = ""
) -> str:
    """Return a short key: the name before the title's colon, else author, year and the title's first word.

    If the key is in `taken`, longer keys are tried, and finally the result of `exclusion_id` is returned.
    """
    name, colon, _ = title.partition(":")
    short = "-".join(_words(name)) if colon and len(name.split()) <= ACRONYM_WORDS else ""
    stem = f"{_surname(authors)}{year or ''}"
    words = [word for word in _words(title) if word not in STOP]
    proposals = [short, f"{short}{'-' if short[-1:].isdigit() else ''}{year}" if short and year else ""]
    proposals += [f"{stem}-{'-'.join(words[:n])}" for n in range(1, 5) if stem and len(words) >= n]
    free = (key for key in proposals if len(key) > 1 and key not in taken)
    return next(free, None) or exclusion_id(title, authors, year, taken, details)


def exclusion_id(
    title: str, authors: Sequence[str], year: int | None, taken: Container[str] = (), details: object = ""
) -> str:
    """Return a slug of author, year and title; a long slug is truncated and ends with a digest.

    If the slug is in `taken`, a digest of `details` is added, such as venue, pages and identifiers. A counter is added
    only if two works have equal details.
    """
    slug = _slug(title, authors, year)
    if slug not in taken:
        return slug
    detailed = f"{slug[: LONGEST - 9].rstrip('-._')}-{_digest(repr(details))}"
    return next(key for n in count(1) if (key := detailed if n == 1 else f"{detailed}-{n}") not in taken)


def _slug(title: str, authors: Sequence[str], year: int | None) -> str:
    words = _words(title)
    stem = f"{_surname(authors)}{year or ''}"
    whole = "-".join(part for part in [stem, *words] if part)
    if words and len(whole) <= LONGEST and fold(title).isascii():
        return whole
    digest = _digest(f"{stem}\n{fold(title)}")
    return f"{whole[: LONGEST - 9].rpartition('-')[0] or 'work'}-{digest}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _words(text: str) -> list[str]:
    return WORD.findall(fold(text).replace("'", ""))


def _surname(authors: Sequence[str]) -> str:
    """Return the first author's family name as one word, or the first word of a corporate author."""
    first = authors[0] if authors else ""
    words = _words(family(first))
    return "".join(words if "," in first else words[:1])


def citation_keys(works: Iterable[AnyWork]) -> Mapping[str, str]:
    """Return the citation key of each work in exports and on the site, by key of the record.

    It is the record's citation key without `FORBIDDEN` characters, else the record's key. If works share a key, one of
    them has it (papers before candidates, citation keys before record keys), and the others get their record's key.
    The order of the works does not matter.
    """
    taken: set[str] = set()
    keys: dict[str, str] = {}
    cited = ((work, FORBIDDEN.sub("", (work.citation and work.citation.key) or "")) for work in works)
    for *_, own, wanted in sorted((isinstance(work, Candidate), not name, work.key, name) for work, name in cited):
        key, n = wanted or own, 1
        while key.casefold() in taken:  # BibTeX ignores the case of keys
            key, n = own if n == 1 else f"{own}-{n}", n + 1
        taken.add(key.casefold())
        keys[own] = key
    return keys


def changed_key(work: AnyWork) -> Iterator[str]:
    """Yield `citation.key` if the exported citation key lacks characters of the record's."""
    if work.citation and FORBIDDEN.search(work.citation.key or ""):
        yield "citation.key"
