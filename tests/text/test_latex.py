"""LaTeX to plain text and back: what is kept, what comes back, and that a text is read once."""

import re
import unicodedata
from pathlib import Path

import bibtexparser
import pytest
from builders import DATA
from hypothesis import example, given
from hypothesis import strategies as st
from latex import compiled
from pylatexenc.latexencode import get_builtin_uni2latex_dict
from work import Counting

from awesome_cli.text import latex
from awesome_cli.text.latex import is_latex, to_latex, to_unicode

# Without the ASCII sequences that mean something else in LaTeX by design: dashes, quotes, ties.
LETTERS = st.characters(codec="utf-8", categories=("L", "N", "Zs"), max_codepoint=0x24F)
PLAIN = st.text(st.one_of(LETTERS, st.sampled_from("&%#_{}^<>|()[]:;,.!?/+=*@")), max_size=40)


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"Gr\'{e}goire", "Grégoire"),
        (r"Schr{\"o}dinger", "Schrödinger"),
        (r"{\L}ukasz \v{C}apek", "Łukasz Čapek"),
        (r"Weis{\aa}s", "Weisås"),
        ("{LLM} Agents", "LLM Agents"),
        (r"50\% of $O(n^2)$", "50% of $O(n^2)$"),
        ("50% of it", "50% of it"),
        (r"R\&D", "R&D"),
        ("a {brace", "a {brace"),
        ("pages 1--2", "pages 1\N{EN DASH}2"),
        (r"\emph{Very} new", "Very new"),
        (r"\url{https://example.org/a_b}", "https://example.org/a_b"),
    ],
)
def test_latex_becomes_unicode(latex, plain):
    assert to_unicode(latex) == plain


@pytest.mark.parametrize(
    ("plain", "latex"),
    [
        ("AutoGen: A Study of LLMs", "{AutoGen}: A Study of {LLMs}"),
        ("Multi-Agent Learning with A Team", "Multi-Agent Learning with A Team"),
        ("Dec-POMDP, R1 and 3D", "{Dec-POMDP}, {R1} and {3D}"),
        ("A C compiler", "A {C} compiler"),
        ("In $O(N)$ or $5", r"In {$O(N)$} or {\$}5"),
    ],
)
def test_titles_keep_their_capitals(plain, latex):
    assert to_latex(plain, protect=True) == latex


def test_a_text_that_is_latex_already_is_not_escaped_twice():
    assert is_latex(r"Gr\'{e}goire")
    assert not is_latex("Grégoire {x} $\\alpha$")
    assert to_latex(r"Gr\'{e}goire") == to_latex("Grégoire") == r"Gr{\'e}goire"


@pytest.mark.parametrize("document", [True, False])
@pytest.mark.parametrize(
    "math",
    [
        r"$O(n \log n)$", r"$\alpha_{i_j}^\prime$", r"$f'' (x)$", r"$\frac12 \frac{a}{b}$", r"$\sqrt[3]{x^2}$",
        r"$\left(\frac{a}{b}\right)^2$", r"$x_\text{max} \in \mathbb{R}$", r"$\big|a\big| \leq 5\,\%$", r"$\{a\}$",
    ],
)  # fmt: skip
def test_math_that_compiles_is_unchanged(math, document):
    assert to_latex(f"In {math}", document=document) == f"In {math}"


@pytest.mark.parametrize("document", [True, False])
@pytest.mark.parametrize(
    "math",
    [
        r"$a\\%$", r"$\\&$", r"$\\$", r"$a & b$", r"$5 %$", r"$\($", r"$\]$", r"$\left($", r"$\right)$", r"$\left\ x\right)$",
        r"$\frac$", r"$\frac{a}$", r"$\sqrt$", r"$\hat$", r"$x^$", r"$x^2^3$", r"$x_1_2$", r"$x' ^2$", r"$x^\sum$",
        r"$x^\sqrt{2}$", r"${$", r"$\text$", r"$\text{a_b}$", r"$\input{a}$", r"$^^5c$", "$a\n\nb$", r"$\'e$", r"$\big$",
    ],
)  # fmt: skip
def test_math_that_stops_latex_is_text(math, document):
    assert "$" not in to_latex(f"In {math}", document=document).replace(r"{\$}", "")


@pytest.mark.parametrize(
    ("plain", "latex"),
    [
        ("中文 x Русский", r"\surveyother{中文} x \surveyother{Русский}"),
        ("−1 ħ 5′ →", r"{\ensuremath{-}}1 {\ensuremath{\hbar}} 5{\ensuremath{'}} {\textrightarrow}"),  # noqa: RUF001
        (
            "α ≤ ∅ ∈ ℝ",  # noqa: RUF001
            r"{\ensuremath{\alpha}} {\ensuremath{\leq}} {\ensuremath{\emptyset}} {\ensuremath{\in}} {\ensuremath{\mathbb{R}}}",
        ),
        (
            "$α−1$ $é$ $\\nexists$",  # noqa: RUF001
            r"${\ensuremath{\alpha}}{\ensuremath{-}}1$ {\$}{\'e}{\$} {\$}{\textbackslash}nexists{\$}",
        ),
        ("Ű, ə, a\N{THIN SPACE}b\N{ZERO WIDTH SPACE}c", r"{\H{U}}, \surveyother{ə}, a b{}c"),
    ],
)
def test_a_document_has_only_what_pdftex_prints(plain, latex):
    assert to_latex(plain, document=True) == latex


@pytest.mark.slow
def test_latex_prints_every_character_and_symbol_of_a_document(tmp_path: Path):
    codes = {*get_builtin_uni2latex_dict(), *range(0xA0, 0x3000)} - {0x7F}
    texts = [chr(code) for code in sorted(codes)] + [rf"$\{name} x$" for name in latex.symbols() if name.isalpha()]
    lines = "\\par\n".join(f"x{to_latex(text, document=True)}" for text in texts)
    commands = r"\newcommand\surveyother[1]{?}\usepackage[T1]{fontenc}\usepackage{lmodern}"
    fonts = r"\newcommand\mathbb{\mathbf}\newcommand\mathfrak{\mathbf}"
    document = rf"\documentclass{{article}}{commands}{fonts}\begin{{document}}{lines}\end{{document}}"
    (tmp_path / "main.tex").write_text(document)
    code, log = compiled(tmp_path)
    assert code == 0, log[-3000:]


@given(PLAIN)
def test_there_and_back(text):
    text = " ".join(text.split())
    assert " ".join(to_unicode(to_latex(text)).split()) == unicodedata.normalize("NFC", text)


@given(st.text(max_size=60), st.booleans())
def test_every_title_survives_a_bibtex_file(text, protect):
    value = to_latex(text, protect=protect)
    library = bibtexparser.parse_string("@misc{k,\n title = {" + value + "},\n year = {2020},\n}\n")
    assert not library.failed_blocks
    assert [field.key for field in library.entries[0].fields] == ["title", "year"]


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
    patterns = Counting(latex.TOKEN), Counting(latex.MATH)
    monkeypatch.setattr(latex, "TOKEN", patterns[0])
    monkeypatch.setattr(latex, "MATH", patterns[1])
    text = odd * 1_000 + "}" * (1_000 * odd.count("{"))
    to_unicode(text)
    assert sum(pattern.read for pattern in patterns) <= 3 * len(text)
