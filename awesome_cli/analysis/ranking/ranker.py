"""Candidates in the order in which they are worth reading, again after every decision."""

import random
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import chain, islice, takewhile

from awesome_cli.analysis.ranking.features import Features, features
from awesome_cli.analysis.ranking.orders import LabelledText, needs_library
from awesome_cli.analysis.ranking.relevance import STEP, best_first, scores
from awesome_cli.model.screenings import ScreeningOrder


class Ranker:
    """The candidates that have no label, the one to read next first.

    `texts` are those of the candidates, as `orders.text` makes them; a candidate is named by its index. They are gone
    through once and not kept. `dates`, one each, serve the order by date: newest first, those without a date last.
    `known` are labelled texts that are never shown, from which an order by relevance starts. `made` are the features of
    `texts` and `known`, if they are made already. Until a relevant text is known, an order by relevance is the random
    one of its seed; with relevant ones alone, those most like them come first. The same texts, settings and labels, in
    the same sequence, give the same order, whenever it was asked for. Raises `AwesomeError` where scikit-learn is
    missing for an order by relevance.

    The model is fitted to all labels up to the last relevant one, and to all when one in `STEP` is new: to fit it after
    every irrelevant one as well finds the relevant ones hardly sooner.
    """

    def __init__(
        self,
        texts: Iterable[str],
        settings: ScreeningOrder,
        *,
        dates: Sequence[date | None] = (),
        known: Sequence[LabelledText] = (),
        made: Features | None = None,
    ) -> None:
        self.settings = settings
        self._labels: dict[int, bool] = {}
        self._fitted: int | None = None
        if settings.by == "relevance":
            needs_library()
            self._known = [entry.relevant for entry in known]
            self._features = made or features(chain(texts, (entry.text for entry in known)))
            n = self._features.shared.shape[0] - len(known)
        else:
            n = sum(1 for _ in texts)
        self._fixed = self._order = _fixed(n, settings, dates)

    def label(self, i: int, relevant: bool) -> None:  # noqa: FBT001 - one of two labels
        """Give candidate `i` a label, or another one; it is shown no more."""
        self.unlabel(i)
        self._labels[i] = relevant

    def unlabel(self, i: int) -> None:
        """Take the label of candidate `i` away, so that it is shown again."""
        if self._labels.pop(i, None) is not None:
            self._fitted = None

    def ranked(self, n: int | None = None) -> list[int]:
        """The first `n` candidates without a label, or all of them, best first."""
        if self.settings.by == "relevance":
            self._fit()
        return list(islice((i for i in self._order if i not in self._labels), n))

    def next(self) -> int | None:
        """The candidate to read next; None when all have a label."""
        return next(iter(self.ranked(1)), None)

    def _fit(self) -> None:
        """Bring the order up to date with the labels that count."""
        irrelevant = takewhile(lambda relevant: not relevant, reversed(self._labels.values()))
        size = max(len(self._labels) - sum(1 for _ in irrelevant), _reached(len(self._labels)))
        if size == self._fitted:
            return
        self._fitted = size
        n = len(self._fixed)
        at = [*islice(self._labels, size), *range(n, n + len(self._known))]
        labels = [*islice(self._labels.values(), size), *self._known]
        self._order = best_first(scores(self._features, at, labels, self.settings.seed), self._fixed)


def _fixed(n: int, settings: ScreeningOrder, dates: Sequence[date | None]) -> list[int]:
    """The candidates by date, else at random: what decides where scores are equal."""
    if settings.by == "date":
        return sorted(range(n), key=lambda i: dates[i] or date.min, reverse=True)
    return random.Random(settings.seed).sample(range(n), n)  # noqa: S311 - no secret


def _reached(n: int) -> int:
    """The last number of labels, of those up to `n`, at which the model is fitted."""
    reached = 0
    while (following := reached + 1 + reached // STEP) <= n:
        reached = following
    return reached
