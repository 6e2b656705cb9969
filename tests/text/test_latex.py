import unicodedata

import bibtexparser
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        ("In $O(N)$ or $5", r"In $O(N)$ or {\$}5"),
    ],
)
def test_titles_keep_their_capitals(plain, latex):
    assert to_latex(plain, protect=True) == latex


def test_a_text_that_is_latex_already_is_not_escaped_twice():
    assert is_latex(r"Gr\'{e}goire")
    assert not is_latex("Grégoire {x} $\\alpha$")
    assert to_latex(r"Gr\'{e}goire") == to_latex("Grégoire") == r"Gr{\'e}goire"


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
