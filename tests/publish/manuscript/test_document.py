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
\section{Second} \caption[short]{Of \surveytable{t}} \verb|7 papers| \include{../outside} \input{survey-table-t}
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
    (tmp_path / "outside.tex").write_text("\\cite{outside}")
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
    assert [(use.name, use.place.line) for use in document.missing] == [("main", 2), ("../outside", 10)]
    assert [path.name for path in document.bibliographies] == ["references.bib", "more.bib"]


def test_prose_leaves_out_macros_and_keeps_the_place_of_each_word(document: Document):
    sentences = list(document.sentences())
    offset, sentence = next(entry for entry in sentences if "84" in entry[1])
    assert " ".join(sentence.split()).startswith("84 papers, 12 works and thirteen studies \N{CURRENCY SIGN} .")
    place = document.place(offset + sentence.index("thirteen"))
    assert MAIN.splitlines()[place.line - 1][place.column - 1 :].startswith("thirteen")
    assert not any("7 papers" in text or "9 papers" in text for _, text in sentences)
    assert document.ignored == {("paper/main.tex", 7), ("paper/main.tex", 9)}


@pytest.mark.parametrize("name", ["none.tex", "."])
def test_a_document_that_is_not_there_is_named(tmp_path: Path, name: str):
    with pytest.raises(UsageError, match="is not a readable LaTeX file") as caught:
        read(tmp_path / name, tmp_path)
    assert caught.value.hint
