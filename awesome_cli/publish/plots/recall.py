"""The recall curves of a simulated screening."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from awesome_cli.analysis.screening.simulation_report import Simulation
from awesome_cli.publish.plots.figures import Curves, visible
from awesome_cli.text.numbers import counted

COLOURS = 8
"""How many curves can be told apart by their colours; further ones are left out, and the note says so."""


def recall(simulation: Simulation) -> Curves:
    """The recall curve of each replay, beside the best one and the mean of a random order."""
    lines = [(f"seed {one.seed}", tuple(_points(one.labels))) for one in simulation.replays]
    labels = simulation.replays[0].labels
    relevant = sum(labels)
    best = ((0.0, 0.0), (relevant / len(labels), 1.0), (1.0, 1.0))
    note = f"{counted(len(labels), 'record')}, {relevant:,} relevant, without the starting papers"
    if len(lines) > COLOURS:
        note += f"; the first {COLOURS} of {len(lines)} seeds"
    shown: Curves = visible(
        Curves(
            "Relevant papers found",
            "Papers read",
            "Recall",
            tuple(lines[:COLOURS]),
            (("random order, mean", ((0.0, 0.0), (1.0, 1.0))), ("best order", best)),
            note,
        )
    )
    return shown


def _points(labels: Sequence[bool]) -> Iterator[tuple[float, float]]:
    """The shares of papers read and of relevant papers found, from none to all."""
    for read, found in enumerate(accumulate(map(int, labels), initial=0)):
        yield read / len(labels), found / sum(labels)
