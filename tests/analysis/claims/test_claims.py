"""The survey's own claims: they hold, are contested, fail, and say by which papers."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from builders import coffee, make_paper
from claiming import claiming, make_claim, state_claims

from awesome_cli.analysis.claims.results import ClaimStatus, check
from awesome_cli.errors import UsageError
from awesome_cli.survey.corpus import Corpus

Run = Callable[..., object]


def test_the_claims_of_the_survey_held_on_their_own_day(published: Corpus):
    """Whether they hold today is a question of its own ('awesome claims check'): a paper may end one."""
    found = check(published)
    assert found.hold
    assert len(found.results) >= 10


def test_unknown_claims_are_refused():
    with pytest.raises(UsageError, match="did you mean 'pool'"):
        check(claiming(make_claim({"count": "*", "equals": 3}, name="pool")), ["poll"])


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
    return state_claims(git_root)


def test_check_prints_every_claim_and_exits_by_the_answer(claimed: Path, run: Run):
    shown = run("claims", "check", root=claimed).out
    assert (
        "is contested and fails in the generous reading from grade weak: aero2020 taste=sour:tasted (strong)" in shown
    )
    assert "3 claims: 2 hold, 1 holds as coded but contested" in shown
    asked = ("claims", "check", "--reading", "generous")
    generous = run(*asked, root=claimed, code=1).out
    assert (
        "sour-unmeasured fails: expected papers with taste=sour:measured: at most 0; observed 1 (aero2020)" in generous
    )
    assert run("claims", "check", "--reading", "strict", root=claimed).code == 0
    assert run(*asked, "--grade", "strong", "no-cold", root=claimed).code == 0
    assert "no grade" in run(*asked, "--grade", "feeble", root=claimed, code=2).err
    assert "no reading" in run("claims", "check", "--reading", "generoos", root=claimed, code=2).err
    assert "add --reading" in run("claims", "check", "--grade", "weak", root=claimed, code=2).err


def test_the_json_contract(claimed: Path, run: Run):
    answer = run("claims", "check", "--format", "json", root=claimed).json
    assert answer["schema"] == "awesome/claims/2"
    sour = answer["data"]["claims"][1]
    assert sour["id"] == "sour-unmeasured"
    assert (sour["holds"], sour["observed"], sour["keys"]) == (True, [0], [])
    contest = {"key": "aero2020", "tag": "taste=sour:tasted", "grade": "strong", "side": "generous"}
    assert sour["contested"] == [{**contest, "because": "The panel was two people."}]
    assert (answer["data"]["reading"], sour["readings"]) == (None, [{"side": "generous", "from": "weak"}])
    assert (sour["status"], sour["succeeds"], sour["revised"], sour["withdrawn"]) == ("contested", [], None, None)
    read = run("claims", "check", "--reading", "strict", "--grade", "strong", "--format", "json", root=claimed).json
    assert read["data"]["reading"] == {"side": "strict", "from": "strong"}
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
    assert "aero2020 taste=sour:tasted (strong, generous): The panel was two people." in shown
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
    assert "4 claims: 1 holds, 3 not made yet" in run(*asked, root=claimed).out
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
    foretold = "no-salt: as of 2026-03-01 it holds; of 1 candidate proposed for retention, 1 alone would end it"
    assert foretold in run("claims", "check", root=claimed).out
    run("admit", "salt2026", root=claimed)
    shown = run("claims", "check", root=claimed, code=1).out
    assert "no-salt fails" in shown
    assert "since 2027-01-01, with salt2026" in shown
    assert run("claims", "check", "--as-of", "2026-12-31", root=claimed).code == 0


def test_the_records_of_a_claim_are_those_of_all_its_expectations():
    drip, press = ({"count": f"device={term}", "at_least": 1} for term in ("drip", "press"))
    (both,) = check(claiming(make_claim(drip, press))).results
    each = [set(outcome.selection.keys) for outcome in both.verdict.outcomes]
    assert set(both.to_json()["keys"]) == each[0] | each[1] != each[0]
