"""The metrics of one run, by question, as people read them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from awesome_cli.reports.report import Block, Section, Table, Text
from awesome_cli.text.numbers import counted, short, spell_seconds
from awesome_cli.traces.metrics import METRICS, QUESTIONS
from awesome_cli.traces.metrics.lifecycle import Live, sliced
from awesome_cli.traces.rows import Analysis
from awesome_cli.traces.wording import place

FIRST = 10
"""So many lines of a list are shown; JSON has all."""
UNITLESS = {"ratio", "0 or 1", "reward", "any"}


def single(analysis: Analysis, *, priced: bool = False) -> Iterator[Section]:
    """What one run is about, a section for each question, and how many metrics it does not support."""
    row, more = analysis.row, analysis.details
    yield Section(f"{place(row['path'], row['line'])} ({row['trace_id']})", ())
    if lacking := [*tokens_lacking(row)]:
        yield Section(None, (Text(f"Tokens and costs are lower bounds: {'; '.join(lacking)}.", "warn"),))
    if row["cost_partial"]:
        without = counted(row["cost_partial"], "model call")
        yield Section(None, (Text(f"Costs are lower bounds: cost_usd is missing for {without}.", "warn"),))
    if priced and "cost_usd" in analysis.not_computable:
        yield Section(None, (Text(f"The cost is unknown: {analysis.not_computable['cost_usd']}.", "warn"),))
    for question, names in QUESTIONS.items():
        values = [(name, spelled(name, row[name])) for name in names if row[name] is not None]
        extra = tuple(LISTS[question](more)) if more and question in LISTS else ()
        if values or extra:
            yield Section(question, (Table.of(("metric", "value"), values), *extra))
    if missing := len(analysis.not_computable):
        yield Section(
            None,
            (Text(f"{counted(missing, 'metric')} null (why: --format json; what: awesome explain METRIC)", "muted"),),
        )


def tokens_lacking(row: Mapping[str, Any]) -> Iterator[str]:
    """Which tokens of a run are not recorded, though others are."""
    if some := row["tokens_partial"]:
        yield f"{counted(some, 'event')} with only a part of the tokens"
    if none := row["agents_without_tokens"]:
        yield f"{counted(none, 'agent')} with none"


def spelled(name: str, value: float) -> str:
    """A metric's value with its unit."""
    unit = METRICS[name].unit
    if unit == "s":
        return spell_seconds(value)
    if unit == "share":
        return f"{short(value * 100)} %"
    number = f"{value:,}" if isinstance(value, int) else short(value)
    return number if unit in UNITLESS else f"{number} {unit.removesuffix('s') if value == 1 else unit}"


def cost_blocks(more: Mapping[str, Any]) -> Iterator[Block]:
    """Who spent it, and on what."""
    for name, title in (("by_role", "role"), ("by_sub_decision", "sub-decision")):
        columns = (title, "events", "tokens", "time", f"cost ({more['currency']})" if more["currency"] else "cost")
        rows = [(one["name"] or "(none)", one["events"], *spent(one)) for one in more[name]]
        if len(rows) > 1 and any(one["tokens"] or one["work_s"] for one in more[name]):
            yield cut(columns, rows)


def spent(one: Mapping[str, Any]) -> tuple[str | None, str | None, str | None]:
    """Tokens, time and money as people read them."""
    tokens, work, cost = one["tokens"], one["work_s"], one["cost"]
    return (
        None if tokens is None else f"{tokens:,}",
        None if work is None else spell_seconds(work),
        None if cost is None else short(cost),
    )


def path_blocks(more: Mapping[str, Any]) -> Iterator[Block]:
    """The longest events of the critical path."""
    path = more["critical_path"]
    longest = sorted(range(len(path)), key=lambda i: -(path[i]["work_s"] or 0))[:FIRST]
    rows = [
        (
            path[i]["id"],
            path[i]["agent"],
            path[i]["tool"] or path[i]["type"],
            spent({**path[i], "tokens": None, "cost": None})[1],
        )
        for i in sorted(longest)
    ]
    if rows:
        title = f"Critical path: {counted(len(path), 'event')}, the longest of them in their order"
        yield Table.of(("event", "agent", "what", "time"), rows, title=title)


def unread_blocks(more: Mapping[str, Any]) -> Iterator[Block]:
    """Which returns nobody read."""
    rows = [(one["id"], one["agent"], *spent(one)) for one in more["unread"]]
    if rows:
        yield cut(("return", "agent", "tokens", "time", "cost"), rows)


def width_blocks(more: Mapping[str, Any]) -> Iterator[Block]:
    """Agents and depth in ten parts of the time."""
    series = [Live(**one) for one in more["over_time"]]
    if len(series) > 1:
        slices = sliced(series, more["end"])
        rows = [(what, " ".join(str(one[i]) for one in slices)) for i, what in ((1, "agents"), (2, "depth"))]
        yield Table.of(("most at once", "in ten equal parts of the time"), rows)


def cut(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    """A table of the first rows, without a last column that is empty; how many more there are stands below."""
    if all(row[-1] is None for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    rest = len(rows) - FIRST
    return Table.of(columns, rows[:FIRST], note=f"{rest} more: --format json" if rest > 0 else None)


LISTS = {
    "What it cost": cost_blocks,
    "Where it waited": path_blocks,
    "What nobody read": unread_blocks,
    "How parallel it was": width_blocks,
}
