"""The evaluator answers every kind of expectation; the readings of the contests; a change costs no more than it changes."""

from dataclasses import replace
from datetime import date
from typing import Any, get_args

import pytest
from builders import coffee, make_corpus, make_exclusion, make_paper
from claiming import claiming, make_claim
from hypothesis import given, settings
from hypothesis import strategies as st

from awesome_cli.analysis.claims.evaluation import UNCHANGED, by_reading, evaluate
from awesome_cli.analysis.claims.perturbations import FAMILIES, Family, Perturbation, left_out
from awesome_cli.analysis.claims.pool import Pool, Selection
from awesome_cli.analysis.claims.report import notes_on
from awesome_cli.analysis.claims.results import ClaimResult, ClaimStatus, check, first_failing_day
from awesome_cli.analysis.claims.wording import observed
from awesome_cli.analysis.gaps.cells import gap_map
from awesome_cli.analysis.gaps.states import STATES
from awesome_cli.errors import SurveyError
from awesome_cli.model.audits import Audit
from awesome_cli.model.claims import Claim, Expectation, State
from awesome_cli.model.taxonomy import Sparse
from awesome_cli.query.parser import parse
from awesome_cli.survey.corpus import ContestReading, Corpus, Side

# The coffee survey holds: press, drip, siphon, drip; two measure bitterness, one is tasted sour (contested).
CASES: list[tuple[dict[str, Any], object, bool]] = [
    ({"count": "device=drip", "equals": 2}, 2.0, True),
    ({"count": "device=drip", "at_least": 3}, 2.0, False),
    ({"count": "stage=abstract", "of": "exclusions", "equals": 1}, 1.0, True),
    ({"count": "device=drip", "over": "device=immersion", "equals": 1}, 1.0, True),
    ({"count": "device=drip", "minus": "taste=sweet", "at_least": 1}, 1.0, True),
    ({"count": "device=drip", "over": "device=cold", "at_least": 0}, None, False),
    ({"share": "device=drip", "at_most": 0.5}, 0.5, True),
    ({"share": "taste=bitter", "among": "device=drip", "equals": 0.5}, 0.5, True),
    ({"share": "taste=bitter", "among": "device=cold", "at_least": 0}, None, False),
    ({"state": "device=drip", "is": ["gap", "sparse"]}, "sparse", True),
    ({"state": "device=drip", "is": "gap"}, "sparse", False),
    ({"state": "device=immersion", "is": ["sparse", "covered"]}, "sparse", True),
    ({"state": "taste=sour", "is": ["gap"]}, "gap", True),
    ({"state": "taste=bitter", "is": ["sparse"]}, "sparse", True),
    ({"ids": "device=drip", "equals": ["soup2022", "drip2021"]}, ("drip2021", "soup2022"), True),
    ({"ids": "device=drip", "at_least": ["soup2022"]}, ("drip2021", "soup2022"), True),
    ({"ids": "device=drip", "at_most": ["soup2022"]}, ("drip2021", "soup2022"), False),
    ({"ids": "device=drip", "at_most": ["soup2022", "drip2021", "aero2020"]}, ("drip2021", "soup2022"), True),
    ({"ids": "stage=abstract", "of": "exclusions", "equals": ["X1"]}, ("X1",), True),
    ({"largest": "grams", "group": "shop", "equals": 60}, 60.0, True),
    ({"largest": "grams", "group": "shop", "over": "home", "at_least": 3}, 60 / 18, True),
    ({"largest": "grams", "group": "home", "confidence": "low", "equals": 25}, 25.0, True),
    ({"median": "grams", "group": "home", "equals": 18}, 18.0, True),
]


@pytest.mark.parametrize(("asked", "value", "holds"), CASES)
def test_every_kind_of_expectation(asked: dict[str, Any], value: object, holds: bool):
    claim = make_claim(asked)
    (outcome,) = evaluate(claim, Pool(claiming(claim))).outcomes
    assert outcome.value == value
    assert outcome.holds is holds


def test_a_claim_can_expect_every_state_that_a_number_of_papers_gives():
    assert get_args(State) == tuple(state.value for state in STATES if state.times is not None)


@pytest.mark.parametrize("at_most", [None, 1])
def test_states_are_those_of_the_gap_map(at_most: int | None):
    """Also where sparse is a share of a population, and where a paper has the term as a part only."""
    sparse = {"share": 0.25, "among": "beans=arabica"} if at_most is None else {"at_most": at_most}
    part = make_paper("part2026", tags={"device": ["press", {"term": "cold", "part": True}], "beans": "arabica"})
    others = [make_paper(f"p{i}", tags={"device": "siphon", "beans": "arabica"}) for i in range(6)]
    corpus = make_corpus(*coffee().papers, part, *others)
    rule = {"sparse": Sparse.model_validate(sparse)}
    corpus = replace(corpus, taxonomy=corpus.taxonomy.model_copy(update=rule))
    pool = Pool(corpus)
    for change in (UNCHANGED, *left_out(paper.key for paper in corpus.papers)):
        cells = gap_map(change.apply(corpus), axes=["device"], pairs=()).axes["device"]
        for term, cell in cells.items():
            (found,) = evaluate(make_claim({"state": f"device={term}", "is": ["gap"]}), pool, change).outcomes
            assert (found.value, set(found.selection.keys)) == (cell.state.value, set(cell.covering)), (
                change.name,
                term,
            )
    assert cells["cold"].parts == ("part2026",)


def test_a_candidate_matters_to_a_state_by_the_term_and_by_the_population():
    claim = make_claim({"state": "taste=sour", "is": ["gap"]})
    assert [query.text for query in Pool(claiming(claim)).queries(claim)] == ["taste=sour:measured:main", "*"]


def test_the_first_day_of_a_state_that_is_not_expected_is_found():
    cold = [make_paper(f"iced{i}", added=date(2026, 4, i), tags={"device": "cold"}) for i in range(1, 5)]
    claim = make_claim({"state": "device=cold", "is": ["gap", "sparse"]})
    pool = Pool(claiming(claim, corpus=replace(coffee(), papers=(*coffee().papers, *cold))))
    since = first_failing_day(claim, pool)
    assert since is not None
    assert (since.when, since.keys) == ("2026-04-03", ("iced3",))


def test_a_dated_expectation_is_read_on_the_claims_day():
    claim = make_claim({"count": "*", "equals": 3, "dated": True})
    pool = Pool(claiming(claim))
    assert evaluate(claim, pool).holds
    assert not evaluate(claim, pool, Perturbation("x", Family.LEFT_OUT, {"aero2020": None})).holds
    assert claim.definitional


AUDIT = Audit.model_validate({
    "key": "second", "on": "2026-05-02", "blind": True, "chosen": "By hand.", "columns": ["device", "beans"],
    "codings": [
        {"key": "a1", "first": {"device": "drip", "beans": "arabica"}, "second": {"device": "drip", "beans": "NA"}},
        {"key": "a2", "first": {"device": "drip", "beans": "NA"}, "second": {"device": "drip", "beans": "NA"}, "blind": False},
        {"key": "a3", "first": {"device": "drip"}, "second": {"device": "press"}, "blind": False},
    ],
})  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "told", "holds"),
    [
        ({"agreement": "device", "equals": 2}, "2 of 3", True),
        ({"agreement": ["device", "beans"], "equals": 3, "cells": 5}, "3 of 5", True),
        ({"agreement": ["device", "beans"], "equals": 3, "cells": 6}, "3 of 5", False),
        ({"agreement": ["device", "beans"], "at_least": 4, "cells": 5}, "3 of 5", False),
        ({"agreement": ["device", "beans"], "group": "blind", "at_least": 1, "cells": 2}, "1 of 2", True),
    ],
)
def test_agreeing_cells_of_several_columns_are_added_up(asked: dict[str, Any], told: str, holds: bool):
    claim = make_claim({"audit": "second", **asked})
    pool = Pool(replace(claiming(claim), audits=(AUDIT,)))
    (outcome,) = evaluate(claim, pool).outcomes
    assert (observed(outcome, keys=False), outcome.holds) == (told, holds)
    assert pool.axes([claim]) == claim.expect[0].agreement


def test_a_claim_names_the_axes_of_its_queries_and_states():
    asked = {"count": "drip", "over": "beans=arabica", "at_least": 0}, {"state": "taste=sour", "is": "gap"}
    claims = [make_claim(one, {"count": "*", "at_least": 0}) for one in asked]
    assert [Pool(claiming(*claims)).axes(some) for some in ([claims[0]], claims[1:], claims)] == [
        ("device", "beans"), ("taste",), ("device", "taste", "beans"),
    ]  # fmt: skip


def test_survival_counts_the_claims_that_flip():
    umami = make_claim({"count": "taste=umami", "at_most": 0}, name="umami")
    bitter = make_claim({"count": "taste=bitter", "at_least": 1}, name="bitter")
    both = make_claim({"survive": ["umami", "bitter"], "under": "near_misses"}, name="both")
    (outcome,) = evaluate(both, Pool(claiming(umami, bitter, both))).outcomes
    assert (outcome.value, outcome.holds, outcome.selection.keys) == (1.0, False, ("umami",))
    alone = make_claim({"survive": ["both"], "under": "near_misses"}, name="alone")
    with pytest.raises(SurveyError, match="also uses 'survive'"):
        evaluate(alone, Pool(claiming(umami, bitter, both, alone)))


@pytest.mark.parametrize(("family", "flipping"), [("strict", 1), ("generous", 0)])
def test_survival_under_a_reading_is_that_of_each_grade(family: str, flipping: int):
    contest = {"grade": "weak", "as": "none", "because": "Nobody tasted it."}
    paper = make_paper("a1", tags={"taste": [{"term": "umami", "strength": "measured", "contested": contest}]})
    umami = make_claim({"count": "taste=umami", "equals": 1}, name="umami")
    both = make_claim({"survive": ["umami"], "under": family}, name="both")
    (outcome,) = evaluate(both, Pool(claiming(umami, both, corpus=make_corpus(paper)))).outcomes
    assert outcome.value == flipping


def test_a_selection_holds_what_a_change_left_and_added():
    found = Selection(frozenset("ab"), removed=frozenset("a"), added=frozenset("c"))
    assert [key in found for key in "abcz"] == [False, True, True, False]
    assert (len(found), found.keys) == (2, ("b", "c"))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"equals": 1}, "got none"),
        ({"count": "*", "share": "*", "equals": 1}, "count and share"),
        ({"count": "*"}, "needs a bound"),
        ({"largest": "grams", "equals": 1}, "needs 'group'"),
        ({"agreement": "device", "equals": 1}, "needs 'audit'"),
        ({"count": "*", "cells": 1, "equals": 1}, "only 'agreement' can have 'cells'"),
        ({"ids": "*", "equals": 3}, "lists of keys"),
        ({"count": "*", "equals": ["a"]}, "numbers"),
        ({"share": "*", "over": "*", "equals": 1}, "cannot be compared"),
        ({"state": "device=drip"}, "'state' needs 'is'"),
        ({"state": "device=drip", "is": ["gap"], "at_most": 1}, "and no other bound"),
        ({"count": "*", "is": ["gap"]}, "only 'state' can have 'is'"),
        ({"state": "device=drip", "is": ["empty"]}, "'gap', 'sparse' or 'covered'"),
    ],
)
def test_an_expectation_that_asks_nothing_sensible_is_refused(fields: dict[str, Any], message: str):
    with pytest.raises(ValueError, match=message):
        Expectation.model_validate(fields)


@pytest.mark.parametrize(
    "asked",
    [
        {"count": "devise=drip", "equals": 1},
        {"largest": "gram", "group": "shop", "equals": 1},
        {"largest": "grams", "group": "shops", "equals": 1},
        {"agreement": "device", "audit": "nobody", "equals": 1},
        {"state": "device=dripp", "is": ["gap"]},
        {"state": "devise=drip", "is": ["gap"]},
    ],
)
def test_an_unknown_name_is_an_error_with_a_hint(asked: dict[str, Any]):
    claim = make_claim(asked)
    with pytest.raises(SurveyError, match=r"claim 'c' cannot be checked: .*did you mean|unknown audit"):
        evaluate(claim, Pool(claiming(claim)))


def test_a_change_gives_what_the_changed_corpus_gives(stated: Corpus):
    """The shortcut over changes equals an evaluation of the corpus that they make, on everything that is stated."""
    pool = Pool(stated)
    everything = [change for family in FAMILIES.values() for change in family(stated)]
    everything += left_out(paper.key for paper in stated.papers[::4])
    for change in everything:
        changed = Pool(change.apply(stated))
        for claim in stated.claims.claims:
            if any(expectation.kind == "survive" for expectation in claim.expect):
                continue
            quick, slow = evaluate(claim, pool, change), evaluate(claim, changed)
            for a, b in zip(quick.outcomes, slow.outcomes, strict=True):
                if not a.expectation.dated:
                    assert (a.value, a.selection.keys) == (b.value, b.selection.keys), (change.name, claim.id)


DEVICES = st.sampled_from(["press", "siphon", "drip", "cold"])
PAPERS = st.lists(st.tuples(DEVICES, st.integers(1, 99)), max_size=6)


@settings(deadline=None)
@given(PAPERS, PAPERS, st.sets(st.integers(0, 8)))
def test_any_change_gives_what_the_changed_corpus_gives(old: Any, new: Any, gone: set[int]):
    def papers(made: Any, prefix: str) -> list[Any]:
        return [
            make_paper(f"{prefix}{i}", tags={"device": d}, measures={"grams": {"value": v, "confidence": "high"}})
            for i, (d, v) in enumerate(made)
        ]

    corpus = make_corpus(*papers(old, "p"), make_exclusion())
    brought = {paper.key: paper for paper in papers(new, "n")}
    change = Perturbation("x", Family.LEFT_OUT, {**brought, **{f"p{i}": None for i in gone}})
    claims = [make_claim(asked) for asked, _, _ in CASES if "agreement" not in asked]
    pool, changed = Pool(claiming(*claims, corpus=corpus)), Pool(change.apply(corpus))
    for claim in claims:
        (quick,), (slow,) = evaluate(claim, pool, change).outcomes, evaluate(claim, changed).outcomes
        assert (quick.value, quick.holds) == (slow.value, slow.holds)


def test_a_readmitted_record_brings_its_tags_and_leaves_the_exclusions():
    corpus = replace(coffee(), day=date(2026, 3, 1))
    change = FAMILIES[Family.NEAR_MISSES](corpus)[0]  # type: ignore[index]
    claim = make_claim({"count": "taste=umami:tasted", "equals": 1}, {"count": "*", "of": "exclusions", "equals": 1})
    assert evaluate(claim, Pool(corpus), change).holds


def test_near_misses_that_are_readmitted_together_all_count():
    near = {"axis": "taste", "term": "umami", "strength": "tasted", "because": "Broth-like."}
    corpus = make_corpus(*(make_exclusion(key, near_miss=[near]) for key in ("X1", "X2")))
    *_, together = FAMILIES[Family.NEAR_MISSES](corpus)
    assert evaluate(make_claim({"count": "taste=umami", "equals": 2}), Pool(corpus), together).holds


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
BOTH = make_claim({"state": "taste=sour", "is": ["sparse"]}, name="both")


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
    strict, generous = [("down", "strong", "strict")], [("up-strong", "strong", "generous")]
    assert named(both) == [*strict, *generous, ("gone", "weak", "strict"), ("up-weak", "weak", "generous")]
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


@settings(deadline=None)
@given(
    st.sampled_from(["device=drip", "taste!=sour", "sour", "contested=yes OR device=press", "beans=NA"]),
    st.dates(date(2026, 1, 1), date(2026, 8, 1)),
)
def test_a_pool_near_another_answers_as_one_alone(query: str, day: date):
    now = coffee()
    near, alone = Pool(now.as_of(day), near=Pool(now)), Pool(now.as_of(day))
    for pool in (near, alone):
        assert pool.select("papers", query, UNCHANGED) == alone.select("papers", query, UNCHANGED)
    for silent in (True, False):
        parsed = parse(query, near.corpus.taxonomy, silent=silent)
        assert near.matching(parsed) == {paper.key for paper in parsed.select(alone.corpus.papers)}
