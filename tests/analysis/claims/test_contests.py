"""A claim is contested if it fails in the strict or in the generous reading of the contests; the two are not mixed."""

from dataclasses import replace
from typing import Any

from builders import make_corpus, make_paper
from claiming import claiming, make_claim

from awesome_cli.analysis.claims.claim_report import notes_on
from awesome_cli.analysis.claims.contests import by_reading
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResult, ClaimStatus, check
from awesome_cli.model.claims import Claim
from awesome_cli.survey.corpus import ContestReading, Side


def paper(key: str, strength: str, grade: str, reads_as: Any = None) -> Any:
    contest = {"grade": grade, "because": f"Doubt about {key}."} | ({"as": reads_as} if reads_as else {})
    return make_paper(key, tags={"taste": [{"term": "sour", "strength": strength, "contested": contest}]})


POOL = make_corpus(
    paper("up-weak", "tasted", "weak", {"strength": "measured"}),
    paper("up-strong", "mentioned", "strong", {"strength": "measured"}),
    paper("down", "measured", "strong", {"strength": "tasted"}),
    paper("gone", "measured", "weak", "none"),
    paper("doubt", "tasted", "strong"),
)
"""Two papers measure sourness; challengers would weaken or remove both, and make two others measure it."""
FEW = make_claim({"count": "taste=sour:measured", "at_most": 2}, name="few")
SOME = make_claim({"count": "taste=sour:measured", "at_least": 1}, name="some")
BOTH = make_claim({"state": "taste=sour", "is": ["covered"]}, name="both")


def answer(claim: Claim, reading: ContestReading | None = None) -> ClaimResult:
    (found,) = check(claiming(claim, corpus=POOL), reading=reading).results
    return found


def named(found: ClaimResult) -> list[tuple[str, str, str]]:
    return [(c.key, c.grade, c.side.value) for c in found.contested]


def test_the_reading_and_the_papers_behind_it_are_named_strongest_first():
    few, some, both = answer(FEW), answer(SOME), answer(BOTH)
    assert {one.status for one in (few, some, both)} == {ClaimStatus.CONTESTED}
    assert named(few) == [("up-strong", "strong", "generous"), ("up-weak", "weak", "generous")]
    assert named(some) == [("down", "strong", "strict"), ("gone", "weak", "strict")]
    # One contest alone leaves the state as it is; both are behind the change all the same.
    assert named(both) == [("down", "strong", "strict"), ("gone", "weak", "strict")]
    assert [str(reading) for reading in some.fails_in] == ["strict reading from grade weak"]


def test_each_contested_coding_of_a_paper_is_named_once():
    contest = {"grade": "weak", "because": "?", "as": {"strength": "measured"}}
    tags = [{"term": term, "strength": "tasted", "contested": contest} for term in ("sour", "sweet")]
    corpus = make_corpus(make_paper("both", tags={"taste": tags}))
    none = make_claim(*({"count": f"taste={term}:measured", "at_most": 0} for term in ("sour", "sweet")))
    (found,) = check(claiming(none, corpus=corpus)).results
    (note,) = notes_on(found)
    assert note.text.endswith(": both taste=sour:tasted (weak), both taste=sweet:tasted (weak)")
    (bare,) = notes_on(replace(found, contested=()))
    assert bare.text.endswith("fails in the generous reading from grade weak")


def test_the_two_readings_are_never_mixed():
    """With all four contests at once as many papers would measure sourness as without any."""
    two = make_claim({"count": "taste=sour:measured", "equals": 2}, name="two")
    assert [reading.side for reading in answer(two).fails_in] == [Side.STRICT, Side.GENEROUS]


def test_a_reading_that_is_asked_for_gives_the_verdict():
    assert answer(FEW, ContestReading(Side.STRICT, "weak")).status is ClaimStatus.HOLDS
    found = answer(FEW, ContestReading(Side.GENEROUS, "weak"))
    assert (found.status, found.verdict.decisive.value, found.since) == (ClaimStatus.FAILS, 4.0, None)
    assert answer(FEW, ContestReading(Side.GENEROUS, "strong")).verdict.decisive.value == 3.0
    assert named(answer(FEW, ContestReading(Side.GENEROUS, "strong"))) == [("up-strong", "strong", "generous")]


def test_a_claim_that_fails_as_coded_may_hold_in_a_reading():
    none = make_claim({"count": "taste=sour:measured", "at_most": 0}, name="none")
    assert answer(none).status is ClaimStatus.FAILS
    found = answer(none, ContestReading(Side.STRICT, "weak"))
    assert (found.status, found.since, found.contested) == (ClaimStatus.HOLDS, None, ())


def test_a_contest_that_says_nothing_else_changes_no_answer():
    tasted = make_claim({"ids": "taste=sour:=tasted", "at_least": ["doubt"]}, name="tasted")
    assert answer(tasted).status is ClaimStatus.HOLDS


def test_verdicts_by_reading_are_those_of_a_check_in_that_reading():
    claims, pool = (FEW, SOME, BOTH), Pool(POOL)
    found = by_reading(claims, pool)
    assert [str(reading) for reading in found] == [
        f"{side} reading from grade {grade}" for side in ("strict", "generous") for grade in ("weak", "strong")
    ]
    for reading, verdicts in found.items():
        checked = [answer(claim, reading).verdict for claim in claims]
        assert [verdict.holds for verdict in verdicts] == [one.holds for one in checked]
        assert [verdict.outcomes for verdict in verdicts] == [one.outcomes for one in checked]
