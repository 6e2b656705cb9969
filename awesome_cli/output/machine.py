"""Write reports as JSON and CSV, whose schemas are a public contract."""

from collections.abc import Mapping

from awesome_cli.reports.report import Cell, Report, Toned
from awesome_cli.text.inert import to_csv, to_json
from awesome_cli.text.numbers import precise


def write_json(report: Report, indent: int | None = 2) -> str:
    """Write an object with `schema`, `data` and, if any, `findings`; without `indent`, on one line."""
    answer: dict[str, object] = {"schema": report.schema, "data": report.data}
    if report.findings is not None:
        answer["findings"] = list(report.findings)
    return to_json(_rounded(answer), indent=indent) + "\n"


def _rounded(value: object) -> object:
    match value:
        case str():
            return value
        case Mapping():
            return {name: _rounded(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_rounded(inner) for inner in value]
        case float():
            return precise(value)
    return value


def write_csv(report: Report, *, raw: bool = False) -> str:
    """Write the report's table with a header row; unless `raw`, escape cells that a spreadsheet would evaluate."""
    table = report.table()
    return to_csv((table.columns, *(map(_cell, row) for row in table.rows)), raw=raw)


def _cell(cell: Cell) -> object:
    """Join lists by `; `, and write booleans and numbers as in JSON."""
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
