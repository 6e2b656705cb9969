"""The action and the workflows, this project's and those of new surveys: few rights, pinned actions, and steps that do what they say."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from claiming import COFFEE_CLAIMS
from registry import borrowed
from tiers import sampled
from workflows import Done, Runner

Git = Callable[..., str]
PINNED = re.compile(r"uses: ([\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)+|\.[\w./-]*)$")
STARTER = Path("templates", "starter", "github")


def workflows(repository: Path) -> Iterator[Path]:
    for folder in (Path(".github"), STARTER):
        yield from sorted((repository / folder / "workflows").glob("*.yml"))


def jobs(path: Path) -> dict[str, Any]:
    return dict(yaml.safe_load(path.read_text())["jobs"])


def steps(path: Path) -> list[dict[str, Any]]:
    """The steps of a workflow's jobs, but for jobs that are another workflow; or those of an action."""
    text = yaml.safe_load(path.read_text())
    parts = text["jobs"].values() if "jobs" in text else [text["runs"]]
    return [step for part in parts for step in part.get("steps", [])]


def test_every_action_is_pinned_and_no_right_is_given_to_all(repository: Path):
    for path in (*workflows(repository), repository / "action.yml"):
        text = path.read_text()
        used = [line.strip().removeprefix("- ") for line in text.splitlines() if "uses:" in line]
        assert used
        assert [line for line in used if not PINNED.fullmatch(line)] == [], path.name
        assert path.name == "action.yml" or yaml.safe_load(text)["permissions"] == {}


def test_every_job_ends_in_time(repository: Path):
    folders = (".github", "templates", "examples")
    paths = [path for folder in folders for path in (repository / folder).rglob("workflows/*.yml")]
    assert {*workflows(repository)} <= {*paths}
    named = [(path, name, job) for path in paths for name, job in jobs(path).items()]
    called = {job["uses"] for _, _, job in named if "uses" in job}  # such a job cannot have a time of its own
    assert {(repository / path).resolve() for path in called} <= {path.resolve() for path in paths}
    times = {f"{path.name}: {name}": job.get("timeout-minutes") for path, name, job in named if "uses" not in job}
    assert {name: time for name, time in times.items() if not (isinstance(time, int) and 0 < time < 360)} == {}
    of_gitlab = yaml.safe_load((repository / "templates" / "starter" / "gitlab-ci.yml").read_text().replace("@{", "{"))
    assert of_gitlab["default"]["timeout"] == "30 minutes"


def test_packages_are_installed_by_hash(repository: Path):
    """What has no hash is a file of the repository, or (`-r "$PROGRAM"`) what a survey names."""
    paths = [*(repository / ".github" / "workflows").glob("*.yml"), repository / "action.yml", repository / "Makefile"]
    lines = [line.strip() for path in paths for line in path.read_text().splitlines()]
    installing = [line for line in lines if re.search(r"(pip|PIP\)) install", line)]
    assert installing
    apart = ("--require-hashes", "--no-deps", '-r "$PROGRAM"')
    assert [line for line in installing if not any(words in line for words in apart)] == []


def test_no_value_is_written_into_a_script(repository: Path):
    for path in (*workflows(repository), repository / "action.yml"):
        assert [step["run"] for step in steps(path) if "${{" in step.get("run", "")] == []


def test_the_token_is_given_to_the_steps_that_write_alone(repository: Path):
    given = [step for step in steps(repository / "action.yml") if "token" in str(step)]
    assert [step["if"] for step in given] == [
        "inputs.task == 'watch'",
        "inputs.task == 'render' || inputs.task == 'search'",
        "steps.push.outputs.branch != '' || steps.taken.outputs.branch != ''",
        "steps.push.outputs.branch != '' || steps.taken.outputs.branch != ''",
        "inputs.task == 'watch'",
        "inputs.task == 'comment' || inputs.task == 'reply'",
    ]
    assert not any("awesome_cli" in step["run"] for step in given)


@pytest.mark.parametrize("folder", [".github", str(STARTER)])
def test_what_strangers_send_is_read_without_a_right_to_write(repository: Path, folder: str):
    path = repository / folder / "workflows" / "pull-request.yml"
    report, comment = jobs(path).values()
    assert report["permissions"] == {"contents": "read"}
    assert "head.repo.full_name == github.repository" in comment["if"]
    sent = "${{ github.event.pull_request.base.sha }}"
    assert [step["with"]["ref"] for step in comment["steps"] if "path" in step["with"]] == [sent]
    used = [step for step in report["steps"] if step["uses"].startswith("./")]
    assert used
    assert {step["uses"].split("/")[1] for step in used} == {"base"}, "the action is the base branch's"
    assert {step["with"]["program"].partition("/")[0] for step in used} == {"base"}, "and so is the program"


HARMFUL = "import pathlib; pathlib.Path('ran').touch()"


class Coffee:
    """The coffee survey with this project's action and workflows, in a bare repository; the program is installed already."""

    def __init__(self, root: Path, repository: Path, folder: Path, git: Git) -> None:
        self.root, self.git, self.folder = root, git, folder
        (root / "claims.yaml").write_text(COFFEE_CLAIMS)
        shutil.copy(repository / "action.yml", root)
        self.workflows = repository / ".github" / "workflows"
        git(root, "add", "-A")
        git(root, "commit", "-qm", "Claims and the action")
        self.base = git(root, "rev-parse", "HEAD").strip()
        self.remote = folder / "remote.git"
        git(folder, "clone", "-q", "--bare", str(root), str(self.remote))
        self.runner = Runner(self.remote, folder / "job", {"repository": "a/coffee", "token": "t0ken", "event": {}})
        self.python(f'exec "{sys.executable}" "$@"')

    def python(self, script: str) -> None:
        """What runs in place of the Python that the program is installed for."""
        self.runner.program = self.folder / "program"
        (self.runner.program / "bin").mkdir(parents=True, exist_ok=True)
        path = self.runner.program / "bin" / "python"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def send(self, head: str = "a/coffee") -> dict[str, Done]:
        """The workflow of a pull request with what the survey's folder holds."""
        self.git(self.root, "add", "-A")
        self.git(self.root, "commit", "-qm", "Change")
        self.git(self.root, "push", "-qf", str(self.remote), "HEAD:refs/pull/7/merge")
        event = {"number": 7, "base": {"sha": self.base}, "head": {"repo": {"full_name": head}}}
        self.runner.github |= {"ref": "refs/pull/7/merge", "event": {"pull_request": event}}
        return self.runner.run(self.workflows / "pull-request.yml")

    def action(self, **given: str) -> Done:
        """One use of the action on main."""
        self.git(self.root, "push", "-qf", str(self.remote), "HEAD:main")
        self.runner.github |= {"ref": "refs/heads/main"}
        checkout = {"uses": "actions/checkout@", "with": {"persist-credentials": False}}
        job = {"permissions": {"contents": "write"}, "steps": [checkout, {"uses": "./", "with": given}]}
        path = self.folder / "one.yml"
        path.write_text(yaml.safe_dump({"jobs": {"one": job}}))
        return self.runner.run(path)["one"]

    def code(self, device: str) -> None:
        """Change how a paper is coded."""
        paper = self.root / "corpus" / "aero2020.yaml"
        paper.write_text(re.sub(r"device: \w+", f"device: {device}", paper.read_text()))


@pytest.fixture
def coffee(git_root: Path, repository: Path, git: Git, tmp_path: Path) -> Coffee:
    return Coffee(git_root, repository, tmp_path, git)


@pytest.mark.parametrize(("device", "flips"), sampled([("cold", "true"), ("drip", "false")], ("cold", "true")))
def test_the_steps_that_compare_and_validate(coffee: Coffee, device: str, flips: str):
    coffee.code(device)
    report = coffee.send()["report"]
    assert not report.failed, report.log
    assert report.outputs == {"flips": flips}
    assert ("::warning title=Claims flip::Claims that flip: no-cold" in report.log) is (flips == "true")
    (comment,) = coffee.runner.told["comments"]
    assert comment.startswith("<!-- awesome diff -->\n## Changes from ")
    assert f"aero2020: device press becomes {device}" in comment
    assert "15 cells: 13 gap, 2 sparse" in report.summary


@pytest.mark.slow
def test_a_pull_request_with_a_stale_paper_fails(run: Callable[..., Any], coffee: Coffee):
    run("init", "--upgrade", "--with", "paper", root=coffee.root)
    run("paper", "build", root=coffee.root)
    sent = coffee.send()["report"]
    assert not sent.failed, sent.log
    coffee.code("cold")
    stale = coffee.send()
    assert stale["report"].failed
    assert "paper/survey-table-overview.tex is stale; run 'awesome paper build'" in stale["report"].log
    assert "::warning file=paper/survey-table-overview.tex,line=1" in stale["report"].log
    assert "aero2020: device press becomes cold" in coffee.runner.told["comments"][-1], "it is compared all the same"
    run("paper", "build", root=coffee.root)
    sent = coffee.send()["report"]
    assert not sent.failed, sent.log


@pytest.mark.slow
def test_a_comment_is_rewritten_and_a_label_taken_off(coffee: Coffee):
    coffee.code("cold")
    coffee.send()
    assert coffee.runner.told["asked"][-1] == ["pr", "edit", "7", "--add-label", "claims flip"]
    coffee.code("drip")
    coffee.send()
    (comment,) = coffee.runner.told["comments"]
    assert "device press becomes drip" in comment
    assert coffee.runner.told["asked"][-1] == ["pr", "edit", "7", "--remove-label", "claims flip"]


@pytest.mark.slow
def test_a_long_comment_is_cut_between_characters(coffee: Coffee):
    for number in range(60):
        text = f"title: {'é' * 1700} {number}\nauthors: [Bean, Ada]\nproposal: consider\n"
        (coffee.root / "candidates").mkdir(exist_ok=True)
        (coffee.root / "candidates" / f"bean-{number}.yaml").write_text(text)
    report = coffee.send()["report"]
    assert report.outputs == {"flips": "false"}, report.log[-2000:]
    (comment,) = coffee.runner.told["comments"]
    assert comment.endswith("\n\nThe whole is in the summary of the job.\n")
    assert 28_000 < len(comment) < 60_000


@pytest.mark.slow
def test_a_pull_request_from_a_fork_gets_no_comment(coffee: Coffee):
    coffee.code("cold")
    assert list(coffee.send("stranger/coffee")) == ["report"]


def test_a_broken_record_is_named_where_it_stands(coffee: Coffee):
    (coffee.root / "corpus" / "bad2020.yaml").write_text("title: [\n")
    done = coffee.send()
    assert done["report"].failed
    assert "::error file=corpus/bad2020.yaml,line=2,col=1,title=Y002::" in done["report"].log
    assert list(done) == ["report"], "there is nothing to comment"


def test_findings_of_a_survey_below_the_top_are_named_from_the_top(coffee: Coffee):
    (coffee.root / "corpus" / "bad2020.yaml").write_text("title: [\n")
    (coffee.root / "papers").mkdir()
    for name in ("corpus", "taxonomy.yaml"):
        (coffee.root / name).rename(coffee.root / "papers" / name)
    coffee.git(coffee.root, "add", "-A")
    coffee.git(coffee.root, "commit", "-qm", "Below")
    done = coffee.action(task="validate", survey="papers")
    assert done.failed
    assert "::error file=papers/corpus/bad2020.yaml,line=2," in done.log


@pytest.mark.slow
def test_a_comparison_that_fails_is_no_flipped_claim(coffee: Coffee):
    # The second comparison breaks off, as it does where git or the disk fails.
    coffee.python(f'case "$*" in *fail-on*) exit 3 ;; esac\nexec "{sys.executable}" "$@"')
    coffee.code("cold")
    done = coffee.send()
    assert done["report"].failed
    assert done["report"].outputs == {"flips": ""}
    assert "Claims flip" not in done["report"].log
    assert "comment" not in done


def test_no_file_of_a_pull_request_is_run(coffee: Coffee, repository: Path, tmp_path: Path):
    (coffee.root / "action.yml").write_text("{runs: {using: composite, steps: [{run: touch ran, shell: bash}]}}")
    names = ("sitecustomize.py", "typer.py", "pip.py", "yaml.py", "awesome_cli/__init__.py", "awesome_cli/__main__.py")
    for path in (coffee.root / name for name in names):
        path.parent.mkdir(exist_ok=True)
        path.write_text(HARMFUL)
    report = coffee.send()["report"]
    assert not report.failed, report.log
    assert (report.folder / "workspace" / "survey" / "typer.py").is_file()
    assert not list(tmp_path.rglob("ran"))
    runs = "\n".join(step.get("run", "") for step in steps(repository / "action.yml"))
    # With -I neither the working folder nor the environment says where modules are.
    assert set(re.findall(r'python"? (\S+)', runs)) == {"-I"}


@pytest.mark.slow
def test_pages_are_pushed_though_main_moved_on(coffee: Coffee, tmp_path: Path, git: Git):
    # While the pages are rendered, somebody else pushes.
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(coffee.remote), str(other))
    git(other, "commit", "-q", "--allow-empty", "-m", "Meanwhile")
    push = f"git -C {shlex.quote(str(other))} push -q origin HEAD:main >&2"
    coffee.python(f'case "$*" in *render*) {push} ;; esac\nexec "{sys.executable}" "$@"')
    (coffee.root / "statistics.json").unlink(missing_ok=True)
    coffee.git(coffee.root, "rm", "-q", "--cached", "--ignore-unmatch", "statistics.json")
    done = coffee.action(task="render")
    assert not done.failed, done.log
    subjects = git(coffee.remote, "log", "-2", "--format=%s", "main").splitlines()
    assert subjects == ["Render pages and statistics", "Meanwhile"]
    changed = git(coffee.remote, "show", "--format=", "--name-only", "main").splitlines()
    assert "statistics.json" in changed
    assert set(changed) <= {"README.md", "statistics.json"}
    assert not coffee.action(task="render").failed


FORM = """\
### Disputed paper

aero2020

### Disputed coding

device=press

### How strongly does the evidence speak against it?

strong

### What should it be?

drip

### What does the evidence say?

$(touch ran) `touch ran` ${{ github.token }}

### Source

https://example.org/photo
"""


WHY = "What does it do, and why does it belong here?"


def labelled(coffee: Coffee, body: str, label: str = "approved") -> dict[str, Done]:
    """The workflow of an issue on which a label was set."""
    coffee.git(coffee.root, "push", "-qf", str(coffee.remote), "HEAD:main")
    issue = {"number": 7, "body": body, "user": {"login": "bean"}}
    coffee.runner.github |= {"ref": "refs/heads/main", "event": {"issue": issue, "label": {"name": label}}}
    return coffee.runner.run(coffee.workflows / "contribution.yml")


@pytest.mark.slow
def test_an_approved_form_becomes_a_pull_request_and_again_the_same_one(coffee: Coffee, git: Git, tmp_path: Path):
    assert labelled(coffee, FORM, "question") == {}
    for _ in range(2):
        done = labelled(coffee, FORM)
        assert not any(job.failed for job in done.values()), [job.log for job in done.values()]
    assert git(coffee.remote, "diff", "--name-only", "main", "issue-7").split() == ["corpus/aero2020.yaml"]
    added = git(coffee.remote, "diff", "main", "issue-7")
    assert re.search(r"^\+ .*\bas: drip\b", added, re.MULTILINE), added
    assert "$(touch ran) `touch ran` ${{ github.token }}" in added
    assert (
        git(coffee.remote, "log", "-1", "--format=%an: %s", "issue-7").strip() == "github-actions[bot]: Take in issue 7"
    )
    told = coffee.runner.told
    (pull,) = told["pulls"]
    assert (pull["head"], pull["title"]) == ("issue-7", "Take in issue 7")
    assert pull["body"].startswith("Closes #7.\n\ndisputes device=press of aero2020: strong, ")
    assert told["comments"] == [
        "<!-- awesome issue -->\nThank you. Pull request #1 records this; it counts once a curator merges it.\n"
    ]
    assert not list(tmp_path.rglob("ran"))


def test_a_malformed_form_gets_a_comment_that_is_rewritten_once_it_is_right(coffee: Coffee, git: Git):
    done = labelled(coffee, FORM.replace("aero2020", "../../etc/passwd").replace("\nstrong\n", "\ncertain\n"))
    assert not any(job.failed for job in done.values()), [job.log for job in done.values()]
    (comment,) = coffee.runner.told["comments"]
    assert comment.startswith("<!-- awesome issue -->\nNothing was recorded.")
    assert "- Disputed paper: unknown record" in comment
    assert "unknown option 'certain' (one of: weak, strong)" in comment
    assert "issue-7" not in git(coffee.remote, "branch", "--list")
    labelled(coffee, FORM)
    assert "Pull request #1 records this" in coffee.runner.told["comments"][0]


def test_the_sender_is_told_when_a_service_gives_no_usable_answer_and_what_to_do(coffee: Coffee):
    nobody = "http://127.0.0.1:9"  # where nothing listens
    coffee.runner.environment |= {
        "AWESOME_CROSSREF_URL": nobody,
        "AWESOME_HTTP_DELAY": "0",
        "AWESOME_HTTP_TIMEOUT": "1",
    }
    said = []
    for reference in ("10.1000/x", "https://no-such-host.invalid/paper"):
        done = labelled(coffee, f"### Reference\n\n{reference}\n\n### {WHY}\n\nIt brews.\n")
        assert not any(job.failed for job in done.values()), [job.log for job in done.values()]
        (comment,) = coffee.runner.told["comments"]
        said.append(comment)
    assert [comment for comment in said if "a service did not respond" not in comment] == []
    assert [comment for comment in said if "It is tried again once" not in comment] == []
    assert "name cannot be resolved" in said[1]


@pytest.mark.slow
def test_a_branch_that_somebody_went_on_with_stays_as_it_is(coffee: Coffee, git: Git, tmp_path: Path):
    labelled(coffee, FORM)
    mine = go_on(coffee, "issue-7", tmp_path)
    done = labelled(coffee, FORM.replace("drip", "cold"))["reply"]
    assert not done.failed, done.log
    assert "somebody else committed to the branch issue-7" in done.log
    assert git(coffee.remote, "rev-parse", "issue-7") == mine
    (comment,) = coffee.runner.told["comments"]
    assert comment.startswith("<!-- awesome issue -->\nSomebody else committed to the branch `issue-7`.")


def go_on(coffee: Coffee, branch: str, folder: Path) -> str:
    """Somebody commits on a branch of the workflow, and below a commit that bears the workflow's name; the tip."""
    clone = folder / "somebody"
    coffee.git(folder, "clone", "-q", "--branch", branch, str(coffee.remote), str(clone))
    (clone / "corpus" / "NOTES").write_text("Read on the train\n")
    coffee.git(clone, "add", "-A")
    coffee.git(clone, "commit", "-qm", "My notes")
    bot = ("github-actions[bot]", "41898282+github-actions[bot]@users.noreply.github.com")
    named = ("-c", f"user.name={bot[0]}", "-c", f"user.email={bot[1]}")
    coffee.git(clone, *named, "commit", "-q", "--allow-empty", "-m", "Later", f"--author={bot[0]} <{bot[1]}>")
    coffee.git(clone, "push", "-q", "origin", branch)
    return coffee.git(coffee.remote, "rev-parse", branch)


@pytest.mark.slow
def test_a_branch_that_cannot_be_asked_for_is_not_taken_for_none(coffee: Coffee, git: Git):
    labelled(coffee, FORM)
    tip = git(coffee.remote, "rev-parse", "issue-7")
    real = shutil.which("git")
    fails = coffee.folder / "job" / "tools" / "git"
    fails.write_text(f'#!/bin/sh\ncase "$1" in ls-remote) exit 128 ;; esac\nexec {real} "$@"\n')
    fails.chmod(0o755)
    assert labelled(coffee, FORM)["reply"].failed
    assert git(coffee.remote, "rev-parse", "issue-7") == tip


@pytest.mark.parametrize("folder", [".github", str(STARTER)])
def test_a_form_is_read_without_a_right_to_write_and_once_it_is_approved(repository: Path, folder: str):
    path = repository / folder / "workflows" / "contribution.yml"
    read, reply = jobs(path).values()
    assert "concurrency" not in yaml.safe_load(path.read_text()), "a later label would cancel the run of this one"
    assert read["concurrency"] != reply["concurrency"]
    assert (read["if"], read["permissions"]) == ("github.event.label.name == 'approved'", {"contents": "read"})
    assert [step["with"].get("task") for step in reply["steps"]] == [None, "reply"]


def test_a_task_that_does_not_exist_fails(coffee: Coffee):
    done = coffee.action(task="publish")
    assert done.failed
    assert "::error title=Awesome survey::no task of this name" in done.log


@pytest.mark.slow
def test_a_program_is_installed_from_the_folder_that_is_named(coffee: Coffee, repository: Path, tmp_path: Path):
    """A source has `requirements/`, pinned by hash: here of packages whose files are those of the tests."""
    source, packages = coffee.root / "base", tmp_path / "packages"
    for name in ("awesome_cli", "templates", "docs"):
        shutil.copytree(repository / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "LICENSE", "action.yml"):
        shutil.copy(repository / name, source)
    packages.mkdir()
    (source / "requirements").mkdir()
    (source / "requirements" / "run.txt").write_text("\n".join(borrowed(packages, ["hatchling", "typer"])))
    coffee.git(coffee.root, "add", "-A", "-f")
    coffee.git(coffee.root, "commit", "-qm", "The source")
    coffee.runner.program = None
    coffee.runner.environment = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(packages)}
    done = coffee.action(task="validate", program="base")
    assert not done.failed, done.log
    assert list((done.folder / "temp" / "program").glob("lib/*/site-packages/awesome_cli/cli"))


def test_no_checkout_keeps_its_credentials(repository: Path):
    for path in workflows(repository):
        checkouts = [step for step in steps(path) if step.get("uses", "").startswith("actions/checkout")]
        assert all(step["with"]["persist-credentials"] is False for step in checkouts), path.name


def test_every_job_has_a_time_limit(repository: Path):
    for path in workflows(repository):
        of_steps = {name: job for name, job in jobs(path).items() if "steps" in job}
        assert [name for name, job in of_steps.items() if not 0 < job.get("timeout-minutes", 0) <= 180] == [], path.name


def test_zizmor_finds_nothing(repository: Path):
    zizmor = Path(sys.executable).parent / "zizmor"
    command = [zizmor, "--offline", "--quiet", "--strict-collection", "--config", ".github/zizmor.yml"]
    asked = [".github", "action.yml", ".pre-commit-hooks.yaml", STARTER]
    done = subprocess.run([*command, *asked], cwd=repository, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
