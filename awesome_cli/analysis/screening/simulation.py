"""Replays of a finished screening: the papers are read in an order that learns, and the labels are those given."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from awesome_cli.analysis.ranking import Ranker
from awesome_cli.analysis.ranking.features import Features, features
from awesome_cli.analysis.screening.labelled import LabelledSet
from awesome_cli.errors import UsageError
from awesome_cli.model.screenings import ScreeningOrder
from awesome_cli.reports.progress import watched


@dataclass(frozen=True, slots=True)
class ScreeningReplay:
    """One replay: its seed, the starting papers by their places, and the labels in the order read, without theirs.

    After the last relevant paper the order is not asked any more: the others are irrelevant in any order.
    """

    seed: int
    starting: tuple[int, ...]
    labels: tuple[bool, ...]

    @property
    def places(self) -> list[int]:
        """The recall curve: after how many papers each relevant one was found."""
        return [place for place, relevant in enumerate(self.labels, 1) if relevant]


def starting_papers(labels: Sequence[bool], start: tuple[int, int], seed: int) -> tuple[int, ...]:
    """The places of so many relevant and so many irrelevant papers, drawn by the seed.

    Raises `UsageError` if there are fewer, or no relevant paper would be left to find.
    """
    chance, found = Random(seed), list[int]()  # noqa: S311 - to be drawn again by its seed
    for wanted, kind in zip(start, (True, False), strict=True):
        places = [place for place, relevant in enumerate(labels) if relevant is kind]
        if wanted + kind > len(places):
            word = "relevant" if kind else "irrelevant"
            message = f"the set has {len(places):,} {word} papers, too few to start from {wanted:,} of them"
            raise UsageError(message, hint="--start RELEVANT,IRRELEVANT says from how many to start")
        found += chance.sample(places, wanted)
    return tuple(found)


def replay(
    texts: Sequence[str],
    labels: Sequence[bool],
    order: ScreeningOrder,
    start: tuple[int, int],
    made: Features | None = None,
) -> ScreeningReplay:
    """Read the papers in an order until all relevant ones are found; its seed draws the starting papers, too.

    `made` are the features of the texts.
    """
    starting = starting_papers(labels, start, order.seed)
    ranker = Ranker(texts, order, made=made)
    for i in starting:
        ranker.label(i, labels[i])
    left, read = sum(labels) - start[0], list[bool]()
    while left:
        place = ranker.next()
        assert place is not None
        ranker.label(place, labels[place])
        read.append(labels[place])
        left -= labels[place]
    rest = len(labels) - len(starting) - len(read)
    return ScreeningReplay(order.seed, starting, (*read, *[False] * rest))


def replays(
    given: LabelledSet, orders: Sequence[ScreeningOrder], start: tuple[int, int]
) -> tuple[ScreeningReplay, ...]:
    """One replay of a labelled set for each order."""
    texts, labels = [record.text for record in given.records], given.labels
    made = features(texts) if any(order.by == "relevance" for order in orders) else None
    return tuple(replay(texts, labels, order, start, made) for order in watched(orders, "replaying the screening"))
