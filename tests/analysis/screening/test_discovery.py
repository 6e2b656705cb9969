"""DiscoveryMeasures of an order of screening: values that ASReview-insights 1.6.1 gives, and what holds for any order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.analysis.screening.simulation import (
    DEFINITIONS,
    DiscoveryMeasures,
    curve,
    loss,
    measures,
    recall_at,
    work_saved,
)
from awesome_cli.errors import UsageError

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
