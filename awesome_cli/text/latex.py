"""Text as LaTeX, for BibTeX; the way back is `latex_reading`. Both are linear in the length of the text."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from awesome_cli.text.latex_reading import balanced, to_unicode

__all__ = ["is_latex", "to_latex", "to_unicode"]

MATH = re.compile(r"\\.|(\$(?=[^\s$])(?:\\.|[^$\\])*(?<=[^\s$])\$(?!\d))", re.DOTALL)
"""Inline math, by pandoc's rule: "costs $5 and $6" holds none. What a backslash stands before is passed over."""

MARKUP = re.compile(r"\\[\"'`^~=.]|\\[a-zA-Z]+|\\[&%$#_{}]")
BRACES = {"{": r"{\textbraceleft}", "}": r"{\textbraceright}", '"': r"{\textquotedbl}"}
"""BibTeX counts braces even after a backslash, so commands stand for them."""
LIGATURE = re.compile(r"-(?=-)|`(?=`)|'(?=')|[!?](?=`)")
"""The first of signs that LaTeX joins to one: two hyphens are a dash."""
WORDLY = re.compile(r"\w")
CAPITAL = re.compile(r"[A-Z]")
NUMBERED = re.compile(r"[A-Z]\d")


@lru_cache(maxsize=1 << 16)  # a site writes each paper into several files
def to_latex(text: str, *, protect: bool = False) -> str:
    """`text` for a BibTeX field: special characters escaped, accents as commands, math as it is.

    With `protect`, words with capitals inside (`LLM`, `AutoGen`) are braced, so that no bibliography
    style changes them to lower case. A character without a LaTeX command stays as it is. Braces are balanced.
    """
    text = unicodedata.normalize("NFC", to_unicode(text) if is_latex(text) else text)
    return "".join(
        piece if is_math and balanced(piece) else _encode(piece, protect) for piece, is_math in _pieces(text)
    )


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it is math."""
    place = 0
    for found in MATH.finditer(text):
        if found[1]:
            yield text[place : found.start()], False
            yield found[1], True
            place = found.end()
    yield text[place:], False


def is_latex(text: str) -> bool:
    """Whether a text holds LaTeX commands outside math."""
    return "\\" in text and any(MARKUP.search(piece) for piece, is_math in _pieces(text) if not is_math)


def _encode(text: str, protect: bool) -> str:  # noqa: FBT001
    if not protect:
        return _escape(text)
    return re.sub(r"\S+", lambda word: _guard(word[0]), text)


def _guard(word: str) -> str:
    inside = list(WORDLY.finditer(word)) if not word.isalnum() else []
    start, end = (inside[0].start(), inside[-1].end()) if inside else (0, len(word))
    if not any(map(_has_meant_capitals, word[start:end].split("-"))):
        return _escape(word)
    return _escape(word[:start]) + "{" + _escape(word[start:end]) + "}" + _escape(word[end:])


def _has_meant_capitals(part: str) -> bool:
    """Whether capitals of a word without hyphens carry meaning.

    A lone letter (not the article), one inside the word, or one before a digit.
    """
    if len(part) == 1:
        return part != "A" and "A" <= part <= "Z"
    first = WORDLY.search(part.replace("_", " "))
    return bool(NUMBERED.search(part) or (first and CAPITAL.search(part, first.end())))


def _escape(text: str) -> str:
    return LIGATURE.sub(r"\g<0>{}", "".join(map(_character, text)))


@lru_cache(maxsize=1024)
def _character(character: str) -> str:
    """A character in LaTeX; one that `to_unicode` would not give back stays as it is."""
    if character in BRACES:
        return BRACES[character]
    latex = str(_encoder().unicode_to_latex(character))
    return latex if to_unicode(latex) == character else character


@cache
def _encoder() -> Any:
    from pylatexenc.latexencode import UnicodeToLatexEncoder

    return UnicodeToLatexEncoder(
        replacement_latex_protection="braces-all", unknown_char_policy="keep", unknown_char_warning=False
    )
