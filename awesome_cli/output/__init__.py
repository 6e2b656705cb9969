"""Write reports: one module for each kind of output."""

from collections.abc import Mapping
from enum import StrEnum

from awesome_cli.reports.report import Report


class Format(StrEnum):
    """The output formats of every report."""

    TEXT = "text"
    MD = "md"
    JSON = "json"
    CSV = "csv"
    LATEX = "latex"


PROSE = frozenset({Format.TEXT, Format.MD})
"""The formats for people."""


def to_text(report: Report, form: Format, *, raw: bool = False, cites: Mapping[str, str] | None = None) -> str:
    """Write a report for a pipe or a file; `raw` does not escape CSV cells that a spreadsheet would evaluate.

    `cites` are citation keys by key of the paper, for LaTeX.
    """
    # Each command imports only the writer it needs.
    match form:
        case Format.MD:
            from awesome_cli.output import markdown

            return markdown.write(report)
        case Format.JSON | Format.CSV:
            from awesome_cli.output import machine

            return machine.write_json(report) if form is Format.JSON else machine.write_csv(report, raw=raw)
        case Format.LATEX:
            from awesome_cli.output import latex

            return latex.write(report, cites or {})
        case Format.TEXT:
            from awesome_cli.output import plain

            return plain.write(report)
