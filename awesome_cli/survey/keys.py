"""Keys of new records: made of title, author and year, without counters, so that branches do not collide."""

import hashlib
import re
from collections.abc import Collection, Sequence

from awesome_cli.text.folding import fold
from awesome_cli.text.names import family

WORD = re.compile(r"[a-z0-9]+")
STOP = frozenset(
    "a an and as at by for from in into is it of on or the to towards via with without using".split()  # noqa: SIM905
)
ACRONYM_WORDS = 3
LONGEST = 64


def paper_key(title: str, authors: Sequence[str], year: int | None, taken: Collection[str] = ()) -> str:
    """A short readable key: the name before the title's colon, else author, year and a first word.

    If it is `taken`, longer forms are tried; the last one, `exclusion_id`, is unique to the work.
    """
    name, colon, _ = title.partition(":")
    short = "-".join(_words(name)) if colon and len(name.split()) <= ACRONYM_WORDS else ""
    stem = f"{_surname(authors)}{year or ''}"
    words = [word for word in _words(title) if word not in STOP]
    proposals = [short, f"{short}{'-' if short[-1:].isdigit() else ''}{year}" if short and year else ""]
    proposals += [f"{stem}-{'-'.join(words[:n])}" for n in range(1, 5) if stem and len(words) >= n]
    unique = exclusion_id(title, authors, year)
    return next((key for key in proposals if len(key) > 1 and key not in taken), unique)


def exclusion_id(title: str, authors: Sequence[str], year: int | None) -> str:
    """The slug of author, year and whole title; a long one is cut and ends in a digest of the whole.

    Equal ids mean equal author, year and title: the same work.
    """
    words = _words(title)
    stem = f"{_surname(authors)}{year or ''}"
    whole = "-".join(part for part in [stem, *words] if part)
    if words and len(whole) <= LONGEST and fold(title).isascii():
        return whole
    digest = hashlib.sha256(f"{stem}\n{fold(title)}".encode()).hexdigest()[:8]
    return f"{whole[: LONGEST - 9].rpartition('-')[0] or 'work'}-{digest}"


def _words(text: str) -> list[str]:
    return WORD.findall(fold(text).replace("'", ""))


def _surname(authors: Sequence[str]) -> str:
    """The first author's family name as one word; the first word of a corporate author."""
    first = authors[0] if authors else ""
    words = _words(family(first))
    return "".join(words if "," in first else words[:1])
