"""What one contest would change: the same as counting and checking everything again."""

from dataclasses import replace
from pathlib import Path

from builders import coffee, make_corpus, make_paper
from claiming import COFFEE_CLAIMS, state_claims
from sites import survey

from awesome_cli.analysis.claims.evaluation import evaluate
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.sensitivity import sensitivity
from awesome_cli.analysis.gaps.cells import gap_map
from awesome_cli.analysis.gaps.rereading import Cells, ContestEffect, rereadings
from awesome_cli.model.taxonomy import Sparse
from awesome_cli.survey.corpus import Corpus


def names(one: ContestEffect) -> dict[str, tuple[int, int, str, str]]:
    return {
        " x ".join(f"{axis.id}={term.id}" for axis, term in cell.place): (*cell.n, *map(str, cell.states))
        for cell in one.cells
    }


def counted_again(corpus: Corpus, key: str, one: ContestEffect) -> tuple[Corpus, dict[str, tuple[int, int, str, str]]]:
    """The corpus with one coding changed, and every cell of its map that differs."""
    papers = [
        paper.model_copy(update={"tags": paper.tags | {one.axis.id: one.codings}}) if paper.key == key else paper
        for paper in corpus.papers
    ]
    changed = replace(corpus, papers=tuple(papers))
    before, after = dict(gap_map(corpus).cells()), dict(gap_map(changed).cells())
    both = {name: (len(cell.covering), len(after[name].covering), str(cell.state), str(after[name].state))
            for name, cell in before.items()}  # fmt: skip
    return changed, {name: row for name, row in both.items() if row[0] != row[1] or row[2] != row[3]}


def test_every_contest_changes_what_a_recount_changes(contested: Corpus):
    found = rereadings(gap_map(contested), sensitivity(contested))
    asked = [(key, one) for key, several in found.items() for one in several if one.codings is not None]
    assert asked
    assert any(one.cells for _, one in asked)
    for key, one in asked:
        changed, cells = counted_again(contested, key, one)
        assert names(one) == cells, (key, one.tag)
        pool = Pool(changed)
        for trial in one.claims:
            claim = next(claim for claim in contested.claims.claims if claim.id == trial.claim)
            again = evaluate(claim, pool)
            assert again.holds is trial.holds, (key, one.tag, claim.id)
            assert trial.after.value in [outcome.value for outcome in again.outcomes]


FEW = """\
- id: few-sour
  statement: Few measure sourness.
  expect:
  - {count: "taste=sour:measured", at_most: 5}
  as_of: 2026-03-01
"""


def test_a_contest_is_told_with_the_claims_of_another_answer_and_its_cells(root: Path):
    """A claim that flips comes before one that only counts another number of papers."""
    claims = COFFEE_CLAIMS.replace("claims:\n", f"claims:\n{FEW}")
    (one,) = rereadings(gap_map(corpus := survey(state_claims(root, claims))), sensitivity(corpus))["aero2020"]
    assert (one.axis.id, one.tag.term, [str(tag) for tag in one.codings or ()]) == (
        "taste", "sour", ["bitter:measured", "sour:measured"],
    )  # fmt: skip
    assert [(trial.claim, trial.flips, trial.holds) for trial in one.claims] == [
        ("sour-unmeasured", True, False), ("few-sour", False, True),
    ]  # fmt: skip
    assert names(one)["taste=sour"] == (0, 1, "gap", "sparse")
    assert [cell.turns for cell in one.cells] == sorted((cell.turns for cell in one.cells), reverse=True)


def test_a_contest_that_casts_doubt_changes_nothing():
    corpus = coffee()
    (one,) = rereadings(gap_map(corpus), sensitivity(corpus))["aero2020"]
    assert (one.codings, one.claims, one.cells) == (None, (), ())


def test_where_sparse_is_a_share_a_coding_can_change_the_states_of_others():
    corpus = make_corpus(
        *(make_paper(f"p{n}", tags={"device": "drip", "beans": "arabica"}) for n in range(2)),
        *(make_paper(f"q{n}", tags={"device": "press", "beans": "robusta"}) for n in range(3)),
    )
    sparse = Sparse(share=0.5, among="device=press")
    corpus = replace(corpus, taxonomy=corpus.taxonomy.model_copy(update={"sparse": sparse}))
    old = corpus.papers[0]
    new = old.model_copy(update={"tags": old.tags | {"device": make_paper(tags={"device": "press"}).tags["device"]}})
    changed = replace(corpus, papers=(new, *corpus.papers[1:]))
    before, after = dict(gap_map(corpus).cells()), dict(gap_map(changed).cells())
    turned = {name for name, cell in before.items() if cell.state is not after[name].state}
    assert "beans=arabica" in turned
    found = {
        " x ".join(f"{axis.id}={term.id}" for axis, term in cell.place)
        for cell in Cells.of(gap_map(corpus)).changed(old, new)
        if cell.turns
    }
    assert found == turned
