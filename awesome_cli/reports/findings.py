"""Findings: an error or remark, its location and its fix."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from awesome_cli.reports.report import Report, Section, Table, Text, Tone, Toned
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.numbers import counted, shortened


class Level(StrEnum):
    """Severity of a finding; only errors make a check fail."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


RANK = {Level.ERROR: 0, Level.WARNING: 1, Level.NOTE: 2}
TONE: dict[Level, Tone] = {Level.ERROR: "bad", Level.WARNING: "warn", Level.NOTE: "note"}


COLUMNS = ("code", "level", "path", "line", "column", "key", "field", "message", "fix", "pointer")
"""The fields of a finding, in the order of CSV and JSON."""


@dataclass(frozen=True, slots=True)
class RawFinding:
    """A finding without line numbers; `route` locates a value by field names and indexes.

    `at_key` selects the field's name instead of its value. `place` is `(line, column)`, for syntax errors.
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
    """A finding at a line and column (from 1), with the command or edit that fixes it.

    `pointer` is a JSON pointer, for findings in JSON documents.
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
        """Return the JSON form, a public contract: fields may be added, never renamed."""
        data = {name: getattr(self, name) for name in COLUMNS} | {"level": self.level.value}
        if self.pointer is None:
            del data["pointer"]
        return data


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort findings by file, line, column and level."""
    return tuple(sorted(findings, key=lambda f: (f.path, f.line, f.column, RANK[f.level], f.code, f.message)))


def count(findings: Sequence[Finding]) -> dict[Level, int]:
    """Count findings by level, including zeros."""
    return {level: sum(f.level is level for f in findings) for level in Level}


def is_bad(findings: Sequence[Finding], *, strict: bool = False) -> bool:
    """Return True for an error, or with `strict` a warning."""
    worst = RANK[Level.WARNING] if strict else RANK[Level.ERROR]
    return any(RANK[f.level] <= worst for f in findings)


def summary(findings: Sequence[Finding]) -> str:
    """Summarize findings: `2 errors, 1 warning`, or `no findings`."""
    return ", ".join(counted(n, level.value) for level, n in count(findings).items() if n) or "no findings"


def _sentence(finding: Finding) -> str:
    where = finding.pointer if finding.pointer is not None else f"{finding.line}:{finding.column}"
    return f"{finding.path}:{where}: {finding.code} {finding.message}"


SHOWN = 3
"""Maximum number of further places of a finding that are named."""


def _by_cause(findings: Sequence[Finding]) -> Iterator[tuple[Finding, str]]:
    """Yield the first finding with each code and message, with the places of the others."""
    for first, *others in group_pairs(((finding.code, finding.message), finding) for finding in findings).values():
        places = shortened([f"{f.path}:{f.line}" for f in others], SHOWN)
        yield first, _sentence(first) + (f"\n    also: {places}" if others else "")


def to_report(
    findings: Sequence[Finding],
    *,
    schema: str,
    data: Mapping[str, object],
    checked: str,
    sentences: Iterable[tuple[Finding, str]] | None = None,
) -> Report:
    """Build a report of findings, with one CSV row per finding; `checked` describes the input, such as `25 records`.

    `sentences` replaces the default text per finding.
    """
    rows = tuple(f.to_json() for f in findings)
    blocks: list[Text | Table] = []
    for f, text in sentences if sentences is not None else _by_cause(findings):
        blocks.append(Text(text + (f"\n    fix: {f.fix}" if f.fix else ""), TONE[f.level], f.code))
    verdict = Toned(summary(findings), "bad" if is_bad(findings) else "good")
    blocks.append(Text(f"{checked}: {verdict}", verdict.tone))
    return Report(
        schema=schema,
        data=data,
        sections=(Section(None, tuple(blocks)),),
        rows=Table.of(COLUMNS, [[row.get(name) for name in COLUMNS] for row in rows]),
        findings=rows,
    )
