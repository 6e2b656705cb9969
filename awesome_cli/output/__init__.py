"""Write a report to a stream: one small module per medium."""

from enum import StrEnum

from awesome_cli.reports.report import Report


class Format(StrEnum):
    """The formats that every answer has."""

    TEXT = "text"
    MD = "md"
    JSON = "json"
    CSV = "csv"


PROSE = frozenset({Format.TEXT, Format.MD})
"""The formats for people."""


def to_text(report: Report, form: Format, *, raw: bool = False) -> str:
    """The report in a format, as it goes into a pipe or a file; `raw` leaves the cells of CSV as they are."""
    # Each writer is imported where it is used: a command needs one of them.
    match form:
        case Format.MD:
            from awesome_cli.output import markdown

            return markdown.write(report)
        case Format.JSON | Format.CSV:
            from awesome_cli.output import machine

            return machine.write_json(report) if form is Format.JSON else machine.write_csv(report, raw=raw)
        case Format.TEXT:
            from awesome_cli.output import plain

            return plain.write(report)
