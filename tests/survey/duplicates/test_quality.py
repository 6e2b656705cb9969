"""The scoring on labelled pairs, and the index against it: the same code as in the benchmark."""

import csv
from itertools import pairwise

import pytest
from builders import DATA

from awesome_cli.survey.duplicates import Manifestation, compare
from bench.dedupe import ONE_WORK, Pair, found_by_index, quality, run


def work(key: str, row: dict[str, str]) -> Manifestation:
    authors = tuple(filter(None, row["authors"].split("; ")))
    return Manifestation(key, row["title"], authors, int(row["year"] or 0) or None, row["venue"] or None)


def pairs_of(name: str) -> list[tuple[Pair, str]]:
    """Real works in two rows each, with whether they are one record, two versions of one work, or two works."""
    with (DATA / "dedupe" / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [
        ((work(f"a{one['pair']}", one), work(f"b{one['pair']}", other), one["label"] in ONE_WORK), one["label"])
        for one, other in pairwise(rows)
        if one["pair"] == other["pair"]
    ]


@pytest.fixture(scope="module")
def labelled() -> list[tuple[Pair, str]]:
    return pairs_of("pairs.csv")


def test_citations_are_matched_whatever_was_lost_in_them():
    pairs = [pair for pair, _ in pairs_of("citations.csv")]
    precision, recall, _ = quality(pairs, ONE_WORK)
    assert min(precision, recall) >= 0.95
    assert found_by_index(pairs, ONE_WORK) == 1


def test_the_set_is_balanced(labelled):
    same = sum(pair[2] for pair, _ in labelled)
    assert len(labelled) >= 60
    assert 0.4 < same / len(labelled) < 0.6


def test_works_are_told_apart(labelled):
    pairs = [pair for pair, _ in labelled]
    precision, recall, f1 = quality(pairs, ONE_WORK)
    assert min(precision, recall) > 0.88
    assert f1 >= 0.89
    assert found_by_index(pairs, ONE_WORK) == 1


def test_a_version_is_told_from_a_second_copy(labelled):
    found = [(match.kind, label) for (a, b, same), label in labelled if same and (match := compare(a, b))]
    assert [kind for kind, _ in found] == [label for _, label in found]


@pytest.mark.slow
def test_the_benchmark_asks_for_the_folder_of_its_pairs(tmp_path, capsys):
    one = "COL title VAL on bread and salt COL authors VAL ada bean , jane doe COL venue VAL vldb COL year VAL 2001"
    other = "COL title VAL steam engines of the north COL authors VAL rick roe COL venue VAL vldb COL year VAL 1999"
    for name in ("train", "valid"):
        lines = f"{one}\t{one}\t1\n{one}\t{other}\t0\n"
        (tmp_path / f"Structured_DBLP-ACM_{name}.txt").write_text(lines, encoding="utf-8")
    rows = run(tmp_path, sizes=())
    assert len(rows) == 14
    assert [row.measured for row in rows if row.name.startswith("DBLP")] == [0] * 10
    assert max(row.ratio for row in rows) <= 1
    assert capsys.readouterr().err == ""
    assert len(run(sizes=())) == 3
    assert "name their folder with --pairs" in capsys.readouterr().err
