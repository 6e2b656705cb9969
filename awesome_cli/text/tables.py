"""Read small handwritten tables in CSV, TSV or JSON Lines, with the position of each cell for errors.

The line `alice,3` under the header `name,score` yields `{"name": Cell("alice", "t.csv:2:1"), "score": Cell("3", …)}`.
"""

import csv
import json
from collections.abc import Collection, Iterator
from math import isfinite, nan
from pathlib import Path
from typing import NamedTuple

from awesome_cli.errors import AwesomeError, UsageError, reason
from awesome_cli.text.known import listed, shown, unknown


class Cell(NamedTuple):
    """The text of a cell and its position as `path:line:column`."""

    text: str
    place: str

    def error(self, message: str, hint: str | None = None) -> AwesomeError:
        return AwesomeError(f"{self.place}: {message}", hint=hint)

    def number(self) -> float:
        """Return the cell as a finite number; raises `AwesomeError` for any other text."""
        try:
            value = float(self.text)
        except ValueError:
            value = nan
        if not isfinite(value):
            raise self.error(f"{shown(self.text)} is not a finite number")
        return value


def read_table(path: Path, columns: Collection[str]) -> Iterator[dict[str, Cell]]:
    """Yield the rows of a table by column, in the format of the file's suffix; missing cells are empty.

    Raises `UsageError` for an unreadable file, and `AwesomeError` with the position for an unknown column, a wrong
    number of cells, a syntax error or a table without rows.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig").rstrip("\r\n")
    except OSError as error:
        raise UsageError(f"cannot read the table: {reason(error)}") from error
    except UnicodeDecodeError as error:
        raise AwesomeError(f"{path} is not UTF-8 text", hint="save the table as UTF-8") from error
    rows = list(_json_lines(text, path) if path.suffix in (".jsonl", ".ndjson") else _delimited(text, path))
    if not rows:
        raise Cell("", f"{path}:1:1").error("the table has no rows", listed(columns))
    for names, cells in rows:
        for name in names:
            if name.text not in columns:
                raise name.error(unknown(name.text, columns, "column"), listed(columns))
        row = {name.text: cell for name, cell in zip(names, cells, strict=True)}
        yield dict.fromkeys(columns, Cell("", cells[0].place)) | row


def _delimited(text: str, path: Path) -> Iterator[tuple[list[Cell], list[Cell]]]:
    lines = text.split("\n")
    reader = csv.reader(lines, delimiter="\t" if path.suffix == ".tsv" else ",", strict=True)
    header: list[Cell] = []
    try:
        for values in filter(None, reader):
            cells, at = list[Cell](), 0
            for value in values:
                at = max(lines[reader.line_num - 1].find(value, at), at)
                cells.append(Cell(value.strip(), f"{path}:{reader.line_num}:{at + 1}"))
                at += len(value) + 1
            if header and len(cells) != len(header):
                raise cells[-1].error(f"expected {len(header)} cells as in the header, got {len(cells)}")
            if header:
                yield header, cells
            header = header or cells
    except csv.Error as error:
        raise Cell("", f"{path}:{reader.line_num}:1").error(f"not CSV: {error}") from error


def _json_lines(text: str, path: Path) -> Iterator[tuple[list[Cell], list[Cell]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                members = json.loads(line)
            except (ValueError, RecursionError) as error:
                column = getattr(error, "colno", 1)
                raise Cell(line, f"{path}:{number}:{column}").error(f"not JSON: {error}") from error
            if not isinstance(members, dict) or not members:
                raise Cell(line, f"{path}:{number}:1").error("expected a non-empty JSON object")
            places = [f"{path}:{number}:{line.find(json.dumps(name)) + 1}" for name in members]
            values = ["" if value is None else str(value) for value in members.values()]
            yield list(map(Cell, members, places)), list(map(Cell, values, places))
