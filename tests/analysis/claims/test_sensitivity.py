"""Sensitivity: what flips, by how much, and what the candidates would do."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from builders import PUBLISHED, coffee, make_corpus, make_paper
from claiming import claiming, make_claim

from awesome_cli.analysis.claims.evaluation import evaluate
from awesome_cli.analysis.claims.perturbations import FAMILIES, Family, Perturbation
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import check
from awesome_cli.analysis.claims.sensitivity import sensitivity, to_report
from awesome_cli.model.records import Paper
from awesome_cli.output import Format, to_text
from awesome_cli.survey.corpus import Corpus

Run = Callable[..., object]


def test_confidence_is_asked_of_candidates(root, run):
    assert "add --with-candidates" in run("sensitivity", "--confidence", "high", root=root, code=2).err


def test_the_shipped_claims_under_every_perturbation(published: Corpus):
    found = sensitivity(published)
    assert len(found.perturbed) >= 150
    assert {trial.claim for trial in found.trials} == {v.claim.id for v in found.verdicts}
    flips = {trial.claim: {c.change.name for c in found.flips(trial.claim)} for trial in found.trials}
    assert flips["message-credit"] == set()
    assert flips["trained-orchestrator"] == {"without kimi-k2-5"}
    assert flips["deployment-scale"] == {"without kimi-k2-6", "without wideseek-r1-2026"}
    exact = {trial.claim for trial in found.trials if trial.by_definition}
    assert {"pool", "message-credit", "orchestrator-credit"} <= exact
    assert {t.change.family for t in found.trials if t.by_definition and t.claim != "pool"} == {Family.LEFT_OUT}
    assert found.tally("unevaluated-decisions").flipping == 0


def test_near_misses_flip_no_claim_about_coverage(published: Corpus):
    trials = [trial for trial in sensitivity(published).trials if trial.change.family.value == "near_misses"]
    assert len({trial.change.name for trial in trials}) >= 11
    assert not any(trial.flips for trial in trials if trial.claim != "pool")


def test_without_a_paper_the_answer_is_that_of_a_survey_without_its_file(stated: Corpus):
    """One verdict for a removed record, whether its file goes or `sensitivity` leaves it out."""
    found = sensitivity(stated)
    left_out = {change.name.removeprefix("without ") for change in found.perturbed if change.family is Family.LEFT_OUT}
    for key in [*sorted(left_out)[::5], *({"c3"} & left_out)]:
        rest = replace(stated, papers=tuple(paper for paper in stated.papers if paper.key != key))
        checked = {one.claim.id: one.verdict.holds for one in check(rest).results if one.stands}
        assert checked == {t.claim: t.holds for t in found.trials if t.change.name == f"without {key}"}, key


def test_a_figure_of_the_claims_day_flips_in_the_pool_of_that_day(root: Path):
    """A paper that came later is not in that pool, and a reading of a contest that was raised later changes nothing."""
    corpus = coffee()
    drips = [paper.key for paper in corpus.as_of(date(2026, 3, 1)).papers if paper.tags_on("device")[0].term == "drip"]
    claim = make_claim({"count": "device=drip", "equals": len(drips), "dated": True})
    found = sensitivity(claiming(claim, corpus=corpus))
    out = {trial.change.name: trial for trial in found.trials if trial.change.family is Family.LEFT_OUT}
    assert {name for name, trial in out.items() if trial.by_definition} == {f"without {key}" for key in drips}
    later = [paper.key for paper in corpus.papers if paper.added > date(2026, 3, 1)]
    assert later
    assert all(evaluate(claim, Pool(corpus), Perturbation("x", Family.LEFT_OUT, {key: None})).holds for key in later)


def test_flips_of_exact_counts_without_a_paper_are_one_line():
    """They are marked in JSON; a lower bound that fails as well is a flip."""
    n = len(coffee().select("device=drip"))
    exact = make_claim({"count": "device=drip", "equals": n}, name="exact")
    bound = make_claim({"count": "device=drip", "equals": n}, {"ids": "device=drip", "at_least": ["drip2021"]})
    found = sensitivity(claiming(exact, bound, make_claim({"count": "*", "at_least": 1}, name="sure")))
    without = {(t.claim, t.change.name): t for t in found.trials if t.change.family is Family.LEFT_OUT}
    assert without["exact", "without drip2021"].by_definition
    assert without["c", "without drip2021"].flips
    assert found.tally("exact").flipping == 0
    report = to_report(found)
    shown = to_text(report, Format.TEXT)
    assert "Leaving out one paper changes the exact counts of 2 claims, by definition: exact, c" in " ".join(
        shown.split()
    )
    assert "exact fails" not in shown
    cells = {(cell["claim"], cell["perturbation"]): cell for cell in report.data["cells"]}
    assert [cells["exact", "without drip2021"][name] for name in ("flips", "by_definition")] == [True, True]


def test_a_reading_that_touches_nothing_that_a_claim_asks_is_inert():
    cold = make_claim({"count": "device=cold", "at_most": 0}, name="cold")
    umami = make_claim({"count": "taste=umami", "at_most": 9}, name="umami")
    both = make_claim({"survive": ["umami"], "under": "low_confidence"}, name="both")
    found = sensitivity(claiming(cold, umami, both))
    near = {trial.claim: trial for trial in found.trials if trial.change.name == "all near-misses re-admitted"}
    assert {name: trial.inert for name, trial in near.items()} == {"cold": True, "umami": False, "both": False}
    assert str(found.tally("cold")).startswith("0/0/")
    assert found.tally("umami").touching > found.tally("umami").flipping == 0
    assert set(found.inert) == {trial.change.name for trial in found.trials} - {
        trial.change.name for trial in found.trials if not trial.inert
    }


def test_contests_are_read_strictly_and_generously_and_one_by_one():
    def contested(key: str, strength: str, wanted: object, grade: str) -> Paper:
        contest = {"grade": grade, "as": wanted, "because": "Somebody says so."}
        return make_paper(key, tags={"taste": [{"term": "sour", "strength": strength, "contested": contest}]})

    corpus = make_corpus(
        contested("up", "tasted", {"strength": "measured"}, "weak"),
        contested("down", "measured", "none", "strong"),
        make_paper(
            "doubt",
            tags={"taste": [{"term": "sour", "strength": "tasted", "contested": {"grade": "strong", "because": "?"}}]},
        ),
    )
    claim = make_claim({"count": "taste=sour:measured", "equals": 1})
    tried = sensitivity(claiming(claim, corpus=corpus))
    assert tried.read_first == tuple((key, ("taste=sour",), (claim.id,)) for key in ("down", "up"))
    trials = {trial.change.name: trial for trial in tried.trials}
    assert trials["strict reading from grade strong"].after.value == 0
    assert trials["generous reading from grade weak"].after.value == 2
    assert trials["generous reading from grade strong"].inert
    assert trials["contest of up taste=sour"].after.value == 2
    assert trials["contest of down taste=sour"].flips
    assert not any("doubt taste" in name for name in trials)


def test_codings_of_low_confidence_are_dropped_one_by_one_and_together():
    sour = make_claim({"count": "taste=sour", "equals": 2}, name="sour")
    dose = make_claim({"count": "grams>20", "equals": 2}, name="dose")
    found = sensitivity(claiming(sour, dose))
    trials = {(t.claim, t.change.name): t.after.value for t in found.trials if t.change.family is Family.LOW_CONFIDENCE}
    assert trials == {
        ("sour", "without aero2020 taste=sour"): 1, ("dose", "without aero2020 taste=sour"): 2,
        ("sour", "without siphon2019 grams"): 2, ("dose", "without siphon2019 grams"): 1,
        ("sour", "all codings of low confidence"): 1, ("dose", "all codings of low confidence"): 1,
    }  # fmt: skip


def test_perturbations_have_names_of_their_own(shipped: Corpus):
    for family, made in FAMILIES.items():
        names = [change.name for change in made(shipped)]
        assert len(names) == len(set(names)), family


@pytest.mark.slow
def test_the_table_and_the_contract(repository: Path, shipped: Corpus, run: Run):
    shown = run("sensitivity", "--as-of", PUBLISHED, root=repository).out
    assert "trained-orchestrator fails under 'without kimi-k2-5': 1 becomes 0" in shown
    data = run("sensitivity", "--format", "json", root=repository).json["data"]
    assert {"claim", "perturbation", "holds", "flips", "inert", "observed"} <= data["cells"][0].keys()
    lines = run("sensitivity", "--format", "csv", root=repository).out.splitlines()
    assert sum(line.startswith("cells,") for line in lines) == len(data["cells"])
    assert (
        "hint: one of: low, medium, high"
        in run("sensitivity", "--with-candidates", "--confidence", "none", root=repository, code=2).err
    )


def test_candidates_have_no_past(repository: Path, run: Run):
    words = ("sensitivity", "--with-candidates", "--as-of", "2026-05-04")
    assert "cannot be combined with --as-of" in run(*words, root=repository, code=2).err
