"""The survey's own claims: they hold, are contested, fail, since when and by which papers, and how one ends."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from builders import coffee, make_paper
from claiming import ICED, LIVES, claiming, make_claim, state_claims
from running import terminal

from awesome_cli.analysis.claims.evaluation import evaluate
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimStatus, check, not_judged
from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.claims import Claim
from awesome_cli.publish import islands, site
from awesome_cli.publish.site.evidence import change_logs
from awesome_cli.survey.corpus import ContestReading, Corpus, Side
from awesome_cli.survey.loading import load_corpus

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
    shown = run("claims", "check", "--all", root=claimed).out
    assert (
        "is contested and fails in the generous reading from grade weak: Pressing matters taste=sour:tasted (strong)"
        in shown
    )
    assert "2 of 2 claims hold as coded; 1 is contested; 1 record of a day holds" in shown
    asked = ("claims", "check", "--all", "--reading", "generous")
    generous = run(*asked, root=claimed, code=1).out
    assert "fails  sour-unmeasured\n" in generous
    assert "  fails: 1 paper with taste “Sour”, measured (expected none): Pressing matters\n" in generous
    assert run("claims", "check", "--reading", "strict", root=claimed).code == 0
    assert run(*asked, "--grade", "strong", "no-cold", root=claimed).code == 0
    assert "unknown grade" in run(*asked, "--grade", "feeble", root=claimed, code=2).err
    assert "unknown reading" in run("claims", "check", "--reading", "generoos", root=claimed, code=2).err
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
    assert "since the uncommitted changes" in run("claims", "check", root=claimed, code=1).out
    git(claimed, "commit", "-qam", "Ice it")
    (claimed / "corpus" / "soup2022.yaml").unlink()
    git(claimed, "commit", "-qam", "Unrelated")
    assert "(2026-05-01): Ice it" in run("claims", "check", root=claimed, code=1).out


def test_show_tells_everything_about_one_claim(claimed: Path, run: Run):
    shown = run("claims", "show", "sour-unmeasured", root=claimed).out
    assert "Pressing matters taste=sour:tasted (strong, generous): The panel was two people." in shown
    assert "As of 2026-03-01" in shown
    assert run("claims", "show", "sour", root=claimed, code=2).err.startswith("error: unknown claim 'sour'")


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
    assert "1 of 1 claim holds as coded; 3 not made yet" in run(*asked, root=claimed).out
    assert "agreed,not_yet" in run(*asked, "--format", "csv", root=claimed).out
    assert "not evaluated as of 2026-02-28" in run("claims", "show", "pool", *asked[2:], root=claimed).out
    data = run("sensitivity", *asked[2:], "--format", "json", root=claimed).json["data"]
    assert (data["not_yet"], {cell["claim"] for cell in data["cells"]}) == (
        ["sour-unmeasured", "pool", "agreed"],
        {"no-cold"},
    )


def test_the_shipped_claims_can_be_asked_about_the_day_before(repository: Path, run: Run):
    run("claims", "check", "--as-of", "2026-05-01", root=repository)
    run("sensitivity", "--as-of", "2026-05-01", root=repository)


def test_a_survey_without_claims_says_so(git_root: Path, run: Run):
    assert "The survey has no claims" in run("claims", "check", root=git_root).out


def test_an_admitted_candidate_ends_the_claim_as_was_foretold(claimed: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1798761600")  # 2027-01-01
    claims = claimed / "claims.yaml"
    salt = "- {id: no-salt, statement: No., as_of: 2026-03-01, expect: [{count: taste=salty, at_most: 0}]}\n"
    claims.write_text(claims.read_text().replace("rereadings:", f"{salt}rereadings:"))
    foretold = "holds  no-salt\n  No.\n  0 papers with taste “Salty” (expected none)\n  holds as of 2026-03-01; 1 of 1 candidate"
    assert foretold in run("claims", "check", "--all", root=claimed).out
    assert "would fail with 1 candidate: A pinch of salt" in run("claims", "check", root=claimed).out
    run("admit", "salt2026", root=claimed)
    shown = run("claims", "check", "--all", root=claimed, code=1).out
    assert "fails  no-salt\n" in shown
    assert "since 2027-01-01, with A pinch of salt" in shown
    assert run("claims", "check", "--as-of", "2026-12-31", root=claimed).code == 0


def test_the_answer_fits_a_screen_however_many_claims_fail(claimed: Path, run: Run):
    many = "".join(
        f"- {{id: a-claim-with-a-long-name-{n}, statement: No., as_of: 2026-03-01, expect: [{{count: '*', equals: {n}}}]}}\n"
        for n in range(60)
    )
    claims = claimed / "claims.yaml"
    claims.write_text(claims.read_text().replace("rereadings:", f"{many}rereadings:"))
    with terminal(80):
        shown = run("claims", "check", root=claimed, code=1).out
    assert len(shown.splitlines()) <= 50
    assert "and 52 more" in shown


def test_the_records_of_a_claim_are_those_of_all_its_expectations():
    drip, press = ({"count": f"device={term}", "at_least": 1} for term in ("drip", "press"))
    (both,) = check(claiming(make_claim(drip, press))).results
    each = [set(outcome.selection.keys) for outcome in both.verdict.outcomes]
    assert set(both.to_json()["keys"]) == each[0] | each[1] != each[0]


Golden = Callable[[str, str], None]


@pytest.fixture
def survey(root: Path) -> Path:
    (root / "corpus" / "iced2026.yaml").write_text(ICED)
    return state_claims(root, LIVES)


def test_what_stands_is_judged_and_what_was_revised_is_told(survey: Path, run: Run, golden: Golden):
    """home-cold fails, so the exit code is 1; the revised claim, which the records contradict, does not count."""
    golden("cli/claims-check.txt", run("claims", "check", root=survey, code=1).out)
    golden("cli/claims-check-all.txt", run("claims", "check", "--all", root=survey, code=1).out)
    golden("cli/claims-revised.txt", run("claims", "show", "no-cold", root=survey).out)
    assert run("claims", "check", "no-cold", "three", root=survey).code == 0
    assert "Replaces: no-cold" in run("claims", "show", "sparse-cold", root=survey).out
    assert "A count says nothing of coffee." in run("claims", "show", "three", root=survey).out


def test_before_its_revision_a_claim_is_judged_as_any_other(survey: Path, run: Run):
    then = run("claims", "check", "--as-of", "2026-05-09", "--format", "json", root=survey).json["data"]["claims"]
    assert {claim["id"]: claim["status"] for claim in then} == {
        "no-cold": "holds",
        "three": "holds",
        "robust": "holds",  # asks of no-cold what it asks of its successor today
        "sparse-cold": "not_yet",
        "home-cold": "not_yet",
    }
    assert all(claim["revised"] is None and claim["withdrawn"] is None for claim in then)
    paper = survey / "corpus" / "iced2026.yaml"
    paper.write_text(ICED.replace("2026-05-10", "2026-04-10"))
    assert "fails  no-cold" in run("claims", "check", "--all", "--as-of", "2026-05-09", root=survey, code=1).out


def test_the_json_of_lives(survey: Path, run: Run):
    answer = run("claims", "check", "--format", "json", root=survey, code=1).json["data"]["claims"]
    found = {claim["id"]: claim for claim in answer}
    assert found["no-cold"]["revised"] == {
        "on": "2026-05-10",
        "by": [
            {"id": "sparse-cold", "status": "holds", "statement": "At most two papers study cold brew."},
            {"id": "home-cold", "status": "fails", "statement": "Cold brew is studied with robusta."},
        ],
        "records": ["iced2026"],
        "because": "A paper that the search had missed studies it.",
    }
    assert (found["no-cold"]["status"], found["no-cold"]["holds"], found["no-cold"]["observed"]) == (
        "revised",
        True,
        [0],
    )
    assert found["sparse-cold"]["succeeds"] == ["no-cold"]
    assert found["three"]["withdrawn"] == {"on": "2026-05-10", "because": "A count says nothing of coffee."}
    assert (found["three"]["status"], found["three"]["revised"]) == ("withdrawn", None)


def test_a_revised_claim_is_not_perturbed_and_no_candidate_ends_it(survey: Path, run: Run):
    data = run("sensitivity", "--with-candidates", "--format", "json", root=survey).json["data"]
    asked = {cell["claim"] for cell in data["cells"]} | {ending["claim"] for ending in data["candidates"]}
    assert asked == {"sparse-cold", "home-cold", "robust"}


def test_readme_and_status_name_the_successors(survey: Path, run: Run):
    told = "revised on 2026-05-10 by sparse-cold (holds), home-cold (fails), because of iced2026"
    corpus = load_corpus(WorkingTree(survey), candidates=True, evidence=True)
    linked = told.replace("iced2026", "[Iced](https://doi.org/10.1000/iced)")
    assert linked in str(islands.claims(corpus)["table"])
    assert f"no-cold: {told}" in run("status", "--format", "json", root=survey).json["data"]["ended_claims"]
    status = run("status", root=survey).out
    assert "Claims revised or withdrawn: 2 ('awesome claims check --all')" in status
    assert "a claim that the records do not support" in status


@pytest.mark.slow
def test_the_page_of_claims_leads_to_the_successors(survey: Path):
    corpus = load_corpus(WorkingTree(survey), candidates=True, evidence=True)
    page = next(str(page.content) for page in site.pages(corpus, survey) if page.path == "claims.html")
    section = page[page.index('id="no-cold"') :].partition("</li>\n<li class")[0]
    assert page.index('id="sparse-cold"') < page.index('id="ended"') < page.index('id="no-cold"')
    assert "A paper that the search had missed studies it." in section
    assert '<a href="#sparse-cold">At most two papers study cold brew.</a> (holds)' in section
    assert '<a href="#home-cold">Cold brew is studied with robusta.</a> (fails)' in section
    assert 'Because of <a href="papers/iced2026.html">Iced</a>.' in section
    assert "No other reading" not in section
    assert 'replaces <a href="#no-cold">Nobody studies cold brew.</a>' in page


def test_diff_tells_a_revision_and_takes_it_for_no_flip(git_root: Path, run: Run, git: Callable[..., str]):
    ended = LIVES[LIVES.index("  revised:") : LIVES.index("- id: sparse-cold")]
    before = LIVES.replace(ended, "").replace("  succeeds: [no-cold]\n", "")
    (git_root / "claims.yaml").write_text(before)
    git(git_root, "add", "-A")
    git(git_root, "commit", "-qm", "Claims")
    (git_root / "claims.yaml").write_text(LIVES)
    (git_root / "corpus" / "iced2026.yaml").write_text(ICED)
    shown = run("diff", "--fail-on", "claims", root=git_root)
    told = "no-cold: holds becomes revised on 2026-05-10 by sparse-cold (holds), home-cold (fails), because of iced2026"
    assert told in shown.out
    moved = {claim["id"]: claim for claim in run("diff", "--format", "json", root=git_root).json["data"]["claims"]}
    assert (moved["no-cold"]["after"], moved["no-cold"]["flips"], moved["no-cold"]["keys"]) == (
        "revised",
        False,
        ["iced2026"],
    )
    git(git_root, "add", "-A")
    git(git_root, "commit", "-qm", "Revise")
    assert told in run("changelog", "HEAD~1..", root=git_root).out


def test_the_changes_of_a_day_tell_of_a_revision_and_of_the_successors(survey: Path):
    logs = change_logs(Pool(load_corpus(WorkingTree(survey), candidates=True, evidence=True)))
    (day,) = (dict(log.notes())["Claims"] for log in logs if log.diff.names[1] == "2026-05-10")
    assert [line.partition(" by ")[0] for line in day] == [
        "no-cold: holds becomes revised on 2026-05-10",
        "three: holds becomes withdrawn on 2026-05-10",
        "sparse-cold: new claim (holds)",
        "home-cold: new claim (fails)",
    ]


def test_a_claim_that_waits_is_told_with_the_same_fields():
    claim = make_claim({"count": "*", "equals": 3})
    (judged,) = check(claiming(claim)).results
    assert not_judged(claim).keys() == judged.to_json().keys()


def test_a_successor_may_be_revised_itself_or_made_later():
    old = _life(make_claim({"count": "*", "equals": 3}, name="old"), "new", "2026-04-01")
    new = _life(make_claim({"count": "*", "equals": 4}, name="new", as_of="2026-04-01"), "old", "2026-04-20")
    (first, second) = check(claiming(old, new)).results
    strict = ContestReading(Side.STRICT, "weak")
    assert [one.reading for one in check(claiming(old, new), reading=strict).results] == [strict, strict]
    assert [s.status for s in (*first.successors, *second.successors)] == [ClaimStatus.REVISED] * 2
    (then, *_) = check(claiming(old, new, corpus=coffee().as_of(new.as_of)), ["old"]).results
    assert [s.status for s in then.successors] == [ClaimStatus.FAILS]
    with pytest.raises(SurveyError, match="revised by 'new', which is not in claims"):
        check(claiming(old))


def test_survival_asks_of_an_earlier_day_what_was_claimed_then():
    new = make_claim({"count": "taste=umami", "at_most": 9}, name="new", as_of="2026-04-01")
    new = new.model_copy(update={"succeeds": ("old",)})
    old = _life(make_claim({"count": "taste=umami", "at_most": 0}, name="old"), "new", "2026-04-01")
    later = make_claim({"count": "taste=umami", "at_most": 0}, name="later", as_of="2026-04-01")
    both = make_claim({"survive": ["new", "later"], "under": "near_misses"}, name="both")
    now = claiming(old, new, both, later)
    assert evaluate(both, Pool(now)).outcomes[0].selection.keys == ("later",)
    assert evaluate(both, Pool(now.as_of(both.as_of))).outcomes[0].selection.keys == ("old",)


def _life(claim: Claim, by: str, on: str) -> Claim:
    return Claim.model_validate(
        {**claim.model_dump(exclude_defaults=True, by_alias=True), "revised": {"on": on, "by": by, "because": "So."}}
    )
