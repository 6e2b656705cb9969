"""Formats that are not read: each is refused by its name, with the way round."""

import re
from dataclasses import dataclass

from awesome_cli.formats import import_formats

SAVE = "save the sheet as CSV (UTF-8) and import that"
EXPORT = "export the library as RIS, BibTeX or CSV and import that"
UNPACK = "unpack it and import the files in it"
LIST = "import the data behind it (CSV, YAML, BibTeX), or add its works one by one: awesome add https://…"
LOOK_UP = "add the work by its DOI or arXiv id: awesome add DOI"
PROLOGUE = re.compile(r"\A\ufeff?(?:\s|<\?[^>]*>|<!--(?:(?!-->).)*-->)*+", re.DOTALL)
"""What may stand before the first element of a page."""
ENTRY = r"^[ \t]*@\w+[ \t]*[{(]"
"""How an entry of BibTeX begins; where the first one stands in a block of code, the file is Markdown by any name."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A format that is not read and the way round: how its bytes begin, how its text does, its files' endings.

    The marks of a format that is `loose` may stand in texts of other formats, too, so that an ending or a named format
    comes before them.
    """

    name: str
    way: str
    magic: bytes = b""
    start: str = ""
    endings: tuple[str, ...] = ()
    loose: bool = False

    def __str__(self) -> str:
        return f"{self.name} is not read; {self.way}"


REFUSED = (
    Refusal("an Excel sheet", SAVE, b"PK\3\4.*xl/", endings=("xlsx",)),
    Refusal("an OpenDocument sheet", SAVE, b"PK\3\4.*opendocument.spreadsheet", endings=("ods",)),
    Refusal("a Word document", LIST, b"PK\3\4.*word/", endings=("docx",)),
    Refusal("a zip archive", UNPACK, b"PK\3\4", endings=("zip",)),
    Refusal("an old Excel or Word file", SAVE, b"\xd0\xcf\x11\xe0", endings=("xls", "doc")),
    Refusal("a gzip archive", UNPACK, b"\x1f\x8b", endings=("gz", "tgz")),
    Refusal("a PDF", LOOK_UP, b"%PDF", endings=("pdf",)),
    Refusal("RTF", EXPORT, rb"\{\\rtf", endings=("rtf",)),
    Refusal("an SQLite database", EXPORT, b"SQLite format 3", endings=("sqlite", "db")),
    Refusal("EndNote XML", EXPORT, start=r"<xml>\s*<records"),
    Refusal("RDF", EXPORT, start=r"<(?:rdf:)?RDF\b", endings=("rdf",)),
    Refusal(
        "PubMed XML",
        "save it in the format 'PubMed' (.nbib) and import that",
        start=r"(?:<!DOCTYPE[^>]*>\s*)?<Pubmed",
    ),
    Refusal("HTML", LIST, start=r"(?i)<(?:!DOCTYPE html|html|head|body)\b", endings=("html", "htm")),
    Refusal("XML", EXPORT, start=r"<[a-zA-Z!][^\n]*>", endings=("xml",)),
    Refusal("EndNote's tagged text (.enw)", EXPORT, start=r"%0 \S[^\n]*\n(?:%\S [^\n]*\n?)+", endings=("enw",)),
    Refusal("Web of Science's tagged text", EXPORT, start=r"FN (?:Clarivate|Thomson|ISI)|PT [A-Z]\n(?:AU|TI|SO) "),
    Refusal("BibTeX within Markdown", LIST, start=rf"(?ms)(?![\[{{@])(?:(?!{ENTRY}).)*^(?:```|~~~)[\w ]*\n{ENTRY}"),
)
"""The first that fits names a file. One with an ending that a format of `IMPORTED` reads does not count."""


def by_bytes(data: bytes) -> str | None:
    """Why a file is not read, by how its bytes begin; None for one that may be a text."""
    rows = (row for row in REFUSED if row.magic and re.match(row.magic, data[:4000], re.DOTALL))
    return next(map(str, rows), None)


def by_text(name: str, text: str, form: str | None) -> str | None:
    """Why a text is not read: by how it begins, otherwise by its name's ending; None for one that may be read.

    With a named format, too: one that looks for entries anywhere would read through Markdown.
    """
    ending, start = name.rpartition(".")[2].casefold(), PROLOGUE.sub("", text[:100_000])
    read = {ending for form in import_formats().values() for ending in form.endings}
    rows = [row for row in REFUSED if not read.intersection(row.endings)]
    is_told = ending in read or form not in {None, "bibtex"}
    by_start = (r for r in rows if r.start and not (r.loose and is_told) and re.match(r.start, start, re.DOTALL))
    return next(map(str, [*by_start, *(row for row in rows if ending in row.endings)]), None)
