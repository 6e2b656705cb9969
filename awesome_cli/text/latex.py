r"""Convert LaTeX to plain text and back, for BibTeX and documents; both directions take linear time.

Symbols come from pylatexenc; the structure is parsed here in one pass. No text is lost: an unknown command is replaced
by the text in its braces, or left unchanged. `Caf{\'e} \textbf{au} $l^2$` becomes `Café au $l^2$`.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

SPECIAL = re.compile(r"[\\{}~$]|--|``|''|[!?]`")
"""Signs of LaTeX outside math."""
MATH = re.compile(
    r"\$\$[^$]+\$\$|\$(?:\\.|[^$\\])*\$|\\\((?:[^\\]|\\[^()])*\\\)|\\\[(?:[^\\]|\\[^\[\]])*\\\]", re.DOTALL
)
TOKEN = re.compile(
    r"\\(?:url|path|nolinkurl)\s*\{(?P<url>[^{}]*)\}"
    r"|\\href\s*\{(?P<href>[^{}]*)\}\s*(?=\{)"
    r"|\\char\s*(?P<char>\"[0-9A-F]+|'[0-7]+|`\\?.|\d+)\s?"
    r"|\\(?P<word>[a-zA-Z]+)\s*"
    r"|\\(?P<sign>.)"
    r"|(?P<brace>[{}])"
    r"|(?P<mark>-{2,3}|``|''|[!?]`|[~$])",
    re.DOTALL,
)
"""Every token of unbounded length begins with `\\`, so a scan stops at the next brace or command."""
MATH_STARTS = frozenset(["$", r"\(", r"\["])
BRACE = re.compile(r"[{}]")
MARKS = {"~": " ", "$": "$", "``": "“", "''": "”", "--": "\N{EN DASH}", "---": "\N{EM DASH}", "!`": "¡", "?`": "¿"}
ESCAPED, BARE = re.compile(r"\\([%_&#~$])(?:\{\})?"), r"\1"
DOTLESS = {"\N{LATIN SMALL LETTER DOTLESS I}": "i", "\N{LATIN SMALL LETTER DOTLESS J}": "j"}
_ACCENTS = {
    "' acute": "ACUTE ACCENT", "` grave": "GRAVE ACCENT", '" ddot': "DIAERESIS", "^ hat": "CIRCUMFLEX ACCENT",
    "~ tilde": "TILDE", "=": "MACRON", ". dot": "DOT ABOVE", "c": "CEDILLA", "H": "DOUBLE ACUTE ACCENT", "k": "OGONEK",
    "b": "MACRON BELOW", "d": "DOT BELOW", "r": "RING ABOVE", "u breve": "BREVE", "v check": "CARON",
    "t": "DOUBLE INVERTED BREVE", "vec": "RIGHT ARROW ABOVE", "bar": "OVERLINE", "not": "LONG SOLIDUS OVERLAY",
}  # fmt: skip
ACCENTS = {
    command: unicodedata.lookup(f"COMBINING {name}")
    for commands, name in _ACCENTS.items()
    for command in commands.split()
}
"""The combining character of each command that sets an accent."""
SYMBOLS = {
    "copyright": "©", "pounds": "£", "S": "§", "P": "¶", "ddag": "‡", "textbar": "|", "textless": "<",
    "textgreater": ">", "slash": "/", "SS": "ẞ", "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "newline": "\n",
    "par": "\n", "textbraceleft": "{", "textbraceright": "}", "textquotedbl": '"', "textasciicircum": "^",
    "textasciitilde": "~", "%": "%", "-": "", "/": "", "@": "", "\n": " ",
}  # fmt: skip
"""Symbols that extend or override those of pylatexenc."""
SILENT = frozenset(
    "em it bf sc sl tt rm sf up md bfseries itshape scshape slshape upshape mdseries rmfamily sffamily ttfamily"  # noqa: SIM905
    " normalfont tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge relax protect noindent"
    " newblock item nobreakdash nobreak allowbreak linebreak nolinebreak displaystyle textstyle limits"
    " nocorr sloppy null leavevmode unskip ignorespaces".split()
)
"""Formatting commands without text of their own."""


class Braced(NamedTuple):
    """Formatting of a brace group: text before and after it, case conversion, or hidden."""

    before: str = ""
    after: str = ""
    shown: bool = True
    case: Callable[[str], str] | None = None


PLAIN, HIDDEN, UPPER, LOWER = Braced(), Braced(shown=False), Braced(case=str.upper), Braced(case=str.lower)
ARGUMENTS: Mapping[str, tuple[Braced, ...]] = {
    **dict.fromkeys(("uppercase", "MakeUppercase"), (UPPER,)),
    **dict.fromkeys(("lowercase", "MakeLowercase"), (LOWER,)),
    **dict.fromkeys(("frac", "nicefrac", "textfrac"), (Braced(after="/"),)),
    **dict.fromkeys(("textcolor", "colorbox", "foreignlanguage", "texorpdfstring", "raisebox"), (HIDDEN,)),
    **dict.fromkeys(("color", "selectlanguage", "begin", "end", "hspace", "vspace"), (HIDDEN,)),
    "fcolorbox": (HIDDEN, HIDDEN),
    "fontsize": (HIDDEN, HIDDEN),
    "footnote": (Braced("[", "]"),),
    "sqrt": (Braced("√(", ")"),),
}
"""Commands whose first brace groups are not plain text."""


def to_unicode(text: str) -> str:
    """Convert LaTeX to text: commands and accents become characters, braces are removed, math is unchanged.

    A text that is not LaTeX, or has unbalanced braces, is returned unchanged. `%`, `&`, `#`, `^` and `_` need no
    backslash.
    """
    if not SPECIAL.search(text) or not balanced(text):
        return text
    reading = _Reading()
    place = 0
    while token := TOKEN.search(text, place):
        reading.write(text[place : token.start()])
        math = MATH.match(text, token.start()) if token[0] in MATH_STARTS else None
        if math and balanced(math[0]):
            reading.write(math[0])
            place = math.end()
        else:  # not math: a dollar sign may be a plain character
            reading.take(token)
            place = token.end()
    reading.write(text[place:])
    return unicodedata.normalize("NFC", reading.text().replace("\N{NO-BREAK SPACE}", " "))


def balanced(text: str) -> bool:
    """True if the braces are balanced; as in BibTeX, a backslash before a brace does not escape it."""
    depth = 0
    for brace in BRACE.findall(text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


@cache
def symbols() -> Mapping[str, str]:
    """Return the text of each symbol command, by its name without the backslash."""
    from pylatexenc.latex2text import get_default_latex_context_db

    known = {spec.macroname: spec.simplify_repl for spec in get_default_latex_context_db().iter_macro_specs()}
    # The other commands stand for their arguments, or for placeholders of the library ("<cit.>").
    texts = {name: text for name, text in known.items() if isinstance(text, str) and not {"%", "."} & set(text)}
    return {**{name: text for name, text in texts.items() if "ref>" not in text and name != "today"}, **SYMBOLS}


def _numbered(number: str) -> str | None:
    r"""Return the character for an argument of `\char`: decimal, `"` hex, `'` octal, or a backquote and a character."""
    if number[0] == "`":
        return number[-1]
    code = int(number.lstrip("\"'"), {'"': 16, "'": 8}.get(number[0], 10))
    return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code < 0x110000 else None


class _Reading:
    """State of the conversion: text so far, open groups, accents awaiting a letter, groups that a command awaits."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.open: list[tuple[Braced, tuple[Braced, ...]]] = [(PLAIN, ())]
        self.accents: list[str] = []
        self.awaited: tuple[Braced, ...] = ()

    def text(self) -> str:
        self._end_accents()
        return "".join(self.parts)

    def take(self, token: re.Match[str]) -> None:
        kind = token.lastgroup or ""
        content = token[kind]
        if kind in {"word", "sign"}:
            self._command(content, token)
        elif kind == "brace":
            self._opened() if content == "{" else self._closed()
        elif kind == "mark":
            self.write(MARKS[content])
        elif kind == "url":
            self.write(ESCAPED.sub(BARE, content))
        elif kind == "href":
            self.awaited = (Braced(after=f" <{ESCAPED.sub(BARE, content)}>"),)
        else:
            self.write(_numbered(content) or token[0])

    def write(self, text: str) -> None:
        """Append text in the format of the open group; pending accents apply to its first letter."""
        if self.awaited and text.strip():
            self.awaited = ()
        if self.accents and (text := text.lstrip()):
            text = self._accented(text)
        group = self.open[-1][0]
        if group.shown and text:
            self.parts.append(group.case(text) if group.case else text)

    def _accented(self, text: str) -> str:
        letter = DOTLESS.get(text[0], text[0])
        if not letter.isalpha() and "not" not in self.accents:
            self._end_accents()
            return text
        marks = "".join(ACCENTS[name] for name in reversed(self.accents))
        self.accents = []
        return f"{letter}{marks}{text[1:]}"

    def _end_accents(self) -> None:
        r"""Write pending accents as plain signs: `\~{}` in a URL is a tilde."""
        signs = "".join(name for name in self.accents if not name.isalpha())
        self.accents = []
        self.write(signs)

    def _command(self, name: str, token: re.Match[str]) -> None:
        if name in ACCENTS:
            self.accents.append(name)
        elif name in ARGUMENTS:
            self.awaited = ARGUMENTS[name]
        elif (symbol := symbols().get(name)) is not None:
            self.write(symbol)
        elif name not in SILENT and not token.string.startswith("{", token.end()):
            self.write(token[0])

    def _opened(self) -> None:
        group, rest = (self.awaited[0], self.awaited[1:]) if self.awaited else (PLAIN, ())
        around = self.open[-1][0]
        self.awaited = ()
        if group.before:
            self.write(group.before)
        if group is not PLAIN or around is not PLAIN:
            group = group._replace(shown=group.shown and around.shown, case=group.case or around.case)
        self.open.append((group, rest))

    def _closed(self) -> None:
        if self.accents:
            self._end_accents()
        if len(self.open) > 1:
            group, self.awaited = self.open.pop()
            if group.after:
                self.write(group.after)


FORMULA = re.compile(r"\\.|(\$(?=[^\s$])(?:\\.|[^$\\])*(?<=[^\s$])\$(?!\d))", re.DOTALL)
"""Inline math by pandoc's rule: "costs $5 and $6" contains none. Characters after a backslash are skipped."""
_KINDS = {
    "x": "|¬±·×÷ħΓΔΘΛΞΠΣΥΦΨΩαβγδεζηθικλμνξπρςστυφχψωϑϕϖϱϵ†ℓ℘ℵ←↑→↓↔↕↖↗↘↙↦↩↪↼↽⇀⇁⇐⇑⇒⇓⇔⇕∀∂∃∅∇∈∋∓∘∙√∝∞∠∥∧∨∩∪"  # noqa: RUF001
    "∗∖∼≀≃≈≍≠≡≤≥≪≫≺≻≼≽⊂⊃⊆⊇⊎⊑⊒⊓⊔⊕⊖⊗⊘⊙⊢⊣⊤⊥⋆⌢⌣◯♢♭♮♯",  # noqa: RUF001
    "o": "…⇌∉∏∐∑∫∮≅≐⋀⋁⋂⋃⋈⋮⋯⋱⟵⟶⟷⟸⟹⟺⟼",  # noqa: RUF001
    "d": "⌈⌉⌊⌋⟨⟩",
}  # fmt: skip
KINDS = {symbol: kind for kind, symbols in _KINDS.items() for symbol in symbols}
"""The symbols of LaTeX without packages, by kind: `d` is a delimiter, `o` needs braces to be a script."""
PACKAGED = re.compile("text|dots.|[lr][vV]ert|varnothing|smallsetminus|downslope|(?:prec|succ)curlyeq")
"""Commands of packages for the same symbols."""
_MATHS = {
    "x": "Re Im neg ne gets lor land bot not imath jmath prime backslash",
    "o": "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log"
    " max min Pr sec sin sinh sup tan tanh bigoplus bigotimes models iff quad qquad % & # $ _ , ; : !",
    "d": "{ } | vert Vert",
    "a": "mathcal mathbb mathfrak mathrm mathbf mathit mathsf mathtt ensuremath",
    "s": "sqrt operatorname overline underline widehat widetilde hat check breve acute grave tilde bar vec dot ddot",
    "f": "frac", "l": "left", "r": "right", "b": "big Big bigg Bigg",
}  # fmt: skip
MATHS = {
    **{f"\\{name}": kind for kind, names in _MATHS.items() for name in names.split()},
    **{sign: sign for sign in "[]{}^_'"}, **dict.fromkeys("()/|.<>", "d"), **dict.fromkeys('%&#@"\n', "!"),
    " ": "", "' ": "q", "~": "o", "\\ ": "o",
}  # fmt: skip
"""The kind of other tokens of math: `a` font, `f` fraction, `s` root or accent, `l` and `r` around a pair of
delimiters, `b` before a large one, `q` prime before a blank, `!` what LaTeX would not print."""
MATH_TOKEN = re.compile(r"\\text(?:rm|bf|it)?\s*\{(?:[^\W_]|[ .,:;()/-])*\}|\\[a-zA-Z]+|\\.|' |.", re.DOTALL)
_BASE = r"[xdGm\[\]]"
_UP, _DOWN = rf"(?:'*q|'+(?:\^{_BASE})?|\^{_BASE})", rf"_{_BASE}"
_SCRIPTS = rf"(?:{_UP}(?:{_DOWN})?|{_DOWN}{_UP}?)?"
_LIST = rf"{_SCRIPTS}(?:(?:{_BASE}|o){_SCRIPTS})*"
MATH_LIST = re.compile(_LIST)
MATH_GROUP = re.compile(rf"\{{{_LIST}\}}|a[xdG]|f[xdG]{{2}}|s(?:\[{_LIST}\])?[xdG]|l[d\[\]]{_LIST}r[d\[\]]|b[d\[\]]")
DEPTH = 20
"""Maximum number of groups within each other in math."""
MARKUP = re.compile(r"\\[\"'`^~=.]|\\[a-zA-Z]+|\\[&%$#_{}]")
BRACES = {"{": r"{\textbraceleft}", "}": r"{\textbraceright}", '"': r"{\textquotedbl}"}
"""Commands in place of braces, which BibTeX counts even after a backslash."""
SIGNS = {
    "ħ": r"{\ensuremath{\hbar}}", "′": r"{\ensuremath{'}}", "″": r"{\ensuremath{''}}", "·": r"{\textperiodcentered}",  # noqa: RUF001
    "Ű": r"{\H{U}}", "ű": r"{\H{u}}", "∅": r"{\ensuremath{\emptyset}}", **{letter: letter for letter in "ĦŦŧ"},
    "\N{NON-BREAKING HYPHEN}": "-", "\N{ZERO WIDTH SPACE}": "{}",
}  # fmt: skip
"""Characters that pylatexenc writes as others."""
UNPRINTED = re.compile(r"\\(?!text|guil|quote)[a-zA-Z]{3,}|\\text(?:frac|hvlig|nrleg|schwa|phi|glot|turn)")
"""Commands that the encodings T1 and TS1 lack."""
OTHER = re.compile(r"[^\x00-\x7f]+")
LIGATURE = re.compile(r"-(?=-)|`(?=`)|'(?=')|[!?](?=`)")
"""The first character of a LaTeX ligature, such as two hyphens for a dash."""
WORDLY = re.compile(r"\w")
CAPITAL = re.compile(r"[A-Z]")
NUMBERED = re.compile(r"[A-Z]\d")


@lru_cache(maxsize=1 << 16)  # a site writes each paper into several files
def to_latex(text: str, *, protect: bool = False, document: bool = False) -> str:
    r"""Convert text for a BibTeX field or a document: special characters are escaped, accents become commands.

    With `protect`, words with inner capitals (`LLM`, `AutoGen`) are put in braces, so that styles keep their case.
    Characters without a LaTeX command are unchanged; those that pdfTeX cannot print are arguments of `\surveyother` in
    a document. Braces in the result are balanced. Only math that LaTeX can print is unchanged; the rest is escaped like
    text, since records come from strangers.
    """
    text = unicodedata.normalize("NFC", to_unicode(text) if is_latex(text) else text)
    encode = partial(re.sub, r"\S+", _guard) if protect else _printed if document else _escape
    pieces = ((piece, _formula(piece, document=document) if is_math else "") for piece, is_math in _pieces(text))
    # Styles of BibTeX write words in small letters, also in math, unless it is in braces.
    return "".join((f"{{{math}}}" if protect else math) if math else encode(piece) for piece, math in pieces)


def _formula(math: str, *, document: bool) -> str:
    """Return math if it has only symbols and fonts, in groups that close, and no cell or comment; else nothing."""
    if document:
        math = OTHER.sub(lambda run: "".join(map(_typeset, run[0])), math)
    known, tokens = _maths(document=document), MATH_TOKEN.findall(math[1:-1])
    kinds = "".join(known.get(t, "m" if t[1:].endswith("}") else "!" if t[0] == "\\" else "x") for t in tokens)
    for _ in range(DEPTH):
        kinds = MATH_GROUP.sub(lambda group: {"{": "G", "f": "m", "G": "m"}.get(group[0].lstrip("a")[0], "o"), kinds)
    return math * bool(MATH_LIST.fullmatch(kinds) and (math.isascii() if document else balanced(math)))


@cache
def _maths(*, document: bool) -> Mapping[str, str]:
    """Return the kind of each token; a document knows only what LaTeX does, a bibliography may load packages."""
    kinds = {n: KINDS.get(t, "!" if document or t.isspace() else "o") for n, t in symbols().items() if n.isalpha()}
    return {f"\\{n}": "!" if document and PACKAGED.match(n) else kind for n, kind in kinds.items()} | MATHS


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield `(piece, is_math)` for the pieces of a text."""
    place = 0
    for math in FORMULA.finditer(text):
        if math[1]:
            yield text[place : math.start()], False
            yield math[1], True
            place = math.end()
    yield text[place:], False


def is_latex(text: str) -> bool:
    """True if a text contains LaTeX commands outside math."""
    return "\\" in text and any(MARKUP.search(piece) for piece, is_math in _pieces(text) if not is_math)


def _guard(match: re.Match[str]) -> str:
    word = match[0]
    inside = list(WORDLY.finditer(word)) if not word.isalnum() else []
    start, end = (inside[0].start(), inside[-1].end()) if inside else (0, len(word))
    if not any(map(_has_meant_capitals, word[start:end].split("-"))):
        return _escape(word)
    return _escape(word[:start]) + "{" + _escape(word[start:end]) + "}" + _escape(word[end:])


def _has_meant_capitals(part: str) -> bool:
    """True if BibTeX must keep the capitals of a word without hyphens: `X`, `LaTeX` and `B2`, but not `A` or `The`."""
    if len(part) == 1:
        return part != "A" and "A" <= part <= "Z"
    first = WORDLY.search(part.replace("_", " "))
    return bool(NUMBERED.search(part) or (first and CAPITAL.search(part, first.end())))


def _escape(text: str) -> str:
    return LIGATURE.sub(r"\g<0>{}", "".join(map(_character, text)))


@lru_cache(maxsize=1024)
def _character(character: str) -> str:
    """Return a character in LaTeX, unchanged if `to_unicode` would not restore it."""
    if character in BRACES:
        return BRACES[character]
    latex = str(_encoder().unicode_to_latex(character))
    return latex if to_unicode(latex) == character else character


def _printed(text: str) -> str:
    return OTHER.sub(r"\\surveyother{\g<0>}", LIGATURE.sub(r"\g<0>{}", "".join(map(_typeset, text))))


@lru_cache(maxsize=1024)
def _typeset(character: str) -> str:
    """Return a character as pdfTeX can print it without a package, else unchanged."""
    latex = SIGNS.get(character) or (" " if character.isspace() and character > " " else _character(character))
    if latex == character not in SIGNS:  # what looks the same does on paper
        latex = str(_encoder().unicode_to_latex(character))
    is_math = latex.startswith(r"{\ensuremath")
    is_printed = _formula(f"${latex}$", document=True) if is_math else not UNPRINTED.search(latex)
    return latex if is_printed else character


@cache
def _encoder() -> Any:
    from pylatexenc.latexencode import UnicodeToLatexEncoder

    return UnicodeToLatexEncoder(
        replacement_latex_protection="braces-all", unknown_char_policy="keep", unknown_char_warning=False
    )
