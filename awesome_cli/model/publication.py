"""Publication types and months, with their names in bibliographic formats."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from awesome_cli.model.records import Work


@dataclass(frozen=True, slots=True)
class PublicationType:
    """The names of a publication type in three formats; `container` is the BibTeX field for journal, book or school."""

    bibtex: str
    container: str
    csl: str
    ris: str


_KINDS = (
    # If several types have the same name in another format, importing that name yields the last of them.
    PublicationType("inbook", "booktitle", "chapter", "CHAP"),
    PublicationType("conference", "booktitle", "paper-conference", "CPAPER"),
    PublicationType("collection", "series", "book", "BOOK"),
    PublicationType("proceedings", "series", "book", "BOOK"),
    PublicationType("report", "institution", "report", "RPRT"),
    PublicationType("thesis", "school", "thesis", "THES"),
    PublicationType("article", "journal", "article-journal", "JOUR"),
    PublicationType("inproceedings", "booktitle", "paper-conference", "CPAPER"),
    PublicationType("incollection", "booktitle", "chapter", "CHAP"),
    PublicationType("book", "series", "book", "BOOK"),
    PublicationType("techreport", "institution", "report", "RPRT"),
    PublicationType("phdthesis", "school", "thesis", "THES"),
    PublicationType("mastersthesis", "school", "thesis", "THES"),
    PublicationType("unpublished", "howpublished", "manuscript", "UNPB"),
    PublicationType("misc", "howpublished", "document", "GEN"),
)
KINDS: Mapping[str, PublicationType] = {kind.bibtex: kind for kind in _KINDS}
MISC = KINDS["misc"]
CROSSREF = {
    "journal-article": "article",
    "proceedings-article": "inproceedings",
    "book-chapter": "incollection",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "report": "techreport",
    "dissertation": "phdthesis",
    "posted-content": "unpublished",
}
"""Crossref types mapped to BibTeX types."""


def kind_of(work: Work) -> PublicationType:
    """Return the publication type of a record; `misc` if it is missing or unknown."""
    return KINDS.get((work.citation and work.citation.type) or "", MISC)


_NAMES = {kind.csl: kind.bibtex for kind in reversed(_KINDS)} | CROSSREF | {name: name for name in KINDS}
_NAMES |= {"conference paper": "inproceedings", "proceedings paper": "inproceedings", "book section": "incollection"}
_NAMES |= {"preprint": "unpublished", "manuscript": "unpublished"}
NAMED: Mapping[str, str] = {re.sub(r"[^a-z]", "", name): kind for name, kind in _NAMES.items()}
"""BibTeX types by the names that programs and databases use; the names have only lower-case letters."""


def named(text: str) -> str | None:
    """Convert a publication type's name in another program (`Conference Paper`) to a BibTeX type, or None."""
    return NAMED.get(re.sub(r"[^a-z]", "", text.casefold()))


MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
"""Months in BibTeX, in order."""


def month_named(number: str) -> str | None:
    """Return the BibTeX name of a month from its number, `3` or `03`; None for other text."""
    return MONTHS[int(number) - 1] if number.isdecimal() and 1 <= int(number) <= len(MONTHS) else None
