"""Where the references of a RIS text begin and end, and the tags of their lines."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from awesome_cli.formats.tagged import Lines, split

LINE = re.compile(r"([A-Z][A-Z0-9])(  ?)-(?:[ \t]+(.*)|$)", re.IGNORECASE)
EXACT = re.compile(r"^[^\S\n]*TY  ?-", re.MULTILINE)
OTHERS = {"BT": "book_title", "CT": "cited_title", "J1": "journal_abbreviation", "LK": "website", "CP": "issue"}
OTHERS |= {f"U{n}": f"user{n}" for n in range(1, 6)}
"""Tags of older and other programs, for which rispy has no name."""
OWN = {"AB": "abstract", "A2": "editor", "CY": "address", "T3": "series", "ST": "shorttitle", "RN": "summary"}
"""Names that records and BibTeX have for the same, so that it is kept in one place."""


@cache
def tag_names() -> Mapping[str, str]:
    """What the values of a tag are called under `extra`."""
    from rispy.config import TAG_KEY_MAPPING

    return {**TAG_KEY_MAPPING, **OTHERS, **OWN}


def references(text: str) -> Iterator[tuple[int, Lines]]:
    """`(line, lines)` of each reference: from one `TY` to the `ER` behind it, or to the next `TY`."""
    text = text.replace("\ufeff", "")
    exact = bool(EXACT.search(text))
    return split((_tagged(line, exact=exact) for line in text.splitlines()), "TY", "ER")


def _tagged(line: str, *, exact: bool) -> tuple[str | None, str]:
    """The tag of a line and its value. A tag in another style than RIS asks for must be a known one."""
    found = LINE.match(line)
    if not found or (exact and not found[1].isupper()):
        return None, line
    tag = found[1].upper()
    if (found[2] == "  " and found[1].isupper()) or tag in tag_names():
        return tag, found[3] or ""
    return None, line
