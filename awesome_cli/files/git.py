"""The only door to git: run it, return what it says."""

import os
from collections.abc import Sequence
from pathlib import Path

from awesome_cli.errors import GitError


def run(root: Path, *args: str) -> bytes:
    """Standard output of `git -C root args…`; raises `GitError` with git's own words."""
    import subprocess

    # A caller's GIT_DIR (set inside hooks) would send us to another repository than `root`.
    environment = {k: v for k, v in os.environ.items() if k not in {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"}}
    environment |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *args], capture_output=True, check=False, env=environment, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError:
        raise GitError("git is not installed", hint="install git; it is needed for revisions") from None
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit code {done.returncode}"]
        raise GitError(f"git {args[0]}: {words[-1].removeprefix('fatal: ')}")
    return done.stdout


def archive(root: Path, rev: str, parts: Sequence[str] = ()) -> bytes:
    """A tar of the tree of `rev`, below `root` alone; with `parts`, of those files and folders that are there."""
    commit = resolve(root, rev)
    if not parts:
        return run(root, "archive", "--format=tar", commit)
    # A part that is not there would be an error.
    there = run(root, "ls-tree", "--name-only", "-z", commit).decode().split("\0")
    chosen = [part for part in parts if part in there]
    return run(root, "archive", "--format=tar", commit, "--", *chosen) if chosen else b""


def resolve(root: Path, rev: str) -> str:
    """The commit id that `rev` names."""
    if rev.startswith("-"):
        raise GitError(f"not a revision: {rev!r}")
    try:
        return run(root, "rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}").decode().strip()
    except GitError:
        inside = is_repository(root)
        start = "commit the survey first: git init; git add -A; git commit -m 'Start'"
        hint = "list revisions with 'git log --oneline'" if inside and rev != "HEAD" else start
        if inside and run(root, "rev-parse", "--is-shallow-repository").strip() == b"true":
            hint = "this clone is shallow; fetch the rest of its history with: git fetch --unshallow"
        reason = f"no such revision: {rev}" if inside else f"{root.name} is not in a git repository"
        raise GitError(reason, hint=hint) from None


def history(root: Path, rev: str) -> tuple[str, ...]:
    """Commit ids that touched anything below `root`, oldest first, along the first parents of `rev`."""
    listed = run(root, "rev-list", "--first-parent", "--reverse", resolve(root, rev), "--", ".")
    return tuple(listed.decode().split())


def date(root: Path, rev: str) -> str:
    """When a revision was committed (RFC 3339, UTC)."""
    from datetime import UTC, datetime

    seconds = int(run(root, "show", "--no-patch", "--format=%ct", resolve(root, rev)))
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def describe(root: Path, rev: str) -> str:
    """`1a2b3c4 (2026-05-04): Subject`."""
    return run(root, "show", "--no-patch", "--format=%h (%cs): %s", resolve(root, rev)).decode().strip()


def is_repository(root: Path) -> bool:
    """Whether `root` lies in a git work tree."""
    try:
        return run(root, "rev-parse", "--is-inside-work-tree").strip() == b"true"
    except GitError:
        return False
