"""JSON and CSV: the contracts with other programs."""

import math
from collections.abc import Mapping

from awesome_cli.reports.report import Cell, Report, Toned
from awesome_cli.text.inert import to_csv, to_json
from awesome_cli.text.numbers import precise


def write_json(report: Report) -> str:
    """One object with `schema`, `data` and, where there are any, `findings`."""
    answer: dict[str, object] = {"schema": report.schema, "data": report.data}
    if report.findings is not None:
        answer["findings"] = list(report.findings)
    return to_json(_rounded(answer), indent=2, allow_nan=False) + "\n"


def _rounded(value: object) -> object:
    match value:
        case Mapping():
            return {name: _rounded(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_rounded(inner) for inner in value]
        case float():
            # JSON has no infinite number; a sum of very large ones can be that.
            return precise(value) if math.isfinite(value) else None
    return value


def write_csv(report: Report, *, raw: bool = False) -> str:
    """The report's table with a header row; unless `raw`, no cell is a formula for a spreadsheet."""
    table = report.table()
    return to_csv((table.columns, *(map(_cell, row) for row in table.rows)), raw=raw)


def _cell(cell: Cell) -> object:
    """Lists are joined by `; `, truth is `true` or `false`, and a number is written as in JSON."""
    match cell:
        case Toned():
            return str(cell)
        case tuple():
            return "; ".join(cell)
        case bool():
            return str(cell).lower()
        case float():
            return precise(cell)
    return cell
