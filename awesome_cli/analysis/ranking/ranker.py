"""Candidates in the order in which they are worth reading, again after every decision."""

from collections.abc import Sequence
from datetime import date

from awesome_cli.analysis.ranking.orders import LabelledText
from awesome_cli.model.screenings import ScreeningOrder


class Ranker:
    """The candidates that have no label, the one to read next first.

    `texts` are those of the candidates, as `orders.text` makes them; a candidate is named by its index. `dates`, as many,
    serve the order by date: newest first, those without a date last. `known` are labelled texts that are never shown,
    from which an order by relevance starts. Until there is a relevant and an irrelevant text, an order by relevance is
    the random one of its seed. The same texts, settings and labels give the same order, in whatever sequence the labels
    came. Raises `AwesomeError` where scikit-learn is missing for an order by relevance.
    """

    def __init__(
        self,
        texts: Sequence[str],
        settings: ScreeningOrder,
        *,
        dates: Sequence[date | None] = (),
        known: Sequence[LabelledText] = (),
    ) -> None:
        self.settings = settings

    def label(self, i: int, relevant: bool) -> None:  # noqa: FBT001 - one of two labels
        """Give candidate `i` a label, or another one; it is shown no more."""

    def unlabel(self, i: int) -> None:
        """Take the label of candidate `i` away, so that it is shown again."""

    def ranked(self, n: int | None = None) -> list[int]:
        """The first `n` candidates without a label, or all of them, best first."""
        return []

    def next(self) -> int | None:
        """The candidate to read next; None when all have a label."""
        return next(iter(self.ranked(1)), None)
