"""awesome-survey.sty prints what records contain and the reasons of a draft, wherever a document uses its macros."""

import shutil
import subprocess
from pathlib import Path

import pytest
from latex import complaints
from needs import program

from awesome_cli.output import latex
from awesome_cli.publish import shipped
from awesome_cli.reports.report import Table

ROWS = [
    ("[Retracted] Ą", 3, '中文 ħ − ′ → α ∈ ℝ "é" «ə»'),  # noqa: RUF001
    ("*", "n/a", r"$a\\%$ $\\&$ $\mathbb{R}$ $\mathfrak{g}$ $x_\text{max}$"),
]
TABLES = {
    "short": Table.of(("key", "papers", "title"), ROWS, note="note"),
    "long": Table.of(("n", "text"), [(f"row{i}", "word " * 30) for i in range(40)], note="after the last row"),
}
PLACES = r"""
\title{T\thanks{\surveyclaim{c}}}\author{A}\maketitle
Text \surveyclaim{c}\footnote{\surveyclaim{c}} \fbox{\surveyclaim{c}} \parbox{3cm}{\surveyclaim{c}}

\begin{minipage}{4cm}\surveyclaim{c}\end{minipage} \begin{tabular}{lp{4cm}}\surveyclaim{c} & \surveyclaim{c}\end{tabular}
\begin{figure}[t]\surveyclaim{c}\caption{F}\end{figure}
"""

pytestmark = [pytest.mark.source, pytest.mark.slow]


def document(folder: Path, body: str, options: str = "", packages: str = "") -> Path:
    """Write a document with the tables, and a claim `c` that does not hold."""
    shutil.copy(shipped() / "paper" / "awesome-survey.sty", folder)
    data = [r"\surveyentry{claim}{c}{A claim.}\surveyentry{note}{c}{Why}\surveyentry{fails}{c}{Why}"]
    for name, table in TABLES.items():
        (folder / f"{name}.tex").write_text(latex.table(table, {}, f"Of {name} 中", f"tab:{name}"))
        data.append(rf"\surveyentry{{table}}{{{name}}}{{{name}}}")
    (folder / "survey-data.tex").write_text("\n".join(data))
    head = rf"\documentclass[{options}]{{article}}\usepackage{{lmodern}}{packages}\usepackage[draft]{{awesome-survey}}"
    (folder / "main.tex").write_text(rf"{head}\begin{{document}}{body}\end{{document}}")
    return folder


def printed(folder: Path) -> str:
    command = [program("poppler-utils", "pdftotext"), folder / "main.pdf", "-"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


@pytest.mark.parametrize("packages", ["", r"\usepackage[T1]{fontenc}\usepackage{amsmath,amssymb,caption,hyperref}"])
@pytest.mark.parametrize("options", ["", "twocolumn"])
def test_every_row_of_a_table_is_printed(tmp_path: Path, options: str, packages: str):
    body = r"\listoftables\surveytable{short} Before. \surveytable{long} Behind.\surveytable{short}"
    found = complaints(document(tmp_path, body, options, packages))
    lacking = {line.partition("for '")[2].partition("'")[0] for line in found if "awesome-survey Warning" in line}
    assert lacking == {"中", "中文", "ə"}
    text = printed(tmp_path)
    assert all(f"row{i}\n" in text for i in range(40))
    assert "*" in text
    assert text.count("[Retracted]") == 2
    assert text.index("after the last row") < text.index("Behind.")


@pytest.mark.parametrize(
    ("setting", "skip"),
    [("", "10.0pt"), (r"\setlength\belowcaptionskip{4pt}", "4.0pt"), (r"\usepackage{caption}", "0.0pt")],
)
def test_a_caption_keeps_its_distance_unless_the_document_sets_it(tmp_path: Path, setting: str, skip: str):
    probe = r"\AddToHook{cmd/caption/before}{\typeout{skip \the\belowcaptionskip}}"
    complaints(document(tmp_path, r"\surveytable{short}", "", setting + probe))
    assert f"skip {skip}\n" in (tmp_path / "main.log").read_text(errors="replace")


@pytest.mark.parametrize("options", ["", "twocolumn"])
def test_a_draft_gives_the_reason_in_every_place(tmp_path: Path, options: str):
    found = complaints(document(tmp_path, PLACES, options))
    assert not [line for line in found if "awesome-survey" in line]
    text = printed(tmp_path)
    assert text.count("Why") == text.count("[Why]") + 1 == PLACES.count("surveyclaim")


def test_luatex_needs_no_substitute(tmp_path: Path):
    assert not [
        line for line in complaints(document(tmp_path, r"\surveytable{short}"), "lualatex") if "awesome" in line
    ]
