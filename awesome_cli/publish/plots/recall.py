"""The recall curves of a simulated screening."""

from awesome_cli.analysis.screening.simulation_report import Simulation, recall_curves
from awesome_cli.publish.plots.figures import Curves, visible
from awesome_cli.text.numbers import counted

COLOURS = 8
"""How many curves can be told apart by their colours; further ones are left out, and the note says so."""


def recall(simulation: Simulation) -> Curves:
    """The recall curve of each replay, beside the best one and the mean of a random order."""
    lines = [(label, tuple(points)) for label, points in recall_curves(simulation).items()]
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
