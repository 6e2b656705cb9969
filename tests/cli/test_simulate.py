"""`awesome screen simulate`."""

import csv
import io
from pathlib import Path

import pytest

TOPIC = {1: "sour dough of rye and wheat", 0: "green tea in cups of porcelain"}


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    path = tmp_path / "labelled.csv"
    rows = [f"Paper {n},{TOPIC[int(n % 5 == 0)]} {n},{int(n % 5 == 0)}\n" for n in range(40)]
    path.write_text("title,abstract,included\n" + "".join(rows) + "Paper 40,tea,\n")
    return path


def test_it_says_what_was_replayed_and_how(run, labelled):
    said = run("screen", "simulate", labelled, "--order", "random", "--seed", "3").out
    for text in ("40 records, 8 of them relevant: a prevalence of 20.0%", "labelled.csv:42: it has no label",
                 "do not count in the measures", "seed 5", "mean", "doi:10.1197/jamia.M1929",
                 "doi:10.1186/s13643-023-02257-7"):  # fmt: skip
        assert text in said


def test_json_and_csv_hold_the_recall_curve(run, labelled):
    words = ("screen", "simulate", labelled, "--seeds", "2")
    data = run(*words, "--format", "json").json["data"]
    rows = [
        row for row in csv.DictReader(io.StringIO(run(*words, "--format", "csv").out)) if row["table"] == "Recall curve"
    ]
    for one in data["runs"]:
        assert [int(row["read"]) for row in rows if row["seed"] == str(one["seed"])] == one["found_at"]
    assert data["order"]["by"] == "relevance"
    assert {"features", "classifier", "balance"} <= data["order"].keys()
    assert data["mean"]["loss"] == pytest.approx(sum(one["measures"]["loss"] for one in data["runs"]) / 2, abs=1e-6)


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_curves_are_drawn_the_same_each_time(run, labelled, tmp_path, ending):
    path = tmp_path / f"recall.{ending}"
    words = ("screen", "simulate", labelled, "--order", "random", "--plot", path)
    assert run(*words).err == f"wrote {path}\n"
    first = path.read_bytes()
    run(*words)
    assert path.read_bytes() == first
    assert ending == "png" or all(text in first.decode() for text in ("seed 2", "best order", "38 records, 7 relevant"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--start", "1"], "--start '1' is not two numbers"),
        (["--start", "8,1"], "the set has 8 relevant papers, too few to start from 8"),
        (["--plot", "x.gif"], "--plot x.gif is no picture that is drawn"),
        (["--column", "titel=decision"], "no column 'titel'; did you mean 'title'?"),
    ],
)
def test_what_cannot_be_asked_for_is_said(run, labelled, words, message):
    assert message in run("screen", "simulate", labelled, "--order", "random", *words, code=2).err


def test_a_file_that_is_not_there_is_named(run, tmp_path):
    assert "no such file" in run("screen", "simulate", tmp_path / "none.csv", code=2).err
