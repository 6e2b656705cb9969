"""Coding in a spreadsheet: `awesome export codings`, edit, `awesome tag --table`."""

import csv
import io
from datetime import datetime
from pathlib import Path

import openpyxl
import pytest

from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.loading import load_corpus

AXIS = """\
- id: days
  label: Days
  question: How long?
  kind: many
  terms:
  - {id: 1-2, label: one or two}
  - {id: 2024-05, label: a month}
  - {id: "007", label: agent}
  - {id: 1e5, label: many}
stages:
"""


@pytest.fixture(autouse=True)
def day(monkeypatch: pytest.MonkeyPatch):
    """Today is 2026-06-01."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1780272000")


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    return tmp_path / "codings.csv"


def export(run, root: Path, *words: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(run("export", "codings", *words, root=root).out)))


def save(sheet: Path, rows: list[dict[str, str]]) -> Path:
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return sheet


def row(rows: list[dict[str, str]], key: str, was: str = "", axis: str | None = None) -> dict[str, str]:
    """The row of a work with an exported coding, or without one on an axis."""
    matches = (row for row in rows if row["key"] == key and row.get("was", "") == was)
    return next(row for row in matches if axis in {None, row.get("axis")})


def tags(root: Path, key: str, axis: str) -> list[str]:
    return [str(tag) for tag in load_corpus(WorkingTree(root)).by_key[key].tags.get(axis, ())]


def record(root: Path, key: str) -> str:
    return (root / "corpus" / f"{key}.yaml").read_text()


def test_cells_change_the_lines_they_mean_and_keep_the_rest(run, root: Path, sheet: Path):
    rows = export(run, root)
    row(rows, "aero2020", "bitter:measured")["evidence"] = "Measured twice."
    row(rows, "drip2021", "sour:mentioned").update({"term": "T3", "strength": "tasted"})
    row(rows, "soup2022", axis="beans")["term"] = "Robusta"
    before = record(root, "aero2020")
    shown = run("tag", "--table", save(sheet, rows), "--dry-run", root=root).out
    assert "+  - {term: sweet, strength: tasted, confidence: medium}" in shown
    assert record(root, "aero2020") == before
    done = run("tag", "--table", sheet, "--revised", "--who", "Ada", root=root)
    assert done.out.split() == [
        w for k in ("aero2020", "drip2021", "soup2022") for w in ("changed", f"corpus/{k}.yaml")
    ]
    assert (
        record(root, "aero2020").partition("history:")[0]
        == before.replace("by chromatography", "twice").partition("history:")[0]
    )
    assert "by: Ada" in record(root, "aero2020")
    assert tags(root, "drip2021", "taste") == ["bitter:measured", "sweet:tasted"]
    assert "not_coded:\n" not in record(root, "soup2022")
    assert tags(root, "soup2022", "beans") == ["robusta"]
    assert run("tag", "--table", sheet, root=root).out == "nothing to change\n"


def test_evidence_keeps_its_quote_contest_and_direction(run, root: Path, sheet: Path):
    run("tag", "aero2020", "taste=sour", "--quote", "so sour", "--evidence", "E", "--direction", "against", root=root)
    for words, field in (((), "source"), (("--wide",), "taste.source")):
        rows = export(run, root, *words)
        chosen = row(rows, "aero2020", "sour:tasted") if not words else row(rows, "aero2020")
        chosen[field] = "p. 5" if not words else "p. 4\np. 6"
        run("tag", "--table", save(sheet, rows), root=root)
    text = record(root, "aero2020")
    assert all(word in text for word in ("so sour", "direction: against", "two people", "p. 4", "p. 6"))


def test_a_wide_cell_is_the_whole_set(run, root: Path, sheet: Path):
    rows = export(run, root, "--wide", "--labels")
    row(rows, "aero2020").update({"taste.evidence": "\nMeasured.", "taste.confidence": ""})
    row(rows, "aero2020").update({"taste": "Sweet:tasted; Bitter", "beans": "NA"})
    row(rows, "soup2022").update({"beans": "na", "taste": "umami; salty:part", "taste.strength": "measured; tasted"})
    run("tag", "--table", save(sheet, rows), root=root)
    assert tags(root, "aero2020", "taste") == ["bitter:measured", "sweet:tasted"]
    assert tags(root, "aero2020", "beans") == []
    assert tags(root, "soup2022", "taste") == ["umami:measured", "salty:tasted:part"]
    assert "not_coded" not in record(root, "soup2022")
    assert run("tag", "--table", sheet, root=root).out == "nothing to change\n"


def test_parts_and_mains_trade_places(run, root: Path, sheet: Path):
    run("tag", "aero2020", "device=drip:part", "--evidence", "A drip.", root=root)
    rows = export(run, root, "--axis", "device")
    row(rows, "aero2020", "press")["part"] = "part"
    row(rows, "aero2020", "drip:part")["part"] = "main"
    run("tag", "--table", save(sheet, rows), root=root)
    assert sorted(tags(root, "aero2020", "device")) == ["drip", "press:part"]
    assert "A drip." in record(root, "aero2020")


@pytest.mark.parametrize("words", [(), ("--wide",)])
def test_the_same_sheet_serves_day_after_day(run, root: Path, sheet: Path, words: tuple[str, ...]):
    rows = export(run, root, *words, "--axis", "taste", "--axis", "beans")

    def code(key: str, axis: str, term: str) -> None:
        if words:
            row(rows, key)[axis] = term
        else:
            row(rows, key, axis=axis)["term"] = term
        run("tag", "--table", save(sheet, rows), root=root)

    code("soup2022", "taste", "sour:tasted")
    code("soup2022", "beans", "arabica")
    code("siphon2019", "beans", "robusta")
    assert tags(root, "soup2022", "taste") == ["sour:tasted"]
    assert (tags(root, "soup2022", "beans"), tags(root, "siphon2019", "beans")) == (["arabica"], ["robusta"])
    # Evidence for yesterday's coding overwrites nothing; another term would.
    coded = row(rows, "soup2022", axis=None if words else "taste")
    coded["taste.evidence" if words else "evidence"] = "Nine tasters."
    run("tag", "--table", save(sheet, rows), root=root)
    assert "{term: sour, strength: tasted, evidence: Nine tasters.}" in record(root, "soup2022")
    coded["taste" if words else "term"] = "salty:tasted"
    assert "changed since the export" in run("tag", "--table", save(sheet, rows), root=root, code=4).err


@pytest.mark.parametrize("words", [(), ("--wide",)])
def test_a_coding_that_changed_since_the_export_is_not_overwritten(
    run, root: Path, sheet: Path, words: tuple[str, ...]
):
    rows = export(run, root, *words)
    run("tag", "drip2021", "device=press", root=root)
    done = run("tag", "--table", save(sheet, rows), root=root, code=4)
    number = rows.index(row(rows, "drip2021") if words else row(rows, "drip2021", "drip")) + 2
    wide = " --wide" if words else ""
    assert done.err.startswith(
        f"codings.csv: row {number}, column digest: the coding of drip2021 on device has changed since the export; export"
        f" it again (awesome export codings{wide} --where 'key=drip2021'), or empty this cell"
    )
    assert tags(root, "drip2021", "device") == ["press"]
    rows[number - 2]["digest"] = ""
    run("tag", "--table", save(sheet, rows), root=root)
    assert tags(root, "drip2021", "device") == ["drip"]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"term": "biter"}, "column term: axis 'taste' has no term 'biter'; did you mean 'bitter'?"),
        ({"term": "sweet:tastd"}, "column strength: axis 'taste' has no strength 'tastd'; did you mean 'tasted'?"),
        ({"strength": "tastd"}, "column strength: axis 'taste' has no strength 'tastd'; did you mean 'tasted'?"),
        ({"confidence": "hihg"}, "column confidence: unknown confidence 'hihg'; did you mean 'high'?"),
        ({"axis": "tasty"}, "column axis: unknown axis 'tasty'; did you mean 'taste'?"),
        ({"key": "drip2012"}, "column key: unknown record 'drip2012'; did you mean 'drip2021'?"),
        ({"key": "X1"}, "column key: X1 is an exclusion, which cannot have tags"),
        ({"term": "sour"}, "column term: taste=sour is listed twice (rows "),
        ({"term": "", "was": ""}, "column term: the row has values but no term"),
        ({"axis": "device", "term": "cold", "was": "", "strength": "", "digest": ""}, "takes one term, got 'drip' and 'cold'"),
        ({"evidence": "#NAME?"}, "column evidence: #NAME? is an error of the spreadsheet"),
        ({"evidence": "2025-01-02"}, "column evidence: '2025-01-02' is a date; a spreadsheet may have changed it"),
        ({"source": "2508,0465"}, "column source: '2508,0465' is a number"),
    ],
)  # fmt: skip
def test_a_fault_is_named_and_leaves_its_record_alone(run, root: Path, sheet: Path, cells: dict[str, str], said: str):
    rows = export(run, root)
    fault = row(rows, "drip2021", "bitter:measured")
    fault |= cells
    row(rows, "drip2021", "robusta")["term"] = "arabica" if fault["key"] == "drip2021" else "robusta"
    row(rows, "soup2022", axis="beans")["term"] = "arabica"
    before = record(root, "drip2021")
    done = run("tag", "--table", save(sheet, rows), root=root, code=4)
    assert said in done.err
    assert done.err.startswith("codings.csv: row ")
    assert "1 record to change; left unchanged because of errors: " in done.err
    assert done.out == "changed corpus/soup2022.yaml\n"
    assert record(root, "drip2021") == before


@pytest.mark.parametrize(
    ("term", "cell"),
    [
        ("1-2", "2-Jan"), ("1-2", "02-Jan"), ("1-2", "Jan-02"), ("1-2", "1/2/2026"), ("1-2", "2026-01-02"),
        ("1-2", "2026-01-02 00:00:00"), ("1-2", "02.01.2026"), ("1-2", "1. Feb"), ("2024-05", "May-24"),
        ("2024-05", "2024-05-01 00:00:00"), ("007", "7"), ("1e5", "1E+05"), ("1e5", "100000"), ("1e5", "1,00E+05"),
    ],
)  # fmt: skip
def test_a_cell_that_a_spreadsheet_changed_is_refused_by_name(run, root: Path, sheet: Path, term: str, cell: str):
    path = root / "taxonomy.yaml"
    path.write_text(path.read_text().replace("stages:\n", AXIS))
    for header, said in (("key,axis,term", "term"), ("key,days", "days")):
        middle = "days," if said == "term" else ""
        sheet.write_text(f'{header}\naero2020,{middle}"{cell}"\n')
        done = run("tag", "--table", sheet, root=root, code=4)
        assert f"row 2, column {said}: {cell!r} is a " in done.err
        assert f"a spreadsheet probably made it of {term!r}: format the column as text" in done.err
        sheet.write_text(f"{header}\naero2020,{middle}{term}\n")
    run("tag", "--table", sheet, root=root)
    assert tags(root, "aero2020", "days") == [term]


def test_a_source_that_lost_a_zero_is_refused_but_a_quoted_one_is_a_text(run, root: Path, sheet: Path):
    run("tag", "aero2020", "beans=arabica", "--source", "2508.04650", root=root)
    rows = export(run, root, "--axis", "beans")
    row(rows, "aero2020", "arabica")["source"] = "2508.0465"
    done = run("tag", "--table", save(sheet, rows), root=root, code=4)
    assert "a spreadsheet probably made it of '2508.04650'" in done.err
    row(rows, "aero2020", "arabica")["source"] = '"2508.0465"'
    run("tag", "--table", save(sheet, rows), root=root)
    assert "2508.0465\n" in record(root, "aero2020").replace('"', "").replace("}", "\n")


def test_a_workbook_keeps_text_and_names_dates_and_formulas(run, root: Path, tmp_path: Path):
    path = tmp_path / "codings.xlsx"
    run("export", "codings", "--out", path, root=root)
    book = openpyxl.load_workbook(path)
    cells = {(row[0].value, row[11].value): row for row in book.active.iter_rows()}
    assert {cell.number_format for cell in cells["drip2021", "drip"]} == {"@"}
    cells["drip2021", "bitter:measured"][6].value = "Weighed."
    cells["aero2020", "bitter:measured"][6].value = datetime(2026, 1, 2)  # noqa: DTZ001 - as a spreadsheet has it
    cells["siphon2019", "sweet:measured"][6].value = "=1+1"
    book.save(path)
    done = run("tag", "--table", path, root=root, code=4)
    assert "column evidence: '2026-01-02 00:00:00' is a date" in done.err
    assert "column evidence: #VALUE! is an error of the spreadsheet" in done.err
    assert done.out == "changed corpus/drip2021.yaml\n"
    path.write_bytes(path.read_bytes()[:-500])
    assert "codings.xlsx cannot be read" in run("tag", "--table", path, root=root, code=2).err


def test_a_table_of_ones_own_is_read(run, root: Path, sheet: Path):
    sheet.write_bytes("Key;Wer;taste;taste.evidence\narXiv:2001.00010;ich;sweet;süß\n".encode("cp1252"))
    done = run("tag", "--table", sheet, root=root)
    assert "was read as Windows-1252" in done.err
    assert "columns that are neither fields nor axes are ignored: Wer" in done.err
    assert "süß" in record(root, "aero2020")
    done = run("tag", "--table", "-", stdin="key,taste\naero2020,salty,x\n", root=root, code=4)
    assert "<stdin>: row 2, column key: the row is longer than the header" in done.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("key,tast\n", "unknown column 'tast'; did you mean 'taste'?\n  hint: name the column taste, or remove it"),
        ("key,taste,taste\n", "has two columns 'taste'"),
        ("title,taste\n", "is not a table of codings: its first row needs 'key'"),
        ("", "is not a table of codings"),
        ('key,taste\na,"b\n', "unclosed quote"),
    ],
)
def test_what_is_not_a_table_of_codings_is_refused(run, root: Path, sheet: Path, text: str, said: str):
    sheet.write_text(text)
    assert said in run("tag", "--table", sheet, root=root, code=2).err


def test_options_of_the_table_stand_alone(run, root: Path, sheet: Path):
    assert "--table cannot be combined with" in run("tag", "aero2020", "--table", sheet, root=root, code=2).err
    assert "need the format codings" in run("export", "csv", "--wide", root=root, code=2).err
    assert "exclusions have no codings" in run("export", "codings", "--kind", "exclusion", root=root, code=2).err
    taxonomy = root / "taxonomy.yaml"
    taxonomy.write_text(taxonomy.read_text().replace("- id: beans", "- id: key"))
    assert "an axis named 'key'" in run("export", "codings", "--wide", root=root, code=2).err
    assert "supported endings: .csv, .tsv, .xlsx" in run("export", "codings", "--out", "x.ods", root=root, code=2).err


def test_a_table_read_as_another_encoding_is_refused(run, root: Path, sheet: Path):
    run("tag", "drip2021", "taste=sour:tasted", "--evidence", "Müller at a café.", root=root)
    run("export", "codings", "--out", sheet, root=root)
    data = sheet.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf"), "by its mark, a spreadsheet knows UTF-8"
    sheet.write_bytes(data[3:].decode("cp1252").encode())
    assert "read UTF-8 as another encoding" in run("tag", "--table", sheet, root=root, code=4).err
    assert "Müller at a café." in record(root, "drip2021")


def test_strengths_by_label_equal_rows_and_a_missing_digest(run, root: Path, sheet: Path):
    rows = export(run, root, "--axis", "taste")
    new = row(rows, "soup2022")
    new |= {"term": "Sour", "strength": " Tasted", "confidence": "HIGH"}
    bare = [{name: cell for name, cell in each.items() if name != "digest"} for each in (new, new)]
    assert "no column 'digest'" in run("tag", "--table", save(sheet, bare), root=root).err
    assert "{term: sour, strength: tasted, confidence: high}" in record(root, "soup2022")


def test_what_a_workbook_cannot_hold_is_refused(run, root: Path, tmp_path: Path):
    book = tmp_path / "long.xlsx"
    run("tag", "drip2021", "taste=sour:tasted", "--evidence", "- " + "a" * 40_000, root=root)
    assert (
        "a text is longer than the 32,767 characters" in run("export", "codings", "--out", book, root=root, code=3).err
    )
    assert not book.exists()


def test_the_table_of_another_survey_is_refused_at_once(run, root: Path, sheet: Path):
    sheet.write_text("key,device\n" + "".join(f"other{n},press\n" for n in range(600)))
    assert (
        "500 rows of codings.csv name no record of this survey" in run("tag", "--table", sheet, root=root, code=2).err
    )


def test_na_where_a_record_cannot_state_it(run, root: Path, sheet: Path):
    run("tag", "soup2022", "device", "--remove", root=root)
    sheet.write_text("key,device,taste\nsoup2022,NA,NA\n")
    done = run("tag", "--table", sheet, root=root, code=4)
    assert "column device: a record cannot state NA on device" in done.err
    assert "column taste" not in done.err, "silence on this axis says it"
