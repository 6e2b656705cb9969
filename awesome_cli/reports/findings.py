"""Findings: what is wrong, where, and what corrects it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from awesome_cli.reports.report import Report, Section, Table, Text, Tone, Toned
from awesome_cli.text.numbers import counted


class Level(StrEnum):
    """How much a finding matters: only errors make a check fail."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


RANK = {Level.ERROR: 0, Level.WARNING: 1, Level.NOTE: 2}
TONE: dict[Level, Tone] = {Level.ERROR: "bad", Level.WARNING: "warn", Level.NOTE: "note"}


COLUMNS = ("code", "level", "path", "line", "column", "key", "field", "message", "fix", "pointer")
"""The fields of a finding, in the order of CSV and JSON."""


@dataclass(frozen=True, slots=True)
class RawFinding:
    """A finding before its line is known: what is wrong, and where, by a route of field names and indexes.

    `at_key` points to the field's name instead of its value; `place` is known already where the file's text is wrong.
    """

    code: str
    path: str
    route: tuple[str | int, ...]
    message: str
    fix: str | None = None
    key: str | None = None
    at_key: bool = False
    place: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong at a place (line and column count from 1), and the command or edit that fixes it.

    `pointer` is a JSON pointer, for findings in JSON documents, where a line says little.
    """

    code: str
    level: Level
    message: str
    path: str
    line: int = 1
    column: int = 1
    key: str | None = None
    field: str | None = None
    fix: str | None = None
    pointer: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The published form: fields may be added, never renamed."""
        data = {name: getattr(self, name) for name in COLUMNS} | {"level": self.level.value}
        if self.pointer is None:
            del data["pointer"]
        return data


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """By place, then code: the order in which a person works through a file."""
    return tuple(sorted(findings, key=lambda f: (f.path, f.line, f.column, RANK[f.level], f.code, f.message)))


def count(findings: Sequence[Finding]) -> dict[Level, int]:
    """How many findings of each level, zeros included."""
    return {level: sum(f.level is level for f in findings) for level in Level}


def is_bad(findings: Sequence[Finding], *, strict: bool = False) -> bool:
    """Return True for an error, or with `strict` a warning."""
    worst = RANK[Level.WARNING] if strict else RANK[Level.ERROR]
    return any(RANK[f.level] <= worst for f in findings)


def summary(findings: Sequence[Finding]) -> str:
    """`2 errors, 1 warning`, or `no findings`."""
    return ", ".join(counted(n, level.value) for level, n in count(findings).items() if n) or "no findings"


def _sentence(finding: Finding) -> str:
    where = finding.pointer if finding.pointer is not None else f"{finding.line}:{finding.column}"
    return f"{finding.path}:{where}: {finding.code} {finding.message}"


def to_report(
    findings: Sequence[Finding],
    *,
    schema: str,
    data: Mapping[str, object],
    checked: str,
    sentences: Iterable[tuple[Finding, str]] | None = None,
) -> Report:
    """A report whose CSV has a row per finding; `checked` says what was looked at.

    `sentences` are for people: one of each finding unless given.
    """
    listed = tuple(f.to_json() for f in findings)
    blocks: list[Text | Table] = []
    for f, text in sentences if sentences is not None else ((f, _sentence(f)) for f in findings):
        blocks.append(Text(text + (f"\n    fix: {f.fix}" if f.fix else ""), TONE[f.level], f.code))
    verdict = Toned(summary(findings), "bad" if is_bad(findings) else "good")
    blocks.append(Text(f"{checked}: {verdict}", verdict.tone))
    return Report(
        schema=schema,
        data=data,
        sections=(Section(None, tuple(blocks)),),
        rows=Table.of(COLUMNS, [[one.get(name) for name in COLUMNS] for one in listed]),
        findings=listed,
    )
