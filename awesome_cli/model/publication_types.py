"""Types of publications, and what each bibliographic format calls them."""

from collections.abc import Mapping
from dataclasses import dataclass

from awesome_cli.model.records import Work


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of publication: its BibTeX entry type, with the field that names the container, its CSL and RIS types."""

    bibtex: str
    container: str
    csl: str
    ris: str


_KINDS = (
    Kind("article", "journal", "article-journal", "JOUR"),
    Kind("inproceedings", "booktitle", "paper-conference", "CPAPER"),
    Kind("incollection", "booktitle", "chapter", "CHAP"),
    Kind("book", "series", "book", "BOOK"),
    Kind("techreport", "institution", "report", "RPRT"),
    Kind("phdthesis", "school", "thesis", "THES"),
    Kind("mastersthesis", "school", "thesis", "THES"),
    Kind("unpublished", "howpublished", "manuscript", "UNPB"),
    Kind("misc", "howpublished", "document", "GEN"),
)
KINDS: Mapping[str, Kind] = {kind.bibtex: kind for kind in _KINDS}
MISC = KINDS["misc"]


def kind_of(work: Work) -> Kind:
    """The type of a record; one without a citation, or of a type that nobody knows, is `misc`."""
    return KINDS.get(work.citation.type, MISC) if work.citation else MISC
