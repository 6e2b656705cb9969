"""Codings by table: what is exported and read back without a change changes nothing."""

import subprocess
from datetime import date
from pathlib import Path

import pytest
from builders import coffee, make_paper
from hypothesis import given
from hypothesis import strategies as st
from needs import program

from awesome_cli.curation.editing.recoding import Revising
from awesome_cli.curation.editing.tables import recode
from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import codings
from awesome_cli.formats.reading import InputFile
from awesome_cli.model.codings import Tag
from awesome_cli.model.records import Paper
from awesome_cli.survey.corpus import Corpus

TAXONOMY = coffee().taxonomy
NEVER = Revising(date(2026, 1, 1), lambda _: pytest.fail("nothing is revised"))
TEXTS = st.sampled_from(
    ["2-Jan", "007", "1e5", "=1+1", "'=1", "\ta", "a\n\nb", '["a"]', '"a"', "a;b", "NA", " a ", "#REF!", "a\r\nb"]
)
TEXTS |= st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)


@st.composite
def papers(draw: st.DrawFn) -> Paper:
    """A paper with any codings: also unknown terms and strengths, parts, and axes that wait."""
    tags: dict[str, list[Tag]] = {}
    for axis in TAXONOMY.axes:
        words = draw(st.lists(st.sampled_from([*axis.by_id, "gone", "a:b", "x; y"]), unique=True, max_size=3))
        tags[axis.id] = [
            Tag(
                term=word,
                strength=draw(st.sampled_from([None, *axis.strength_ids, "lost"])),
                part=draw(st.booleans()),
                direction=draw(st.sampled_from(["for", "against"])),
                **{name: draw(st.none() | TEXTS) for name in ("evidence", "quote", "source", "confidence")},
            )
            for word in words
        ]
    waiting = draw(st.lists(st.sampled_from(list(TAXONOMY.by_id)), unique=True))
    return make_paper(tags={axis: some for axis, some in tags.items() if some}, not_coded=waiting)


@given(papers(), st.booleans(), st.booleans(), st.sampled_from([".csv", ".tsv", ".xlsx"]))
def test_a_table_that_nobody_changed_changes_nothing(paper: Paper, wide: bool, labels: bool, ending: str):
    corpus = Corpus(TAXONOMY, (paper,))
    text = codings.write(corpus, ending, wide=wide, labels=labels)
    source = InputFile(f"codings{ending}", text if isinstance(text, bytes) else text.encode())
    plan = recode(WorkingTree("nowhere"), corpus, source, revising=NEVER)
    assert (plan.changes, plan.failed, plan.warnings) == ((), (), ())


def through_office(table: Path, *endings: str) -> Path:
    """The file after LibreOffice has opened it and saved it as another format, again and again."""
    office = program("libreoffice-calc", "soffice")
    for n, ending in enumerate(endings):
        folder = table.parent / f"{n}{ending}"
        profile = f"-env:UserInstallation={(table.parent / 'profile').as_uri()}"
        comma = ["--infilter=CSV:44,34,76,1"] if table.suffix == ".csv" else []
        target = "csv:Text - txt - csv (StarCalc):44,34,76" if ending == "csv" else ending
        command = [office, "--headless", profile, *comma, "--convert-to", target, "--outdir", folder, table]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
        table = folder / f"{table.stem}.{ending}"
    return table


@pytest.mark.slow
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("route", [("ods", "csv"), ("xlsx",), ("xlsx", "csv")], ids="-".join)
def test_libreoffice_changes_nothing(
    shipped: Corpus, repository: Path, tmp_path: Path, wide: bool, route: tuple[str, ...]
):
    table = tmp_path / "codings.csv"
    table.write_text(str(codings.write(shipped, wide=wide)))
    back = through_office(table, *route)
    plan = recode(WorkingTree(repository), shipped, InputFile(back.name, back.read_bytes()), revising=NEVER)
    assert (plan.changes, plan.failed, plan.warnings) == ((), (), ())


@pytest.mark.slow
def test_libreoffice_keeps_the_text_of_a_workbook(shipped: Corpus, repository: Path, tmp_path: Path):
    table = tmp_path / "codings.xlsx"
    table.write_bytes(bytes(codings.write(shipped, ".xlsx")))  # type: ignore[arg-type]
    back = through_office(table, "ods", "xlsx")
    plan = recode(WorkingTree(repository), shipped, InputFile(back.name, back.read_bytes()), revising=NEVER)
    assert (plan.changes, plan.failed, plan.warnings) == ((), (), ())
