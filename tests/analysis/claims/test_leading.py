"""Which claims introduce a survey, and their answers in the readings."""

from dataclasses import replace
from pathlib import Path

import pytest
from builders import coffee
from claiming import LIVES, claiming, make_claim, state_claims

from awesome_cli.analysis.claims.leading import FEW, leading
from awesome_cli.analysis.claims.results import check
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.claims import Claim
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus


def names(corpus: Corpus) -> list[str]:
    return [lead.result.claim.id for lead in leading(check(corpus))]


def of_drip(name: str, **more: object) -> Claim:
    return make_claim({"count": "device=drip", "at_least": 0}, name=name).model_copy(update=more)


def test_without_a_mark_the_first_that_stands_for_a_revised_claim_leads(root: Path):
    state_claims(root, LIVES)
    assert names(load_corpus(WorkingTree(root), candidates=True, evidence=True)) == ["sparse-cold"]


@pytest.mark.parametrize(("claims", "led"), [
    ((of_drip("a"), of_drip("b")), ["a"]),
    ((of_drip("a"), of_drip("b", lead=True)), ["b"]),
    (tuple(of_drip(f"c{i}", lead=True) for i in range(FEW + 1)), [f"c{i}" for i in range(FEW)]),
    ((make_claim({"count": "*", "at_least": 1}, name="pool"),), []),
    ((), []),
])  # fmt: skip
def test_marks_lead_and_a_mere_count_of_records_never_does(claims: tuple[Claim, ...], led: list[str]):
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
