"""The gap map: states, reasons, pairs, and what the shipped survey is known for."""

from collections import Counter

import pytest
from builders import coffee, make_corpus, make_exclusion, make_paper

from awesome_cli.analysis.gaps import gap_question
from awesome_cli.analysis.gaps.cells import Reason, State, gap_map
from awesome_cli.errors import UsageError
from awesome_cli.model.taxonomy import Map
from awesome_cli.survey.corpus import Corpus


def tasted(term: str, strength: str, key: str = "a1") -> object:
    return make_paper(key, tags={"device": "drip", "taste": [{"term": term, "strength": strength}]})


NEAR = make_exclusion(near_miss=[{"axis": "taste", "term": "umami"}])


@pytest.mark.parametrize(
    ("records", "state", "reason"),
    [
        ((), State.GAP, Reason.NOTHING),
        ((tasted("umami", "tasted"),), State.GAP, Reason.WEAKER_ONLY),
        ((tasted("umami", "tasted"), NEAR), State.GAP, Reason.WEAKER_ONLY),
        ((NEAR,), State.GAP, Reason.NEAR_MISSES_ONLY),
        ((make_paper(not_coded="taste"),), State.GAP, Reason.NOT_CODED),
        ((make_paper(not_coded="taste"), NEAR), State.GAP, Reason.NOT_CODED),
        ((tasted("umami", "measured"),), State.SPARSE, None),
        ((tasted("umami", "measured"), tasted("umami", "measured", "b1")), State.COVERED, None),
    ],
)
def test_states_and_reasons(records: tuple[object, ...], state: State, reason: Reason | None):
    cell = gap_map(make_corpus(*records)).axes["taste"]["umami"]  # type: ignore[arg-type]
    assert (cell.state, cell.reason) == (state, reason)


def test_a_cell_says_who_and_who_contests():
    cell = gap_map(coffee()).axes["taste"]["sour"]
    assert cell.keys == ("aero2020", "drip2021")
    assert cell.covering == ()
    assert dict(cell.by_strength) == {"measured": 0, "tasted": 1, "mentioned": 1}
    assert cell.contested == ("aero2020",)


def test_a_parent_holds_its_children():
    assert gap_map(coffee()).axes["device"]["immersion"].keys == ("aero2020", "siphon2019")


def test_pairs_need_strength_on_both_axes():
    pair = gap_map(coffee(), pairs=[Map(rows="beans", columns="taste")]).pairs["beans x taste"]
    assert pair["arabica"]["bitter"].state is State.SPARSE
    assert (pair["arabica"]["sour"].state, pair["arabica"]["sour"].reason) == (State.GAP, Reason.WEAKER_ONLY)
    assert pair["arabica"]["sour"].by_strength["tasted"] == 1


def test_an_impossible_pair_is_no_gap():
    assert gap_map(coffee()).pairs["device x beans"]["drip"]["cold"].state is State.NOT_APPLICABLE


def test_unknown_names_are_errors_with_the_nearest():
    for name, message in (("swet", "did you mean 'sweet'"), ("cold", "stands on 2 axes"), ("device=drp", "'drip'")):
        with pytest.raises(UsageError, match=message):
            gap_question.answer(coffee(), name)


def test_the_survey_s_own_question(published: Corpus):
    gaps, report = gap_question.answer(published, "O5")
    [(axis, cells)] = gaps.axes.items()
    [(term, cell)] = cells.items()
    assert (axis, term, cell.state.value, cell.reason and cell.reason.value) == (
        "sub_decision",
        "stop",
        "gap",
        "weaker_only",
    )
    assert dict(cell.by_strength) == {"trained": 0, "designed": 11, "evaluated": 0}
    assert len(cell.contested) >= 7  # anybody may contest one more
    assert cell.near == ()
    title = f"Contested ({len(cell.contested)})"
    grades = [row[1] for section in report.sections if section.title == title for row in section.blocks[0].rows]  # type: ignore[union-attr]
    assert grades == sorted(grades, key=published.taxonomy.grade_rank.__getitem__, reverse=True)
    assert Counter(grades) >= Counter(strong=1, fairly_strong=1, moderate=3, weak=2)


@pytest.mark.parametrize(
    ("axis", "term", "state", "n"),
    [
        ("credit_unit", "message", "sparse", 2),
        ("credit_unit", "team", "gap", 0),
        ("reward_family", "tool", "gap", 0),
        ("reward_family", "debate_verifier", "covered", 10),
        ("sub_decision", "spawn", "covered", 12),
    ],
)
def test_known_cells(published: Corpus, axis: str, term: str, state: str, n: int):
    cell = gap_map(published).axes[axis][term]
    assert (cell.state.value, cell.n) == (state, n)
