"""The gap map: states and reasons of cells, readings of a term, the report, and the gaps nearest to being filled."""

import re
from collections import Counter
from dataclasses import replace
from datetime import date

import pytest
from builders import coffee, make_corpus, make_exclusion, make_paper
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.analysis.gaps import report as gap_report
from awesome_cli.analysis.gaps.cells import GapReason, gap_map, pools_to_compare, term_readings
from awesome_cli.analysis.gaps.states import COVERED, GAP, NOT_APPLICABLE, SPARSE, STATES, UNKNOWN, GapState, state_of
from awesome_cli.errors import UsageError
from awesome_cli.model.codings import Tag
from awesome_cli.model.taxonomy import Map, Sparse
from awesome_cli.output import plain
from awesome_cli.survey.corpus import Corpus, Side
from awesome_cli.survey.readings import read_as, reading_of


def tasted(term: str, strength: str, key: str = "a1") -> object:
    return make_paper(key, tags={"device": "drip", "taste": [{"term": term, "strength": strength}]})


NEAR = make_exclusion(near_miss=[{"axis": "taste", "term": "umami"}])


@pytest.mark.parametrize(
    ("records", "state", "reason"),
    [
        ((), UNKNOWN, GapReason.NOT_CODED),
        ((tasted("sour", "measured"),), GAP, GapReason.NOTHING),
        ((tasted("umami", "tasted"),), GAP, GapReason.WEAKER_ONLY),
        ((tasted("umami", "tasted"), NEAR), GAP, GapReason.WEAKER_ONLY),
        ((tasted("sour", "measured"), NEAR), GAP, GapReason.NEAR_MISSES_ONLY),
        ((make_paper(not_coded="taste"),), UNKNOWN, GapReason.NOT_CODED),
        ((make_paper(not_coded="taste"), NEAR), UNKNOWN, GapReason.NOT_CODED),
        ((tasted("umami", "measured"),), SPARSE, None),
        (tuple(tasted("umami", "measured", f"b{i}") for i in range(3)), COVERED, None),
    ],
)
def test_states_and_reasons(records: tuple[object, ...], state: GapState, reason: GapReason | None):
    cell = gap_map(make_corpus(*records)).axes["taste"]["umami"]  # type: ignore[arg-type]
    assert (cell.state, cell.reason) == (state, reason)


def parted(key: str, *tags: dict[str, object]) -> object:
    return make_paper(key, tags={"device": "drip", "taste": list(tags)})


def test_parts_stand_beside_and_decide_nothing():
    part = {"term": "umami", "strength": "measured", "part": True}
    sweet = {"term": "sweet", "strength": "measured"}
    found = gap_map(make_corpus(parted("a1", part), parted("b1", sweet, part)))  # type: ignore[arg-type]
    cell = found.axes["taste"]["umami"]
    assert (cell.state, cell.reason, cell.keys, cell.parts) == (GAP, GapReason.PARTS_ONLY, (), ("a1", "b1"))
    assert found.axes["taste"]["sweet"].state is SPARSE


def test_a_term_is_told_as_coded_in_both_readings_and_as_of_the_cutoff(run, root):
    path = root / "corpus" / "aero2020.yaml"
    contest = "contested: {on: 2026-02-01, as: {strength: measured}, "
    path.write_text(path.read_text().replace('contested: {"on": 2026-01-10, ', contest))
    answer = run("gaps", "sour", "--format", "json", root=root).json["data"]
    told = {reading["reading"]: reading["by_strength"]["measured"] for reading in answer["readings"]}
    assert told == {
        "as coded": 0,
        "strict reading from grade weak": 0,
        "generous reading from grade weak": 1,
        "as of 2026-03-01": 0,
    }
    one = run("gaps", "sour", "--reading", "generous", "--format", "json", root=root).json["data"]
    assert one["reading"] == {"side": "generous", "from": "weak"}
    assert one["axes"]["taste"]["sour"]["covering"] == 1


@pytest.mark.parametrize("question", [(), ("sour",), ("taste",), ("--by", "beans,taste")])
def test_reading_grade_and_day_are_named(run, root, question: tuple[str, ...]):
    asked = ("gaps", *question, "--reading", "strict", "--grade", "strong", "--as-of", "2026-03-01")
    said = " ".join(run(*asked, root=root).out.split())
    assert "as of 2026-03-01, in the strict reading from grade strong" in said
    assert run("gaps", "sour", root=root).out.count("Sour is a gap in this pool: 0 papers") == 1


def test_every_number_of_papers_has_a_state_in_the_order_of_the_table():
    found = [state_of(2, n) for n in range(50)]
    assert list(dict.fromkeys(found)) == [state for state in STATES if state.times is not None]


def test_of_an_empty_population_any_paper_is_enough():
    limit = Sparse(share=0.5, among="*").limit(0)
    assert [state_of(limit, n) for n in (0, 1)] == [GAP, COVERED]


SHARES = st.one_of(st.builds(Sparse, at_most=st.integers(0, 4)), st.builds(Sparse, share=st.floats(0, 1)))


@st.composite
def pools(draw: st.DrawFn) -> Corpus:
    """A pool of coffee papers, in a reading or not, on a day, with any limit of sparse cells."""
    corpus = coffee()
    axes = [corpus.taxonomy.by_id[name] for name in ("device", "beans", "taste")]
    tags = {
        axis.id: st.lists(st.builds(Tag, term=st.sampled_from([term.id for term in axis.leaves]),
                                    strength=st.sampled_from(axis.strength_ids or (None,)), part=st.booleans()), max_size=2)
        for axis in axes
    }  # fmt: skip
    days = st.dates(date(2026, 1, 1), date(2026, 6, 1))
    papers = draw(st.lists(st.tuples(st.fixed_dictionaries(tags), days), max_size=8))
    made = [make_paper(f"p{i}").model_copy(update={"tags": {a: tuple(t) for a, t in coded.items() if t}, "added": day})
            for i, (coded, day) in enumerate(papers)]  # fmt: skip
    corpus = replace(corpus, papers=(*corpus.papers, *made))
    corpus = replace(corpus, taxonomy=corpus.taxonomy.model_copy(update={"sparse": draw(SHARES)}))
    side, day = draw(st.sampled_from((None, *Side))), draw(st.none() | days)
    corpus = read_as(corpus, reading_of(corpus.taxonomy, side))
    return corpus.as_of(day) if day else corpus


@given(pools())
def test_fewer_papers_never_have_a_higher_state(corpus: Corpus):
    """In one pool, cells of terms, parents and pairs with as many papers have one state; so no subset is covered more."""
    cells = [cell for _, cell in gap_map(corpus).cells() if cell.state not in {NOT_APPLICABLE, UNKNOWN}]
    cells.sort(key=lambda cell: len(cell.covering))
    ranks = [STATES.index(cell.state) for cell in cells]
    assert ranks == sorted(ranks)
    assert len({(len(cell.covering), cell.state) for cell in cells}) == len({len(cell.covering) for cell in cells})


def test_a_reading_of_a_term_says_what_differs_in_its_pool():
    corpus = coffee()
    axis = corpus.taxonomy.by_id["taste"]
    gone = axis.model_copy(update={"terms": tuple(term for term in axis.terms if term.id != "bitter")})
    pools = [("as coded", corpus)]
    for label, other in (("few", axis), ("gone", gone)):
        axes = tuple(other if one.id == "taste" else one for one in corpus.taxonomy.axes)
        taxonomy = corpus.taxonomy.model_copy(update={"axes": axes})
        pools.append((label, replace(corpus, papers=corpus.papers[:1], taxonomy=taxonomy)))
    found = term_readings(pools, axis, axis.term("bitter"))
    assert [(label, cell.n) for label, _, cell in found] == [("as coded", 2), ("few", 1)]


def test_every_state_is_told_apart_by_word_mark_and_pattern():
    for name in ("value", "word", "mark", "pattern", "meaning", "sentence"):
        assert len({getattr(state, name) for state in STATES}) == len(STATES)
    assert all(len(state.light) == len(state.dark) for state in STATES)
    assert all(len(state.light) == len(state.steps) + 1 for state in STATES if state.light)


def test_a_cell_says_who_and_who_contests():
    cell = gap_map(coffee()).axes["taste"]["sour"]
    assert cell.keys == ("aero2020", "drip2021")
    assert cell.covering == ()
    assert dict(cell.by_strength) == {"measured": 0, "tasted": 1, "mentioned": 1}
    assert cell.contested == ("aero2020",)


def test_a_reason_counts_the_papers_that_have_a_part():
    assert GapReason.PARTS_ONLY.words(1) == "only as a part, in 1 paper"
    assert GapReason.PARTS_ONLY.words(2) == "only as a part, in 2 papers"


def test_a_parent_holds_its_children():
    assert gap_map(coffee()).axes["device"]["immersion"].keys == ("aero2020", "siphon2019")


def test_pairs_need_strength_on_both_axes():
    pair = gap_map(coffee(), pairs=[Map(rows="beans", columns="taste")]).pairs["beans x taste"]
    assert pair["arabica"]["bitter"].state is SPARSE
    assert (pair["arabica"]["sour"].state, pair["arabica"]["sour"].reason) == (GAP, GapReason.WEAKER_ONLY)
    assert pair["arabica"]["sour"].by_strength["tasted"] == 1


def test_a_term_that_the_taxonomy_lacks_counts_in_no_cell():
    lost = make_corpus(make_paper("a1", tags={"device": "devise", "beans": "arabica"}))
    assert {name for name, cell in gap_map(lost).cells() if cell.keys} == {"beans=arabica"}


def test_an_impossible_pair_is_no_gap():
    assert gap_map(coffee()).pairs["device x beans"]["drip"]["cold"].state is NOT_APPLICABLE


def test_unknown_names_are_errors_with_the_nearest():
    for name, message in (("swet", "did you mean 'sweet'"), ("cold", "is a term of 2 axes"), ("device=drp", "'drip'")):
        with pytest.raises(UsageError, match=message):
            gap_report.answer(coffee(), name)


def test_the_survey_s_own_question(contested: Corpus):
    gaps, report = gap_report.answer(contested, "O5")
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
    assert grades == sorted(grades, key=contested.taxonomy.grade_rank.__getitem__, reverse=True)
    assert Counter(grades) >= Counter(strong=1, fairly_strong=1, moderate=3, weak=2)


@pytest.mark.parametrize(
    ("axis", "term", "state", "n"),
    [
        ("credit_unit", "message", "sparse", 2),
        ("credit_unit", "team", "gap", 0),
        ("reward_family", "tool", "gap", 0),
        ("reward_family", "debate_verifier", "sparse", 10),
        ("sub_decision", "spawn", "sparse", 12),
    ],
)
def test_known_cells(published: Corpus, axis: str, term: str, state: str, n: int):
    cell = gap_map(published).axes[axis][term]
    assert (cell.state.value, cell.n) == (state, n)


def test_a_coding_without_a_strength_shows_none(run, root):
    path = root / "corpus" / "aero2020.yaml"
    path.write_text(path.read_text().replace("    strength: tasted\n", "", 1))
    codings = run("gaps", "sour", "-f", "json", root=root).json["data"]["codings"]
    assert [one["strength"] for one in codings if one["key"] == "aero2020"] == [None]


def test_the_answer_is_the_map_of_what_is_asked():
    corpus = coffee()
    whole, _ = gap_report.answer(corpus, None)
    assert (list(whole.axes), list(whole.pairs)) == (["device", "taste", "beans"], ["device x beans", "beans x taste"])
    axis, _ = gap_report.answer(corpus, "taste")
    assert (list(axis.axes), dict(axis.pairs)) == (["taste"], {})
    declared, _ = gap_report.answer(corpus, None, rows="device", columns="beans")
    assert (dict(declared.axes), list(declared.pairs)) == ({}, ["device x beans"])
    assert declared.pairs["device x beans"]["drip"]["cold"].state is NOT_APPLICABLE
    other, _ = gap_report.answer(corpus, None, rows="taste", columns="device")
    assert list(other.pairs) == ["taste x device"]
    assert other.pairs["taste x device"]["sweet"]["siphon"].keys == ("siphon2019",)


def test_more_papers_are_darker_from_the_first_colour_on():
    first, second = COVERED.steps
    assert [COVERED.shade(n) for n in (1, first, first + 1, second, second + 1)] == [1, 1, 2, 2, 3]


def test_a_cell_is_published_by_its_names():
    corpus = coffee()
    cell = gap_map(corpus).axes["taste"]["sour"].to_json()
    assert (cell["keys"], cell["parts"], cell["near"]) == (["aero2020", "drip2021"], [], [])
    assert set(cell) == {"state", "reason", "n", "covering", "by_strength", "contested", "keys", "parts", "near",
                         "coded", "uncoded", "listed", "total"}  # fmt: skip


def test_pools_that_do_not_differ_are_not_shown():
    corpus = coffee()
    axis = corpus.taxonomy.by_id["taste"]
    assert term_readings([("one", corpus), ("other", corpus)], axis, axis.term("sour")) == ()


def test_the_pool_of_the_cutoff_is_compared_with_later_ones_alone():
    corpus = coffee()
    cutoff = date(2026, 1, 1)
    survey = corpus.taxonomy.survey.model_copy(update={"cutoff": cutoff})
    corpus = replace(corpus, taxonomy=corpus.taxonomy.model_copy(update={"survey": survey}))
    labels = [label for label, _ in pools_to_compare(corpus)]
    assert labels[-1] == "as of 2026-01-01"
    assert labels[-1] not in [label for label, _ in pools_to_compare(replace(corpus, day=cutoff))]


def test_a_term_of_two_axes_is_asked_with_each_of_them():
    corpus = coffee()
    beans = corpus.taxonomy.by_id["beans"]
    both = beans.model_copy(update={"terms": (*beans.terms, corpus.taxonomy.by_id["taste"].term("sour"))})
    axes = tuple(both if axis.id == "beans" else axis for axis in corpus.taxonomy.axes)
    corpus = replace(corpus, taxonomy=corpus.taxonomy.model_copy(update={"axes": axes}))
    with pytest.raises(UsageError, match="'sour' is a term of 2 axes") as raised:
        gap_report.find_term(corpus, "sour")
    assert raised.value.hint == "write taste=sour or beans=sour"


def test_a_bookkeeping_axis_has_no_gaps(run, root):
    path = root / "taxonomy.yaml"
    path.write_text(path.read_text().replace("  label: Beans\n", "  label: Beans\n  bookkeeping: true\n"))
    assert "beans" not in run("gaps", "--format", "json", root=root).json["data"]["axes"]
    for question in (("beans",), ("beans=robusta",), ("robusta",), ("--by", "beans,taste")):
        answer = run("gaps", *question, root=root, code=2)
        assert "'beans' is a bookkeeping axis" in answer.err
    told = run("explain", "robusta", root=root).out
    assert "1 paper" in told
    assert "state" not in told


def test_the_overview_lists_only_terms_that_lack_papers_and_keeps_the_data():
    gaps = gap_map(make_corpus(*(tasted("umami", "measured", f"b{i}") for i in range(3)), NEAR))  # type: ignore[arg-type]
    assert gaps.axes["taste"]["umami"].state is COVERED
    whole = gap_report.to_report(gaps)
    summary = gap_report.overview(gaps)
    assert (summary.data, summary.tables()) == (whole.data, whole.tables())
    text = plain.write(summary)
    for axis, cells in gaps.axes.items():
        for term in gaps.corpus.taxonomy.by_id[axis].terms:
            assert (term.full_label in text) is cells[term.id].state.lacks, term.id
    assert re.search(r"^\d+ covered terms and all tables: awesome gaps --all$", text, re.MULTILINE)
