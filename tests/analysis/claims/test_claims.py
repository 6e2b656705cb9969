"""The survey's own claims: they hold, are contested, fail, and say by which papers."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from builders import coffee, make_paper
from claiming import COFFEE_CLAIMS, claiming, make_claim

from awesome_cli.analysis.claims.results import ClaimStatus, check
from awesome_cli.errors import UsageError
from awesome_cli.survey.corpus import Corpus

Run = Callable[..., object]


def test_the_claims_of_the_survey_held_on_their_own_day(published: Corpus):
    """Whether they hold today is a question of its own ('awesome claims check'): a paper may end one."""
    found = check(published)
    assert found.hold
    assert len(found.results) >= 10
    assert "stop-untrained" in {r.claim.id for r in found.results if r.status is ClaimStatus.CONTESTED}


def test_contested_codings_are_named_with_their_grades(published: Corpus):
    (found,) = check(published, ["stop-untrained"]).results
    grades = Counter(c.grade for c in found.contested)
    assert grades >= Counter(strong=1, fairly_strong=1, moderate=3, weak=2)  # anybody may contest another coding
    assert found.contested[0].grade == "strong"


@pytest.mark.parametrize(("grade", "n"), [("", 5), ("weak", 7), ("moderate", 5), ("fairly_strong", 2), ("strong", 1)])
def test_a_strict_reading_follows_the_challenger(grade: str, n: int, published: Corpus):
    rank = published.taxonomy.grade_rank
    contests = {
        paper.key: rank[tag.contested.grade]
        for paper in published.papers
        for tag in paper.tags_on("sub_decision")
        if tag.term == "stop" and tag.contested
    }
    expected = {key for key, given in contests.items() if given >= rank[grade or published.claims.strict_from]}
    failing = {r.claim.id: r for r in check(published, strict=grade).results if not r.verdict.holds}["stop-untrained"]
    assert failing.verdict.decisive.value == len(failing.contested) == len(expected) >= n
    assert {c.key for c in failing.contested} == expected


def test_unknown_claims_and_grades_are_refused():
    with pytest.raises(UsageError, match="did you mean 'pool'"):
        check(claiming(make_claim({"count": "*", "equals": 3}, name="pool")), ["poll"])
    with pytest.raises(UsageError, match="did you mean 'strong'"):
        check(claiming(), strict="strng")


def test_a_failing_claim_names_the_record_since_which_it_fails():
    cold = make_paper("iced2026", added=date(2026, 4, 2), tags={"device": "cold"})
    other = make_paper("later2026", added=date(2026, 6, 1), tags={"device": "cold"})
    corpus = replace(coffee(), papers=(*coffee().papers, cold, other))
    claim = make_claim({"count": "device=cold", "at_most": 0})
    (found,) = check(claiming(claim, corpus=corpus)).results
    assert found.status is ClaimStatus.FAILS
    assert found.since is not None
    assert (found.since.when, found.since.keys) == ("2026-04-02", ("iced2026",))
    assert found.verdict.decisive.selection.keys == ("iced2026", "later2026")


@pytest.fixture
def claimed(git_root: Path) -> Path:
    (git_root / "claims.yaml").write_text(COFFEE_CLAIMS)
    return git_root


def test_check_prints_every_claim_and_exits_by_the_answer(claimed: Path, run: Run):
    shown = run("claims", "check", root=claimed).out
    assert "sour-unmeasured holds as coded, but is contested: aero2020 (strong)" in shown
    assert "3 claims: 2 hold, 1 hold as coded but contested" in shown
    strict = run("claims", "check", "--strict-contested", root=claimed, code=1).out
    assert "sour-unmeasured fails: expected papers with taste=sour:measured: at most 0; observed 1 (aero2020)" in strict
    assert run("claims", "check", "--strict-contested=strong", "no-cold", root=claimed).code == 0
    assert "no grade" in run("claims", "check", "--strict-contested=feeble", root=claimed, code=2).err


def test_the_json_contract(claimed: Path, run: Run):
    answer = run("claims", "check", "--format", "json", root=claimed).json
    assert answer["schema"] == "awesome/claims/1"
    sour = answer["data"]["claims"][1]
    assert sour["id"] == "sour-unmeasured"
    assert (sour["holds"], sour["observed"], sour["keys"]) == (True, [0], [])
    assert sour["contested"] == [{"key": "aero2020", "grade": "strong"}]
    assert sour["as_of"] == "2026-03-01"


def test_an_edit_without_history_is_traced_to_its_revision(claimed: Path, run: Run, git: Callable[..., str]):
    aero = claimed / "corpus" / "aero2020.yaml"
    git(claimed, "add", "-A")
    git(claimed, "commit", "-qm", "Claims")
    aero.write_text(aero.read_text().replace("device: press", "device: cold"))
    assert "since the changes that are not committed" in run("claims", "check", root=claimed, code=1).out
    git(claimed, "commit", "-qam", "Ice it")
    (claimed / "corpus" / "soup2022.yaml").unlink()
    git(claimed, "commit", "-qam", "Unrelated")
    assert "(2026-05-01): Ice it" in run("claims", "check", root=claimed, code=1).out


def test_show_tells_everything_about_one_claim(claimed: Path, run: Run):
    shown = run("claims", "show", "sour-unmeasured", root=claimed).out
    assert "aero2020 (strong): The panel was two people." in shown
    assert "as of 2026-03-01" in shown
    assert run("claims", "show", "sour", root=claimed, code=2).err.startswith("error: no claim 'sour'")


def test_as_of_reads_the_pool_of_a_day(claimed: Path, run: Run):
    answer = run("claims", "check", "--as-of", "2026-03-01", "--format", "json", root=claimed).json["data"]
    assert answer["as_of"] == "2026-03-01"
    assert [claim["observed"] for claim in answer["claims"]] == [[0], [0], [3]]


def test_a_claim_is_not_judged_before_its_day(claimed: Path, run: Run):
    edited = (claimed / "claims.yaml").read_text().replace("as_of: 2026-03-01", "as_of: 2026-01-05", 1)
    broken = "- {id: agreed, statement: They agree., as_of: 2026-03-01, expect: [{agreement: device, audit: none, equals: 1}]}\n"
    (claimed / "claims.yaml").write_text(edited.replace("rereadings:", f"{broken}rereadings:"))
    asked = ("claims", "check", "--as-of", "2026-02-28")
    answer = run(*asked, "--format", "json", root=claimed).json["data"]
    assert {claim["id"]: (claim["status"], claim["holds"]) for claim in answer["claims"]} == {
        "no-cold": ("holds", True),
        "sour-unmeasured": ("not_yet", False),
        "pool": ("not_yet", False),
        "agreed": ("not_yet", False),
    }
    assert "4 claims: 1 hold, 3 not made yet" in run(*asked, root=claimed).out
    assert "agreed,not_yet" in run(*asked, "--format", "csv", root=claimed).out
    assert "of 2026-02-28 it says nothing" in run("claims", "show", "pool", *asked[2:], root=claimed).out
    data = run("sensitivity", *asked[2:], "--format", "json", root=claimed).json["data"]
    assert (data["not_yet"], {cell["claim"] for cell in data["cells"]}) == (
        ["sour-unmeasured", "pool", "agreed"],
        {"no-cold"},
    )


def test_the_shipped_claims_can_be_asked_about_the_day_before(repository: Path, run: Run):
    run("claims", "check", "--as-of", "2026-05-01", root=repository)
    run("sensitivity", "--as-of", "2026-05-01", root=repository)


def test_a_survey_without_claims_says_so(git_root: Path, run: Run):
    assert "The survey states no claims" in run("claims", "check", root=git_root).out


def test_an_admitted_candidate_ends_the_claim_as_was_foretold(claimed: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1798761600")  # 2027-01-01
    claims = claimed / "claims.yaml"
    salt = "- {id: no-salt, statement: No., as_of: 2026-03-01, expect: [{count: taste=salty, at_most: 0}]}\n"
    claims.write_text(claims.read_text().replace("rereadings:", f"{salt}rereadings:"))
    foretold = "no-salt: as of 2026-03-01 it holds; 1 candidate would end it"
    assert foretold in run("claims", "check", root=claimed).out
    run("admit", "salt2026", root=claimed)
    shown = run("claims", "check", root=claimed, code=1).out
    assert "no-salt fails" in shown
    assert "since 2027-01-01, with salt2026" in shown
    assert run("claims", "check", "--as-of", "2026-12-31", root=claimed).code == 0
