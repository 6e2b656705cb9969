"""Sensitivity: what flips, by how much, and what the candidates would do."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from builders import PUBLISHED, coffee
from claiming import claiming, make_claim

from awesome_cli.analysis.claims.evaluation import evaluate
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.sensitivity import ending, proposed, sensitivity
from awesome_cli.errors import UsageError
from awesome_cli.model.records import Candidate, Paper, Work
from awesome_cli.survey.corpus import Corpus

Run = Callable[..., object]


def test_confidence_is_asked_of_candidates(root, run):
    assert "add --with-candidates" in run("sensitivity", "--confidence", "high", root=root, code=2).err


def test_the_shipped_claims_under_every_perturbation(published: Corpus):
    found = sensitivity(published)
    assert len(found.perturbed) >= 150
    assert "pool" in found.definitional
    assert {trial.claim for trial in found.trials} == {v.claim.id for v in found.verdicts} - set(found.definitional)
    flips = {trial.claim: {c.change.family.value for c in found.flips(trial.claim)} for trial in found.trials}
    assert flips["stop-untrained"] == {"contested"}
    assert set().union(*flips.values()) == {"contested", "left_out"}
    assert [trial.change.name for trial in found.flips("trained-orchestrator")] == ["without kimi-k2-5"]


def test_near_misses_flip_no_claim_about_coverage(published: Corpus):
    trials = [trial for trial in sensitivity(published).trials if trial.change.family.value == "near_misses"]
    assert len({trial.change.name for trial in trials}) >= 11
    assert not any(trial.flips for trial in trials)


def candidate(key: str, appeared: str, device: str, confidence: str = "high") -> Candidate:
    """A candidate that is proposed for retention."""
    fields = {"title": key, "authors": ["Bean, Ada"], "tags": {"device": device}, "first_public": appeared}
    return Candidate.model_validate({"key": key, "proposal": "retain", "confidence": confidence, **fields})


COLD = make_claim({"count": "device=cold", "at_most": 0}, name="cold")
RARE = make_claim({"share": "device=cold", "at_most": 0.2}, name="rare")
UMAMI = make_claim({"count": "taste=umami", "at_most": 0}, name="umami")


def waiting() -> Corpus:
    """Three claims about coffee, and what waits to be screened; the files' order is not that of the days."""
    found = (
        candidate("b", "2026-02", "drip"),
        candidate("a", "2026-04", "cold", "low"),
        candidate("c", "2026-01", "cold"),
        candidate("d", "2026-03", "drip"),
        candidate("e", "2025", "drip").model_copy(update={"proposal": "exclude"}),
    )
    return claiming(COLD, RARE, UMAMI, corpus=replace(coffee(), candidates=found))


def test_what_the_candidates_would_do():
    found = sensitivity(waiting(), with_candidates=True)
    assert found.endings is not None
    cold, rare, umami = found.endings
    assert (cold.alone, cold.first, cold.admitted) == (("c", "a"), "c", 4)
    assert str(cold) == "as of 2026-03-01 it holds; 2 candidates would end it"
    assert (rare.alone, rare.first, rare.needed) == ((), "a", 4)
    assert str(umami) == "as of 2026-03-01 it holds; no candidate would end it"


def test_a_level_of_confidence_narrows_the_candidates():
    assert ending(COLD, Pool(waiting()), confidence="high").alone == ("c",)
    with pytest.raises(UsageError, match="did you mean 'high'"):
        ending(COLD, Pool(waiting()), confidence="hihg")


def test_what_waits_outside_of_the_shipped_survey_is_judged_as_if_it_were_in(shipped: Corpus):
    """Whatever waits: the shortcuts say of each claim what the survey with those papers says."""

    def admitted(*found: Candidate) -> Pool:
        works = ({name: getattr(one, name) for name in Work.model_fields} for one in found)
        papers = (Paper.model_construct(**(work | {"added": date.max})) for work in works)
        return Pool(replace(shipped, papers=(*shipped.papers, *papers)))

    found = proposed(shipped)
    pools = {one.key: admitted(one) for one in found}
    for end in sensitivity(shipped, with_candidates=True).endings or ():
        held = evaluate(end.claim, Pool(shipped)).holds
        alone = tuple(key for key, pool in pools.items() if held and not evaluate(end.claim, pool).holds)
        assert (end.holds, end.alone, end.admitted) == (held, alone, len(found))
        for n in (end.needed - 1, end.needed) if end.first else ():
            assert evaluate(end.claim, admitted(*found[:n])).holds is (n < end.needed), end.claim.id


def test_candidates_count_one_by_one_where_their_keys_matter():
    corpus = coffee()
    claim = make_claim({"ids": "*", "at_most": [paper.key for paper in corpus.papers]})
    (candidate,) = corpus.candidates
    expected = (candidate.key,) if candidate.proposal == "retain" else ()
    assert ending(claim, Pool(claiming(claim, corpus=corpus))).alone == expected


def test_the_table_and_the_contract(repository: Path, shipped: Corpus, run: Run):
    shown = run("sensitivity", "--as-of", PUBLISHED, root=repository).out
    assert "trained-orchestrator fails under 'without kimi-k2-5': 1 becomes 0" in shown
    shown = run("sensitivity", "--with-candidates", root=repository).out
    assert f"If the {len(proposed(shipped))} candidates proposed for retention were admitted" in shown
    data = run("sensitivity", "--format", "json", root=repository).json["data"]
    assert {"claim", "perturbation", "holds", "flips", "observed"} <= data["cells"][0].keys()
    assert len(run("sensitivity", "--format", "csv", root=repository).out.splitlines()) == len(data["cells"]) + 1
    assert (
        "hint: one of: low, medium, high"
        in run("sensitivity", "--with-candidates", "--confidence", "none", root=repository, code=2).err
    )


def test_candidates_have_no_past(repository: Path, run: Run):
    words = ("sensitivity", "--with-candidates", "--as-of", "2026-05-04")
    assert "leave out --as-of" in run(*words, root=repository, code=2).err
