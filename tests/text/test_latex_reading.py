import re
import unicodedata

import bibtexparser
import pytest
from builders import DATA
from hypothesis import example, given
from hypothesis import strategies as st

from awesome_cli.text import latex_reading
from awesome_cli.text.latex import to_latex
from awesome_cli.text.latex_reading import to_unicode


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"Cells at 200 {\mbox{$\mu$}}J and \mbox{GPT} energy", r"Cells at 200 $\mu$J and GPT energy"),
        (r"\copyright 2020 and {\textcopyright} 2021", "©2020 and © 2021"),
        (r"{A {nested {group}} of} braces", "A nested group of braces"),
        (r"\textsc{Small} \emph{a {b} c} {\sc d}", "Small a b c d"),
        (r"\uppercase{abc {d}} \lowercase{ABC} e", "ABC D abc e"),
        (r"\foreignlanguage{german}{Über} \textcolor{red}{x}", "Über x"),
        (r"\ensuremath{\alpha}-Test of \ensuremath{x^2}", "\N{GREEK SMALL LETTER ALPHA}-Test of x^2"),
        (r'\char65 \char"42 \char`\%', "AB%"),
        (r"An \unknown{command} keeps {\anything{its} text}", "An command keeps its text"),
        (r"as does \thisone alone", r"as does \thisone alone"),
        (r"\BibTeX{} and \LaTeX", "BibTeX and LaTeX"),
        (r"\'{\i}\'\i \v s \c{c} \"ou \'{} x\~{}y", "ííš ç öu ' x~y"),
        (r"\url{http://a.org/~b_c\%20} \href{http://x.org/a\_b}{text}", "http://a.org/~b_c%20 text <http://x.org/a_b>"),
        (r"\frac{1}{2} \sqrt{x} R & D \& more", "1/2 √(x) R & D & more"),
        ("``a'' -- b --- c -{}- d, ?` !`", "“a” \N{EN DASH} b \N{EM DASH} c -- d, ¿ ¡"),
        (r"$\alpha\$ {x}$ \(a\) $$b$$ costs \$5, {$}6 and {$}7", r"$\alpha\$ {x}$ \(a\) $$b$$ costs $5, $6 and $7"),
        (r"C:\1999 \foo", r"C:\1999 \foo"),
    ],
)
def test_no_text_of_a_command_is_lost(latex, plain):
    assert to_unicode(latex) == plain


WORD = re.compile(r"[^\W\d_]{3,}")
COMMAND = re.compile(r"\\[a-zA-Z]+\s*|\\.")


def test_no_word_of_a_real_bibliography_is_lost():
    values = [
        field.value
        for path in sorted((DATA / "inputs" / "bibtex").glob("*.bib"))
        for entry in bibtexparser.parse_string(path.read_text(encoding="utf-8")).entries
        for field in entry.fields
    ]
    assert len(values) > 1_000
    for value in values:
        plain = to_unicode(value)
        before = WORD.findall(COMMAND.sub("", value).replace("{", "").replace("}", ""))
        assert set(before) <= set(WORD.findall(plain)) or not value.isascii() or "\\" in value, value
        assert to_unicode(to_latex(plain, protect=True)) == plain, value


SIGNS = st.text(st.sampled_from("aA b-'`!?$%&#_^~{}\\\"é(1"), max_size=30)


@given(SIGNS)
@example("A -- B --- C")
@example("rock ''n'' roll ``so'' ?`")
def test_a_title_comes_back_from_bibtex(text):
    plain = unicodedata.normalize("NFC", to_unicode(text))
    if plain == to_unicode(plain):
        assert to_unicode(to_latex(plain, protect=True)) == plain


@pytest.mark.parametrize(
    "odd",
    ["{", "{}", "$", "\\", "\\$", "$\\$", "\\(", "\\(\\[", "\\[", "\\url{", "\\'", "--", "$ {", "\\frac{", "\\foo "],
)
def test_a_text_is_read_once(odd, monkeypatch):
    """What is searched is counted: the letters between the place where a search starts and the place where it ends."""
    read = 0
    real = latex_reading.TOKEN, latex_reading.MATH

    class Counting:
        def __init__(self, pattern):
            self.pattern = pattern

        def search(self, text, place):
            return self.counted(self.pattern.search(text, place), place)

        def match(self, text, place):
            return self.counted(self.pattern.match(text, place), place)

        def counted(self, found, place):
            nonlocal read
            read += (found.end() if found else place + 1) - place
            return found

    monkeypatch.setattr(latex_reading, "TOKEN", Counting(real[0]))
    monkeypatch.setattr(latex_reading, "MATH", Counting(real[1]))
    text = odd * 5_000 + "}" * (5_000 * odd.count("{"))
    to_unicode(text)
    assert read <= 3 * len(text)
