"""The paper in `examples/paper/`: its generated files follow from the example survey, and it compiles while its claims hold."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import typst
import yaml
from builders import PAPER
from latex import compiled, complaints
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexMacroNode, LatexWalker, get_default_latex_context_db
from pylatexenc.macrospec import std_macro
from running import invoke

from awesome_cli.model.claims import Claims
from awesome_cli.publish.starter.files import Example

WRITTEN = {"README.md", "main.tex", "main.typ", "paper.yaml"}
"""The files that no command writes."""
CLAIMS = Claims.model_validate(yaml.safe_load(Example.shipped().files["claims.yaml"])).claims
pytestmark = pytest.mark.source


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """The example survey with the paper, as its README makes it."""
    root = tmp_path / "coffee"
    invoke("init", root, "--example")
    (root / "paper").mkdir()
    shutil.copy(PAPER / "paper.yaml", root)
    for name in ("main.tex", "main.typ"):
        shutil.copy(PAPER / name, root / "paper")
    invoke("export", "bibtex", "--out", root / "paper" / "references.bib", root=root)
    invoke("paper", "build", root=root)
    return root


def test_the_generated_files_follow_from_the_survey(survey: Path, updating: bool):
    made = {path.name: path.read_text() for path in (survey / "paper").iterdir() if path.name not in WRITTEN}
    if updating:
        for path in PAPER.iterdir():
            if path.name not in WRITTEN:
                path.unlink()
        for name, text in made.items():
            (PAPER / name).write_text(text)
    assert made == {path.name: path.read_text() for path in PAPER.iterdir() if path.name not in WRITTEN}
    assert invoke("paper", "check", "--strict", root=survey).out == "paper/main.tex: no findings\n"


def test_another_parser_reads_every_macro_of_the_text_and_its_definition():
    specs = {"surveyentry": "{{{", "surveynumber": "{", "surveyshare": "{", "surveytable": "{", "surveycites": "{"}
    context = get_default_latex_context_db()
    macros = [std_macro(name, spec) for name, spec in {**specs, "surveyclaim": "*{"}.items()]
    context.add_context_category("survey", macros=macros, prepend=True)

    def uses(node: Any) -> list[list[str]]:
        """The survey's macros in a tree, each with its arguments as they read."""
        if isinstance(node, LatexMacroNode) and node.macroname.startswith("survey"):
            args = node.nodeargd.argnlist if node.nodeargd else []
            return [[node.macroname, *(LatexNodes2Text().nodelist_to_text([arg]).strip() for arg in args if arg)]]
        inner = [
            *(getattr(node, "nodelist", None) or []),
            *(getattr(getattr(node, "nodeargd", None), "argnlist", ()) or ()),
        ]
        return [use for child in inner if child is not None for use in uses(child)]

    def parsed(name: str) -> list[list[str]]:
        nodes = LatexWalker((PAPER / name).read_text(), latex_context=context).get_latex_nodes()[0]
        return [use for node in nodes for use in uses(node)]

    defined = {(kind, name): " ".join(text.split()) for _, kind, name, text in parsed("survey-data.tex")}
    used = parsed("main.tex")
    assert {use[0] for use in used} == {*specs, "surveyclaim", "surveyday", "surveycommit"} - {"surveyentry"}
    assert ["surveyclaim", "*", "umami-gap"] in used
    kinds = {(use[0].removeprefix("survey").replace("cites", "list"), use[-1]) for use in used if len(use) > 1}
    assert kinds <= defined.keys()
    data = json.loads((PAPER / "survey-data.json").read_text())["data"]
    for name, number in data["numbers"].items():
        assert defined["number", name] == number["text"]
        assert defined.get(("share", name), "").replace(" ", "") == (number["percent"] or "").replace(" ", "")
    assert {name: defined["list", name].split(",") for name in data["lists"]} == data["lists"]
    assert {c.id for c in CLAIMS} == {name for kind, name in defined if kind == "claim"} == data["claims"].keys()
    assert {kind for kind, _ in kinds} == {"number", "share", "list", "table", "claim"}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_latex_compiles_it_without_a_warning(tmp_path: Path, engine: str):
    folder = shutil.copytree(PAPER, tmp_path / "paper")
    assert complaints(folder, engine) == []
    assert "(2 pages" in (folder / "main.log").read_text(errors="replace")


@pytest.mark.slow
def test_typst_compiles_it_without_a_warning():
    pdf, warnings = typst.compile_with_warnings(PAPER / "main.typ")
    assert (bytes(pdf[:5]), warnings) == (b"%PDF-", [])


def flipped(expectation: dict[str, Any]) -> dict[str, Any]:
    """An expectation that the records do not meet, since the one before is met."""
    other = {"equals": lambda old: old + 1 if isinstance(old, int) else [], "at_most": lambda _: 0,
             "at_least": lambda _: 1000, "is": lambda _: "sparse"}  # fmt: skip
    return {name: other[name](value) if name in other else value for name, value in expectation.items()}


@pytest.mark.slow
@pytest.mark.parametrize("claim", [claim.id for claim in CLAIMS])
def test_a_claim_that_does_not_hold_stops_both(survey: Path, claim: str):
    path, folder = survey / "claims.yaml", survey / "paper"
    document = yaml.safe_load(path.read_text())
    entry = next(entry for entry in document["claims"] if entry["id"] == claim)
    if "revised" in entry or "withdrawn" in entry:  # It does not stand, so a text that states it is wrong at once.
        for name, line in (
            ("main.tex", rf"\surveyclaim{{{claim}}}\end{{document}}"),
            ("main.typ", f'#claim("{claim}")'),
        ):
            text = (folder / name).read_text().replace(r"\end{document}", "")
            (folder / name).write_text(f"{text}{line}\n")
    else:
        entry["expect"][0] = flipped(entry["expect"][0])
        path.write_text(yaml.safe_dump(document))
        invoke("paper", "build", root=survey)
    code, log = compiled(folder, "pdflatex")
    assert code != 0
    assert f"Package awesome-survey Error: Claim '{claim}': " in log
    with pytest.raises(typst.TypstError, match=f"claim {claim}: "):
        typst.compile(folder / "main.typ")
    main = folder / "main.tex"
    main.write_text(main.read_text().replace("{awesome-survey}", "[draft]{awesome-survey}"))
    code, log = compiled(folder, "pdflatex")
    assert code == 0, log
