"""Findings on a LaTeX document, each with its line and fix, and what silences them."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from claiming import LIVES, state_claims

from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish.manuscript.answers import answers
from awesome_cli.publish.manuscript.checking import check, cited
from awesome_cli.publish.manuscript.document import read
from awesome_cli.publish.manuscript.files import files
from awesome_cli.survey.loading import load_corpus

PAPER = """\
numbers:
  retained: {statistic: totals.retained}
  share: {share: "taste=sour"}
lists:
  sour: {where: "taste=sour"}
  none: {where: "year=1900"}
tables:
  cold: {report: list, where: "device=drip"}
"""


def findings(root: Path, text: str, stale: Sequence[str] = ()) -> list[tuple[str, int, str | None]]:
    folder = root / "paper"
    folder.mkdir(exist_ok=True)
    (root / "paper.yaml").write_text(PAPER)
    (folder / "main.tex").write_text(text)
    (folder / "own.bib").write_text("@misc{elsewhere, title = {Elsewhere}}\n")
    corpus = load_corpus(WorkingTree(root), candidates=True, evidence=True)
    found = check(read(folder / "main.tex", root), answers(corpus, root), stale)
    return [(f.code, f.line, f.fix) for f in found if f.code != "N005"]


@pytest.mark.parametrize(
    ("text", "code", "fix"),
    [
        (r"\surveynumber{retaind}", "N002", r"write \surveynumber{retained}"),
        (r"\surveyshare{retained}", "N002", "add it to paper.yaml, and run 'awesome paper build'"),
        (r"\surveytable{col}", "N002", r"write \surveytable{cold}"),
        (r"\surveycites{sou}", "N002", r"write \surveycites{sour}"),
        (r"\surveyclaim{sparse-colt}", "N002", r"write \surveyclaim{sparse-cold}"),
        (r"\surveyclaim{no-cold}", "N003", r"write \surveyclaim{sparse-cold} or write \surveyclaim{home-cold}"),
        (r"\surveyclaim{three}", "N003", "awesome claims show three"),
        (r"\surveyclaim*{home-cold}", "N003", "awesome claims show home-cold"),
        (r"\citep[p.~3]{drip2022}", "N004", "write 'drip2021'"),
        (r"\cite{elsewhere}\bibliography{own}", "N011", None),
        ("We retain 4 papers.", "N006", r"write \surveynumber{retained}"),
        (r"Half of the papers (50\,\%) are sour.", "N006", r"write \surveyshare{share}"),
        (r"\section{\surveyclaim{sparse-cold}}", "N008", r"\surveynumber and \surveyshare work in \section"),
        (r"\caption{\surveycites{sour}}", "N008", r"\surveynumber and \surveyshare work in \caption"),
        (r"\input{nowhere}", "N009", "correct the name, or ignore it"),
        (r"\surveycites{none}", "N003", "correct its query in paper.yaml"),
        (r"\bibliography{no}", "N012", "awesome export bibtex --cited-in paper/main.tex --out paper/no.bib"),
        (
            r"\surveycites{sour}\bibliography{own}",
            "N012",
            "awesome export bibtex --cited-in paper/main.tex --out paper/own.bib",
        ),
    ],
)
def test_each_fault_has_its_line_and_its_fix(root: Path, text: str, code: str, fix: str | None):
    state_claims(root, LIVES)
    found = findings(root, f"First.\n\n{text}\n")
    assert {(c, line) for c, line, _ in found} == {(code, 3)}
    assert fix is None or fix in str(found[0][2])
    assert findings(root, f"First.\n\n{text} % awesome: ignore on purpose\n") == []
    assert findings(root, f"First.\n% awesome: ignore on purpose\n{text}\n") == []
    assert findings(root, f"First.\n\n{text} % awesome: ignore\n") == found


def test_names_that_exist_are_no_findings(root: Path):
    state_claims(root, LIVES)
    text = r"\section{\surveynumber{retained}, \surveyshare{share}} \surveyclaim{robust} \surveytable{cold} \surveycites{sour}"
    assert findings(root, text) == []


def test_a_claim_is_missed_where_it_is_stated(root: Path):
    stated = LIVES.replace(
        "  as_of: 2026-05-10\n  succeeds", "  as_of: 2026-05-10\n  stated: [Abstract, section 1, 9]\n  succeeds", 1
    )
    state_claims(root, stated)
    text = "\\begin{abstract}\n\\surveyclaim{sparse-cold}\n\\end{abstract}\n\\section{Results}\n"
    assert findings(root, text) == [("N007", 4, r"write \surveyclaim{sparse-cold} there")]
    assert findings(root, f"{text}\\surveyclaim{{sparse-cold}}") == []


def test_a_stale_file_is_named(root: Path):
    assert findings(root, "x", ["paper/survey-data.tex"]) == [("N010", 1, "awesome paper build")]


def test_works_are_cited_by_keys_lists_tables_and_claims(root: Path):
    claims = LIVES.replace("At most two papers study cold brew.", "Few study cold brew, unlike soup2022.")
    state_claims(root, claims)
    findings(root, r"\cite{siphon2019} \surveycites{sour} \surveytable{cold}")
    corpus = load_corpus(WorkingTree(root), evidence=True)
    answered = answers(corpus, root)
    assert cited(read(root / "paper" / "main.tex", root), answered) == {
        "siphon2019",
        "bean2020",
        "drip2021",
        "soup2022",
    }
    (root / "paper" / "main.tex").write_text(r"\surveyclaim{sparse-cold}")
    assert cited(read(root / "paper" / "main.tex", root), answered) == {"soup2022"}
    assert cited(read(root / "paper" / "main.tex", root), None) == frozenset()


def test_a_paper_that_is_never_cited_is_noted_at_its_record(root: Path):
    findings(root, r"\cite{drip2021,siphon2019}")
    document, corpus = read(root / "paper" / "main.tex", root), load_corpus(WorkingTree(root), evidence=True)
    notes = [f for f in check(document, answers(corpus, root)) if f.code == "N005"]
    assert [(f.path, f.key, f.level) for f in notes] == [
        ("corpus/aero2020.yaml", "aero2020", "note"), ("corpus/soup2022.yaml", "soup2022", "note"),
    ]  # fmt: skip


def test_generated_files_are_the_same_each_time_and_have_every_name(root: Path):
    state_claims(root)
    (root / "paper.yaml").write_text(PAPER)
    made = [files(answers(load_corpus(WorkingTree(root), evidence=True), root), root) for _ in range(2)]
    assert made[0] == made[1]
    assert sorted(made[0]) == [
        "paper/awesome-survey.sty", "paper/survey-data.json", "paper/survey-data.tex", "paper/survey-table-cold.tex",
    ]  # fmt: skip
    assert r"\surveyentry{share}{share}{50\,{\%}}" in made[0]["paper/survey-data.tex"]


@pytest.mark.parametrize("reason", ["^^7d ^^5cinput^^7bx^^7d", r"\input{x}", "} 100 % #1"])
def test_a_reason_is_never_a_command_of_latex(root: Path, reason: str):
    state_claims(root, LIVES.replace("A paper that the search had missed studies it.", f"'{reason}'"))
    (root / "paper.yaml").write_text(PAPER)
    made = files(answers(load_corpus(WorkingTree(root), evidence=True), root), root)["paper/survey-data.tex"]
    (fails,) = re.findall(r"\\surveyentry\{fails\}\{no-cold\}\{\\detokenize\{(.*)\}\}\n", made)
    assert "revised on 2026-05-10" in fails
    assert not re.search(r"[\\{}%#^]", fails)
