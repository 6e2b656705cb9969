"""Claims: numbers of expectations, placeholders in statements, and records of a day."""

from typing import Any

import pytest
from builders import coffee
from claiming import claiming, make_claim
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.model.claims import Claim
from awesome_cli.rules.claims import unexpected_number, unstated_expectation


def stating(statement: str, *expect: dict[str, Any]) -> Claim:
    return Claim.model_validate({**make_claim(*expect).model_dump(by_alias=True), "statement": statement})


def test_a_placeholder_is_the_number_of_its_expectation():
    claim = stating(
        "{1} of {2}, {3}, {4}; {x}, { 1 }, {0}, {9} and {5} stay.",
        {"share": "device=drip", "at_most": 0.125},
        {"count": "*", "equals": 1200},
        {"ids": "device=drip", "at_least": ["drip2021", "aero2020"]},
        {"largest": "grams", "group": "shop", "at_least": 2.5, "at_most": 3},
        {"state": "device=drip", "is": ["gap"]},
    )
    assert claim.statement == "12.5 % of 1,200, 2, 2.5; {x}, { 1 }, {0}, {9} and {5} stay."


KINDS: dict[str, dict[str, Any]] = {
    "count": {"count": "device=drip"},
    "share": {"share": "device=drip"},
    "largest": {"largest": "grams", "group": "shop"},
    "agreement": {"agreement": "taste=bitter", "audit": "second"},
}


@given(
    st.sampled_from(sorted(KINDS)),
    st.sampled_from(["equals", "at_least", "at_most"]),
    st.one_of(st.integers(0, 10**9), st.decimals(0, 100, places=3).map(float)),
)
def test_a_filled_placeholder_states_what_is_expected(kind: str, bound: str, number: float):
    """So a claim that writes its numbers as placeholders cannot be wrong in them."""
    value = min(number, 100) / 100 if kind == "share" else number
    corpus = claiming(stating("Here {1} is it.", {**KINDS[kind], bound: value}))
    assert list(unexpected_number(corpus)) == []
    assert list(unstated_expectation(corpus)) == []


@pytest.mark.parametrize(
    "statement", ["Drip is in 99 papers.", "One in nine drips.", "Drip is in {2} papers.", "99 % drip."]
)
def test_another_number_is_an_error(statement: str):
    assert len(list(unexpected_number(claiming(stating(statement, {"count": "device=drip", "equals": 84}))))) == 1


def test_names_of_records_and_terms_may_contain_numbers():
    corpus = coffee()
    title, label = corpus.papers[0].title, corpus.taxonomy.axes[0].terms[0].label
    paper = corpus.papers[0].model_copy(update={"title": f"Nine Cups of {title}"})
    claim = stating(f"Nine Cups of {title} has {label}, a cup.", {"count": "*", "at_least": 1})
    assert list(unexpected_number(claiming(claim))) != []
    renamed = claiming(claim).__class__(corpus.taxonomy, papers=(paper,), claims_file=claiming(claim).claims)
    assert list(unexpected_number(renamed)) == []


def test_a_record_of_a_day_is_dated_or_of_an_audit():
    dated = {"count": "device=drip", "equals": 1, "dated": True}
    audit = {"agreement": "taste=bitter", "audit": "second", "equals": 1}
    assert make_claim(dated, audit).record_of_day
    assert not make_claim(dated, {"count": "device=drip", "at_least": 1}).record_of_day
