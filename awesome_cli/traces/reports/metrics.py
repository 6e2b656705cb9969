"""The report of `awesome trace metrics`."""

from collections.abc import Mapping, Sequence
from typing import Any

from awesome_cli.reports.report import Block, Report, Section, Table, Text, Toned
from awesome_cli.text.numbers import counted
from awesome_cli.traces.cells import by_axis, exercised
from awesome_cli.traces.metrics import METRICS
from awesome_cli.traces.reports.one_run import single
from awesome_cli.traces.rows import BASELINE, COLUMNS, DIGESTS, IDENTITY, Analysis, cell_columns, table_row


def metrics_row(analysis: Analysis) -> dict[str, Any]:
    """The published form of a trace's metrics."""
    row = analysis.row
    head = {name: row[name] for name in (*IDENTITY, *DIGESTS, *BASELINE)}
    if row["error"] is not None:
        return {**head, "values": None, "not_computable": None, "details": None, "error": row["error"]}
    values = {name: row[name] for name in METRICS}
    cells = {"taxonomy": by_axis(analysis.cells)} if analysis.cells else {}
    return {
        **head,
        "values": values,
        "not_computable": dict(analysis.not_computable),
        "details": analysis.details or None,
        **cells,
    }


def metrics_report(
    analyses: Sequence[Analysis], groups: Mapping[str, Mapping[str, Any]], *, priced: bool = False
) -> Report:
    """One trace by question, many as a table of the decisive metrics; then groups.

    With prices (`priced`) the text says what the runs cost, or why that is unknown. CSV has all columns; of one trace
    also the lists that JSON has, under its row.
    """
    rows = [metrics_row(a) for a in analyses]
    blocks: list[Block] = [Text(a.row["error"], "bad") for a in analyses if a.row["error"]]
    good = [a for a in analyses if a.row["error"] is None]
    if len(good) > 1:
        blocks.append(overview(good, priced=priced))
    sections = [Section(None, tuple(blocks))] if blocks else []
    if len(good) == 1:
        sections += single(good[0], priced=priced)
    sections += [group_section(name, summaries) for name, summaries in groups.items() if summaries]
    cells = exercised([a.cells for a in good if a.cells])
    sections += cell_sections(cells)
    columns = cell_columns(analyses)
    table = Table.of((*COLUMNS, *columns), [[*table_row(a, columns).values()] for a in analyses])
    below = lists(analyses[0]) if len(analyses) == 1 else ()
    return Report(
        schema="awesome/trace-metrics/1",
        data={"rows": rows, "groups": groups, **({"taxonomy": cells} if cells else {})},
        sections=tuple(sections),
        rows=(table, *below) if below else table,
    )


def lists(analysis: Analysis) -> tuple[Table, ...]:
    """The lists of one run as tables."""
    found = ((name, rows) for name, rows in analysis.details.items() if isinstance(rows, list) and rows)
    return tuple(Table.of([*rows[0]], [[*row.values()] for row in rows], title=name) for name, rows in found)


OVERVIEW = (
    "trace_id", "events", "agents", "critical_steps", "potential_speedup_steps", "achieved_speedup",
    "protocol_overhead", "wasted_work", "tokens", "reward", "errors", "warnings",
)  # fmt: skip


def overview(good: Sequence[Analysis], *, priced: bool) -> Table:
    """The decisive columns of many traces."""
    columns = (*OVERVIEW[:-3], "cost_usd", *OVERVIEW[-3:]) if priced else OVERVIEW
    rows = [[a.row[name] for name in columns] for a in good]
    return Table.of(columns, rows, title=counted(len(good), "trace"), note="All columns: --format csv, or --out FILE.")


GROUP_COLUMNS = ("n", "success", "deviation", "cost_per_success", "tokens_per_success", "error_amplification", "shapes")


def group_section(name: str, summaries: Mapping[str, Any]) -> Section:
    """One line per group."""
    rows = [[key, *(summary[column] for column in GROUP_COLUMNS)] for key, summary in summaries.items()]
    return Section(f"By {name}", (Table.of((name, *GROUP_COLUMNS), rows),))


def cell_sections(axes: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> list[Section]:
    """Which terms are exercised, as one table per axis."""
    columns = ("term", "state", "traces", "events", "reward channels")
    states = Toned("never", "warn"), Toned("exercised", "good")
    sections = []
    for axis, terms in axes.items():
        lines = [
            (term, states[cell["traces"] > 0], cell["traces"], cell["events"], ", ".join(cell["rewards"]))
            for term, cell in terms.items()
        ]
        sections.append(Section(f"Taxonomy: {axis}", (Table.of(columns, lines),)))
    return sections
