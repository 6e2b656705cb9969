"""A claim that was revised or withdrawn is judged as of its own day, and shown with what stands in its place."""

from collections.abc import Callable
from pathlib import Path

import pytest
from builders import coffee
from claiming import ICED, LIVES, claiming, make_claim, state_claims

from awesome_cli.analysis.claims.evaluation import evaluate
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimStatus, check, not_judged
from awesome_cli.errors import SurveyError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.claims import Claim
from awesome_cli.publish import islands, site
from awesome_cli.publish.site.evidence import change_logs
from awesome_cli.survey.corpus import ContestReading, Side
from awesome_cli.survey.loading import load_corpus

Run = Callable[..., object]
Golden = Callable[[str, str], None]


@pytest.fixture
def survey(root: Path) -> Path:
    (root / "corpus" / "iced2026.yaml").write_text(ICED)
    return state_claims(root, LIVES)


def test_what_stands_is_judged_and_what_was_revised_is_told(survey: Path, run: Run, golden: Golden):
    """home-cold fails, so the exit code is 1; the revised claim, which the records contradict, does not count."""
    golden("cli/claims-check.txt", run("claims", "check", root=survey, code=1).out)
    golden("cli/claims-revised.txt", run("claims", "show", "no-cold", root=survey).out)
    assert run("claims", "check", "no-cold", "three", root=survey).code == 0
    assert "In place of: no-cold" in run("claims", "show", "sparse-cold", root=survey).out
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
    assert "no-cold fails" in run("claims", "check", "--as-of", "2026-05-09", root=survey, code=1).out


def test_the_json_contract(survey: Path, run: Run):
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
    assert told in str(islands.claims(corpus)["table"])
    status = run("status", root=survey)
    assert f"no-cold: {told}" in status.out
    assert "a claim that the records do not support" in status.out


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
    assert 'in place of <a href="#no-cold"><code>no-cold</code></a>' in page


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
    logs = change_logs(load_corpus(WorkingTree(survey), candidates=True, evidence=True))
    (day,) = (dict(log.notes())["Claims"] for log in logs if log.diff.names[1] == "2026-05-10")
    assert [line.partition(" by ")[0] for line in day] == [
        "no-cold: holds becomes revised on 2026-05-10",
        "three: holds becomes withdrawn on 2026-05-10",
        "sparse-cold: not stated before becomes holds",
        "home-cold: not stated before becomes fails",
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
    with pytest.raises(SurveyError, match="revised by 'new', which does not exist"):
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
