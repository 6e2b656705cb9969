"""Rules for when to stop: what they promise holds in random orders."""

from math import ceil, comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import sampled

from awesome_cli.analysis.screening.stopping import (
    RUN,
    HypergeometricRule,
    Progress,
    advise,
    run_advice,
    words,
    work_left,
)

PROMISES = [(0.95, 0.95), (0.9, 0.95), (0.8, 0.9), (0.7, 0.8), (0.99, 0.5)]
SETS = [(60, 3), (120, 12), (200, 20), (300, 100), (90, 80)]
"""How many papers, and how many of them relevant."""


def stopped_at(rule: HypergeometricRule, labels: list[bool]) -> Progress:
    """The progress at which a rule stops first when papers with these labels are read in their order."""
    now = Progress(len(labels))
    for relevant in labels:
        now = Progress(now.total, now.seen + 1, now.found + relevant, 0 if relevant else now.run + 1)
        if rule.stops(now):
            break
    return now


def stops_early(rule: HypergeometricRule, total: int, relevant: int, times: int) -> float:
    """The share of random orders in which a rule stops with a recall below its target."""
    chance, early = Random(f"{rule} {total} {relevant}"), 0
    for _ in range(times):
        labels = [place < relevant for place in range(total)]
        chance.shuffle(labels)
        early += stopped_at(rule, labels).found < rule.target * relevant
    return early / times


@pytest.mark.parametrize(("total", "relevant"), SETS)
@pytest.mark.parametrize(("target", "confidence"), PROMISES)
def test_the_target_is_reached_in_the_stated_share_of_random_orders(target, confidence, total, relevant):
    assert stops_early(HypergeometricRule(target, confidence), total, relevant, 60) <= 1 - confidence + 1e-9


class Uncorrected(HypergeometricRule):
    """The test at the level of one look, made after every paper."""

    def level(self, found: int) -> float:  # noqa: ARG002 - it is one level for all
        return 1 - self.confidence


def test_without_a_level_for_every_look_the_promise_does_not_hold():
    assert stops_early(Uncorrected(0.8, 0.9), 300, 100, 60) > 0.2


@pytest.mark.parametrize(("target", "confidence"), sampled([*PROMISES, (0.5, 0.95), (0.95, 0.99)], *PROMISES[:2]))
def test_the_risks_of_all_looks_add_up_to_no_more_than_promised(target, confidence):
    """The bound of docs/screening.md, for any number of papers and up to 400 relevant ones."""
    rule = HypergeometricRule(target, confidence)
    for relevant in range(1, 401):
        below = range(1, ceil(round(target * relevant, 9)))
        risks = (rule.level(found) ** ((relevant - found) / rule.missed(found)) for found in below)
        assert sum(risks) <= 1 - confidence + 1e-12, relevant


@given(st.integers(1, 40), st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_the_chance_is_hypergeometric(found, before, run, left):
    now = Progress(found + before + run + left, found + before + run, found, run)
    rule = HypergeometricRule(0.9)
    missed = rule.missed(found)
    assert rule.chance(now) == pytest.approx(
        comb(left, missed) / comb(left + run, missed) if missed <= left + run else 0
    )


def test_missed_is_the_least_number_that_puts_recall_below_the_target():
    for found in range(1, 300):
        for target in (0.95, 0.9, 0.7):
            missed = HypergeometricRule(target).missed(found)
            assert found / (found + missed) < target
            assert found / (found + missed - 1) >= target - 1e-12


def test_rules_stop_when_every_paper_was_read_and_the_statistical_one_never_without_a_relevant_one():
    assert all(one.stop for one in advise(Progress.of([True, False], 2)))
    assert all(one.stop for one in advise(Progress.of([False, False], 2)))
    for advice in advise(Progress.of([False] * 60, 61)):
        assert (advice.stop, advice.left) == (False, 1)
        assert "before a relevant paper is found" in advice.because


@given(st.integers(1, 9), st.integers(0, 300))
def test_each_rule_says_after_how_many_more_papers_it_stops(found, run):
    labels = [True] * found + [False] * run
    for n, advice in enumerate(advise(Progress.of(labels, 400))):
        for more in range(advice.left - 1, advice.left + 1):
            now = advise(Progress.of([*labels, *[False] * more], 400))[n]
            assert now.stop == (more == advice.left) or more < 0


def test_the_heuristic_needs_twice_the_run_of_a_random_order():
    """20 relevant papers in 2,000 are on average 100 papers apart."""
    found = [[False] * 80 + [True]] * 20
    labels = [label for part in found for label in part]
    assert [run_advice(Progress.of([*labels, *[False] * n], 2_000)).stop for n in (199, 200)] == [False, True]
    assert "68 %" in run_advice(Progress.of(labels, 2_000)).limits
    runs = [run_advice(Progress.of([True, *[False] * n], 2_000)).because for n in (1, 2)]
    assert [run.partition(" in a row")[0] for run in runs] == ["1 irrelevant paper", "2 irrelevant papers"]


def test_the_expected_number_follows_the_rate_of_the_latest_papers():
    assert Progress.of([], 10).expected == 5
    assert Progress.of([True, False, *[False] * 98], 300).expected == pytest.approx(200 / 101)
    late = Progress.of([*[False] * 100, *[True, False] * 20], 240)
    assert late.expected == pytest.approx(100 * 21 / 52)
    assert work_left(late) == "100 papers left to read; at the rate of the latest ones, about 40 of them relevant"


def test_advice_names_its_target_confidence_source_and_limits():
    for advice in advise(Progress.of([True, *[False] * 10], 100), HypergeometricRule(0.9, 0.8)):
        assert "doi:10.1186/s13643-02" in advice.source
        assert advice.limits
        assert words(advice).startswith(f"{advice.rule}: {'stop' if advice.stop else 'continue'}; ")
    assert advice.left == 89
    assert "recall of at least 95% at 95% confidence" in advise(Progress.of([True], 9))[0].because
    labels = [True] * 50
    assert [advise(Progress.of([*labels, *[False] * n], 900))[1].stop for n in (RUN - 1, RUN)] == [False, True]


@given(st.lists(st.booleans(), max_size=40))
def test_progress_counts(labels):
    now = Progress.of(labels, 40)
    assert (now.seen, now.found) == (len(labels), sum(labels))
    assert labels[len(labels) - now.run :] == [False] * now.run
