"""Gaps ranked by what is near to filling them."""

from dataclasses import replace

from builders import coffee, make_paper

from awesome_cli.analysis.gaps.cells import Interest, interesting


def cells(found: tuple[Interest, ...]) -> dict[tuple[str, str | None], Interest]:
    return {(one.row.id, one.column.id if one.column else None): one for one in found}


def test_what_is_near_ranks_a_gap_and_is_its_reason():
    found = interesting(coffee())
    assert list(cells(found))[:4] == [("sour", None), ("arabica", "sour"), ("salty", None), ("umami", None)]
    assert [one.reason for one in found[:5]] == [
        "1 contested coding", "1 contested coding", "1 candidate would fill it", "1 near-miss", "",
    ]  # fmt: skip
    assert ("drip", "cold") not in cells(found)
    assert ("immersion", "arabica") not in cells(found)


def test_candidates_count_where_they_would_cover_and_are_not_proposed_for_exclusion():
    corpus = coffee()
    one = corpus.candidates[0]
    weaker = {"device": "drip", "beans": "arabica", "taste": [{"term": "salty", "strength": "tasted"}]}
    more = [one.model_copy(update={"key": "b", "proposal": "exclude"})]
    more += [one.model_copy(update={"key": "c", "tags": make_paper(tags=weaker).tags})]
    found = cells(interesting(replace(corpus, candidates=(one, *more))))
    assert found["salty", None].candidates == (one.key,)
    assert found["arabica", "salty"].candidates == ()
    paper = make_paper("p1", tags={"taste": [{"term": "salty", "strength": "measured"}]})
    found = cells(interesting(replace(corpus, papers=(*corpus.papers, paper))))
    assert found["salty", None].reason == "1 candidate would count in it"


def test_a_survey_without_maps_is_asked_about_its_first_axis():
    corpus = coffee()
    found = interesting(replace(corpus, taxonomy=corpus.taxonomy.model_copy(update={"maps": ()})))
    assert {one.rows.id for one in found} == {"device"}
