"""Names of authors: `Last, First`, a corporate author without a comma, `others` for the rest of a shortened list."""

import re
from collections.abc import Iterable, Sequence

OTHERS = "others"
PARTICLES = {"da", "das", "de", "del", "della", "den", "der", "des", "di", "do", "dos", "du", "la", "le", "ten", "ter"}
PARTICLES |= {"van", "vom", "von", "zu", "zum", "zur"}
SUFFIX = re.compile(r"(?:jr|sr)\.?|ii|iii|iv", re.IGNORECASE)
CUT = re.compile(r"(?:et\s+al|others|and\s+others|…|\.\.)\.?", re.IGNORECASE)


def split(author: str) -> tuple[str, str | None]:
    """`(family, given)`, or `(name, None)` for a corporate author."""
    family, comma, given = author.partition(",")
    return (family.strip(), given.strip()) if comma and given.strip() else (author.strip(), None)


def family(author: str) -> str:
    """The family name as written, the whole of a name without a comma; nothing for `others`."""
    return "" if is_cut(author) else split(author)[0]


def is_cut(author: str) -> bool:
    """Whether an entry of a list of authors says that the list was cut, such as `others` or `et al.`."""
    return CUT.fullmatch(author.strip()) is not None


def byline(authors: Sequence[str]) -> str:
    """The authors in short: `Bean`, `Bean and Cup`, `Bean et al.`; nothing for a list that names nobody."""
    names = [name for author in authors if (name := family(author))]
    if len(names) == 2 == len(authors):
        return " and ".join(names)
    return names[0] + (" et al." if len(authors) > 1 else "") if names else ""


def marked(author: str) -> str:
    """A name for formats that do not mark corporate authors: one of several words ends in a comma, as in RIS."""
    return author if "," in author or " " not in author else f"{author},"


def inverted(name: str) -> str:
    """`Jan van der Berg` as `van der Berg, Jan`; a name with a comma or of one word stays as it is."""
    words = name.split()
    if "," in name or len(words) < 2:
        return " ".join(words)
    tail = [words.pop()] if SUFFIX.fullmatch(words[-1]) and len(words) > 2 else []
    cut = next((i for i, word in enumerate(words[1:-1], 1) if word.casefold() in PARTICLES), len(words) - 1)
    return f"{' '.join(words[cut:])}, {' '.join([*words[:cut], *tail])}"


def listed(names: Iterable[str]) -> tuple[str, ...]:
    """Names as a record's `authors`: without blanks or commas at the ends, `others` at the end of a shortened list."""
    clean = [" ".join(name.split()).rstrip(", ") for name in names]
    authors = tuple(name for name in clean if name and not is_cut(name))
    return (*authors, OTHERS) if any(map(is_cut, clean)) else authors
