"""Statistics: zeros, rollups, strengths, cross-tabs, and the figures that were published."""

import csv
import json
from collections import Counter
from datetime import date

import pytest
from builders import DATA, coffee, make_corpus, make_paper

from awesome_cli.analysis.gaps.cells import gap_map
from awesome_cli.analysis.statistics import SPLITS, frames
from awesome_cli.analysis.statistics.counts import statistics
from awesome_cli.errors import UsageError
from awesome_cli.survey.corpus import Corpus


def test_counts_have_zeros_and_papers_without_a_term():
    assert statistics(coffee()).counts["beans"] == {"arabica": 1, "robusta": 1, "cold": 0, "NA": 2}


def test_parents_are_rolled_up_and_not_counted_as_leaves():
    stats = statistics(coffee())
    assert stats.rollups == {"device": {"immersion": 2}}
    assert stats.counts["device"] == {"press": 1, "siphon": 1, "drip": 2, "cold": 0, "NA": 0}


def test_parts_stand_beside_and_are_counted_nowhere_else():
    part = {"term": "siphon", "part": True}
    sour = {"term": "sour", "strength": "measured", "part": True}
    stats = statistics(make_corpus(make_paper(tags={"device": ["drip", part], "taste": [sour]})))
    assert stats.counts["device"] == {"press": 0, "siphon": 0, "drip": 1, "cold": 0, "NA": 0}
    assert stats.rollups == {"device": {"immersion": 0}}
    assert stats.parts["device"]["siphon"] == 1
    assert sum(stats.strengths["taste"]["sour"].values()) == 0
    assert statistics(coffee()).parts == {}


def test_strengths_stand_strongest_first():
    strengths = statistics(coffee()).strengths["taste"]
    assert list(strengths["sour"].items()) == [("measured", 0), ("tasted", 1), ("mentioned", 1)]


def test_crosstabs_of_the_maps_and_of_what_was_asked():
    stats = statistics(coffee(), by=["beans,year", "device"])
    assert list(stats.crosstabs) == ["device x beans", "beans x taste", "beans x year"]
    assert stats.crosstabs["device x beans"]["drip"] == {"arabica": 0, "robusta": 1, "cold": 0, "NA": 1}
    assert stats.crosstabs["beans x taste"]["arabica"]["sour"] == 1
    assert list(stats.to_report().data["crosstabs"]) == ["beans x year"]  # type: ignore[call-overload]
    assert list(stats.to_report().data["counts"]) == ["device"]  # type: ignore[call-overload]
    assert stats.crosstabs["beans x year"]["NA"] == {"2019": 1, "2020": 0, "2021": 0, "2022": 1, "NA": 0}


def test_every_split_is_in_the_help_and_in_the_answer(run, root):
    shown = " ".join(run("stats", "--help").out.replace("│", " ").split())
    assert f"Count by an axis, {' or '.join(SPLITS)}" in shown
    stats = statistics(coffee(), by=list(SPLITS))
    assert list(stats.by) == list(SPLITS)
    for name in SPLITS:
        assert run("stats", "--by", name, root=root).out.split("\n\n")[-1].startswith(name)


def test_exclusions_are_counted_by_the_words_of_the_log(published: Corpus):
    stats = statistics(published)
    with (DATA / "facts" / "exclusions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert stats.exclusions["source"] == Counter(row["source"] for row in rows)
    assert stats.exclusions["query_family"] == Counter(row["query_family"] for row in rows)
    pairs = Counter((row["source"], row["query_family"]) for row in rows)
    grid = stats.exclusion_crosstabs["source x query_family"]
    assert {(a, b): n for a, cells in grid.items() for b, n in cells.items() if n} == pairs
    assert {len(cells) for cells in grid.values()} == {len(stats.exclusions["query_family"])}  # zeros are shown


def test_a_log_without_query_families_is_counted_and_not_listed(run, root):
    assert statistics(coffee()).exclusions["query_family"] == {"NA": 2}
    assert "\nquery_family" not in run("stats", root=root).out
    assert "query_family,NA,,2" in run("stats", "--format", "csv", root=root).out


def test_crosstabs_that_the_taxonomy_names(run, root):
    path = root / "taxonomy.yaml"
    path.write_text(path.read_text() + "crosstabs: [[beans, device]]\n")
    assert "beans x device" in run("stats", "--format", "json", root=root).json["data"]["crosstabs"]
    path.write_text(path.read_text().replace("[[beans, device]]", "[[beans, devise]]"))
    assert "A002" in run("validate", root=root, code=1).out
    path.write_text(path.read_text().replace("[[beans, devise]]", "[[beans, device]]"))
    run("taxonomy", "rename", "beans", "species", root=root)
    assert "crosstabs: [[species, device]]" in path.read_text()


def test_where_and_as_of_narrow_the_pool():
    stats = statistics(coffee(), where="device=drip", as_of=date(2026, 3, 1))
    assert stats.totals == {"retained": 1, "excluded": 1, "audited": 2}


def test_three_axes_are_no_table():
    with pytest.raises(UsageError, match="one or two axes"):
        statistics(coffee(), by=["device,beans,taste"])


def test_an_axis_with_itself():
    grid = statistics(coffee(), by=["taste,taste"]).crosstabs["taste x taste"]
    assert grid["bitter"]["sour"] == grid["sour"]["bitter"] == 2


def test_a_mistyped_axis_is_an_error_that_names_the_nearest():
    with pytest.raises(UsageError, match="did you mean 'device'"):
        statistics(coffee(), by=["devise"])


def test_plain_counting_agrees_with_the_frames(shipped: Corpus):
    counts = statistics(shipped).counts
    for axis, cells in gap_map(shipped, pairs=()).axes.items():
        leaves = {term.id for term in shipped.taxonomy.by_id[axis].leaves}
        assert {term: cell.n for term, cell in cells.items() if term in leaves} == {
            term: n for term, n in counts[axis].items() if term != "NA"
        }


def test_a_pair_map_agrees_with_the_crosstab(shipped: Corpus):
    for name, rows in gap_map(shipped, axes=()).pairs.items():
        frame = frames.crosstab(shipped, *name.split(" x "))
        for row, columns in rows.items():
            for column, cell in columns.items():
                assert cell.n == frame.loc[row, column], (name, row, column)


def test_the_published_statistics_come_out(shipped: Corpus):
    published = json.loads((DATA / "facts" / "stats_published.json").read_text())
    stats = statistics(shipped, as_of=date.fromisoformat(published["as_of"]))
    names = {
        "category": "category",
        "is_rl": "rl",
        "reward_type": "reward_family",
        "credit_granularity": "credit_unit",
    }
    assert stats.totals == {name: published[name] for name in ("retained", "excluded", "audited")}
    for theirs, ours in names.items():
        counts = {term: n for term, n in stats.counts[ours].items() if n or term in published[theirs]}
        assert counts == published[theirs], ours
    stages = {f"{stage}_screen": n for stage, n in stats.exclusions["stage"].items()}
    assert stages == published["exclusion_stage"]
    for theirs, ours in {
        "reward_x_credit": "reward_family x credit_unit",
        "orchestration_x_credit": "orchestration_form x credit_unit",
    }.items():
        grid = {row: {c: n for c, n in cells.items() if n} for row, cells in stats.crosstabs[ours].items()}
        assert {row: cells for row, cells in grid.items() if cells} == published[theirs], ours
