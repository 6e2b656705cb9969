"""A survey that was built to harm: every command of the README runs on it, and the machine is as before."""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from copying import copied
from pointers import words
from running import run_git

from awesome_cli.text.inert import ACTIVE

HANGS = 120
"""Seconds after which a command that waits for a pipe or a device has failed; none of them takes a tenth of that."""
CONFIG = """
[core]
\tfsmonitor = {touch}
\tsshCommand = {touch}
\tpager = {touch}
\thooksPath = ../outside/hooks
[log]
\tshowSignature = true
[gpg]
\tprogram = {touch}
[diff "harm"]
\ttextconv = {touch}
\tcommand = {touch}
[filter "harm"]
\tclean = {touch}
\tsmudge = {touch}
\tprocess = {touch}
[diff]
\texternal = {touch}
"""
TEMPLATE = """{{% set n = cycler.__init__.__globals__ %}}{{{{ n.os.system('{touch}') }}}}"""


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder that no command may touch, with what a person might have at home."""
    folder = tmp_path / "outside"
    for name in ("home/.ssh/id", "home/.config/secret", "site/index.html", "records/a.yaml", "hooks/post-checkout"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"private {name}\n")
    return folder


@pytest.fixture
def harmful(tmp_path: Path, outside: Path, repository: Path) -> Path:
    """A copy of the shipped survey with everything that a stranger can put into an archive."""
    survey = copied(tmp_path / "survey")
    touch = f"touch {outside / 'ran'}"
    run_git(survey, "init", "-q")
    (survey / ".gitattributes").write_text("* diff=harm filter=harm\ncorpus/puppeteer.yaml export-ignore\n")
    run_git(survey, "-c", "core.hooksPath=none", "add", "-A")
    run_git(survey, "commit", "-qm", "Harm")
    with (survey / ".git" / "config").open("a") as config:
        config.write(CONFIG.format(touch=touch))
    for name in ("readme/papers.md.j2", "site/index.html.j2"):
        (survey / "templates" / name).parent.mkdir(parents=True, exist_ok=True)
        (survey / "templates" / name).write_text(TEMPLATE.format(touch=touch))
    for name, target in (
        ("_site", outside / "site"),
        ("corpus/linked.yaml", outside / "records/a.yaml"),
        ("corpus/device.yaml", "/dev/zero"),
        ("corpus/circle.yaml", "circle.yaml"),
        ("exclusions/linked", outside / "records"),
        ("core.bib", outside / "home/.config/secret"),
    ):
        (survey / name).symlink_to(target)
    (survey / "statistics.json").unlink()
    (survey / "statistics.json").symlink_to(outside / "home/.config/secret")
    os.mkfifo(survey / "corpus" / "pipe.yaml")
    (survey / "corpus" / "folder.yaml").mkdir()
    paper = survey / "corpus" / "puppeteer.yaml"
    text = re.sub(
        r"(?m)^title: .*$",
        r'title: "\\e]0;owned\\a\\e[31mred\\e[0m \\u202Ecod.exe\\n::error::forged"',
        paper.read_text(),
    )
    paper.write_text(text)
    trace = survey / "traces" / "examples" / "rich-v2.json"
    trace.write_text(trace.read_text().replace('"name": "', '"name": "\\u001b[2J', 1))
    return survey


def commands(repository: Path) -> Iterator[list[str]]:
    """The commands of the README, with offline for those that ask a service."""
    for line in (repository / "README.md").read_text().splitlines():
        if line.startswith("awesome "):
            yield ["--offline", *words(line)]


def state(folder: Path) -> dict[str, str]:
    """What a folder holds: each path with the digest of its bytes."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.slow
def test_every_command_of_the_readme_leaves_the_machine_as_before(repository: Path, harmful: Path, outside: Path):
    before = state(outside)
    assert before
    asked = [
        *commands(repository),
        ["validate"],
        ["render"],
        ["render", "--check"],
        ["diff", "HEAD"],
        ["changelog", "HEAD"],
    ]
    assert len(asked) > 10
    for command in asked:
        done = subprocess.run(
            [sys.executable, "-m", "awesome_cli", *command],
            cwd=harmful,
            env={
                **os.environ,
                "HOME": str(outside / "home"),
                "XDG_CACHE_HOME": str(harmful.parent / "cache"),
                "GITHUB_ACTIONS": "true",
            },
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=HANGS,
        )
        told = done.stdout + done.stderr
        assert done.returncode in {0, 1, 2, 3, 4}, (command, told)
        assert "bug:" not in told, (command, told)
        assert "Traceback" not in told, (command, told)
        assert not ACTIVE.search(told), (command, told)
        assert not re.search(r"(?m)^\s*::error::forged", told), (command, told)
        assert state(outside) == before, command
