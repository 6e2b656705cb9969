"""Text folded for comparison, and a search in it that forgives typing slips."""

import re
import unicodedata
from functools import lru_cache

WORD = re.compile(r"\w+")
SEPARATORS = re.compile(r"[\W_]+")
ENTITY = re.compile(r"\s*(&(?:#\d{1,7}|#x[0-9a-f]+|[a-z]+);)\s*", re.IGNORECASE)
"""A character reference; some exports put blanks around it in the middle of a word."""
STROKES = str.maketrans(
    {"ø": "o", "đ": "d", "ł": "l", "ħ": "h", "\N{LATIN SMALL LETTER DOTLESS I}": "i", "æ": "ae", "œ": "oe"}
    | {"þ": "th", "ð": "d"}
)
"""Letters that Unicode does not take apart into a letter and an accent."""


class _Accents(dict[int, int | None]):
    """For `translate`: nothing for a combining character, itself for any other; filled as characters are met."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.combining(chr(code)) else code
        return self[code]


ACCENTS = _Accents()


def fold(text: str) -> str:
    """`text` without case and accents."""
    if text.isascii():
        return text.casefold()
    return unicodedata.normalize("NFKD", text).translate(ACCENTS).casefold()


def spaced(text: str) -> str:
    """The folded words of a text with one blank between them, whatever stood there."""
    return SEPARATORS.sub(" ", fold(text)).strip()


def forms(word: str) -> frozenset[str]:
    """The ways in which a word may be typed: case, blanks and hyphens do not matter, nor do plurals."""
    word = spaced(word)
    singular = {"ies": "y", "xes": "xis", "es": "", "s": ""}
    return frozenset({word, *(word.removesuffix(e) + single for e, single in singular.items() if word.endswith(e))})


def plain(text: str) -> str:
    """Folded text without character references and stroked letters."""
    if "&" in text:
        import html

        text = ENTITY.sub(lambda found: html.unescape(found[1]), text)
    folded = fold(text)
    return folded if folded.isascii() else folded.translate(STROKES)


@lru_cache(maxsize=64)
def needles(pattern: str) -> tuple[str, ...]:
    """The words of a search, folded."""
    return tuple(WORD.findall(fold(pattern)))


def is_like(pattern: str, values: tuple[object, ...]) -> bool:
    """True if each word of the pattern stands in the values, or one that differs by as many edits as `slips` allows."""
    text = fold("\n".join(str(value) for value in values))
    missing = [word for word in needles(pattern) if word not in text]
    if not missing:
        return True
    if any(len(word) < 5 for word in missing):
        return False
    from rapidfuzz.distance import Levenshtein

    present = set(WORD.findall(text))
    return all(
        any(Levenshtein.distance(word, other, score_cutoff=slips(word)) <= slips(word) for other in present)
        for word in missing
    )


def slips(word: str) -> int:
    """How many edits (insertions, deletions, substitutions) a word of a search forgives."""
    return 2 if len(word) >= 9 else 1 if len(word) >= 5 else 0
