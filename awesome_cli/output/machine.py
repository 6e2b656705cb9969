"""JSON and CSV: the contracts with other programs."""

import csv
import io
import json

from awesome_cli.reports.report import Report, Toned


def write_json(report: Report) -> str:
    """One object with `schema`, `data` and, where there are any, `findings`."""
    answer: dict[str, object] = {"schema": report.schema, "data": report.data}
    if report.findings is not None:
        answer["findings"] = list(report.findings)
    return json.dumps(answer, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def write_csv(report: Report) -> str:
    """The report's table with a header row; empty if the report has no table."""
    table = report.table()
    if table is None:
        return ""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_cell(cell) for cell in row] for row in table.rows)
    return buffer.getvalue()


def _cell(cell: object) -> object:
    return cell.text if isinstance(cell, Toned) else cell
