"""Case and accent folding for comparison, and a text search that tolerates typing errors."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
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
    """A table for `str.translate` that deletes nonspacing marks, filled on first use of each character."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.category(chr(code)) == "Mn" else code
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


HYPHENS = re.compile("[-\u00ad\u2010-\u2013]")
PART = 4
"""Letters from which a word of a search matches inside words; a shorter one in ASCII matches their beginnings."""
PLURALS = {"ies": ("y", "ies"), "y": ("y", "ies"), "sis": ("sis", "ses"), "xes": ("x",)} | {
    **{f"{end}es": (end,) for end in ("ch", "sh", "ss")},
    **{f"{vowel}ses": (f"{vowel}se", f"{vowel}sis") for vowel in "eioy"},
}
"""Endings of words, and those that a search takes instead."""
SINGULAR = re.compile("(?<=..[so])es$")


@lru_cache(maxsize=64)
def spellings(pattern: str) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return the spellings of each word of a pattern, folded: `gpt-4` has two, (`gpt`, `4`) and (`gpt4`,)."""
    words = map(fold, pattern.split())
    return tuple(
        tuple(dict.fromkeys(tuple(WORD.findall(text)) for text in (word, HYPHENS.sub("", word)))) for word in words
    )


def words(values: Iterable[object]) -> frozenset[str]:
    """Return the folded words of some texts; a compound with hyphens counts as its parts and as one word."""
    return frozenset(WORD.findall(_compounded(values)))


def _compounded(values: Iterable[object]) -> str:
    text = fold("\n".join(map(str, values)))
    joined = text.replace("-", "") if text.isascii() else HYPHENS.sub("", text)
    return text if joined == text else f"{text}\n{joined}"


def is_like(pattern: str, values: Iterable[object]) -> bool:
    """True if the values contain each word of the pattern, regardless of case, accents, hyphens and plural.

    A word matches within the edit distance that `slips` allows, too, and as two words of at least four letters.
    assets/fold.js and words.js search the words of records by the same rules.
    """
    text = _compounded(values)
    return all(any(_contains(text, words) for words in alternatives) for alternatives in spellings(pattern))


def _contains(text: str, words: Iterable[str]) -> bool:
    missing = [word for word in words if not _finder(word)(text)]
    if not missing or any(len(word) <= PART for word in missing):
        return not missing
    present = frozenset(WORD.findall(text))
    return all(
        SINGULAR.sub("", word) in present or _in_two(variants(word)[0], present) or _is_near(word, present)
        for word in missing
    )


def variants(word: str) -> tuple[str, ...]:
    """Return parts of the singular and plural of a word; each has one: `policies` gives `policy`, `policies`."""
    for ending, parts in PLURALS.items():
        if len(word) > len(ending) + 1 and word.endswith(ending):
            return tuple(word.removesuffix(ending) + part for part in parts)
    return (word[:-1] if len(word) >= PART and word[-1] == "s" and word[-2] not in "ius" else word,)


@lru_cache(maxsize=64)
def _finder(word: str) -> Callable[[str], object]:
    parts = (rf"\b{part}" if len(part) < PART and part.isascii() else part for part in variants(word))
    return re.compile("|".join(parts)).search


def _in_two(word: str, present: Collection[str]) -> bool:
    halves = ((word[:at], word[at:]) for at in range(PART, len(word) - PART + 1))
    return any(first in present and (last in present or f"{last}s" in present) for first, last in halves)


def _is_near(word: str, present: Iterable[str]) -> bool:
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import extractOne

    most = slips(word)
    return most > 0 and extractOne(word, present, scorer=Levenshtein.distance, score_cutoff=most) is not None


def slips(word: str) -> int:
    """Return the edit distance (insertions, deletions, substitutions) tolerated for a word; 0 with digits."""
    return 0 if not word.isalpha() else 2 if len(word) >= 9 else 1 if len(word) >= 5 else 0
