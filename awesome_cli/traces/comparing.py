"""Two runs compared: the first step at which they differ, and the metrics that differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from awesome_cli.reports.report import Block, Report, Section, Table, Text, as_tables
from awesome_cli.traces.graph import Graph, graph_of
from awesome_cli.traces.metrics import measure
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.replay import Replay, replay, shape
from awesome_cli.traces.sources import place


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first step (number from 1) at which two runs differ. An event is `None` if the run has ended before it."""

    step: int
    events: tuple[Event | None, Event | None]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two runs compared: their replays, and the metrics that differ.

    Agents and ids are matched by first appearance, so names may differ in runs of equal shape.
    """

    divergence: Divergence | None
    replays: tuple[Replay, Replay]
    metrics: Mapping[str, tuple[float | int | None, float | int | None]]

    @property
    def same_shape(self) -> bool:
        """True if both did the same things in the same order."""
        return self.divergence is None


def compare(a: Trace, b: Trace) -> Difference:
    graphs = graph_of(a), graph_of(b)
    replays = replay(a, graphs[0]), replay(b, graphs[1])
    left, right = (measure(t, g, r).values for t, g, r in zip((a, b), graphs, replays, strict=True))
    differing = {name: (left[name], right[name]) for name in left if left[name] != right[name]}
    return Difference(first_divergence(a, graphs[0], b, graphs[1]), replays, differing)


def first_divergence(a: Trace, graph_a: Graph, b: Trace, graph_b: Graph) -> Divergence | None:
    """The first step at which the runs differ, or `None`."""
    for step, (x, y) in enumerate(zip_longest(shape(a, graph_a), shape(b, graph_b))):
        if x != y:
            first = a.events[graph_a.order[step]] if x is not None else None
            return Divergence(step + 1, (first, b.events[graph_b.order[step]] if y is not None else None))
    return None


def diff_report(a: Trace, b: Trace, difference: Difference) -> Report:
    """The first step at which two runs differ, and the metrics that differ."""
    parting, replays = difference.divergence, difference.replays
    blocks: list[Block] = [Text("The same orchestration: no step differs.", "good")]
    if parting is not None:
        cells = [
            (run, event.id, event.type, event.agent, event.to) if event else (run, "(ended)", None, None, None)
            for run, event in zip("AB", parting.events, strict=True)
        ]
        blocks = [
            Text(f"The first step that differs is step {parting.step:,}:", "warn"),
            Table.of(("run", "event", "type", "agent", "to"), cells),
        ]
    totals: list[Sequence[str | int]] = [
        ("file", place(a.path, a.line), place(b.path, b.line)),
        ("events", len(a.events), len(b.events)),
        ("illegal events", *(len(each.illegal) for each in replays)),
        ("digest", *(each.digest[:16] for each in replays)),
        ("shape digest", *(each.shape_digest[:16] for each in replays)),
    ]
    rows = [
        (name, left, right, None if left is None or right is None else right - left)
        for name, (left, right) in difference.metrics.items()
    ]
    metrics = Table.of(("metric", "A", "B", "B - A"), rows) if rows else Text("No metric differs.")
    sections = (
        Section(None, (*blocks, Table.of(("", "A", "B"), totals))),
        Section("Metrics that differ", (metrics,)),
    )
    return Report(
        schema="awesome/trace-diff/1",
        data={
            "rows": [a.identity(), b.identity()],
            "same_shape": difference.same_shape,
            "parting": parting
            and {"step": parting.step} | dict(zip("ab", map(_identity, parting.events), strict=True)),
            "digests": [each.digest for each in replays],
            "shape_digests": [each.shape_digest for each in replays],
            "changes": {row[0]: row[3] for row in rows},
            "metrics": {name: list(pair) for name, pair in difference.metrics.items()},
        },
        sections=sections,
        rows=as_tables(sections, "Runs"),
    )


def _identity(event: Event | None) -> dict[str, str] | None:
    """The fields that identify an event in JSON."""
    return {"event": event.id, "type": event.type, "agent": event.agent, "pointer": event.pointer} if event else None
