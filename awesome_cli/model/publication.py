"""Types and months of publications, with their names in each bibliographic format."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from awesome_cli.model.records import Work


@dataclass(frozen=True, slots=True)
class PublicationType:
    """A type of publication: its BibTeX entry type, with the field that names the container, its CSL and RIS types."""

    bibtex: str
    container: str
    csl: str
    ris: str


_KINDS = (
    # Where several types have one name in another format, the last of them is read back.
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
"""The types of Crossref's records as types of BibTeX."""


def kind_of(work: Work) -> PublicationType:
    """The type of a record; `misc` for one without a type or of an unknown one."""
    return KINDS.get((work.citation and work.citation.type) or "", MISC)


_NAMES = {kind.csl: kind.bibtex for kind in reversed(_KINDS)} | CROSSREF | {name: name for name in KINDS}
_NAMES |= {"conference paper": "inproceedings", "proceedings paper": "inproceedings", "book section": "incollection"}
_NAMES |= {"preprint": "unpublished", "manuscript": "unpublished"}
NAMED: Mapping[str, str] = {re.sub(r"[^a-z]", "", name): kind for name, kind in _NAMES.items()}
"""Types of BibTeX by the names that programs and databases give them, in small letters without blanks and marks."""


def named(text: str) -> str | None:
    """The type of BibTeX for a name (`Conference Paper`, `journalArticle`); None for an unknown one."""
    return NAMED.get(re.sub(r"[^a-z]", "", text.casefold()))


MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
"""Their names in BibTeX, in order."""


def month_named(number: str) -> str | None:
    """The name of a month that is given by its number, `3` or `03`; None for another text."""
    return MONTHS[int(number) - 1] if number.isdecimal() and 1 <= int(number) <= len(MONTHS) else None
