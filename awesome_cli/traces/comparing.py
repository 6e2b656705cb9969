"""Compare two runs: find the first step and the metrics in which they differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from awesome_cli.reports.report import Block, Report, Section, Table, Text, as_tables
from awesome_cli.traces.graph import graph_of
from awesome_cli.traces.metrics import measure
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.replay import Replay, replay, shape
from awesome_cli.traces.sources import place


@dataclass(frozen=True, slots=True)
class Difference:
    """The replays of two runs, the first step that differs, and the metrics that differ.

    `step` counts from 1 and is None if all steps are equal. `events` has the event of each run at this step, or None if
    the run ended earlier. Agents and ids are matched by first appearance, so runs with different names can be equal.
    """

    replays: tuple[Replay, Replay]
    step: int | None
    events: tuple[Event | None, Event | None]
    metrics: Mapping[str, tuple[float | int | None, float | int | None]]


def compare(a: Trace, b: Trace) -> Difference:
    graphs = graph_of(a), graph_of(b)
    replays = replay(a, graphs[0]), replay(b, graphs[1])
    left, right = (measure(t, g, r).values for t, g, r in zip((a, b), graphs, replays, strict=True))
    metrics = {name: (left[name], right[name]) for name in left if left[name] != right[name]}
    for step, (x, y) in enumerate(zip_longest(shape(a, graphs[0]), shape(b, graphs[1]))):
        if x != y:
            first = a.events[graphs[0].order[step]] if x is not None else None
            second = b.events[graphs[1].order[step]] if y is not None else None
            return Difference(replays, step + 1, (first, second), metrics)
    return Difference(replays, None, (None, None), metrics)


def diff_report(a: Trace, b: Trace, difference: Difference) -> Report:
    step, replays = difference.step, difference.replays
    blocks: list[Block] = [Text("The same orchestration: no step differs.", "good")]
    if step is not None:
        cells = [
            (run, event.id, event.type, event.agent, event.to) if event else (run, "(ended)", None, None, None)
            for run, event in zip("AB", difference.events, strict=True)
        ]
        title = Text(f"The first step that differs is step {step:,}:", "warn")
        blocks = [title, Table.of(("run", "event", "type", "agent", "to"), cells)]
    totals: list[Sequence[str | int]] = [
        ("file", place(a.path, a.line), place(b.path, b.line)),
        ("events", len(a.events), len(b.events)),
        ("illegal events", *(len(each.illegal) for each in replays)),
        ("digest", *(each.digest[:16] for each in replays)),
        ("shape digest", *(each.shape_digest[:16] for each in replays)),
    ]
    changes = {
        name: None if left is None or right is None else right - left
        for name, (left, right) in difference.metrics.items()
    }
    rows = [(name, *pair, changes[name]) for name, pair in difference.metrics.items()]
    metrics = Table.of(("metric", "A", "B", "B - A"), rows) if rows else Text("No metric differs.")
    sections = (
        Section(None, (*blocks, Table.of(("", "A", "B"), totals))),
        Section("Metrics that differ", (metrics,)),
    )
    return Report(
        schema="awesome/trace-diff/1",
        data={
            "rows": [a.identity(), b.identity()],
            "same_shape": step is None,
            "parting": step and {"step": step} | dict(zip("ab", map(_identity, difference.events), strict=True)),
            "digests": [each.digest for each in replays],
            "shape_digests": [each.shape_digest for each in replays],
            "changes": changes,
            "metrics": {name: list(pair) for name, pair in difference.metrics.items()},
        },
        sections=sections,
        rows=as_tables(sections, "Runs"),
    )


def _identity(event: Event | None) -> dict[str, str] | None:
    return {"event": event.id, "type": event.type, "agent": event.agent, "pointer": event.pointer} if event else None
