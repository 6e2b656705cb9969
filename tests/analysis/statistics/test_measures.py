"""Measures: what is counted, what is left out and why, and what each left-out fact would change."""

from builders import coffee

from awesome_cli.analysis.statistics.measures import compare, find
from awesome_cli.survey.corpus import Corpus


def test_groups_and_what_is_left_out():
    answer = compare(coffee(), find(coffee(), "grams"))
    assert answer.groups["shop"].values == ((60.0, "drip2021"),)
    assert answer.groups["home"].values == ((18.0, "aero2020"),)
    assert [(x.key, x.why, x.ratio_with) for x in answer.left_out] == [("siphon2019", "confidence low", 60 / 25)]
    assert answer.ratio == 60 / 18


def test_deployment_against_academic_team_sizes(published: Corpus):
    answer = compare(published, find(published, "agents"))
    assert [(g.maximum, g.values[0][1]) for g in answer.groups.values()] == [
        (300, "kimi-k2-6"),
        (10, "wideseek-r1-2026"),
    ]
    assert answer.ratio == 30
    changes = {x.key: (x.value, x.ratio_with) for x in answer.left_out if x.ratio_with is not None}
    assert changes == {"tmcht2025": (100, 3), "multiagentbench2025": (22, 300 / 22), "langmarl2026": (20, 15)}
    reported = sum(1 for paper in published.papers if "agents" in paper.measures)
    assert reported == len(answer.left_out) + sum(len(group.values) for group in answer.groups.values())


def test_a_measure_whose_unit_differs_has_no_ratio(published: Corpus):
    answer = compare(published, find(published, "steps"))
    assert answer.ratio is None
    assert all(x.ratio_with is None for x in answer.left_out)
