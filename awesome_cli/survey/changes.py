"""Planned changes of files, reported as a list or as a unified diff."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from awesome_cli.reports.report import Code, Report, Section, Table, Text


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a file: its path, and its bytes before and after (None if the file does not exist)."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def verb(self) -> str:
        """The kind of change: `create`, `change` or `delete`."""
        if self.before is None:
            return "create"
        return "delete" if self.after is None else "change"


Changes = tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Planned file changes, with warnings and with a message for each input that failed.

    `unchanged` lists requested files that already have the wanted content. `left` lists changes that the diff shows
    but that are not made.
    """

    changes: Changes
    warnings: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    left: Changes = ()

    def to_report(self, *, written: bool) -> Report:
        """Report each file that was changed (`written`) or would be changed."""
        done = {"create": "created", "change": "changed", "delete": "deleted"}
        labels = done if written else {verb: f"would {verb}" for verb in done}
        lines = [Text(f"{labels[change.verb]} {change.path}") for change in self.changes]
        lines += [Text(f"unchanged {path}") for path in self.unchanged]
        unchanged = [("unchanged", path) for path in self.unchanged]
        return Report(
            schema="awesome/changes/1",
            data={
                "written": written,
                "changes": [{"path": c.path, "verb": c.verb} for c in self.changes],
                "unchanged": list(self.unchanged),
                "failed": list(self.failed),
            },
            sections=(Section(None, tuple(lines or [Text("nothing to change")])),),
            rows=Table.of(("verb", "path"), [*((c.verb, c.path) for c in self.changes), *unchanged]),
        )

    def to_diff(self) -> Report:
        """Report the plan as a unified diff."""
        text, left = diff(self.changes), diff(self.left)
        blocks: list[Text | Code] = [Code(text, "diff") if text else Text("nothing to change")]
        if left:
            blocks += [Text("File left unchanged; this version would write:"), Code(left, "diff")]
        return Report(
            schema="awesome/changes/1",
            data={"written": False, "changes": [{"path": c.path, "verb": c.verb} for c in self.changes], "diff": text},
            sections=(Section(None, tuple(blocks)),),
            rows=Table.of(
                ("verb", "path", "diff"), [(c.verb, c.path, diff((c,))) for c in self.changes], title="changes"
            ),
        )


def diff(changes: Sequence[Change]) -> str:
    """Return changes as a unified diff."""
    return "".join(line for change in changes for line in _diff(change))


def _diff(change: Change) -> Iterator[str]:
    before, after = (
        [] if data is None else data.decode(errors="replace").splitlines(keepends=True)
        for data in (change.before, change.after)
    )
    old = "/dev/null" if change.before is None else f"a/{change.path}"
    new = "/dev/null" if change.after is None else f"b/{change.path}"
    if b"\0" in (change.before or b"") + (change.after or b""):
        yield f"Binary files {old} and {new} differ\n"
        return
    for line in difflib.unified_diff(before, after, old, new):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
