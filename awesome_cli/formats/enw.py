"""EndNote's tagged text (`.enw`, Refer), import only.

A reference begins with `%0` or, in files without this tag, after a blank line. `%A Bean, Ada` becomes an author,
`%J Tea` the venue.
"""

import re
from collections.abc import Iterator, Mapping

from awesome_cli.formats import ImportFormat
from awesome_cli.formats.ris import from_lines
from awesome_cli.formats.tagged import split
from awesome_cli.model.drafts import Batch

LINE = re.compile(r"%(\S)(?:[ \t]+(.*))?$")
TAGS: Mapping[str, str] = {
    "0": "TY", **{str(n): f"C{n}" for n in range(1, 5)}, "6": "NV", "7": "ET", "8": "DA", "9": "type_of_work",
    "A": "AU", "B": "T2", "C": "CY", "D": "PY", "E": "A2", "F": "ID", "G": "LA", "I": "PB", "J": "JF", "K": "KW",
    "L": "CN", "M": "AN", "N": "IS", "O": "N1", "P": "SP", "Q": "TT", "R": "DO", "S": "T3", "T": "TI", "U": "UR",
    "V": "VL", "W": "DP", "X": "AB", "Y": "A3", "Z": "N1", "?": "A4", "@": "SN", "!": "ST", "#": "C5", "$": "C6",
    "]": "C7", "&": "SE", "(": "OP", "*": "RI", "+": "AD", "^": "CA", ">": "L1", "<": "RN", "[": "Y2", "~": "DB",
}  # fmt: skip
"""RIS's tags, by the tags of EndNote."""
TYPES: Mapping[str, str] = {
    "journal article": "JOUR", "book": "BOOK", "book section": "CHAP", "conference proceedings": "CONF",
    "conference paper": "CPAPER", "thesis": "THES", "report": "RPRT", "unpublished work": "UNPB",
    "edited book": "EDBOOK", "electronic article": "EJOUR", "electronic book": "EBOOK", "generic": "GEN",
    "electronic book section": "ECHAP", "magazine article": "MGZN", "newspaper article": "NEWS",
}  # fmt: skip
"""RIS's types that are types of BibTeX, by the names in EndNote; any other name is kept."""


def read(text: str, name: str, _options: object = None) -> Batch:
    """Read EndNote's tagged text; `name` is the file name for positions (`a.enw:12`)."""
    return from_lines([(f"{name}:{line}", lines) for line, lines in split(_tagged(text), "TY")])


def _tagged(text: str) -> Iterator[tuple[str | None, str]]:
    typed, is_next = re.search(r"^%0\s", text, re.MULTILINE), True
    for line in text.replace("\ufeff", "").splitlines():
        match = LINE.match(line)
        tag, value = (TAGS.get(match[1], f"%{match[1]}"), match[2] or "") if match else (None, line)
        if tag and is_next and not typed:
            yield "TY", ""
        is_next = not value.strip() and tag is None
        yield tag, TYPES.get(value.casefold(), value) if tag == "TY" else value


IMPORT = ImportFormat(("enw",), lambda start: bool(re.match(r"%(?:0 \S|[A-Z] [^\n]+\n%[0-9A-Z@+] )", start)), read)
