"""The status of a survey: problems, stale files and open tasks, with the command for each task."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from awesome_cli.reports.findings import Level
from awesome_cli.reports.report import Report, Section, Table, Text
from awesome_cli.text.numbers import counted

ENDED = ("id", "status", "on", "by", "records", "text")
AUDITS = ("audit", "day", "second coder", "papers", "blind", "choice of papers", "axes")


@dataclass(frozen=True, slots=True)
class OpenTask:
    """A task, the number of items to do, and the command for the task."""

    what: str
    n: int
    command: str


@dataclass(frozen=True)
class SurveyStatus:
    """Counts, tasks in order of urgency, and claims that were revised or withdrawn."""

    counts: dict[str, int]
    tasks: tuple[OpenTask, ...]
    title: str
    audits: tuple[Mapping[str, Any], ...] = ()
    ended: tuple[Mapping[str, Any], ...] = ()
    findings: Mapping[Level, int] = field(default_factory=dict)

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> "SurveyStatus":
        """Build a status from its fields as in JSON."""
        tasks, findings = fields["tasks"], fields["findings"]
        levels = {Level(name): n for name, n in findings.items()}
        return cls(**{**fields, "tasks": tuple(OpenTask(**task) for task in tasks), "findings": levels})

    @property
    def next(self) -> str:
        """The command to run next: that of the first task, or a command that adds records."""
        return self.tasks[0].command if self.tasks else "awesome add REFERENCE, or awesome import FILE"

    def to_report(self) -> Report:
        """Return the report; its last line is the next command."""
        findings = [(f"{level.value}s", self.findings.get(level, 0)) for level in Level]
        blocks: list[Text | Table] = [Text(", ".join(counted(n, name[:-1]) for name, n in self.counts.items()))]
        if sum(self.findings.values()):
            problems = ", ".join(counted(n, name[:-1]) for name, n in findings)
            blocks.append(Text(f"Problems ('awesome validate'): {problems}"))
        tasks = [(task.what, task.n, task.command) for task in self.tasks]
        if tasks:
            rows = [(n, what, command) for what, n, command in tasks]
            blocks.append(Table.of(("n", "to do", "command"), rows))
        if self.audits:
            blocks.append(Text(f"Second codings: {len(self.audits)} ('awesome audit')"))
        if self.ended:
            blocks.append(Text(f"Claims revised or withdrawn: {len(self.ended)} ('awesome claims check --all')"))
        done = f"Nothing to do. Next: {self.next}"
        blocks.append(Text(f"Next: {self.next}", "strong") if tasks else Text(done, "good"))
        data = {
            "title": self.title,
            "counts": self.counts,
            "findings": dict(findings),
            "ended_claims": [claim["text"] for claim in self.ended],
            "ended": [{name: claim[name] for name in ENDED[:-1]} for claim in self.ended],
            "next": self.next,
            "tasks": [asdict(task) for task in self.tasks],
            "audits": list(self.audits),
        }
        tables = (
            Table.of(("what", "n"), list(self.counts.items()), title="counts"),
            Table.of(("what", "n", "command"), tasks, title="tasks"),
            replace(_table(AUDITS, self.audits), title="audits"),
            replace(_table(ENDED, self.ended), title="ended claims"),
            Table.of(("what", "n"), findings, title="findings"),
            Table.of(("command",), [(self.next,)], title="next"),
        )
        return Report("awesome/status/1", data, (Section(None, tuple(blocks)),), self.title, tables)


def _table(columns: tuple[str, ...], rows: tuple[Mapping[str, Any], ...]) -> Table:
    cells = ((tuple(cell) if isinstance(cell, list) else cell for cell in row.values()) for row in rows)
    return Table.of(columns, [tuple(row) for row in cells])
