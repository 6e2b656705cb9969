"""Write a report to a stream: one small module per medium, none of which judges anything."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TextIO

from awesome_cli.output import machine, markdown, plain
from awesome_cli.report import Report


class Format(StrEnum):
    """The formats of every answer."""

    TEXT = "text"
    MD = "md"
    JSON = "json"
    CSV = "csv"


WRITERS: Mapping[Format, Callable[[Report], str]] = {
    Format.TEXT: plain.write,
    Format.MD: markdown.write,
    Format.JSON: machine.write_json,
    Format.CSV: machine.write_csv,
}


def write(report: Report, form: Format, stream: TextIO, *, color: bool) -> None:
    """Write `report` to `stream`; `color` asks for rich tables, for a terminal."""
    if form is Format.TEXT and color:
        from awesome_cli.output import terminal

        terminal.write(report, stream)
    else:
        stream.write(WRITERS[form](report))
