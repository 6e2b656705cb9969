"""A runner for workflows: the jobs of a file, their steps run by bash in a folder of the test; what it does not know it refuses.

The repository is a bare one on this disk, artifacts are folders, and `gh` is a script that writes down what it was asked for.
Everything else is real: git, Python, pip and the shell.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from expressions import filled, holds

Step = Mapping[str, Any]
STEP = {"id", "name", "if", "uses", "with", "shell", "env", "run"}
JOB = {
    "name",
    "runs-on",
    "timeout-minutes",
    "permissions",
    "outputs",
    "needs",
    "if",
    "environment",
    "concurrency",
    "steps",
}
GH = """
import json, os, pathlib, sys
asked = sys.argv[1:]
state = pathlib.Path(os.environ["GH_STATE"])
if not os.environ.get("GH_TOKEN"):
    sys.exit("gh: no token")
found = {"asked": [], "comments": [], "pulls": [], "issues": []}
if state.exists():
    found |= json.loads(state.read_text())
found["asked"].append(asked)
path = next((word for word in asked if word.startswith("repos/")), "").partition("?")[0].split("/")
fields = dict(word.partition("=")[::2] for word in asked if "=" in word and not word.startswith(("repos/", ".")))
body = fields.get("body", "")
if body.startswith("@"):
    fields["body"] = pathlib.Path(body[1:]).read_text()
kind = next((name for name in ("comments", "pulls", "issues") if name in path), "")
number = path[-1] if path[-1].isdigit() else ""
if "POST" in asked:
    found[kind].append(fields["body"] if kind == "comments" else fields)
    print(len(found[kind]))
elif "PATCH" in asked and kind == "comments":
    found[kind][int(number)] = fields["body"]
elif "PATCH" in asked:
    found[kind][int(number) - 1] |= fields
elif kind == "comments":
    print(*range(len(found[kind])), sep="\\n")
elif kind and found[kind]:
    print(1, *([found[kind][0]["body"]] if kind == "issues" else []), sep="\\n")
state.write_text(json.dumps(found))
"""


@dataclass
class Done:
    """A job that ended: whether it failed, what its steps printed, its summary and outputs, and its folder."""

    folder: Path
    failed: bool = False
    log: str = ""
    outputs: dict[str, str] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """What the steps wrote for the page of the job."""
        path = self.folder / "summary"
        return path.read_text() if path.exists() else ""


@dataclass
class Runner:
    """Runs workflows on `remote`, a bare repository, for one event; `environment` is what the machine's shell has.

    With `program`, a folder with `bin/python`, the program is there already in each job.
    """

    remote: Path
    folder: Path
    github: dict[str, Any]
    environment: Mapping[str, str] = field(default_factory=dict)
    program: Path | None = None

    def __post_init__(self) -> None:
        tools = self.folder / "tools"
        tools.mkdir(parents=True, exist_ok=True)
        for name, words in (("python", ""), ("gh", f" {tools / 'gh.py'}")):
            (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n')
            (tools / name).chmod(0o755)
        (tools / "gh.py").write_text(GH)

    @property
    def told(self) -> dict[str, Any]:
        """What `gh` was asked for, and the comments that it holds."""
        return dict(json.loads((self.folder / "gh.json").read_text()))

    def run(self, workflow: Path, given: Mapping[str, Done] = MappingProxyType({})) -> dict[str, Done]:
        """The jobs of a workflow that ran, in order; those that are given are not run."""
        found: Any = yaml.safe_load(workflow.read_text())
        done: dict[str, Done] = dict(given)
        for name, job in found["jobs"].items():
            if name in given:
                continue
            assert set(job) <= JOB, set(job) - JOB
            needed = [job["needs"]] if "needs" in job else []
            needs = {one: {"outputs": done[one].outputs} for one in needed if one in done}
            failed = len(needs) < len(needed) or any(done[one].failed for one in needs)
            context = {"github": self.github, "needs": needs, "failed": failed, "vars": {}, "secrets": {}}
            if holds(job.get("if", "success()"), context):
                done[name] = self._job(f"{workflow.stem}-{name}", job, context)
        return done

    def _job(self, name: str, job: Mapping[str, Any], context: Mapping[str, Any]) -> Done:
        done = Done(self.folder / name)
        shutil.rmtree(done.folder, ignore_errors=True)
        for part in ("workspace", "temp", "home"):
            (done.folder / part).mkdir(parents=True)
        if self.program:
            (done.folder / "temp" / "program").symlink_to(self.program)
        own = {**context, "failed": False, "runner": {"temp": str(done.folder / "temp")}, "job": job}
        steps = self._steps(job["steps"], own, done)
        done.outputs = {key: filled(text, {**own, "steps": steps}) for key, text in job.get("outputs", {}).items()}
        return done

    def _steps(self, steps: list[Step], context: Mapping[str, Any], done: Done) -> dict[str, Any]:
        """What each step with an id gave; the job, or the action, fails with the first that does."""
        given: dict[str, Any] = {}
        failed = False
        for number, step in enumerate(steps):
            assert set(step) <= STEP, set(step) - STEP
            own = {**context, "steps": given, "failed": failed}
            if holds(step.get("if", "success()"), own):
                outputs = self._run(step, own, done) if "run" in step else self._use(step, own, done)
                given[step.get("id", str(number))] = {"outputs": outputs or {}}
                failed = failed or outputs is None
        done.failed = done.failed or failed
        return given

    def _run(self, step: Step, context: Mapping[str, Any], done: Done) -> dict[str, str] | None:
        """The outputs of a script; None when it fails."""
        outputs = done.folder / "outputs"
        outputs.write_text("")
        event = done.folder / "event.json"
        event.write_text(json.dumps(self.github.get("event", {})))
        environment = {
            "PATH": os.pathsep.join([str(self.folder / "tools"), os.environ["PATH"]]),
            "HOME": str(done.folder / "home"), "GIT_CONFIG_NOSYSTEM": "1", "CI": "true",
            "RUNNER_TEMP": str(done.folder / "temp"), "GITHUB_WORKSPACE": str(done.folder / "workspace"),
            "GITHUB_OUTPUT": str(outputs), "GITHUB_STEP_SUMMARY": str(done.folder / "summary"),
            "GITHUB_SERVER_URL": "https://git.example.org", "GITHUB_REF_NAME": self.github["ref"].split("/", 2)[2], "GH_STATE": str(self.folder / "gh.json"),
            "GITHUB_EVENT_PATH": str(event),
            **self.environment,
            **{name: filled(str(text), context) for name, text in step.get("env", {}).items()},
        }  # fmt: skip
        assert "${{" not in step["run"], "a value is written into a script"
        strict = ["--noprofile", "--norc", "-eo", "pipefail"] if step.get("shell") == "bash" else ["-e"]
        ended = subprocess.run(
            ["bash", *strict, "-c", step["run"]],
            cwd=done.folder / "workspace", env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        done.log += ended.stdout + ended.stderr
        pairs = (line.partition("=") for line in outputs.read_text().splitlines())
        return None if ended.returncode else {name: text for name, _, text in pairs}

    def _use(self, step: Step, context: Mapping[str, Any], done: Done) -> dict[str, str] | None:
        """The outputs of an action: one of the known ones, or a local composite one; None when it fails."""
        given = {name: filled(str(text), context) for name, text in step.get("with", {}).items()}
        name = step["uses"].partition("@")[0]
        if not name.startswith("./"):
            return KNOWN[name](self, given, context, done) or {}
        action: Any = yaml.safe_load((done.folder / "workspace" / name / "action.yml").read_text())
        assert action["runs"]["using"] == "composite"
        assert set(given) <= set(action["inputs"]), given
        inputs = {key: given.get(key, one.get("default")) for key, one in action["inputs"].items()}
        assert None not in inputs.values(), "an input is missing"
        assert all(step.get("shell") for step in action["runs"]["steps"] if "run" in step), "a script names its shell"
        inner = Done(done.folder)
        steps = self._steps(action["runs"]["steps"], {**context, "inputs": inputs}, inner)
        done.log += inner.log
        own = {**context, "steps": steps}
        outputs = {key: filled(one["value"], own) for key, one in action.get("outputs", {}).items()}
        # A failed action still gives the outputs of the steps that ran; no workflow of ours asks for them.
        return None if inner.failed else outputs


def _checkout(runner: Runner, given: Mapping[str, str], context: Mapping[str, Any], done: Done) -> None:
    """A clone as deep as is asked, of the commit or branch that is named; it can push if the job may."""
    assert given["persist-credentials"] == "False"
    folder = done.folder / "workspace" / given.get("path", "")
    wanted = given.get("ref") or runner.github["ref"]
    branch = wanted.removeprefix("refs/heads/")
    deep = [] if given.get("fetch-depth") == "0" else ["--depth=1"]
    folder.mkdir(exist_ok=True)
    for words in (
        ["init", "--quiet", "--initial-branch", branch],
        ["remote", "add", "origin", f"file://{runner.remote}"],
        ["fetch", "--quiet", *deep, "origin", f"+{wanted}:refs/remotes/origin/{branch}"],
        ["checkout", "--quiet", *(["-B", branch] if wanted != branch else ["--detach"]), f"origin/{branch}"],
        *([] if _may(context, "contents") else [["remote", "set-url", "--push", "origin", "/nowhere"]]),
    ):
        subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True)


def _upload(runner: Runner, given: Mapping[str, str], context: Mapping[str, Any], done: Done) -> None:
    target = runner.folder / "artifacts" / given.get("name", "github-pages")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    _put(done.folder / "workspace" / given["path"], target)


def _download(runner: Runner, given: Mapping[str, str], context: Mapping[str, Any], done: Done) -> None:
    _put(runner.folder / "artifacts" / given["name"], done.folder / "workspace" / given["path"])


def _pages(runner: Runner, given: Mapping[str, str], context: Mapping[str, Any], done: Done) -> dict[str, str]:
    return {"base_url": "https://survey.example.org"}


def _attest(runner: Runner, given: Mapping[str, str], context: Mapping[str, Any], done: Done) -> None:
    """GitHub signs what is there; here it is only seen that something is, and that the job may."""
    assert list((done.folder / "workspace").glob(given["subject-path"]))
    assert _may(context, "id-token")
    assert _may(context, "attestations")


def _publish(runner: Runner, given: Mapping[str, str], context: Mapping[str, Any], done: Done) -> None:
    """The registry takes what is in `dist`, from a job in the environment that it knows, and without a password."""
    assert not given
    assert _may(context, "id-token")
    assert context["job"]["environment"] == "pypi"
    (runner.folder / "published").mkdir()
    _put(done.folder / "workspace" / "dist", runner.folder / "published")


def _nothing(runner: Runner, given: Mapping[str, str], context: Mapping[str, Any], done: Done) -> None:
    """Python is on the path; pages are published by GitHub alone."""


KNOWN: Mapping[str, Callable[..., dict[str, str] | None]] = {
    "actions/checkout": _checkout,
    "actions/setup-python": _nothing,
    "actions/upload-artifact": _upload,
    "actions/download-artifact": _download,
    "actions/configure-pages": _pages,
    "actions/upload-pages-artifact": _upload,
    "actions/deploy-pages": _nothing,
    "actions/attest-build-provenance": _attest,
    "pypa/gh-action-pypi-publish": _publish,
}


def _may(context: Mapping[str, Any], right: str) -> bool:
    return context["job"]["permissions"].get(right) == "write"


def _put(source: Path, target: Path) -> None:
    """The files of a folder, or one file, into another folder."""
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copy(source, target)
