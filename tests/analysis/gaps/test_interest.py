"""Gaps worth a look: each record that could change a cell is tried alone."""

from dataclasses import replace

from builders import coffee, make_corpus, make_paper

from awesome_cli.analysis.claims.admission import admitted
from awesome_cli.analysis.claims.perturbations import contest, near_misses
from awesome_cli.analysis.gaps.cells import gap_map
from awesome_cli.analysis.gaps.interest import Interest, interesting
from awesome_cli.model.taxonomy import Map
from awesome_cli.survey.corpus import Corpus


def cells(found: tuple[Interest, ...]) -> dict[tuple[str, str | None], Interest]:
    return {(one.row.id, one.column.id if one.column else None): one for one in found}


def test_records_that_would_change_a_cell_rank_it_and_are_its_reason():
    found = interesting(coffee())
    assert next(iter(cells(found))) == ("salty", None)
    assert found[0].reason == "1 candidate"
    # Its contest casts doubt and proposes no other coding; the near-miss at umami has no strength that counts.
    assert (cells(found)["sour", None].reason, cells(found)["umami", None].reason) == ("", "")
    assert ("drip", "cold") not in cells(found)
    assert ("immersion", "arabica") not in cells(found)


def test_candidates_count_where_they_would_cover_and_are_not_proposed_for_exclusion():
    corpus = coffee()
    one = corpus.candidates[0]
    weaker = {"device": "drip", "beans": "arabica", "taste": [{"term": "salty", "strength": "tasted"}]}
    more = [one.model_copy(update={"key": "b", "proposal": "exclude"})]
    more += [one.model_copy(update={"key": "c", "tags": make_paper(tags=weaker).tags})]
    found = cells(interesting(replace(corpus, candidates=(one, *more))))
    assert found["salty", None].changes == {"candidates": (one.key,)}
    assert "candidates" not in found["arabica", "salty"].changes


def test_each_record_that_could_change_a_cell_does_if_it_is_tried_alone(shipped: Corpus):
    pair = shipped.taxonomy.maps[0]
    assert pair.columns is None
    single = [c for c in (*near_misses(shipped), *contest(shipped)) if not c.whole]
    trials = {change.name: change for change in single}
    trials |= {c.key: admitted([c]) for c in shipped.candidates if c.proposal != "exclude"}
    changed: dict[str, set[str]] = {}
    before = numbers(shipped, pair.rows)
    for name, change in trials.items():
        for term, n in numbers(change.apply(shipped), pair.rows).items():
            if n != before[term]:
                changed.setdefault(term, set()).add(name)
    found = {
        gap.row.id: {name for names in gap.changes.values() for name in names} for gap in interesting(shipped, (pair,))
    }
    assert found == {term: changed.get(term, set()) for term in found}
    assert sum(map(len, found.values())) > 10


def numbers(corpus: Corpus, axis: str) -> dict[str, int]:
    cells = gap_map(corpus, axes=(axis,), pairs=()).axes[axis]
    return {term: len(cell.covering) for term, cell in cells.items()}


def test_an_objection_that_moves_a_paper_counts_in_both_cells():
    contested = {"grade": "weak", "as": "robusta", "because": "It tasted so."}
    paper = make_paper(tags={"beans": [{"term": "arabica", "contested": contested}]})
    found = cells(interesting(make_corpus(paper), (Map(rows="beans"),)))
    assert {term: gap.reason for (term, _), gap in found.items()} == {
        "arabica": "1 objection", "robusta": "1 objection", "cold": "",
    }  # fmt: skip


def test_a_survey_without_maps_is_asked_about_its_first_axis():
    corpus = coffee()
    found = interesting(replace(corpus, taxonomy=corpus.taxonomy.model_copy(update={"maps": ()})))
    assert {one.rows.id for one in found} == {"device"}
