"""Replays of labelled sets: what is read as a label, what counts, and that the seed says everything."""

import pytest

from awesome_cli.analysis.ranking import order
from awesome_cli.analysis.screening.simulation import (
    LabelledSet,
    Simulation,
    labelled,
    measures,
    replay,
    replays,
    report,
    starting_papers,
)
from awesome_cli.errors import UsageError
from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.options import without_axes
from awesome_cli.formats.reading import InputFile
from awesome_cli.publish.plots.charts import recall

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
    assert found.left_out == (("set.csv:7", "it has no label"),)
    assert {word: one["n"] for word, one in found.words.items()} == {"I": 2, "3": 1, "E": 2}


def test_a_named_column_counts_before_the_usual_one():
    how = without_axes(["label1=decision"])
    assert read(TABLE, how=how).labels == (True, True, False, True, False, False)


def test_a_word_can_be_said_to_mean_something_else():
    how = without_axes([], ["3=candidate"])
    assert read(TABLE, how=how).left_out[0] == ("set.csv:3", "its label '3' does not say whether it is relevant")


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
    with pytest.raises(UsageError, match=r"no work has a label") as failed:
        read("title,topic\nA,1\n")
    assert "title, topic" in str(failed.value.hint)


def test_starting_papers_are_drawn_by_the_seed():
    labels = [place % 3 == 0 for place in range(30)]
    drawn = [starting_papers(labels, (2, 3), seed) for seed in range(5)]
    assert drawn == [starting_papers(labels, (2, 3), seed) for seed in range(5)]
    assert len({*drawn}) > 1
    assert all([labels[i] for i in one] == [True, True, False, False, False] for one in drawn)
    with pytest.raises(UsageError, match="too few"):
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
