"""An axis as it was on a day: its strengths, its bar, whether it existed, and retired strengths."""

from datetime import date

import pytest
from builders import make_corpus, make_paper
from pydantic import ValidationError

from awesome_cli.analysis.gaps.cells import gap_map
from awesome_cli.model.taxonomy import Axis, Sparse
from awesome_cli.survey.corpus import Corpus

OLD = {"strengths": [{"id": "tried", "label": "tried"}], "gap_strength": "tried"}
AXIS = Axis.model_validate(
    {
        "id": "taste",
        "label": "Taste",
        "question": "Which?",
        "kind": "many",
        "strengths": [{"id": name, "label": name} for name in ("sipped", "measured")],
        "retired": [{"id": "tried", "use": "sipped", "on": "2026-03-01"}],
        "gap_strength": "measured",
        "terms": [{"id": "sour", "label": "Sour"}],
        "history": [{"on": "2026-01-01"}, {"on": "2026-03-01", "was": OLD}],
    }
)


def survey(strength: str = "measured", before: str = "tried") -> Corpus:
    coded = {"term": "sour", "strength": strength}
    history = [{"on": "2026-03-01", "field": "tags.taste", "was": [{"term": "sour", "strength": before}]}]
    corpus = make_corpus(make_paper(tags={"taste": [coded]}, history=history))
    return Corpus(corpus.taxonomy.model_copy(update={"axes": (AXIS,), "maps": ()}), corpus.papers)


def test_the_axis_of_a_day():
    then = AXIS.as_of(date(2026, 2, 1))
    assert then is not None
    assert (then.strength_ids, then.gap_strength, then.retired) == (("tried",), "tried", ())
    assert AXIS.as_of(date(2026, 3, 1)) is AXIS
    assert AXIS.as_of(date(2025, 12, 31)) is None


def test_a_pool_is_asked_in_the_words_of_its_day():
    corpus = survey()
    then = corpus.as_of(date(2026, 2, 1))
    assert then.query("taste=sour:tried").select(then.papers)
    assert list(corpus.taxonomy.by_id) == [AXIS.id]  # asked before the day: nothing of it stays
    past = corpus.as_of(date(2025, 1, 1)).taxonomy
    assert (past.axes, dict(past.by_id)) == ((), {})
    now, before = (gap_map(pool).axes["taste"]["sour"] for pool in (corpus, then))
    assert dict(now.by_strength) == {"measured": 1, "sipped": 0}
    assert dict(before.by_strength) == {"tried": 1}


def test_a_retired_strength_asks_for_its_successor_or_stronger():
    for strength in ("sipped", "measured", "tried"):
        corpus = survey(strength)
        assert corpus.select("taste=sour:tried") == corpus.papers
    assert survey("tried").select("taste=sour:sipped")
    assert not survey("tried").select("taste=sour:measured")
    assert not survey("sipped").select("taste=sour:=tried")


@pytest.mark.parametrize(
    ("sparse", "population", "limit"),
    [
        ({"at_most": 2}, 100, 2),
        ({"share": 0.125, "among": "*"}, 84, 10),
        ({"share": 0.125, "among": "*"}, 8, 1),
        ({"share": 0.29, "among": "*"}, 100, 29),
        ({"share": 0.5, "among": "*"}, 0, 0),
    ],
)
def test_the_limit_of_what_is_sparse(sparse: dict[str, object], population: int, limit: int):
    assert Sparse.model_validate(sparse).limit(population) == limit


def test_sparse_is_a_number_or_a_share():
    for wrong in ({}, {"at_most": 2, "share": 0.5}, {"at_most": 2, "among": "year=2020"}):
        with pytest.raises(ValidationError, match="expected either"):
            Sparse.model_validate(wrong)
