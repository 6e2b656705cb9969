"""What a candidate alone does to a claim that holds: its margin, worked out by hand, and the end of it."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from builders import coffee, make_paper
from claiming import claiming, make_claim

from awesome_cli.analysis.claims.danger import dangers, judged, reliances, together
from awesome_cli.analysis.claims.evaluation import evaluate
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.model.claims import Claim
from awesome_cli.model.records import Candidate, Paper

SOUR = {"term": "sour", "strength": "measured"}
HARD = {"term": "cold", "confidence": "low", "contested": {"on": "2026-03-01", "grade": "strong", "because": "Why?"}}


def candidate(key: str = "new", **fields: Any) -> Candidate:
    return Candidate.model_validate({"key": key, "title": "New", "proposal": "consider", **fields})


def pool(*claims: Claim) -> Pool:
    """Four papers: two brewed by drip, one by press, one by siphon."""
    devices = {"a": "drip", "b": "drip", "c": "press", "d": "siphon"}
    tags = {
        key: {"device": device, "taste": [SOUR]} if key == "a" else {"device": device}
        for key, device in devices.items()
    }
    papers = tuple(
        make_paper(key, tags=tags[key], measures={"grams": {"value": 10, "confidence": "high"}}) for key in devices
    )
    return Pool(claiming(*claims, corpus=replace(coffee(), papers=papers, candidates=())))


def effects(claim: Claim, *candidates: Candidate) -> list[tuple[str, float]]:
    asked = pool(claim)
    return [
        (one.effect, round(one.loss, 3))
        for one in dangers(asked, judged(asked), candidates or [candidate(tags={"device": "drip"})])
    ]


@pytest.mark.parametrize(
    ("expectation", "found"),
    [
        ({"count": "device=drip", "at_most": 2}, [("ends", 1.0)]),
        ({"count": "device=drip", "at_most": 6}, [("weakens", 0.25)]),  # 4 papers to the bound, then 3
        ({"count": "device=drip", "at_least": 1}, []),  # further from the bound
        ({"count": "device=drip", "at_least": 1, "at_most": 9}, []),  # the nearest bound is the lower one
        ({"count": "device=drip", "at_least": 1, "at_most": 3}, [("weakens", 1.0)]),  # 1 paper to the bound, then 0
        ({"count": "device=drip", "equals": 2}, [("ends", 1.0)]),
        ({"count": "device=press", "at_most": 2}, []),
        ({"share": "device=drip", "at_most": 0.75}, [("weakens", 0.4)]),  # 0.25, then 0.75 - 3/5
        ({"share": "device=press", "at_least": 0.1}, [("weakens", 0.333)]),  # 0.25 - 0.1, then 0.2 - 0.1
        ({"share": "device=press", "at_least": 0.25}, [("ends", 1.0)]),
        ({"ids": "device=drip", "at_most": ["a", "b"]}, [("ends", 1.0)]),
        ({"ids": "device=drip", "at_least": ["a", "b"]}, []),
        ({"count": "device=drip", "over": "device=press", "at_most": 4}, [("weakens", 0.5)]),
        ({"count": "device=drip", "minus": "device=press", "at_most": 5}, [("weakens", 0.25)]),
        ({"count": "device=drip", "at_most": 2, "dated": True}, []),
        ({"count": "*", "of": "exclusions", "at_most": 2}, []),
    ],
)  # fmt: skip
def test_loss_is_the_part_of_the_margin_that_goes(expectation: dict[str, Any], found: list[tuple[str, float]]):
    assert effects(make_claim(expectation)) == found


@pytest.mark.parametrize(
    ("allowed", "found"),
    [
        (["sparse"], None),
        (["gap", "sparse"], ("weakens", 1.0)),
        (["sparse", "covered"], None),
    ],
)
def test_state_leaves_what_is_allowed(allowed: list[str], found: tuple[str, float] | None):
    claim = make_claim({"state": "taste=sour", "is": allowed})
    sour = candidate(tags={"device": "drip", "taste": [SOUR]})
    assert effects(claim, sour) == ([found] if found else [])


def test_state_weakens_by_a_paper():
    claim = make_claim({"state": "taste=umami", "is": ["gap", "sparse"]})
    assert effects(claim, candidate(tags={"taste": [{"term": "umami", "strength": "measured"}]})) == [("weakens", 0.5)]
    assert effects(claim, candidate(tags={"taste": [{"term": "umami", "strength": "tasted"}]})) == []


def test_a_state_ends_if_a_paper_leaves_it():
    claim = make_claim({"state": "taste=umami", "is": ["gap"]})
    assert effects(claim, candidate(tags={"taste": [{"term": "umami", "strength": "measured"}]})) == [("ends", 1.0)]


def test_largest_measure_moves_towards_its_bound():
    claim = make_claim({"largest": "grams", "group": "home", "at_most": 20})
    grams = {"grams": {"value": 15, "confidence": "medium"}}
    weak, over = (
        candidate(tags={"device": "drip"}, measures=grams),
        candidate("b", tags={"device": "drip"}, measures={"grams": {"value": 21, "confidence": "high"}}),
    )
    asked = pool(claim)
    ending, weakening = dangers(asked, judged(asked), [weak, over])
    assert (ending.candidate.key, ending.effect) == ("b", "ends")
    assert (weakening.effect, weakening.margins, weakening.loss) == ("weakens", (10, 5), 0.5)
    assert list(map(str, weakening.codings)) == ["grams=15 (confidence medium)"]


def test_claims_that_fail_or_hold_by_definition_are_not_asked():
    few = {"count": "device=drip", "at_most": 2}
    gone = {"withdrawn": {"on": "2026-03-02", "because": "No."}}
    asked = pool(
        make_claim({"count": "device=drip", "at_most": 1}, name="failing"),
        make_claim({"count": "*", "equals": 4}, name="defined"),
        Claim.model_validate({"id": "gone", "statement": "Few.", "expect": [few], "as_of": "2026-03-01", **gone}),
        make_claim(few, name="holds"),
    )
    assert [verdict.claim.id for verdict in judged(asked)] == ["holds"]


def test_most_dangerous_candidate_comes_first_and_its_ended_claims():
    asked = pool(
        make_claim({"count": "device=cold", "at_most": 0}, name="no-cold"),
        make_claim({"share": "device=siphon", "at_least": 0.1}, name="few"),
        make_claim({"count": "device=drip", "at_most": 4}, name="drips"),
    )
    found = dangers(
        asked,
        judged(asked),
        [
            candidate("a2026", tags={"device": "press"}),
            candidate("b2026", tags={"device": "drip"}),
            candidate("c2026", tags={"device": "cold"}),
        ],
    )
    assert [(one.candidate.key, one.claim.id, one.effect) for one in found] == [
        ("c2026", "no-cold", "ends"),
        ("c2026", "few", "weakens"),
        ("b2026", "drips", "weakens"),
        ("b2026", "few", "weakens"),
        ("a2026", "few", "weakens"),
    ]


def test_codings_behind_it_are_shown_with_confidence_and_contest():
    asked = pool(
        make_claim({"count": "device=cold", "at_most": 0}),
    )
    (one,) = dangers(asked, judged(asked), [candidate(tags={"device": [HARD], "taste": [SOUR]})])
    assert list(map(str, one.codings)) == ["device=cold (confidence low, contested: strong)"]
    (two,) = dangers(asked, judged(asked), [candidate(tags={"device": "cold"})])
    assert list(map(str, two.codings)) == ["device=cold (confidence not stated)"]


def test_children_of_a_term_are_behind_it():
    asked = pool(make_claim({"count": "device=immersion", "at_most": 2}))
    (one,) = dangers(asked, judged(asked), [candidate(tags={"device": "siphon"})])
    assert [coding.coding for coding in one.codings] == ["device=siphon"]


def test_claim_about_claims_ends_with_them():
    inner = make_claim({"count": "device=cold", "at_most": 0}, name="inner")
    outer = make_claim({"survive": ["inner"], "under": "near_misses"}, name="outer")
    asked = pool(inner, outer)
    found = dangers(asked, judged(asked), [candidate(tags={"device": "cold"})])
    assert [(one.claim.id, one.effect) for one in found] == [("inner", "ends")]


def test_shipped_dangers_are_those_of_admission(shipped: Any):
    """A candidate ends a claim exactly if the claim, asked again with it, fails."""
    asked = Pool(replace(shipped, candidates=()))
    verdicts = judged(asked)
    coded = [c for c in shipped.candidates if c.tags][:25]
    ends = {(one.candidate.key, one.claim.id) for one in dangers(asked, verdicts, coded) if one.effect == "ends"}
    for one in coded:
        fields = one.model_dump(include=set(Paper.model_fields) - {"key"}, exclude_defaults=True)
        paper = Paper.model_validate({"key": one.key, **fields, "added": date(2099, 1, 1)})
        admitted = Pool(replace(shipped, candidates=(), papers=(*shipped.papers, paper)))
        failing = {(one.key, v.claim.id) for v in verdicts if not evaluate(v.claim, admitted).holds}
        assert failing == {pair for pair in ends if pair[0] == one.key}


def test_claims_rest_on_the_papers_that_they_count_and_fail_without_the_last_ones():
    drips, press, cold = (
        make_claim({"count": "device=drip", "at_least": 1}, name="drips"),
        make_claim({"count": "device=drip", "at_least": 2}, name="two"),
        make_claim({"count": "device=cold", "at_most": 0}, name="cold"),
    )
    asked = pool(drips, press, cold)
    assert reliances(asked, judged(asked), "a") == (("two",), ("drips",))
    assert reliances(asked, judged(asked), "c") == ((), ())


@pytest.mark.parametrize(("most", "fewest"), [(3, [2]), (2, []), (5, [])])
def test_candidates_end_a_claim_together_if_none_does_alone(most: int, fewest: list[int]):
    asked = pool(make_claim({"count": "device=drip", "at_most": most}))
    waiting = tuple(candidate(f"new{n}", tags={"device": "drip"}, proposal="retain") for n in range(3))
    asked = Pool(replace(asked.corpus, candidates=waiting))
    assert [len(ending.fewest) for _, ending in together(asked, judged(asked))] == fewest
