"""The matrix of an axis by strength, and of two axes."""

from builders import coffee, make_corpus, make_paper

from awesome_cli.analysis.gaps.matrix import ANY, MatrixCell, matrix
from awesome_cli.analysis.gaps.states import GAP, NOT_APPLICABLE, SPARSE, UNKNOWN, state_of
from awesome_cli.model.taxonomy import Map, tree

NOBODY = MatrixCell(0, 0, 0, None, ())


def test_an_axis_by_strength_has_the_strongest_first_and_a_column_for_any():
    found = matrix(coffee(), Map(rows="taste"))
    assert [(column.id, column.label) for column in found.columns] == [
        ("measured", "measured"), ("tasted", "tasted"), ("mentioned", "mentioned"), (ANY, "any strength"),
    ]  # fmt: skip
    assert [term.id for term in found.rows] == ["bitter", "sour", "sweet", "salty", "umami"] == list(found.cells)
    assert found.decides == "measured"
    both, enough = ("aero2020", "drip2021"), state_of(2, 2)
    assert found.cells["bitter"] == {
        "measured": MatrixCell(2, 0, 0, enough, both), "tasted": NOBODY, "mentioned": NOBODY,
        ANY: MatrixCell(2, 0, 0, None, both),
    }  # fmt: skip
    assert found.cells["sour"] == {
        "measured": MatrixCell(0, 2, 0, GAP, both),
        "tasted": MatrixCell(1, 0, 0, None, ("aero2020",)),
        "mentioned": MatrixCell(1, 0, 0, None, ("drip2021",)),
        ANY: MatrixCell(2, 0, 0, None, both),
    }
    assert found.cells["sweet"]["measured"].state is SPARSE


def test_an_axis_without_strengths_has_one_column_in_which_parents_hold_their_children():
    found = matrix(coffee(), Map(rows="device"))
    assert [(column.id, column.label) for column in found.columns] == [(ANY, "papers")]
    assert found.decides == ANY
    assert {term: line[ANY].keys for term, line in found.cells.items()} == {
        "immersion": ("aero2020", "siphon2019"), "press": ("aero2020",), "siphon": ("siphon2019",),
        "drip": ("drip2021", "soup2022"), "cold": (),
    }  # fmt: skip


def test_two_axes_have_rows_of_parents_in_which_a_paper_stands_once():
    found = matrix(coffee(), Map(rows="device", columns="beans", impossible=[("drip", "cold")]))
    assert [term.id for term in found.rows] == ["immersion", "press", "siphon", "drip", "cold"] == list(found.cells)
    assert [term.id for term in found.columns] == ["arabica", "robusta", "cold"]
    assert found.decides is None
    assert found.cells["press"]["arabica"] == MatrixCell(1, 0, 0, SPARSE, ("aero2020",))
    assert found.cells["drip"]["cold"].state is NOT_APPLICABLE
    assert found.cells["immersion"]["arabica"] == found.cells["press"]["arabica"]
    none = matrix(coffee(), Map(rows="device", columns="beans", impossible=[("press", "cold"), ("siphon", "cold")]))
    assert [none.cells[row]["cold"].state for row in ("immersion", "drip")] == [NOT_APPLICABLE, UNKNOWN]
    both = make_corpus(make_paper("a1", tags={"device": [{"term": "press"}, {"term": "siphon"}], "beans": "arabica"}))
    assert matrix(both, Map(rows="device", columns="beans")).cells["immersion"]["arabica"].n == 1
    tastes = matrix(coffee(), Map(rows="beans", columns="taste")).cells["arabica"]
    assert tastes["sour"] == MatrixCell(0, 1, 0, GAP, ("aero2020",))
    assert tastes["bitter"] == MatrixCell(1, 0, 0, SPARSE, ("aero2020",))


def test_a_cell_counts_the_contests_that_would_change_its_number():
    contested = {"on": "2026-01-10", "grade": "strong", "because": "Only tasted.", "as": {"strength": "tasted"}}
    sour = {"term": "sour", "strength": "measured", "contested": contested}
    corpus = make_corpus(make_paper("a1", tags={"device": ["press", "siphon"], "beans": "arabica", "taste": [sour]}))
    line = {column: (cell.n, cell.contested, cell.doubted) for column, cell in
            matrix(corpus, Map(rows="taste")).cells["sour"].items()}  # fmt: skip
    assert line == {"measured": (1, 1, 1), "tasted": (0, 0, 0), "mentioned": (0, 0, 0), ANY: (1, 0, 0)}
    pair = matrix(corpus, Map(rows="beans", columns="taste")).cells["arabica"]["sour"]
    assert (pair.n, pair.doubted) == (1, 1)
    stronger = {**sour, "strength": "tasted", "contested": {**contested, "as": {"strength": "measured"}}}
    corpus = make_corpus(make_paper("a1", tags={"device": "press", "beans": "arabica", "taste": [stronger]}))
    weaker = matrix(corpus, Map(rows="taste")).cells["sour"]["measured"]
    assert (weaker.n, weaker.weaker, weaker.contested, weaker.doubted) == (0, 1, 1, 0)


def test_what_is_a_part_or_weaker_is_counted_beside():
    tags = [{"term": "umami", "strength": "measured", "part": True}, {"term": "sweet", "strength": "tasted"}]
    corpus = make_corpus(make_paper("a1", tags={"device": "drip", "beans": "robusta", "taste": tags}))
    line = matrix(corpus, Map(rows="taste")).cells
    assert line["umami"]["measured"] == MatrixCell(0, 0, 0, GAP, (), parts=1)
    cell = matrix(corpus, Map(rows="beans", columns="taste")).cells["robusta"]["sweet"]
    assert (cell.n, cell.weaker, cell.keys) == (0, 1, ("a1",))


def test_rows_follow_the_tree_of_terms():
    axis = coffee().taxonomy.by_id["device"]
    turned = axis.model_copy(update={"terms": (*axis.terms[1:], axis.terms[0])})
    assert [term.id for term in tree(turned)] == ["drip", "cold", "immersion", "press", "siphon"]
    circle = [term.model_copy(update={"parent": "press"}) for term in axis.terms if term.id in {"immersion", "press"}]
    assert len(tree(axis.model_copy(update={"terms": (*circle, *axis.terms[2:])}))) == 5
