"""Case and accent folding for comparison, and a text search that tolerates typing errors."""

import re
import unicodedata
from functools import lru_cache

WORD = re.compile(r"\w+")
SEPARATORS = re.compile(r"[\W_]+")
ENTITY = re.compile(r"\s*(&(?:#\d{1,7}|#x[0-9a-f]+|[a-z]+);)\s*", re.IGNORECASE)
"""An HTML character reference; some exports put spaces around it in the middle of a word."""
STROKES = str.maketrans(
    {"ø": "o", "đ": "d", "ł": "l", "ħ": "h", "\N{LATIN SMALL LETTER DOTLESS I}": "i", "æ": "ae", "œ": "oe"}
    | {"þ": "th", "ð": "d"}
)
"""Letters that Unicode normalization does not decompose."""


class _Accents(dict[int, int | None]):
    """A table for `str.translate` that deletes combining characters, filled on first use of each character."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.combining(chr(code)) else code
        return self[code]


ACCENTS = _Accents()


def fold(text: str) -> str:
    """Return the text casefolded and without accents: `Crème` becomes `creme`."""
    if text.isascii():
        return text.casefold()
    return unicodedata.normalize("NFKD", text).translate(ACCENTS).casefold()


def spaced(text: str) -> str:
    """Return the folded words of a text, separated by single spaces."""
    return SEPARATORS.sub(" ", fold(text)).strip()


def forms(word: str) -> frozenset[str]:
    """Return the folded word and its singular forms, to compare words regardless of case, hyphens and plural."""
    word = spaced(word)
    singular = {"ies": "y", "xes": "xis", "es": "", "s": ""}
    return frozenset({word, *(word.removesuffix(e) + single for e, single in singular.items() if word.endswith(e))})


def plain(text: str) -> str:
    """Fold text, decode character references and replace letters such as `ø` by ASCII."""
    if "&" in text:
        import html

        text = ENTITY.sub(lambda match: html.unescape(match[1]), text)
    folded = fold(text)
    return folded if folded.isascii() else folded.translate(STROKES)


@lru_cache(maxsize=64)
def needles(pattern: str) -> tuple[str, ...]:
    """Return the folded words of a search pattern."""
    return tuple(WORD.findall(fold(pattern)))


def is_like(pattern: str, values: tuple[object, ...]) -> bool:
    """True if the values contain each word of the pattern, within the edit distance that `slips` allows."""
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
    """Return the edit distance (insertions, deletions, substitutions) tolerated for a word."""
    return 2 if len(word) >= 9 else 1 if len(word) >= 5 else 0
