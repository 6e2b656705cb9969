"""The finding: which claims introduce a survey, in which words, and what their chart counts."""

from dataclasses import replace
from pathlib import Path

import pytest
from builders import coffee
from claiming import COFFEE_CLAIMS, LIVES, claiming, make_claim, state_claims
from pydantic import ValidationError

from awesome_cli.analysis.claims.finding import FEW, Bar, chart, headline, leading
from awesome_cli.analysis.claims.results import check
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.claims import Claim, Headline
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus
from awesome_cli.survey.readings import reading_of

LED = Headline(sentence="{observed} drip", counts="papers that drip")


def names(corpus: Corpus) -> list[str]:
    return [lead.result.claim.id for lead in leading(check(corpus))]


def of_drip(name: str, **more: object) -> Claim:
    return make_claim({"count": "device=drip", "at_least": 0}, name=name).model_copy(update=more)


def test_without_a_headline_the_first_that_stands_for_a_revised_claim_leads(root: Path):
    state_claims(root, LIVES)
    assert names(load_corpus(WorkingTree(root), candidates=True, evidence=True)) == ["sparse-cold"]


@pytest.mark.parametrize(("claims", "led"), [
    ((of_drip("a"), of_drip("b")), ["a"]),
    ((of_drip("a"), of_drip("b", headline=LED)), ["b"]),
    (tuple(of_drip(f"c{i}", headline=LED) for i in range(FEW + 1)), [f"c{i}" for i in range(FEW)]),
    ((make_claim({"count": "*", "at_least": 1}, name="pool"),), []),
    ((), []),
])  # fmt: skip
def test_headlines_lead_and_a_mere_count_of_records_never_does(claims: tuple[Claim, ...], led: list[str]):
    assert names(claiming(*claims)) == led


def test_a_contested_claim_comes_before_others_and_is_answered_in_each_reading(root: Path):
    corpus = load_corpus(WorkingTree(state_claims(root)), candidates=True, evidence=True)
    (lead,) = leading(check(corpus))
    assert lead.result.claim.id == "sour-unmeasured"
    told = [(str(a.reading and a.reading.side), len(a.outcome.selection), a.holds) for a in lead.answers]
    assert told == [("None", 0, True), ("strict", 0, True), ("generous", 1, False)]


def test_without_grades_there_is_one_answer():
    corpus = claiming(of_drip("a"), corpus=coffee())
    ungraded = replace(corpus, taxonomy=corpus.taxonomy.model_copy(update={"grades": (), "contested_from": None}))
    (lead,) = leading(check(ungraded))
    assert [answer.reading for answer in lead.answers] == [None]


def loaded(root: Path) -> Corpus:
    return load_corpus(WorkingTree(root), candidates=True, evidence=True)


@pytest.mark.parametrize(("expect", "sentence"), [
    ({"count": "device=drip", "at_least": 1}, "2 papers drip."),
    ({"count": "device=drip", "at_most": 0}, "Claim led; the records contradict this: 2 papers."),
    ({"share": "device=drip", "at_most": 0.5}, "50 % drip."),
    ({"ids": "device=drip", "at_least": ["drip2021"]}, "2 papers drip."),
    ({"state": "device=cold", "is": "gap"}, "gap drip."),
    ({"count": "taste=sour:measured", "at_most": 5}, "0 papers drip; 0 to 1 paper, depending on which objections are right."),
    ({"count": "taste=sour:measured", "at_most": 0}, "0 papers drip; disputed: 0 to 1 paper, depending on which objections are right."),
    ({"state": "taste=sour", "is": "gap"}, "gap drip; disputed: objections could overturn it."),
])  # fmt: skip
def test_the_sentence_has_the_observed_value_and_the_status(root: Path, expect: dict[str, object], sentence: str):
    corpus = loaded(state_claims(root))
    led = make_claim(expect, name="led").model_copy(update={"headline": LED})
    assert headline(leading(check(claiming(led, corpus=corpus)))) == sentence


def test_the_chart_repeats_the_claims_for_each_term_with_the_range_of_the_readings(root: Path):
    led = "headline: {sentence: Sour, counts: papers that measure it}"
    corpus = loaded(
        state_claims(root, COFFEE_CLAIMS.replace("Nobody measures sourness.", f"Nobody measures sourness.\n  {led}"))
    )
    leads = leading(check(corpus))
    drawn = chart(leads)
    assert drawn is not None
    assert (drawn.axis.id, drawn.captions, drawn.led) == ("taste", ("papers that measure it",), {"sour"})
    bars = {term.id: bar for term, (bar,) in drawn.rows}
    assert bars["sour"] == Bar(0, 0, 1)
    assert [bars[term.id].n for term, _ in drawn.rows] == [
        len(corpus.select(f"taste={t.id}:measured")) for t, _ in drawn.rows
    ]
    assert leads[0].moved(leads[0].answers[-1]) == ("aero2020",)


def test_a_claim_that_fails_in_a_reading_says_so(root: Path):
    corpus = loaded(state_claims(root, COFFEE_CLAIMS))
    generous = reading_of(corpus.taxonomy, "generous")
    lead = next(lead for lead in leading(check(corpus, ["sour-unmeasured"], reading=generous)))
    assert lead.sentence == f"Nobody measures sourness; fails in the {generous}: 1 paper."


def test_the_headline_has_the_first_answer_even_if_another_fails():
    led = make_claim({"count": "device=drip", "at_least": 1}, {"count": "*", "at_least": 99}, name="led")
    (lead,) = leading(check(claiming(led.model_copy(update={"headline": LED}))))
    assert [len(answer.outcome.selection) for answer in lead.answers[:1]] == [2]


def test_claims_on_terms_of_one_parent_share_a_chart_without_repeated_bars():
    claims = [
        make_claim({"count": f"device={term}", "at_least": 0}, name=term).model_copy(update={"headline": LED})
        for term in ("press", "siphon")
    ]
    drawn = chart(leading(check(claiming(*claims))))
    assert drawn is not None
    assert (drawn.captions, drawn.led) == (("papers that drip",), {"press", "siphon"})
    assert [term.id for term, bars in drawn.rows if len(bars) == 1] == ["press", "siphon"]


@pytest.mark.parametrize("sentence", ["", " ", "We see it.", "Do we?", "x" * 121])
def test_a_headline_is_short_and_has_no_final_sign(sentence: str):
    with pytest.raises(ValidationError):
        Headline(sentence=sentence)


def test_numbers_of_expectations_are_filled_in():
    claim = Claim.model_validate({
        "id": "c", "statement": "At least {1}.", "as_of": "2026-03-01", "headline": {"sentence": "Over {1} hold"},
        "expect": [{"count": "*", "at_least": 3}],
    })  # fmt: skip
    assert claim.headline is not None
    assert claim.headline.sentence == "Over 3 hold"


@pytest.mark.parametrize("expect", [
    {"count": "device=drip beans=robusta", "at_least": 0},
    {"count": "*", "at_most": 9, "of": "exclusions"},
    {"share": "device=drip", "at_most": 1},
    {"count": "device=drip", "minus": "device=press", "at_least": -9},
])  # fmt: skip
def test_only_a_count_of_one_term_has_a_chart(expect: dict[str, object]):
    led = make_claim(expect, name="led").model_copy(update={"headline": LED})
    assert chart(leading(check(claiming(led)))) is None
