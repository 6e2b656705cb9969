"""Reading a LaTeX document: names and citations with their places, prose, inputs, and input meant to do harm."""

from pathlib import Path

import pytest

from awesome_cli.errors import UsageError
from awesome_cli.publish.manuscript.document import Document, read

MAIN = r"""\documentclass{article}
\usepackage{awesome-survey} % 12 papers
\title{The \surveynumber{all} papers}
\begin{document}
\begin{abstract} \surveyclaim*{one} \end{abstract}
\section{First \emph{part}}
84~papers, $12$ works and \textbf{thirteen} studies~\citep[see][]{a, b}. $x = 3$ % awesome: ignore a test
% awesome: ignore the next line
\subsection*{Inside} \textcite{c} \surveycites{l} \input{part}
\section{Second} \caption[short]{Of \surveytable{t}} \verb|7 papers| \include{../../outside} \input{survey-table-t}
\begin{verbatim}
\cite{no} 9 papers
\end{verbatim}
\bibliography{references,more}
\end{document}
"""


@pytest.fixture
def document(tmp_path: Path) -> Document:
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "main.tex").write_text(MAIN)
    (folder / "part.tex").write_text("From the part: \\surveyshare{s}\n\\input{main}\n")
    (tmp_path.parent / "outside.tex").write_text("\\cite{outside}")
    return read(folder / "main.tex", tmp_path)


def test_uses_have_their_places_and_the_sections_around_them(document: Document):
    uses = [(use.macro, use.name, use.place.path, use.place.line, use.moving) for use in document.uses]
    assert uses == [
        ("surveynumber", "all", "paper/main.tex", 3, "title"),
        ("surveyclaim", "one", "paper/main.tex", 5, None),
        ("cite", "a", "paper/main.tex", 7, None),
        ("cite", "b", "paper/main.tex", 7, None),
        ("cite", "c", "paper/main.tex", 9, None),
        ("surveycites", "l", "paper/main.tex", 9, None),
        ("surveyshare", "s", "paper/part.tex", 1, None),
        ("surveytable", "t", "paper/main.tex", 10, "caption"),
    ]
    around = {use.name: use.sections for use in document.uses}
    assert around["one"] == {"abstract"}
    assert around["a"] == {"section 1", "first part"}
    assert around["s"] == {"section 1", "first part", "inside"}
    assert around["t"] == {"section 2", "second"}
    assert [use.starred for use in document.uses if use.macro == "surveyclaim"] == [True]


def test_what_cannot_be_read_is_missing_and_nothing_is_read_twice(document: Document):
    assert [(use.name, use.place.line) for use in document.missing] == [("../../outside", 10)]
    assert [(entry.name, entry.keys) for entry in document.bibliographies] == [
        ("references.bib", None),
        ("more.bib", None),
    ]


@pytest.mark.parametrize(
    "before",
    [
        r"\newcommand{\be}{\begin{equation}} \newcommand{\ee}{\end{equation}}",
        r"\newcommand{\n}[1]{\surveynumber{#1}} \def\x{$}",
        r"\url{https://example.org/a%20b} 5 $",
        "\\lstinline!$!\n\\begin{lstlisting}\n$HOME {\n\\end{lstlisting}",
        "\\begin{comment}\n$5 } \\surveynumber{no}\n\\end{comment}",
        r"\iffalse } $ \surveynumber{no} \fi",
        r"\begin{tabular}{ll} a & \unknown{b \end{tabular}",
    ],
)
@pytest.mark.parametrize(
    "use",
    [
        r"\surveynumber{n}",
        r"$x=\surveynumber{n}$",
        r"\textcolor{red}{\surveynumber{n}}",
        r"\caption[\surveynumber{n}]{}",
    ],
)
def test_a_use_is_read_whatever_stands_before_and_around_it(tmp_path: Path, before: str, use: str):
    (tmp_path / "main.tex").write_text(f"{before}\n{use}\n\\end{{document}}\n\\surveynumber{{after}}\n")
    document = read(tmp_path / "main.tex", tmp_path)
    line = before.count("\n") + 2
    assert [(use.name, use.place.line) for use in document.uses] == [("n", line)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (r"\autocites[1]{a}[2]{b}", ["a", "b"]),
        (r"\citenum{a}\newcite{b}\surveycite{c}\fullcite{d}", ["a", "b", "c", "d"]),
        (r"\renewcommand\surveycite{\citep}", []),
        (r"\cite{a,% the first" + "\nb}", ["a", "b"]),
    ],
)
def test_macros_that_cite(tmp_path: Path, text: str, names: list[str]):
    (tmp_path / "main.tex").write_text(text)
    assert [use.name for use in read(tmp_path / "main.tex", tmp_path).uses] == names


def test_an_input_is_read_by_its_bare_name_without_braces_and_once(tmp_path: Path):
    for name in ("a.tex", "plot.pgf"):
        (tmp_path / name).write_text(f"\\cite{{{name}}}")
    (tmp_path / "main.tex").write_text("\\input a\n\\input{plot.pgf}\\input{a}\\input{main}")
    document = read(tmp_path / "main.tex", tmp_path)
    assert [use.name for use in document.uses] == ["a.tex", "plot.pgf"]
    assert not document.missing


def test_sections_of_a_book_are_numbered_by_chapter_and_an_abstract_may_have_environments(tmp_path: Path):
    text = r"""\begin{abstract}\begin{quote}x\end{quote}\cite{a}\end{abstract}
\chapter{One}\chapter{Two}\section{In}\cite{b}"""
    (tmp_path / "main.tex").write_text(text)
    a, b = read(tmp_path / "main.tex", tmp_path).uses
    assert (a.sections, b.sections) == ({"abstract"}, {"chapter 2", "two", "section 2.1", "in"})


def test_prose_closes_the_gaps_in_numbers(tmp_path: Path):
    (tmp_path / "main.tex").write_text(r"$1\,234$ papers, 50\,\% of 12~\%, \num{7} \item $x^2$")
    ((_, _, first), (_, _, second)) = read(tmp_path / "main.tex", tmp_path).sentences()
    assert " ".join(first.split()) == "1,234 papers, 50% of 12%, 7"
    assert second.strip() == "\N{CURRENCY SIGN}"


def test_prose_leaves_out_macros_and_keeps_the_place_of_each_word(document: Document):
    sentences = list(document.sentences())
    source, offset, sentence = next(entry for entry in sentences if "84" in entry[2])
    assert " ".join(sentence.split()).startswith("84 papers, 12 works and thirteen studies \N{CURRENCY SIGN} .")
    place = source.place(offset + sentence.index("thirteen"))
    assert MAIN.splitlines()[place.line - 1][place.column - 1 :].startswith("thirteen")
    assert not any("7 papers" in text or "9 papers" in text for _, _, text in sentences)
    assert document.ignored == {("paper/main.tex", 7), ("paper/main.tex", 9)}


@pytest.mark.parametrize("name", ["none.tex", "."])
def test_a_document_that_is_not_there_is_named(tmp_path: Path, name: str):
    with pytest.raises(UsageError, match="is not a readable LaTeX file") as caught:
        read(tmp_path / name, tmp_path)
    assert caught.value.hint
