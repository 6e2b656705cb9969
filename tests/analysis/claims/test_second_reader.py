"""The second coders' codings as perturbations: many terms, parts, and two audits of one paper."""

from dataclasses import replace
from typing import Any

from builders import make_corpus, make_paper

from awesome_cli.analysis.claims.perturbations import Perturbation, second_reader
from awesome_cli.model.audits import Audit
from awesome_cli.model.codings import Tag

TASTE = [
    {"term": "bitter", "strength": "measured", "evidence": "A panel.", "source": "x"},
    {"term": "sour", "strength": "tasted"},
]
BEANS = ["arabica", {"term": "robusta", "part": True}]


def audit(key: str, first: dict[str, str], second: dict[str, str]) -> dict[str, Any]:
    coding = {"key": "a2020", "first": first, "second": second}
    return {"key": key, "on": "2026-02-01", "columns": list(first), "codings": [coding]}


def perturbations(*audits: dict[str, Any]) -> dict[str, Perturbation]:
    corpus = make_corpus(make_paper(tags={"taste": TASTE, "beans": BEANS, "device": "drip"}))
    corpus = replace(corpus, audits=tuple(Audit.model_validate(one) for one in audits))
    return {change.name: change for change in second_reader(corpus)}


def tags(change: Perturbation, axis: str) -> tuple[Tag, ...]:
    paper = change.papers["a2020"]
    assert paper is not None
    return paper.tags[axis]


def test_terms_of_an_axis_with_many_are_those_of_the_second_coder():
    one = audit("one", {"taste": "bitter:measured; sour:tasted"}, {"taste": "bitter:measured; sweet:mentioned"})
    found = tags(perturbations(one)["second reader on a2020 (one)"], "taste")
    assert [str(tag) for tag in found] == ["bitter:measured", "sweet:mentioned"]
    assert found[0].evidence == "A panel."


def test_parts_are_read_where_the_coder_was_asked_for_them():
    asked = audit("asked", {"beans": "arabica; robusta:part"}, {"beans": "robusta; arabica:part"})
    found = tags(perturbations(asked)["second reader on a2020 (asked)"], "beans")
    assert [str(tag) for tag in found] == ["robusta", "arabica:part"]
    mains = audit("mains", {"beans": "arabica"}, {"beans": "NA"})
    found = tags(perturbations(mains)["second reader on a2020 (mains)"], "beans")
    assert [str(tag) for tag in found] == ["robusta:part"]


def test_two_audits_of_one_paper_are_taken_together():
    one = audit("one", {"taste": "bitter:measured"}, {"taste": "NA"})
    two = audit("two", {"device": "drip"}, {"device": "press"})
    found = perturbations(one, two)
    assert list(found) == ["second reader on a2020 (one)", "second reader on a2020 (two)", "the second readers' tags"]
    both = found["the second readers' tags"]
    assert (both.whole, tags(both, "taste"), str(tags(both, "device")[0])) == (True, (), "press")
    assert tags(found["second reader on a2020 (two)"], "taste") != ()


def test_a_coding_that_the_record_has_already_changes_nothing():
    same = audit("same", {"device": "press"}, {"device": "drip"})
    assert list(perturbations(same)) == ["the second readers' tags"]


def test_another_strength_of_the_same_term_is_a_difference():
    one = audit("one", {"taste": "bitter:mentioned; sour:tasted"}, {"taste": "bitter:tasted; sour:tasted"})
    found = tags(perturbations(one)["second reader on a2020 (one)"], "taste")
    assert [str(tag) for tag in found] == ["bitter:tasted", "sour:tasted"]
