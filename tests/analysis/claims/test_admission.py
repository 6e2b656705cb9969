"""Candidates: which end a claim alone, how few together, in their order, today and on the claim's own day."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import combinations
from typing import Any

import pytest
from builders import coffee, make_corpus, make_paper
from claiming import claiming, make_claim
from hypothesis import example, given, settings
from hypothesis import strategies as st

from awesome_cli.analysis.claims.admission import (
    ending,
    forecast,
    forecast_report,
    missed,
    outlook_sentence,
    proposed,
)
from awesome_cli.analysis.claims.evaluation import evaluate
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.sensitivity import sensitivity
from awesome_cli.errors import UsageError
from awesome_cli.model.claims import Claim
from awesome_cli.model.records import Candidate, Paper, Work
from awesome_cli.model.taxonomy import Sparse
from awesome_cli.survey.corpus import Corpus

Run = Callable[..., Any]


def candidate(key: str, appeared: str, device: str, confidence: str = "high", **more: Any) -> Candidate:
    """A candidate that is proposed for retention."""
    fields = {"title": key, "authors": ["Bean, Ada"], "tags": {"device": device}, "first_public": appeared}
    return Candidate.model_validate({"key": key, "proposal": "retain", "confidence": confidence, **fields, **more})


COLD = make_claim({"count": "device=cold", "at_most": 0}, name="cold")
RARE = make_claim({"share": "device=cold", "at_most": 0.2}, name="rare")
UMAMI = make_claim({"count": "taste=umami", "at_most": 0}, name="umami")
FOUND = (
    candidate("b", "2026-02", "drip", found={"how": "missed"}),
    candidate("a", "2026-04", "cold", "low", found={"how": "later"}),
    candidate("c", "2026-01", "cold", found={"how": "missed"}),
    candidate("d", "2026-03", "drip"),
    candidate("e", "2025", "drip").model_copy(update={"proposal": "exclude"}),
)
"""What waits to be screened; the order is not that of the days."""


def with_axes(corpus: Corpus, change: dict[str, Any], only: str = "") -> Corpus:
    """A survey with some fields of its axes, or of one of them, changed."""
    axes = [
        axis.model_dump(exclude_defaults=True) | (change if only in {"", axis.id} else {})
        for axis in corpus.taxonomy.axes
    ]
    document = corpus.taxonomy.model_dump(exclude_defaults=True) | {"axes": axes}
    return replace(corpus, taxonomy=type(corpus.taxonomy).model_validate(document))


def waiting(*claims: Claim) -> Corpus:
    """Claims about coffee, and what waits."""
    return claiming(*claims, corpus=replace(coffee(), candidates=FOUND))


def test_what_the_candidates_would_do():
    cold, rare, umami = sensitivity(waiting(COLD, RARE, UMAMI), with_candidates=True).forecasts or ()
    assert (cold.proposed.alone, cold.proposed.in_order) == (("c", "a"), ("c",))
    assert outlook_sentence(cold) == (
        "holds as of 2026-03-01; 2 of 4 candidates proposed for retention would each overturn it; "
        "1 of 2 missed candidates would have overturned it on that date"
    )
    assert (rare.proposed.alone, rare.proposed.in_order) == ((), ("c", "b", "d", "a"))
    assert (rare.proposed.fewest, rare.proposed.exact) == (("c", "a"), True)
    assert "2 of 4 candidates proposed for retention would together overturn it (c; a), as would the first 4" in (
        outlook_sentence(rare)
    )
    assert "none of 4 candidates proposed for retention would overturn it" in outlook_sentence(umami)


def test_the_titles_count_the_candidates():
    cold = forecast(COLD, Pool(waiting(COLD)))
    assert [section.title for section in forecast_report([cold], "")] == [
        "If the 4 candidates proposed for retention were admitted",
        "Missed: if the search had found these 2 candidates, on the date of each claim",
        "Since then: if only the 1 published later were admitted",
    ]
    alone = replace(cold, proposed=cold.later, missed=cold.later)
    assert [section.title for section in forecast_report([alone], "")][:2] == [
        "If the 1 candidate proposed for retention were admitted",
        "Missed: if the search had found this 1 candidate, on the date of each claim",
    ]
    assert not list(forecast_report([], ""))


def test_the_rows_say_if_a_claim_falls_stays_or_fails_already():
    none = make_claim({"count": "device=drip", "at_most": 0}, name="none")
    section = next(forecast_report([forecast(claim, Pool(waiting(claim))) for claim in (COLD, UMAMI, none)], ""))
    (table,) = section.blocks
    assert [str(row[1]) for row in table.rows] == ["falls", "stays", "fails already"]


def test_the_search_that_missed_some_is_judged_on_the_claims_own_day():
    claim = make_claim({"count": "device=cold", "at_most": 9}, {"count": "device=cold", "equals": 0, "dated": True})
    found = forecast(claim, Pool(waiting(claim)))
    assert found.proposed.fewest == ()
    assert (found.missed.admitted, found.missed.fewest) == (("c", "b"), ("c",))
    assert found.later.admitted == ("a",)


def test_a_candidate_of_an_older_standard_is_not_yet_reread():
    retired = [{"id": "sipped", "use": "tasted", "on": "2026-01-05"}]
    corpus = with_axes(coffee(), {"retired": retired}, only="taste")
    sipped = candidate("s", "2026-02", "drip", tags={"taste": [{"term": "umami", "strength": "sipped"}]})
    corpus = replace(corpus, candidates=(sipped, *FOUND))
    claim = make_claim({"count": "taste=umami:tasted", "at_most": 0})
    found = forecast(claim, Pool(claiming(claim, corpus=corpus)))
    assert (found.proposed.alone, found.proposed.unread) == (("s",), ("s",))
    assert "1 of these candidates has retired strengths" in outlook_sentence(found)
    assert forecast(COLD, Pool(claiming(COLD, corpus=corpus))).proposed.unread == ()


def test_a_level_of_confidence_narrows_the_candidates():
    assert forecast(COLD, Pool(waiting(COLD)), confidence="high").proposed.alone == ("c",)
    with pytest.raises(UsageError, match="did you mean 'high'"):
        forecast(COLD, Pool(waiting(COLD)), confidence="hihg")


def test_what_is_too_dear_to_search_is_said():
    both = make_claim({"survive": ["cold"], "under": "near_misses"}, name="both")
    found = forecast(both, Pool(waiting(COLD, both))).proposed
    assert (found.fewest, found.exact) == ((), False)


DEVICES = st.sampled_from(["press", "drip", "cold"])
DOSES = st.sampled_from([0, 5, 20, 60])
ASKED: list[dict[str, Any]] = [
    {"count": "device=cold", "at_most": 2},
    {"count": "device=cold", "equals": 1},
    {"count": "device=drip", "over": "device=cold", "at_least": 0.5},
    {"count": "device=drip", "over": "device=cold", "at_most": 1},
    {"count": "device=drip", "minus": "device=cold", "at_least": 0},
    {"share": "device=cold", "at_most": 0.4},
    {"share": "device=cold", "at_least": 0.2},
    {"share": "beans=robusta", "among": "device=cold,drip", "equals": 0.5},
    {"state": "device=cold", "is": ["gap", "sparse"]},
    {"state": "device=cold", "is": ["covered"]},
    {"state": "device=cold", "is": ["gap"]},
    {"ids": "device=cold", "at_most": ["p0", "p1", "n0"]},
    {"largest": "grams", "group": "shop", "over": "home", "at_most": 2},
    {"largest": "grams", "group": "shop", "over": "home", "at_least": 1},
]
WORKS = st.lists(st.tuples(DEVICES, st.booleans(), DOSES), max_size=5)


@settings(deadline=None)
@given(st.lists(st.sampled_from(ASKED), min_size=1, max_size=2), st.booleans(), WORKS, WORKS)
@example(asked=[{"ids": "device=cold", "at_most": ["n0"]}], share=False, old=[], new=[("cold", False, 0)] * 2)
def test_the_search_finds_what_trying_every_set_finds(asked: Any, share: bool, old: Any, new: Any):
    def fields(device: str, robusta: bool, dose: int) -> dict[str, Any]:
        tags = {"device": device, "beans": "robusta" if robusta else "arabica"}
        return {"tags": tags, "measures": {"grams": {"value": dose, "confidence": "high"}} if dose else {}}

    corpus = make_corpus(*(make_paper(f"p{i}", **fields(*work)) for i, work in enumerate(old)))
    if share:
        share_rule = {"sparse": Sparse(share=0.3)}
        corpus = replace(corpus, taxonomy=corpus.taxonomy.model_copy(update=share_rule))
    found = [candidate(f"n{i}", f"2026-0{i + 1}", "drip", **fields(*work)) for i, work in enumerate(new)]
    claim = make_claim(*asked)
    pool = Pool(claiming(claim, corpus=corpus))

    def falls(some: Any) -> bool:
        return not evaluate(claim, admitted(corpus, some)).holds

    end = ending(claim, pool, found)
    if not end.holds:
        assert end.fewest == end.in_order == ()
        return
    assert end.alone == tuple(one.key for one in found if falls([one]))
    assert len(end.in_order) == next((n for n in range(1, len(found) + 1) if falls(found[:n])), 0)
    sets = (some for n in range(1, len(found) + 1) for some in combinations(found, n))
    assert end.exact
    assert len(end.fewest) == next((len(some) for some in sets if falls(some)), 0)
    assert not end.fewest or falls([one for one in found if one.key in end.fewest])


def admitted(corpus: Corpus, found: Any) -> Pool:
    """The pool of a survey to which candidates were admitted as papers."""
    works = ({name: getattr(one, name) for name in Work.model_fields} for one in found)
    papers = (Paper.model_construct(**(work | {"added": date.max})) for work in works)
    return Pool(replace(corpus, papers=(*corpus.papers, *papers)))


def test_what_waits_outside_of_a_survey_is_judged_as_if_it_were_in(stated: Corpus):
    """Whatever waits: the shortcuts say of each claim what the survey with those papers says."""
    found = proposed(stated)
    pools = {one.key: admitted(stated, [one]) for one in found}
    for one in sensitivity(stated, with_candidates=True).forecasts or ():
        claim, end = one.claim, one.proposed
        held = evaluate(claim, Pool(stated)).holds
        alone = tuple(key for key, pool in pools.items() if held and not evaluate(claim, pool).holds)
        assert (end.holds, end.alone, end.admitted) == (held, alone, tuple(c.key for c in found))
        for n in range(1, len(end.in_order) + 1):
            assert evaluate(claim, admitted(stated, found[:n])).holds is (n < len(end.in_order)), claim.id
        assert not end.fewest or not evaluate(claim, admitted(stated, [c for c in found if c.key in end.fewest])).holds
        assert len(one.missed.admitted) == len(missed(stated))


def test_a_share_falls_first_at_the_first_of_the_candidates_that_end_it(shipped: Corpus):
    """A share grows and falls while candidates are added: the first fall counts, and a chosen set is smaller."""
    claim = make_claim({"share": "credit_unit=orchestrator:main", "at_most": 0.125}, as_of="2026-05-04")
    corpus = shipped.as_of(date(2026, 5, 4))
    waiting = [c for c in proposed(shipped) if (c.first_public or "9") < "2026-11-21"]
    end = ending(claim, Pool(claiming(claim, corpus=corpus)), waiting)
    n = len(end.in_order)
    assert n == 0 or evaluate(claim, admitted(corpus, waiting[: n - 1])).holds
    assert len(end.fewest) <= n
    assert end.exact


@pytest.mark.slow
def test_the_parts_of_the_forecast(repository: Any, shipped: Corpus, run: Run):
    shown = run("sensitivity", "--with-candidates", root=repository).out
    assert f"If the {len(proposed(shipped))} candidates proposed for retention were admitted" in shown
    assert f"Missed: if the search had found these {len(missed(shipped))} candidates" in shown or not missed(shipped)
    data = run("sensitivity", "--with-candidates", "--format", "json", root=repository).json["data"]
    assert {"claim", "proposed", "missed", "later"} == data["candidates"][0].keys()
    assert {"fewest", "in_order", "exact", "not_reread"} <= data["candidates"][0]["proposed"].keys()
