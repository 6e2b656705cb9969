"""Replays of a finished screening: measures against ASReview-insights, starting papers, labelled sets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.analysis.ranking import order
from awesome_cli.analysis.screening.simulation import (
    DEFINITIONS,
    DiscoveryMeasures,
    LabelledSet,
    Simulation,
    curve,
    labelled,
    loss,
    measures,
    recall_at,
    replay,
    replays,
    report,
    starting_papers,
    work_saved,
)
from awesome_cli.errors import UsageError
from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.reading import InputFile, without_axes
from awesome_cli.publish.plots.charts import recall

INSIGHTS = [
    ("1000000000", 0.5, 1.0, 1.0, 0.0),
    ("0000000001", -0.4, 0.0, 10.0, 1.0),
    ("0110010000", 0.3, 0.0, 3.6666666666666665, 0.238095238095),
    ("10010000100000000000", 0.35, 0.333333333333, 4.666666666666667, 0.156862745098),
    ("1111100000", 0.4, 0.2, 3.0, 0.0),
    ("01" * 10, 0.0, 0.1, 11.0, 0.55),
    ("0" * 40 + "1" * 3 + "0" * 57, 0.09, 0.0, 42.0, 0.412371134021),
    ("0" * 5 + "1" * 30 + "0" * 60 + "1" * 5, -0.05, 0.142857142857, 31.571428571428573, 0.208791208791),
]
"""Labels in the order read, then work saved at 95 %, recall at 10 %, time to discovery and loss as computed there."""
ORDERS = st.lists(st.booleans(), min_size=2, max_size=60).filter(lambda labels: len({*labels}) == 2)


@pytest.mark.parametrize(("text", "saved", "early", "time", "lost"), INSIGHTS)
def test_measures_are_those_of_asreview_insights(text, saved, early, time, lost):
    found = measures([label == "1" for label in text])
    assert found == DiscoveryMeasures(*(pytest.approx(value) for value in (saved, early, time, lost)))


@given(ORDERS)
def test_an_order_and_its_reverse_lose_one_together(labels):
    assert loss(labels) + loss(labels[::-1]) == pytest.approx(1)


@given(ORDERS)
def test_no_order_is_better_than_that_with_all_relevant_papers_first(labels):
    best = measures(sorted(labels, reverse=True))
    found = measures(labels)
    assert best.loss == 0 <= found.loss <= 1
    assert best.work_saved >= found.work_saved
    assert best.recall_early >= found.recall_early
    assert best.time_to_discovery <= found.time_to_discovery


def test_shares_are_rounded_down_to_whole_papers():
    labels = [True, False, True, *[False] * 16]
    assert curve(labels)[:3] == [1, 1, 2]
    assert recall_at(labels, 0.10) == 0.5  # 10 % of 19 papers are one
    assert work_saved(labels, 0.95) == work_saved(labels, 0.5)  # 95 % of two relevant ones are one


@pytest.mark.parametrize("labels", [[], [True, True], [False]])
def test_labels_that_are_all_the_same_have_no_measures(labels):
    with pytest.raises(UsageError):
        measures(labels)


def test_every_measure_has_its_definition_and_source():
    assert [*DEFINITIONS] == [*DiscoveryMeasures.__slots__]
    assert all(one.text and one.source for one in DEFINITIONS.values())


BARE = without_axes([])
TABLE = "title,abstract,label1,label2\nA,dough,I,I\nB,dough,I,3\nC,tea,E,E\nA,dough,I,I\nD,tea,1,E\nE,tea,E,\n"
REFERENCE = "TY  - JOUR\nTI  - {}\nAB  - dough\n{}ER  - \n"
WORDS = {True: "sour dough of rye", False: "green tea in cups"}


def read(text: str, name: str = "set.csv", how: ReadingOptions = BARE) -> LabelledSet:
    return labelled(InputFile(name, text.encode()), how)


def of(labels: list[bool]) -> LabelledSet:
    rows = (f"paper {n},{WORDS[relevant]} {n},{int(relevant)}\n" for n, relevant in enumerate(labels))
    return read("title,abstract,included\n" + "".join(rows))


def test_labels_after_full_texts_come_first_and_codes_of_reasons_are_exclusions():
    found = read(TABLE)
    assert found.column == "label2"
    assert found.labels == (True, False, False, True, False)
    assert [record.title for record in found.records] == ["A", "B", "C", "A", "D"]
    assert found.left_out == (("set.csv:7", "no label"),)
    assert {word: one["n"] for word, one in found.words.items()} == {"I": 2, "3": 1, "E": 2}


def test_a_named_column_counts_before_the_usual_one():
    how = without_axes(["label1=decision"])
    assert read(TABLE, how=how).labels == (True, True, False, True, False, False)


def test_a_word_can_be_said_to_mean_something_else():
    how = without_axes([], ["3=candidate"])
    assert read(TABLE, how=how).left_out[0] == ("set.csv:3", "label '3' is neither relevant nor irrelevant")


@pytest.mark.parametrize("column", ["included", "asreview_label", "label_included", "final_included", "label"])
def test_columns_of_asreview_are_labels(column):
    found = read(f"title\tabstract\t{column}\nA\tx\t1\nB\ty\t0\nC\tz\t\nD\tz\t1.0\n", "set.tsv")
    assert found.labels == (True, False, True)
    assert [place for place, _ in found.left_out] == ["set.tsv:4"]


def test_notes_of_asreview_are_labels():
    notes = ["N1  - ASReview_relevant\n", "N1  - read\nN1  - ASReview_irrelevant\n", "N1  - ASReview_not_seen\n", ""]
    found = read("".join(REFERENCE.format(name, note) for name, note in zip("ABCD", notes, strict=True)), "set.ris")
    assert found.labels == (True, False)
    assert found.records[0].text == "A\ndough"
    assert len(found.left_out) == 2


def test_a_set_without_labels_names_its_columns():
    with pytest.raises(UsageError, match=r"no work is labelled") as failed:
        read("title,topic\nA,1\n")
    assert "title, topic" in str(failed.value.hint)


def test_starting_papers_are_drawn_by_the_seed():
    labels = [place % 3 == 0 for place in range(30)]
    drawn = [starting_papers(labels, (2, 3), seed) for seed in range(5)]
    assert drawn == [starting_papers(labels, (2, 3), seed) for seed in range(5)]
    assert len({*drawn}) > 1
    assert all([labels[i] for i in one] == [True, True, False, False, False] for one in drawn)
    with pytest.raises(UsageError, match="cannot start from"):
        starting_papers(labels, (10, 1), 0)


@pytest.mark.parametrize("by", ["random", "relevance"])
def test_a_replay_reads_every_paper_once_and_again_the_same(by):
    given = of([place in {3, 7, 11, 20} for place in range(24)])
    texts = [record.text for record in given.records]
    found = replay(texts, given.labels, order(by, 5), (1, 1))
    assert found == replay(texts, given.labels, order(by, 5), (1, 1))
    assert len(found.labels) == 22
    assert sum(found.labels) == 3
    if by == "relevance":
        assert measures(found.labels).loss == 0


def test_the_starting_papers_do_not_count():
    given = of([place % 4 == 0 for place in range(20)])
    found = replays(given, [order("random", seed) for seed in (1, 2)], (1, 1))
    plain = Simulation(given, order("random"), found)
    data = report(plain).data
    assert data["start_counts"] is False
    assert [len(one["found_at"]) for one in data["runs"]] == [4, 4]
    assert [points[-1] for _, points in recall(plain).lines] == [(1.0, 1.0)] * 2
