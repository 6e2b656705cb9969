"""Reports as LaTeX: what records say is text of the document, never a command of it."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from latex import complaints
from pylatexenc.latexwalker import LatexEnvironmentNode, LatexWalker

from awesome_cli.output import Format, latex, to_text
from awesome_cli.reports.report import Bullets, Code, Report, Section, Table, Text

EVIL = r"a & b \input{/etc/passwd} $\write18{x}$ 5 % off ^^5c #1 {"


def report(*tables: Table) -> Report:
    return Report("awesome/list/2", {}, (Section("Papers & more", (*tables, Text(EVIL))),), "Title")


def strict(text: str) -> list[LatexEnvironmentNode]:
    """Parse strictly, and return the environments."""
    nodes = LatexWalker(text, tolerant_parsing=False).get_latex_nodes()[0]
    return [node for node in nodes if isinstance(node, LatexEnvironmentNode)]


def test_a_table_has_rules_caption_label_note_and_citations():
    table = Table.of(("key", "n"), [("a", 1), ("b", 22)], note="! gap", title="By key")
    text = to_text(report(table), Format.LATEX, cites={"a": "a2020"})
    assert r"\caption{Papers {\&} more: By key}" in text
    assert "\\label{tab:list-1}\n\\begin{tabular}{lr}\n\\toprule\npaper & n \\\\\n" in text
    assert "\\cite{a2020} & 1 \\\\\nb & 22 \\\\\n\\bottomrule" in text
    assert text.index("! gap") < text.index(r"\end{table}")


def test_a_report_without_a_table_is_its_text():
    empty = Report("awesome/list/2", {}, (Section(None, (Text("no papers match"),)),))
    assert latex.tables(empty, {}, "Caption", "tab:x").endswith("\n\nno papers match\n")


def test_only_columns_of_keys_are_cited():
    table = Table.of(("term", "papers"), [("press", ("press", "other"))])
    assert r"press & \cite{p20}, other \\" in to_text(report(table), Format.LATEX, cites={"press": "p20"})


def test_a_column_of_counts_is_no_column_of_papers():
    table = Table.of(("term", "papers", "state"), [("press", 2, "n/a"), ("  drip", 31, 1)])
    text = to_text(report(table), Format.LATEX, cites={"press": "p20"})
    assert "\\begin{tabular}{lrr}" in text
    assert r"\quad drip & 31 & 1 \\" in text


def test_the_start_of_a_row_or_an_item_is_no_argument():
    table = Table.of(("* n", "m"), [("[Retracted] A", "[b]"), ("*c", "*d")])
    text = to_text(Report("awesome/x/1", {}, (Section(None, (table, Bullets(("[e]",)))),)), Format.LATEX)
    rows = ("{}* n & m ", "{}[Retracted] A & [b] ", "{}*c & *d ")
    assert all(f"\n{row}\\\\\n" in text for row in rows)
    assert r"\item {}[e]" in text


def test_other_blocks_have_the_title_of_their_section_and_code_keeps_its_lines():
    sections = Section("Bad & good", (Bullets(("a",)),)), Section("Fix", (Code("x\n  y"),)), Section("T", ())
    text = to_text(Report("awesome/x/1", {}, sections), Format.LATEX)
    assert "\\paragraph{Bad {\\&} good}\n\n\\begin{itemize}" in text
    assert "\\paragraph{Fix}\n\n{\\raggedright\\ttfamily\\small\n\nx\n\n\\quad y\n\n\\par}" in text


def test_characters_that_pdftex_lacks_have_their_command():
    text = to_text(report(Table.of(("x",), [("中文",)])), Format.LATEX)
    assert "\\providecommand\\surveyother[1]{#1}\n" in text
    assert "\n\\surveyother{中文} \\\\\n" in text
    assert "surveyother" not in to_text(report(), Format.LATEX)


@pytest.mark.slow
def test_a_document_without_the_style_compiles(tmp_path: Path):
    rows = [("[Retracted] A", 3, EVIL), ("*", "n/a", r"Costs $a\\%$ more, $\\&$ $\($ $\left($ $\frac$ − ′ ħ → α “é”")]  # noqa: RUF001
    blocks = (
        Table.of(("key", "papers", "* title"), rows, note="[note]"),
        Bullets(("[x]",)),
        Code('awesome add "x" --all'),
    )
    text = to_text(Report("awesome/list/2", {}, (Section("[T]", blocks),)), Format.LATEX)
    packages = r"\usepackage[T1]{fontenc}\usepackage{lmodern,booktabs,longtable,array,graphicx}"
    (tmp_path / "main.tex").write_text(rf"\documentclass{{article}}{packages}\begin{{document}}{text}\end{{document}}")
    assert not [line for line in complaints(tmp_path) if not line.startswith("Overfull")]


def test_what_exceeds_a_page_is_a_longtable_and_what_exceeds_a_line_wraps():
    long = Table.of(("n", "text"), [(i, "word " * 40) for i in range(20)])
    text = to_text(report(long), Format.LATEX)
    assert r"\begin{longtable}{l>{\raggedright\arraybackslash}p{0.90\linewidth}}" in text
    wide = Table.of(("row", *(f"a long column {i}" for i in range(9))), [("x", *range(9))])
    assert text.count(r"\rotatebox") == 0
    assert to_text(report(wide), Format.LATEX).count(r"\rotatebox{90}") == 9


def test_what_does_not_fit_a_line_is_small():
    words = [[f"{letter * 12}" for letter in "abcdefg"]]
    assert "\n\\footnotesize\n\\begin{tabular}{lllllll}\n" in to_text(report(Table.of("abcdefg", words)), Format.LATEX)
    assert "\n\\footnotesize\n" not in to_text(report(Table.of("abc", [words[0][:3]])), Format.LATEX)


@pytest.mark.parametrize("place", ["cell", "column", "title", "note"])
def test_a_record_cannot_run_a_command(place: str):
    words = {"cell": "x", "column": "x", "title": "x", "note": "x"} | {place: EVIL}
    table = Table.of((words["column"],), [(words["cell"],)], title=words["title"], note=words["note"])
    text = to_text(report(table), Format.LATEX)
    assert not {*re.findall(r"\\([a-zA-Z]+)", text)} & {"input", "write"}
    assert len(strict(text)) == 1


@given(st.text())
def test_any_text_stays_text(text: str):
    written = latex.table(Table.of(("c",), [(text,)]), {}, "x", "tab:x")
    strict(written)
    cell = written.partition("\\midrule\n")[2].partition(" \\\\\n\\bottomrule")[0]
    assert not re.search(r"(?<!\\)[%&#]", re.sub(r"\{\\[%&#]\}", "", cell))
