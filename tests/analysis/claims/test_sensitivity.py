"""Sensitivity: what flips, by how much, and what the candidates would do."""

from collections.abc import Callable
from pathlib import Path

import pytest
from builders import coffee
from claiming import claiming, make_claim, shipped

from awesome_cli.analysis.claims.sensitivity import ended_by, sensitivity
from awesome_cli.errors import UsageError

Run = Callable[..., object]


def test_confidence_is_asked_of_candidates(root, run):
    assert "add --with-candidates" in run("sensitivity", "--confidence", "high", root=root, code=2).err


def test_the_shipped_claims_under_every_perturbation():
    found = sensitivity(shipped())
    assert len(found.perturbed) >= 150
    assert found.definitional == ("pool",)
    assert {cell.claim for cell in found.cells} == {v.claim.id for v in found.verdicts} - {"pool"}
    flips = {cell.claim: sorted({c.change.family.value for c in found.flips(cell.claim)}) for cell in found.cells}
    assert {claim: families for claim, families in flips.items() if families} == {
        "stop-untrained": ["contested"],
        "trained-orchestrator": ["left_out"],
    }
    assert [cell.change.name for cell in found.flips("trained-orchestrator")] == ["without kimi-k2-5"]


def test_near_misses_flip_no_claim_about_coverage():
    cells = [cell for cell in sensitivity(shipped()).cells if cell.change.family.value == "near_misses"]
    assert len({cell.change.name for cell in cells}) == 11
    assert not any(cell.flips for cell in cells)


def test_what_the_candidates_would_do():
    found = sensitivity(shipped(), with_candidates=True)
    assert found.endings is not None
    endings = {ending.claim.id: ending for ending in found.endings}
    stop = endings["stop-untrained"]
    assert stop.alone == ("guideline-seg2025", "sirag2025", "critique-routing2026")
    assert (stop.first, stop.admitted) == ("guideline-seg2025", 89)
    assert str(stop) == "as of 2026-05-04 it holds; 3 candidates would end it"
    assert endings["unevaluated-decisions"].first == "mast2025"
    assert endings["orchestrator-credit"].first is not None
    assert endings["orchestrator-credit"].alone == ()
    assert endings["message-credit"].first is None
    assert str(endings["message-credit"]) == "as of 2026-05-04 it holds; no candidate would end it"


def test_a_level_of_confidence_narrows_the_candidates():
    claim = shipped().claims.by_id["stop-untrained"]
    assert ended_by(shipped(), claim, confidence="high").alone == ("sirag2025",)
    with pytest.raises(UsageError, match="did you mean 'high'"):
        ended_by(shipped(), claim, confidence="hihg")


def test_candidates_count_one_by_one_where_their_keys_matter():
    corpus = coffee()
    claim = make_claim({"ids": "*", "at_most": [paper.key for paper in corpus.papers]})
    (candidate,) = corpus.candidates
    expected = (candidate.key,) if candidate.proposal == "retain" else ()
    assert ended_by(claiming(claim, corpus=corpus), claim).alone == expected


def test_the_table_and_the_contract(repository: Path, run: Run):
    shown = run("sensitivity", "--with-candidates", root=repository).out
    assert "trained-orchestrator fails under 'without kimi-k2-5': 1 becomes 0" in shown
    assert "If the 89 candidates proposed for retention were admitted" in shown
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
