"""Git is asked for objects only: what a stranger wrote into a repository's configuration runs nothing."""

import os
import subprocess
from pathlib import Path

import pytest

from awesome_cli.errors import GitError
from awesome_cli.files import git
from tests.running import invoke, run_git

SETTINGS = {
    "log.showSignature": "true",
    "gpg.program": "{run}",
    "gpg.ssh.program": "{run}",
    "core.fsmonitor": "{run}",
    "core.hooksPath": "{folder}",
    "core.pager": "{run}",
    "pager.show": "{run}",
    "core.sshCommand": "{run}",
    "core.gitProxy": "{run}",
    "core.askPass": "{run}",
    "core.editor": "{run}",
    "core.alternateRefsCommand": "{run}",
    "credential.helper": "!{run}",
    "diff.external": "{run}",
    "diff.own.textconv": "{run}",
    "diff.own.command": "{run}",
    "filter.own.smudge": "{run}",
    "filter.own.clean": "{run}",
    "filter.own.process": "{run}",
    "tar.tar.command": "{run}",
    "alias.ls-tree": "!{run}",
    "alias.cat-file": "!{run}",
    "remote.origin.url": "ext::{run}",
    "remote.origin.uploadpack": "{run}",
    "remote.origin.promisor": "true",
    "remote.origin.partialCloneFilter": "blob:none",
    "extensions.partialClone": "origin",
    "core.repositoryFormatVersion": "1",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
}


@pytest.fixture
def survey(git_root: Path) -> Path:
    """The coffee survey with a second commit, which adds the record `second`."""
    (git_root / "corpus/second.yaml").write_text("title: Second\n")
    run_git(git_root, "add", "-A")
    run_git(git_root, "commit", "-q", "-m", "Second")
    return git_root


def _stored(root: Path, *args: str, given: bytes) -> str:
    done = subprocess.run(["git", "-C", str(root), *args], check=True, capture_output=True, input=given)
    return done.stdout.decode().strip()


def _hostile(root: Path, url: str | None = None) -> Path:
    """Give the repository every setting that names a program; the file that each of them would make."""
    folder = root.parent / "traps"
    folder.mkdir()
    ran = root.parent / "ran"
    trap = folder / "trap"
    trap.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{ran}'\ncat\n")
    trap.chmod(0o755)
    for name in ("post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman"):
        (folder / name).symlink_to(trap)
    (root / ".gitattributes").write_text("* filter=own diff=own export-subst\ncorpus export-ignore\n")
    (root / ".git/info/attributes").write_text("* filter=own diff=own\n*.yaml export-ignore\n")
    for name, value in (SETTINGS | ({"remote.origin.url": url} if url else {})).items():
        run_git(root, "config", name, value.format(run=trap, folder=folder))
    return ran


ASKED = (
    ("diff", "HEAD~1"),
    ("diff", "HEAD~1", "HEAD"),
    ("changelog", "HEAD~1"),
    ("claims", "check"),
    ("status",),
    ("validate",),
    ("taxonomy", "migrate", "--log", "HEAD", "--dry-run"),
)


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_a_hostile_configuration_runs_nothing(survey: Path, asked: tuple[str, ...]):
    ran = _hostile(survey)
    invoke(*asked, root=survey, code=None)
    assert not ran.exists(), ran.read_text()


@pytest.mark.parametrize(
    "url", ["ext::{run} %S", "ssh://host/path", "{folder}", "file://{folder}", "own::x", "git://h/p"]
)
def test_a_missing_object_is_not_fetched(survey: Path, url: str):
    ran = _hostile(survey, url)
    name = run_git(survey, "rev-parse", "HEAD~1:taxonomy.yaml").strip()
    (survey / ".git/objects" / name[:2] / name[2:]).unlink()
    done = invoke("diff", "HEAD~1", "HEAD", root=survey, code=3)
    assert not ran.exists(), ran.read_text()
    assert "bug:" not in done.err


def test_the_settings_would_run(survey: Path):
    ran = _hostile(survey)
    subprocess.run(["git", "-C", str(survey), "status"], check=False, capture_output=True)
    assert ran.exists()


def test_attributes_hide_nothing(survey: Path):
    _hostile(survey)
    assert {"taxonomy.yaml", "corpus/second.yaml"} <= set(git.entries(survey, "HEAD", ("corpus", "taxonomy.yaml")))


def test_a_replaced_object_does_not_count(survey: Path):
    blob = run_git(survey, "rev-parse", "HEAD:corpus/second.yaml").strip()
    other = _stored(survey, "hash-object", "-w", "--stdin", given=b"title: other\n")
    run_git(survey, "replace", blob, other)
    assert git.blobs(survey, [blob]) == {blob: b"title: Second\n"}


def test_an_answer_without_end_is_cut_off(survey: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(git, "SECONDS", 1)
    os.mkfifo(survey / ".git/pipe")
    with (survey / ".git/config").open("a") as file:
        file.write("[include]\npath = pipe\n")
    with pytest.raises(GitError, match="did not finish within 1 seconds"):
        git.entries(survey, "HEAD")


def test_a_tree_that_stands_for_many_files_is_cut_off(survey: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(git, "BYTES", 1 << 20)
    entry = f"100644 blob {_stored(survey, 'hash-object', '-w', '--stdin', given=b'x')}\tx\n"
    for _ in range(7):
        name = _stored(survey, "mktree", given=entry.encode())
        entry = "".join(f"040000 tree {name}\t{i}\n" for i in range(10))
    commit = run_git(survey, "commit-tree", name, "-m", "large").strip()
    with pytest.raises(GitError, match="larger than"):
        git.entries(survey, commit)


def test_a_message_in_no_known_encoding_is_shown(survey: Path):
    tree = run_git(survey, "rev-parse", "HEAD^{tree}").strip()
    person = b"a <a@example.org> 0 +0000"
    commit = b"tree %b\nauthor %b\ncommitter %b\n\ncaf\xe9\n" % (tree.encode(), person, person)
    name = _stored(survey, "hash-object", "-w", "-t", "commit", "--stdin", given=commit)
    assert "caf" in git.describe(survey, name)
