"""Two runs compared: the first step at which they differ, and the metrics that differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from awesome_cli.reports.report import Block, Report, Section, Table, Text, as_tables
from awesome_cli.traces.graph import Graph, graph_of
from awesome_cli.traces.metrics import measure
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.replay import replay, shape
from awesome_cli.traces.sources import place

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first step (number from 1) at which two runs differ. The event is `None` if the run has ended before it."""

    step: int
    a: Event | None
    b: Event | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Two runs compared. Agents and ids are matched by first appearance, so names may differ in runs of equal shape."""

    divergence: Divergence | None
    shape_digests: tuple[str, str]
    digests: tuple[str, str]
    steps: tuple[int, int]
    illegal: tuple[int, int]
    metrics: Mapping[str, tuple[float | int | None, float | int | None]]

    @property
    def same_shape(self) -> bool:
        """Whether both did the same things in the same order."""
        return self.divergence is None


def compare(a: Trace, b: Trace) -> Difference:
    """Compare two runs; `metrics` holds those that differ."""
    graphs = graph_of(a), graph_of(b)
    replays = replay(a, graphs[0]), replay(b, graphs[1])
    left, right = (measure(t, g, r).values for t, g, r in zip((a, b), graphs, replays, strict=True))
    return Difference(
        divergence=first_divergence(a, graphs[0], b, graphs[1]),
        shape_digests=(replays[0].shape_digest, replays[1].shape_digest),
        digests=(replays[0].digest, replays[1].digest),
        steps=(len(a.events), len(b.events)),
        illegal=(len(replays[0].illegal), len(replays[1].illegal)),
        metrics={name: (left[name], right[name]) for name in left if left[name] != right[name]},
    )


def first_divergence(a: Trace, graph_a: Graph, b: Trace, graph_b: Graph) -> Divergence | None:
    """The first step at which the runs differ, or `None`."""
    pairs = zip_longest(shape(a, graph_a), shape(b, graph_b))
    for step, (x, y) in enumerate(pairs):
        if x != y:
            return Divergence(
                step + 1,
                a.events[graph_a.order[step]] if x is not None else None,
                b.events[graph_b.order[step]] if y is not None else None,
            )
    return None


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
