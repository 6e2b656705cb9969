"""The report of `awesome trace diff`."""

from typing import TYPE_CHECKING, Any

from awesome_cli.reports.report import Block, Report, Section, Table, Text, as_tables
from awesome_cli.traces.comparing import Difference
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.wording import place

if TYPE_CHECKING:
    from collections.abc import Sequence


def diff_report(a: Trace, b: Trace, difference: Difference) -> Report:
    """The first step at which two runs differ, and the metrics that differ."""
    divergence = difference.divergence
    blocks: list[Block] = []
    if divergence is None:
        blocks.append(Text("The same orchestration: no step differs.", "good"))
    else:
        blocks.append(Text(f"The first step that differs is step {divergence.step:,}:", "warn"))
        blocks.append(
            Table.of(
                ("run", "event", "type", "agent", "to"),
                [event_cells("A", divergence.a), event_cells("B", divergence.b)],
            )
        )
    totals: list[Sequence[str | int]] = [
        ("file", place(a.path, a.line), place(b.path, b.line)),
        ("events", *difference.steps),
        ("illegal events", *difference.illegal),
        ("digest", *(d[:16] for d in difference.digests)),
        ("shape digest", *(d[:16] for d in difference.shape_digests)),
    ]
    blocks.append(Table.of(("", "A", "B"), totals))
    rows = [(name, left, right, change(left, right)) for name, (left, right) in difference.metrics.items()]
    metrics = Table.of(("metric", "A", "B", "B - A"), rows)
    body: tuple[Block, ...] = (metrics,) if rows else (Text("No metric differs."),)
    sections = (Section(None, tuple(blocks)), Section("Metrics that differ", body))
    return Report(
        schema="awesome/trace-diff/1",
        data={
            "rows": [a.identity(), b.identity()],
            "same_shape": difference.same_shape,
            "parting": None
            if divergence is None
            else {"step": divergence.step, "a": event_json(divergence.a), "b": event_json(divergence.b)},
            "digests": list(difference.digests),
            "shape_digests": list(difference.shape_digests),
            "changes": {row[0]: row[3] for row in rows},
            "metrics": {name: list(pair) for name, pair in difference.metrics.items()},
        },
        sections=sections,
        rows=as_tables(sections, "Runs"),
    )


def change(left: float | None, right: float | None) -> float | None:
    """The difference, if both values are known."""
    return None if left is None or right is None else right - left


def event_cells(run: str, event: Event | None) -> tuple[str | None, ...]:
    """A row of the table for an event, or for a run that has ended."""
    return (run, event.id, event.type, event.agent, event.to) if event else (run, "(ended)", None, None, None)


def event_json(event: Event | None) -> dict[str, Any] | None:
    """What identifies an event in JSON."""
    return {"event": event.id, "type": event.type, "agent": event.agent, "pointer": event.pointer} if event else None
