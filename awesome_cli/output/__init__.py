"""Write a report to a stream: one small module per medium."""

from enum import StrEnum
from typing import TextIO

from awesome_cli.reports.report import Report


class Format(StrEnum):
    """The formats that every answer has."""

    TEXT = "text"
    MD = "md"
    JSON = "json"
    CSV = "csv"


def write(report: Report, form: Format, stream: TextIO, *, color: bool) -> None:
    """Write `report` to `stream`; `color` asks for rich tables, for a terminal."""
    if form is Format.TEXT and color:
        from awesome_cli.output import terminal

        terminal.write(report, stream)
    else:
        stream.write(to_text(report, form))


def to_text(report: Report, form: Format) -> str:
    """The report in a format, as it goes into a pipe or a file."""
    # Each writer is imported where it is used: a command needs one of them.
    match form:
        case Format.MD:
            from awesome_cli.output import markdown

            return markdown.write(report)
        case Format.JSON:
            from awesome_cli.output import machine

            return machine.write_json(report)
        case Format.CSV:
            from awesome_cli.output import machine

            return machine.write_csv(report)
        case Format.TEXT:
            from awesome_cli.output import plain

            return plain.write(report)
