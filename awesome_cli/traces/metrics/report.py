"""The report of metrics: one run by question, or several runs as a table with summaries of groups."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from awesome_cli.reports.report import Block, Report, Section, Table, Text, Toned
from awesome_cli.text.numbers import counted, short, spell_seconds
from awesome_cli.traces.cells import exercised
from awesome_cli.traces.metrics import METRICS, QUESTIONS
from awesome_cli.traces.rows import BASELINE, COLUMNS, DIGESTS, IDENTITY, Analysis, with_cells
from awesome_cli.traces.sources import place
from awesome_cli.traces.usage import NO_PRICES

FIRST = 10
"""The maximum number of lines of a list in the text; JSON has all lines."""
UNITLESS = {"ratio", "0 or 1", "reward", "any"}


def single(analysis: Analysis) -> Iterator[Section]:
    """Yield a section for each question about one run, and a last section with the number of null metrics."""
    row, more = analysis.row, analysis.details
    yield Section(f"{place(row['path'], row['line'])} ({row['trace_id']})", ())
    for warning in warnings(row):
        yield Section(None, (Text(warning, "warn"),))
    if (why := analysis.not_computable.get("cost_usd", NO_PRICES)) != NO_PRICES:
        yield Section(None, (Text(f"The cost is unknown: {why}.", "warn"),))
    for question, names in QUESTIONS.items():
        values = [(name, spelled(name, row[name])) for name in names if row[name] is not None]
        extra = tuple(LISTS[question](more)) if more and question in LISTS else ()
        if values or extra:
            yield Section(question, (Table.of(("metric", "value"), values), *extra))
    if missing := len(analysis.not_computable):
        null = f"{counted(missing, 'metric')} null (why: --format json; what: awesome explain METRIC)"
        yield Section(None, (Text(null, "muted"),))


def warnings(row: Mapping[str, Any]) -> Iterator[str]:
    """Warn that tokens or costs are lower bounds, because some events or agents do not record them."""
    some, none, without = row["tokens_partial"], row["agents_without_tokens"], row["cost_partial"]
    parts = [f"{counted(some, 'event')} with only a part of the tokens"] if some else []
    parts += [f"{counted(none, 'agent')} with none"] if none else []
    if parts:
        yield f"Tokens and costs are lower bounds: {'; '.join(parts)}."
    if without:
        yield f"Costs are lower bounds: cost_usd is missing for {counted(without, 'model call')}."


def spelled(name: str, value: float) -> str:
    unit = METRICS[name].unit
    if unit == "s":
        return spell_seconds(value)
    if unit == "share":
        return f"{short(value * 100)} %"
    if isinstance(value, int) and unit.endswith("s"):
        return counted(value, unit.removesuffix("s"))
    number = f"{value:,}" if isinstance(value, int) else short(value)
    return number if unit in UNITLESS else f"{number} {unit}"


def cost_blocks(more: Mapping[str, Any]) -> Iterator[Block]:
    for name, title in (("by_role", "role"), ("by_sub_decision", "sub-decision")):
        columns = (title, "events", "tokens", "time", f"cost ({more['currency']})" if more["currency"] else "cost")
        rows = [(part["name"], part["events"], *spending(part)) for part in more[name]]
        if len(rows) > 1 and any(part["tokens"] or part["work_s"] for part in more[name]):
            yield cut(columns, rows)


def spending(part: Mapping[str, Any]) -> list[str | None]:
    spell = {"tokens": "{:,}".format, "work_s": spell_seconds, "cost": short}
    return [None if part.get(name) is None else spelling(part[name]) for name, spelling in spell.items()]


def path_blocks(more: Mapping[str, Any]) -> Iterator[Block]:
    """Yield a table of the longest events of the critical path."""
    path = more["critical_path"]
    longest = sorted(range(len(path)), key=lambda i: -(path[i]["work_s"] or 0))[:FIRST]
    rows = [
        (event["id"], event["agent"], event["tool"] or event["type"], spending(event)[1])
        for event in (path[i] for i in sorted(longest))
    ]
    if rows:
        title = f"Critical path: {counted(len(path), 'event')}, the longest of them in their order"
        yield Table.of(("event", "agent", "what", "time"), rows, title=title)


def unread_blocks(more: Mapping[str, Any]) -> Iterator[Block]:
    if rows := [(event["id"], event["agent"], *spending(event)) for event in more["unread"]]:
        yield cut(("return", "agent", "tokens", "time", "cost"), rows)


def cut(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    """Return a table of the first rows, with a note that counts the rest. An empty last column is dropped."""
    if all(row[-1] is None for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    rest = len(rows) - FIRST
    return Table.of(columns, rows[:FIRST], note=f"{rest:,} more: --format json" if rest > 0 else None)


LISTS = {
    "What it cost": cost_blocks,
    "Where it waited": path_blocks,
    "What nobody read": unread_blocks,
}


def metrics_row(analysis: Analysis) -> dict[str, Any]:
    """Return the JSON form of a trace's metrics."""
    row = analysis.row
    head = {name: row[name] for name in (*IDENTITY, *DIGESTS, *BASELINE)}
    if row["error"] is not None:
        return {**head, "values": None, "not_computable": None, "details": None, "error": row["error"]}
    return {
        **head,
        "values": {name: row[name] for name in METRICS},
        "not_computable": dict(analysis.not_computable),
        "details": analysis.details or None,
        **({"taxonomy": analysis.cells} if analysis.cells else {}),
    }


def metrics_report(analyses: Sequence[Analysis], groups: Mapping[str, Mapping[str, Any]]) -> Report:
    """Report a single trace by question, or several traces as a table of the main metrics; then the groups.

    CSV has all columns. For a single trace, CSV also has the lists of the JSON output, below the trace's row.
    """
    rows = [metrics_row(a) for a in analyses]
    blocks: list[Block] = [Text(a.row["error"], "bad") for a in analyses if a.row["error"]]
    good = [a for a in analyses if a.row["error"] is None]
    if len(good) > 1:
        shown = [name for name in OVERVIEW if name != "cost_usd" or any(a.row[name] is not None for a in good)]
        values = [[a.row[name] for name in shown] for a in good]
        note = "All columns: --format csv, or --out FILE."
        blocks.append(Table.of(shown, values, title=counted(len(good), "trace"), note=note))
    sections = [Section(None, tuple(blocks))] if blocks else []
    if len(good) == 1:
        sections += single(good[0])
    for name, summaries in groups.items():
        if summaries:
            lines = [[key, *(summary[column] for column in GROUP_COLUMNS)] for key, summary in summaries.items()]
            sections.append(Section(f"By {name}", (Table.of((name, *GROUP_COLUMNS.values()), lines),)))
    cells = exercised([a.cells for a in good if a.cells])
    sections += cell_sections(cells)
    columns, flat = with_cells(analyses)
    lists = analyses[0].details.items() if len(analyses) == 1 else ()
    tables = [
        Table.of((*COLUMNS, *columns), [[*row.values()] for row in flat]),
        *(
            Table.of([*items[0]], [[*item.values()] for item in items], title=name)
            for name, items in lists
            if isinstance(items, list) and items
        ),
    ]
    return Report(
        schema="awesome/trace-metrics/1",
        data={"rows": rows, "groups": groups, **({"taxonomy": cells} if cells else {})},
        sections=tuple(sections),
        rows=tuple(tables) if len(tables) > 1 else tables[0],
    )


OVERVIEW = (
    "trace_id", "events", "agents", "critical_steps", "potential_speedup_steps", "achieved_speedup",
    "protocol_overhead", "wasted_work", "tokens", "cost_usd", "reward", "errors", "warnings",
)  # fmt: skip
GROUP_COLUMNS = {"n": "n", "success": "mean reward"} | {
    name: name for name in ("deviation", "cost_per_success", "tokens_per_success", "error_amplification", "shapes")
}
"""The columns of the table of groups: the key in a summary, and the heading."""


def cell_sections(axes: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Iterator[Section]:
    """Yield a table per axis of the taxonomy that shows which terms the traces use."""
    columns = ("term", "state", "traces", "events", "reward channels")
    states = Toned("never", "warn"), Toned("exercised", "good")
    for axis, terms in axes.items():
        lines = [
            (term, states[cell["traces"] > 0], cell["traces"], cell["events"], ", ".join(cell["rewards"]))
            for term, cell in terms.items()
        ]
        yield Section(f"Taxonomy: {axis}", (Table.of(columns, lines),))
