"""The report of `awesome trace rows`."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from awesome_cli.reports.report import Block, Bullets, Report, Section, Table, Text
from awesome_cli.text.numbers import counted

SHOWN = ("k", "agent", "decision", "with", "turn", "tokens_out", "return_to_go", "group_relative_credit")
HEADINGS = ("k", "agent", "decision", "with", "turn", "tokens out", "return", "advantage")
FIRST = 40


def decisions_report(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> Report:
    """The decisive columns of the first rows, and why columns are null; CSV and JSON have all rows and columns."""
    many = len({(row["path"], row["line"]) for row in rows}) > 1
    heads = ("trace", *HEADINGS) if many else HEADINGS
    cells = [_cells(row, many=many) for row in rows[:FIRST]]
    left = len(rows) - len(cells)
    note = f"{counted(left, 'more row')}. All rows and columns: --out FILE, or --format csv" if left else None
    blocks: list[Block] = [Table.of(heads, cells, title=counted(len(rows), "decision"), note=note)]
    missing = Counter(reason for row in rows if row["missing"] for reason in row["missing"].split("; "))
    if missing:
        reasons = tuple(f"{reason} ({counted(n, 'row')})" for reason, n in missing.items())
        blocks += [Text("Null columns, and what is missing:"), Bullets(reasons)]
    return Report(
        schema="awesome/trace-rows/1",
        data={"rows": list(rows)},
        sections=(Section(None, tuple(blocks)),),
        rows=Table.of(columns, [[row[name] for name in columns] for row in rows]),
    )


def _cells(row: dict[str, Any], *, many: bool) -> list[Any]:
    shown = [row["to"] or row["tool"] if name == "with" else row[name] for name in SHOWN]
    return [row["trace_id"], *shown] if many else shown
