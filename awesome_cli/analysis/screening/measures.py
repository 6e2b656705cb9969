"""How early an order of screening finds the relevant papers, in the measures that the field reports.

All take the labels of the papers in the order in which they were read, without the starting papers. The definitions are
those of ASReview-insights, of which version 1.6.1 gives the same numbers.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from awesome_cli.errors import UsageError

INSIGHTS = "ASReview-insights 1.6.1, https://github.com/asreview/asreview-insights"


@dataclass(frozen=True, slots=True)
class DiscoveryMeasures:
    """How early the relevant papers were found: shares from 0 to 1, and `time_to_discovery` in papers read."""

    work_saved: float
    recall_early: float
    time_to_discovery: float
    loss: float


@dataclass(frozen=True, slots=True)
class Definition:
    """What a measure says: its name for people, its definition, and who proposed it."""

    label: str
    text: str
    source: str


DEFINITIONS = {
    "work_saved": Definition(
        "work saved over sampling at 95 %",
        "the share of the papers that need not be read to find 95 % of the relevant ones, beyond what a random order"
        " would save: how many papers earlier than in a random order the last of them is found, over all papers;"
        " 95 % is rounded down to whole papers",
        f"Cohen and others 2006, doi:10.1197/jamia.M1929; as in {INSIGHTS}",
    ),
    "recall_early": Definition(
        "recall at 10 %",
        "the share of the relevant papers that is found when 10 % of the papers are read, rounded down to whole papers",
        f"as in {INSIGHTS}",
    ),
    "time_to_discovery": Definition(
        "average time to discovery",
        "the mean, over the relevant papers, of how many papers are read until it is found, itself included",
        f"Ferdinands and others 2023, doi:10.1186/s13643-023-02257-7; in papers, as in {INSIGHTS}",
    ),
    "loss": Definition(
        "loss",
        "the area between the best recall curve and this one, over the area between the best and the worst: 0 where all"
        " relevant papers come first, 1 where all come last, 0.5 on average in a random order",
        f"as in {INSIGHTS}",
    ),
}
"""The measures by the names of their fields."""


def curve(labels: Sequence[bool]) -> list[int]:
    """How many relevant papers were found after each paper."""
    return list(accumulate(map(int, labels)))


def measures(labels: Sequence[bool]) -> DiscoveryMeasures:
    """All measures; raises `UsageError` for labels that are all the same."""
    if len({*labels}) < 2:
        kind = "relevant" if True in labels else "irrelevant"
        message = f"all papers beside the starting ones are {kind}: there is nothing to find" if labels else "no papers"
        raise UsageError(message, hint="a labelled set has relevant and irrelevant papers")
    return DiscoveryMeasures(work_saved(labels), recall_at(labels, 0.10), time_to_discovery(labels), loss(labels))


def recall_at(labels: Sequence[bool], share: float) -> float:
    """Recall when a share of the papers is read, rounded down to whole papers."""
    read = _places(len(labels), share)
    return sum(labels[:read]) / sum(labels)


def work_saved(labels: Sequence[bool], recall: float = 0.95) -> float:
    """Work saved over sampling: how much earlier than in a random order that recall is reached, over all papers.

    The recall is rounded down to whole papers, and up to one. Relevant papers of a random order are evenly spaced.
    """
    n, relevant = len(labels), sum(labels)
    wanted = _places(relevant, recall) or 1
    step = relevant / (n - 1)
    at_random = next(place for place in range(n) if round(place * step) >= wanted or place == n - 1)
    return (at_random - curve(labels).index(wanted)) / n


def time_to_discovery(labels: Sequence[bool]) -> float:
    """The mean place of a relevant paper in the order, from 1."""
    places = [place for place, relevant in enumerate(labels, 1) if relevant]
    return sum(places) / len(places)


def loss(labels: Sequence[bool]) -> float:
    """The area between the best recall curve and this one, over that between the best and the worst."""
    n, relevant = len(labels), sum(labels)
    best = relevant * (n - (relevant - 1) / 2)
    return (best - sum(curve(labels))) / (relevant * (n - relevant))


def _places(n: int, share: float) -> int:
    """How many of `n` are at most a share of them."""
    return bisect_right(range(1, n + 1), share, key=lambda place: place / n)
