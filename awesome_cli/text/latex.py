"""Converts LaTeX to Unicode and back. The only home of pylatexenc."""

import re
import unicodedata
from functools import cache, lru_cache
from typing import Any

MATH = re.compile(r"(\$(?=[^\s$])(?:\\.|[^$\\])*(?<=[^\s$])\$(?!\d))")
"""Inline math, by pandoc's rule: "costs $5 and $6" holds none."""

MARKUP = re.compile(r"\\[\"'`^~=.]|\\[a-zA-Z]+|\\[&%$#_{}]")
BARE_PERCENT = re.compile(r"(?<!\\)((?:\\\\)*)%")
BRACES = {"{": r"{\textbraceleft}", "}": r"{\textbraceright}", '"': r"{\textquotedbl}"}
"""BibTeX counts braces even after a backslash, so commands stand for them."""
NAMED = {
    "textbraceleft": "{",
    "textbraceright": "}",
    "textquotedbl": '"',
    "textasciicircum": "^",
    "url": "%s",
    "texttt": "%s",
}
CAPITALS = re.compile(r"(?<![^-])(?!A(?![^-]))[A-Z](?![^-])|[A-Z]\d|[^\W_][^-\s]*[A-Z]")
"""A word whose capitals carry meaning: a lone letter (not the article), one inside a word, or one before a digit."""
WORD = re.compile(r"(\W*)(.*?)(\W*)", re.DOTALL)


def to_latex(text: str, *, protect: bool = False) -> str:
    """`text` for a BibTeX field: special characters escaped, accents as commands, math as it is.

    With `protect`, words with capitals inside (`LLM`, `AutoGen`) are braced, so that no bibliography
    style changes them to lower case. A character without a LaTeX command stays as it is. Braces are balanced.
    """
    text = unicodedata.normalize("NFC", to_unicode(text) if is_latex(text) else text)
    pieces = MATH.split(text)
    return "".join(
        piece if place % 2 and _balanced(piece) else _encode(piece, protect) for place, piece in enumerate(pieces)
    )


def is_latex(text: str) -> bool:
    """Whether a text holds LaTeX commands outside math."""
    return "\\" in text and bool(MARKUP.search(MATH.sub("", text)))


def to_unicode(text: str) -> str:
    """`text` without LaTeX: commands and accents become characters, grouping braces go, math stays.

    A text that is not LaTeX, such as one with an unbalanced brace, is returned unchanged.
    """
    if not any(c in text for c in "\\{}~`'-$%"):
        return text
    # In a BibTeX field % is a plain character; for LaTeX it would begin a comment.
    source = BARE_PERCENT.sub(r"\1\\%", text)
    if not _balanced(source):
        return text
    try:
        plain = str(_decoder().latex_to_text(source))
    except Exception:  # noqa: BLE001 - the library raises whatever its tables raise; the text is kept then
        return text
    return unicodedata.normalize("NFC", plain.replace("\N{NO-BREAK SPACE}", " "))


def _encode(text: str, protect: bool) -> str:  # noqa: FBT001
    if not protect:
        return _escape(text)
    return re.sub(r"\S+", lambda word: _guard(word[0]), text)


def _guard(word: str) -> str:
    found = WORD.fullmatch(word)
    if found is None or not CAPITALS.search(found[2]):
        return _escape(word)
    return _escape(found[1]) + "{" + _escape(found[2]) + "}" + _escape(found[3])


def _escape(text: str) -> str:
    return "".join(map(_character, text))


@lru_cache(maxsize=1024)
def _character(character: str) -> str:
    """A character in LaTeX; one that `to_unicode` would not give back stays as it is."""
    if character in BRACES:
        return BRACES[character]
    latex = str(_encoder().unicode_to_latex(character))
    return latex if to_unicode(latex) == character else character


def _balanced(text: str) -> bool:
    depth = 0
    for brace in re.findall(r"[{}]", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


@cache
def _encoder() -> Any:
    from pylatexenc.latexencode import UnicodeToLatexEncoder

    return UnicodeToLatexEncoder(
        replacement_latex_protection="braces-all", unknown_char_policy="keep", unknown_char_warning=False
    )


@cache
def _decoder() -> Any:
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    context = get_default_latex_context_db()
    macros = [MacroTextSpec(name, simplify_repl=text) for name, text in NAMED.items()]
    context.add_context_category("awesome", prepend=True, macros=macros)
    return LatexNodes2Text(latex_context=context, math_mode="verbatim")
