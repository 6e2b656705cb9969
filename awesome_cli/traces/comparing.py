"""Two runs compared: the first step at which they differ, and the metrics that differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

from awesome_cli.traces.graph import Graph, graph_of
from awesome_cli.traces.metrics import measure
from awesome_cli.traces.model import Event, Trace
from awesome_cli.traces.replay import replay, shape


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
    for place, (x, y) in enumerate(pairs):
        if x != y:
            return Divergence(
                place + 1,
                a.events[graph_a.order[place]] if x is not None else None,
                b.events[graph_b.order[place]] if y is not None else None,
            )
    return None
