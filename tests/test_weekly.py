"""The weekly workflow, run as it stands: one pull request holds the candidates, one issue the rest, whatever a source does."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from serving import Reply, Service
from test_workflows import STARTER, Coffee, go_on
from workflows import Done

Git = Callable[..., str]
WORK = {
    "DOI": "10.1000/foam.1",
    "title": ["On `foam` | @ada fixes #1, closes octo/x#2, GH-3 $(touch ran) ${{ github.token }}"],
    "type": "journal-article",
    "author": [{"given": "Ada", "family": "Bean"}],
    "published": {"date-parts": [[2026, 3, 5]]},
}
SEARCH = "searches:\n- {id: foam, query: foam, sources: [crossref, openalex]}\n"
COLD = "title: Cold\nyear: 2026\ntags: {device: cold}\nproposal: retain\nfound: {'on': 2026-03-02}\n"
CANDIDATES = "awesome/candidates"


def found(*works: object) -> Reply:
    message = {"total-results": len(works), "items": works, "next-cursor": None}
    return Reply(json.dumps({"message": message}).encode())


class Weekly(Coffee):
    """The coffee survey with a saved search; Crossref knows one work, OpenAlex none."""

    def week(self) -> dict[str, Done]:
        """The workflow on what main holds."""
        self.git(self.root, "push", "-qf", str(self.remote), "HEAD:main")
        self.runner.github |= {"ref": "refs/heads/main", "ref_name": "main"}
        return self.runner.run(self.workflows / "weekly.yml")

    def on_branch(self) -> list[str]:
        """The files of the branch with the candidates that main does not have."""
        return self.git(self.remote, "diff", "--name-only", "main", CANDIDATES).split()


@pytest.fixture
def weekly(git_root: Path, repository: Path, tmp_path: Path, git: Git, service: Service) -> Weekly:
    coffee = Weekly(git_root, repository, tmp_path, git)
    (git_root / "search.yaml").write_text(SEARCH)
    (git_root / "candidates" / "cold2026.yaml").write_text(COLD)
    git(git_root, "add", "-A")
    git(git_root, "commit", "-qm", "A saved search")
    service.routes["/crossref/works"] = found(WORK)
    service.routes["/openalex/works"] = Reply(
        json.dumps({"meta": {"count": 0, "next_cursor": None}, "results": []}).encode()
    )
    places = {f"AWESOME_{name.upper()}_URL": f"{service.url}/{name}" for name in ("arxiv", "crossref", "openalex")}
    settings = {"AWESOME_TRUSTED": service.url, "AWESOME_HTTP_DELAY": "0", **places}
    coffee.runner.environment = settings
    return coffee


@pytest.mark.slow
def test_week_after_week_there_is_one_pull_request_and_one_issue(weekly: Weekly, tmp_path: Path):
    done = weekly.week()
    assert not any(job.failed for job in done.values()), done["search"].log + done["watch"].log
    assert [path.partition("/")[0] for path in weekly.on_branch()] == ["candidates", "searches"]
    told = weekly.runner.told
    (pull,), (issue,) = told["pulls"], told["issues"]
    assert (pull["head"], pull["base"]) == (CANDIDATES, "main")
    assert "The next run writes this branch anew, from `main`" in pull["body"]
    assert issue["labels[]"] == "watch"
    assert issue["body"].startswith("<!-- awesome watch 20")
    assert "cold2026" in issue["body"]
    assert "no-cold" in issue["body"]
    assert "bean2026" in issue["body"], "what the search found stands in the issue, too"
    for text in (pull["body"], issue["body"]):
        assert not re.search(r"@ada|#\d(?!\d*;)|GH-\d", text), "nobody is called, and no issue is closed"
    assert not list(tmp_path.rglob("ran")), "a title is no command"

    first = weekly.git(weekly.remote, "rev-parse", CANDIDATES)
    weekly.git(weekly.root, "commit", "-q", "--allow-empty", "-m", "Meanwhile")
    assert not any(job.failed for job in weekly.week().values())
    told = weekly.runner.told
    assert (len(told["pulls"]), len(told["issues"])) == (1, 1)
    assert weekly.git(weekly.remote, "rev-parse", CANDIDATES) != first
    subjects = weekly.git(weekly.remote, "log", "-2", "--format=%s", CANDIDATES).splitlines()
    assert subjects == ["Candidates that the saved searches found", "Meanwhile"]
    day = issue["body"][len("<!-- awesome watch ") :][:10]
    assert f"found on {day} or later" in told["issues"][0]["body"], "new is what came since the issue was written"


@pytest.mark.slow
def test_what_a_person_committed_to_the_branch_is_never_overwritten(weekly: Weekly, tmp_path: Path):
    weekly.week()
    mine = go_on(weekly, CANDIDATES, tmp_path)
    weekly.git(weekly.root, "commit", "-q", "--allow-empty", "-m", "Meanwhile")
    done = weekly.week()
    assert not any(job.failed for job in done.values()), done["search"].log + done["watch"].log
    assert weekly.git(weekly.remote, "rev-parse", CANDIDATES) == mine
    assert f"::warning title=Awesome survey::somebody else committed to the branch {CANDIDATES}" in done["search"].log
    (pull,) = weekly.runner.told["pulls"]
    assert pull["body"].startswith(f"Somebody else committed to the branch `{CANDIDATES}`.")
    assert "bean2026" in pull["body"]

    weekly.git(weekly.remote, "branch", "-D", CANDIDATES)
    assert not any(job.failed for job in weekly.week().values())
    assert "somebody else" not in weekly.runner.told["pulls"][0]["body"].partition("The next run")[0].lower()


def test_source_that_fails_stands_in_the_issue_and_the_others_in_the_pull_request(weekly: Weekly, service: Service):
    service.routes["/openalex/works"] = Reply(status=400)
    done = weekly.week()
    assert not any(job.failed for job in done.values()), done["search"].log + done["watch"].log
    assert "::warning title=Search::a source did not answer" in done["search"].log
    assert any(path.startswith("candidates/") for path in weekly.on_branch())
    (issue,) = weekly.runner.told["issues"]
    assert "Services and searches without a complete answer" in issue["body"]
    assert "openalex" in issue["body"]


@pytest.mark.slow
def test_without_a_saved_search_there_is_an_issue_and_a_long_one_is_cut_between_characters(weekly: Weekly):
    (weekly.root / "search.yaml").write_text("searches: []\n# - {id: foam, query: foam}\n")
    for number in range(60):
        source = f"found: {{'on': 2099-01-01, source: {'é' * 7000}}}\n"
        text = f"title: Bean {number}\nauthors: [Bean, Ada]\nproposal: consider\n{source}"
        (weekly.root / "candidates" / f"bean-{number}.yaml").write_text(text)
    weekly.git(weekly.root, "add", "-A")
    weekly.git(weekly.root, "commit", "-qm", "Long sources, and no search")
    done = weekly.week()
    assert not any(job.failed for job in done.values()), done["search"].log + done["watch"].log
    assert "search.yaml has no saved search" in done["search"].log
    told = weekly.runner.told
    assert told["pulls"] == []
    (issue,) = told["issues"]
    assert "no-cold" in issue["body"]
    assert issue["body"].endswith("\n\nThe whole is in the summary of the job.\n")
    assert 28_000 < len(issue["body"]) < 60_000


@pytest.mark.slow
def test_the_program_says_whether_there_is_a_saved_search_however_it_is_written(weekly: Weekly):
    (weekly.root / "search.yaml").write_text("searches: [{id: foam, query: foam, sources: [crossref]}]\n")
    weekly.git(weekly.root, "commit", "-qam", "On one line")
    assert not weekly.week()["search"].failed
    assert any(path.startswith("candidates/") for path in weekly.on_branch())


@pytest.mark.slow
def test_a_search_that_cannot_be_read_does_not_keep_the_issue_from_being_written(weekly: Weekly):
    (weekly.root / "search.yaml").write_text("searches:\n- {id: foam}\n")
    weekly.git(weekly.root, "commit", "-qam", "No words")
    done = weekly.week()
    assert "some searches are not valid" in done["search"].log
    assert not done["watch"].failed, done["watch"].log
    assert weekly.runner.told["pulls"] == []


@pytest.mark.parametrize("folder", [".github", str(STARTER)])
def test_each_job_has_the_rights_that_it_needs(repository: Path, folder: str):
    jobs = yaml.safe_load((repository / folder / "workflows" / "weekly.yml").read_text())["jobs"]
    assert {name: job["permissions"] for name, job in jobs.items()} == {
        "search": {"contents": "write", "pull-requests": "write"},
        "watch": {"contents": "read", "issues": "write"},
    }
