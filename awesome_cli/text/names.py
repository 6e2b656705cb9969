"""Author names: `Last, First`; corporate authors have no comma; `others` ends a truncated list."""

import re
from collections.abc import Iterable, Sequence

OTHERS = "others"
PARTICLES = {"da", "das", "de", "del", "della", "den", "der", "des", "di", "do", "dos", "du", "la", "le", "ten", "ter"}
PARTICLES |= {"van", "vom", "von", "zu", "zum", "zur", "'t"}
SUFFIX = re.compile(r"(?:jr|sr)\.?|ii|iii|iv", re.IGNORECASE)
CORPORATE = re.compile(
    r"\b(?:organi[sz]ation|universit\w+|institut\w*|association|committee|consortium|group|team|collaborat(?:ion|ors)|"
    r"engineering|labs?|society|foundation|agency|ministry|department|council|cent(?:re|er)s?|commission|network|initiative|laborator\w+|"
    r"world bank|inc|ltd|gmbh)\b",
    re.IGNORECASE,
)
CUT = re.compile(r"(?:et\s+al|others|and\s+others|…|\.\.)\.?", re.IGNORECASE)


def split(author: str) -> tuple[str, str | None]:
    """Return `(family, given)`, or `(name, None)` for a corporate author."""
    last, comma, first = author.partition(",")
    return (last.strip(), first.strip()) if comma and first.strip() else (author.strip(), None)


def family(author: str) -> str:
    """Return the family name, the whole name if it has no comma, '' for `others`."""
    return "" if is_cut(author) else split(author)[0]


def is_cut(author: str) -> bool:
    """True if an entry marks a truncated list of authors, such as `others` or `et al.`."""
    return CUT.fullmatch(author.strip()) is not None


def is_unsplit(author: str) -> bool:
    """True if a name without a comma looks like that of a person: `Kim Lee`, but not `Tea Society` or `Meta AI`."""
    words = author.split()
    plain = (word in PARTICLES or word[0].isupper() for word in words)
    has_name = 1 < len(words) < 5 and all(plain) and not re.search(r"[a-z][A-Z]|\b[A-Z]{2,}\b", author)
    return has_name and not ("," in author or CORPORATE.search(author) or is_cut(author))


def byline(authors: Sequence[str]) -> str:
    """Return the authors in short form: `Bean`, `Bean and Cup`, `Bean et al.`; '' if the list has no names."""
    names = [name for author in authors if (name := family(author))]
    if len(names) == 2 == len(authors):
        return " and ".join(names)
    return names[0] + (" et al." if len(authors) > 1 else "") if names else ""


def marked(author: str) -> str:
    """Append a comma to a corporate name of several words, for formats such as RIS that do not mark these."""
    return author if "," in author or " " not in author else f"{author},"


def inverted(name: str) -> str:
    """Convert `Jan van der Berg` to `van der Berg, Jan`; names with a comma or of one word are unchanged."""
    words = name.split()
    if "," in name or len(words) < 2:
        return " ".join(words)
    tail = [words.pop()] if SUFFIX.fullmatch(words[-1]) and len(words) > 2 else []
    cut = next((i for i, word in enumerate(words[1:-1], 1) if word.casefold() in PARTICLES), len(words) - 1)
    return f"{' '.join(words[cut:])}, {' '.join([*words[:cut], *tail])}"


def listed(names: Iterable[str]) -> tuple[str, ...]:
    """Return names as a record's `authors`: trimmed, with `others` at the end of a truncated list."""
    clean = [" ".join(name.split()).rstrip(", ") for name in names]
    authors = tuple(name for name in clean if name and not is_cut(name))
    return (*authors, OTHERS) if any(map(is_cut, clean)) else authors
