"""The order in which candidates are screened: at random, by date, or by relevance learnt from what was decided."""

import random
import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from itertools import chain, islice, takewhile
from typing import Any, Literal

from awesome_cli import __version__
from awesome_cli.errors import AwesomeError
from awesome_cli.model.screenings import ScreeningOrder
from awesome_cli.reports.progress import watched

WORD = re.compile(r"\w\w+")
COMMON = 0.95
"""A term that more than this share of the texts has tells nothing and is left out."""

PARTS = 8
"""In how many parts the terms are numbered."""

SHARES = {"words": 0.75, "pairs": 0.5, "title": 0.25}
"""How long the vector of each part is."""


@dataclass(frozen=True)
class Features:
    """A row per text: `shared` weighs the terms of two texts or more; `own` is the sum of the squares of the others.

    A term that one text alone has moves no other text's score. For the model it only loosens the hold on its text, for
    which `own` is enough (see `Ranker`), so that four of five terms take no place. `shared` is a sparse matrix of scipy
    in single precision, `own` an array.
    """

    shared: Any
    own: Any


def features(texts: Iterable[str]) -> Features:
    """Return the features of `texts`, whose first lines are titles; goes through them once and keeps none."""
    from scipy import sparse

    n, parts = _parts(texts)
    shares = watched(SHARES.values(), "weighing terms")
    made = [_weighed(*part, n, share) for part, share in zip(parts, shares, strict=True)]
    return Features(sparse.hstack([part.shared for part in made], format="csr"), sum(part.own for part in made))


def _parts(texts: Iterable[str]) -> tuple[int, Iterator[tuple[Any, Any]]]:
    """How many texts there are, and the terms of each part: as numbers, and for each the index of its text."""
    import numpy as np

    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    # For each text the number of words of its title, and of the others.
    words, lengths = array("i"), array("i")
    for text in texts:
        title, _, rest = text.partition("\n")
        for line in (title, rest):
            found = WORD.findall(line.lower())
            words.extend(map(numbers.__getitem__, found))
            lengths.append(len(found))
    n = len(lengths) // 2
    terms = np.frombuffer(words, np.int32) if words else np.zeros(0, np.int32)
    places = np.repeat(np.arange(2 * n, dtype=np.int32), lengths)
    return n, _each(terms, places)


def _each(words: Any, places: Any) -> Iterator[tuple[Any, Any]]:
    """The words, the pairs, and the words of titles; `places` are two to a text, of its title and its other words."""
    first, rows = places % 2 == 0, places // 2
    del places
    titles = words[first], rows[first]
    yield words, rows
    words, rows = _pairs(words, rows)
    yield words, rows
    del words, rows
    yield titles


def _pairs(words: Any, rows: Any) -> tuple[Any, Any]:
    """The pairs of neighbouring words of a text, as numbers, and for each the index of its text."""
    inside = rows[:-1] == rows[1:]
    import numpy as np

    pairs = words[:-1].astype(np.int64)
    pairs *= int(words.max(initial=0)) + 1
    pairs += words[1:]
    return pairs[inside], rows[:-1][inside]


def _weighed(terms: Any, rows: Any, n: int, share: float) -> Features:
    """One part of the features of `n` texts: terms as numbers, and for each the index of its text, in order.

    The vectors of the part are as long as its share.
    """
    import numpy as np
    from scipy import sparse

    columns, width = _columns(terms)
    ends = np.searchsorted(rows, np.arange(n + 1))
    kept = columns >= 0
    starts = np.concatenate([[0], np.cumsum(kept, dtype=np.int32)])[ends]
    columns = columns[kept]
    counts = sparse.csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(n, width))
    del columns, kept
    counts.sum_duplicates()
    texts = np.bincount(counts.indices, minlength=counts.shape[1])
    rarity = (1 + np.log((1 + n) / (1 + np.arange(n + 1)))).astype(np.float32)
    counts.data = (1 + np.log(counts.data)) * rarity[texts][counts.indices]
    own = _squares(counts[:, texts == 1]) + (np.diff(ends) - np.diff(starts)) * rarity[1] ** 2
    shared = counts[:, (texts > 1) & (texts <= COMMON * n)]
    del counts
    squares = np.maximum(_squares(shared) + own, np.finfo(np.float32).tiny) / share**2
    shared.data /= np.repeat(np.sqrt(squares), np.diff(shared.indptr)).astype(np.float32)
    return Features(shared, own / squares)


def _columns(terms: Any) -> tuple[Any, int]:
    """A column for each term that occurs twice or more, -1 for the others, and how many columns there are.

    One part of the terms after the other, since a table of all pairs of 100,000 texts takes half a gigabyte.
    """
    import numpy as np
    import pandas as pd

    columns, width = np.full(len(terms), -1, np.int32), 0
    for part in range(PARTS):
        at = np.flatnonzero(terms % PARTS == part)
        numbers = pd.factorize(terms[at])[0]
        often = np.bincount(numbers) > 1
        columns[at] = np.where(often, np.cumsum(often) - 1 + width, -1)[numbers]
        width += int(often.sum())
    return columns, width


def _squares(matrix: Any) -> Any:
    import numpy as np

    found, filled = np.zeros(matrix.shape[0]), np.diff(matrix.indptr) > 0
    if filled.any():
        found[filled] = np.add.reduceat(matrix.data**2, matrix.indptr[:-1][filled], dtype=np.float64)
    return found


C = 0.07
"""The cost of an error of training: the smaller, the less the model follows single texts."""

RATIO = 9.8
"""All relevant texts together weigh this many times what all irrelevant ones do, however many there are of each."""

STEP = 25
"""Beside every relevant label, the model is fitted again when one label in this many is new."""


def scores(features: Features, labelled: Sequence[int], labels: Sequence[bool], seed: int) -> Any:
    """The score of each text: the distance from the plane of a linear support vector machine, less a constant.

    The model has the least |w|²/2 + Σ cᵢ · max(0, 1 - yᵢ · (w·xᵢ + b))². In its dual form cᵢ stands only in 1/(2cᵢ),
    which is added to |xᵢ|²; a term that no other text has adds its square there as well. So the costs are lowered by
    `own`, and the model is the one that all terms would give (Hsieh et al. 2008, "A dual coordinate descent method for
    large-scale linear SVM"). Where all labels are relevant, the score is the likeness to their mean; without a
    relevant one it is 0.
    """
    import numpy as np

    at, y = np.asarray(labelled, dtype=int), np.asarray(labels, dtype=bool)
    relevant = int(y.sum())
    if relevant == 0:
        return np.zeros(features.shared.shape[0])
    if relevant == len(y):
        return features.shared @ np.asarray(features.shared[at].mean(axis=0)).ravel()
    cost = C * np.where(y, 1 / relevant, 1 / (RATIO * (len(y) - relevant))) * len(y) / (1 + 1 / RATIO)
    return features.shared @ _weights(features.shared[at], y, cost / (1 + 2 * cost * features.own[at]), seed)


def best_first(scores: Any, fixed: Sequence[int]) -> list[int]:
    """The candidates by score, the highest first; those with one score as they stand in `fixed`."""
    import numpy as np

    order = np.asarray(fixed, dtype=int)
    ranked: list[int] = order[np.argsort(-scores[order], kind="stable")].tolist()
    return ranked


def _weights(rows: Any, y: Any, cost: Any, seed: int) -> Any:
    """The weight of each term, in single precision; the model is fitted to the terms that `rows` have."""
    import numpy as np
    from sklearn.svm import LinearSVC

    weights = np.zeros(rows.shape[1], np.float32)
    used = np.zeros(rows.shape[1], bool)
    used[rows.indices] = True
    if not used.any():
        return weights
    model = LinearSVC(C=1, dual=True, loss="squared_hinge", random_state=seed, max_iter=1_000_000)
    weights[used] = model.fit(rows[:, used], y, sample_weight=cost).coef_[0]
    return weights


INSTALL = "pip install 'awesome-survey[screen]'"
"""The command that installs what an order by relevance is learnt with."""

FEATURES = "TF-IDF of " + ", ".join(f"{part} {share}" for part, share in SHARES.items())
CLASSIFIER = (
    f"linear support vector machine, squared hinge loss, C {C}, fitted when a label is relevant or 1 in {STEP} new"
)
BALANCE = f"all relevant {RATIO} to all irrelevant 1"


@dataclass(frozen=True)
class LabelledText:
    """A text that is not shown, with its label: a paper that was retained or excluded earlier."""

    text: str
    relevant: bool


def can_learn() -> bool:
    """True if scikit-learn is installed; does not import it."""
    return find_spec("sklearn") is not None


def needs_library() -> None:
    """Load scikit-learn, which takes a second once; raises `AwesomeError` where it is missing."""
    try:
        import_module("sklearn.svm")
    except ImportError:
        hint = f"install it with: {INSTALL}; an order at random or by date needs none"
        raise AwesomeError("an order by relevance needs scikit-learn", hint=hint) from None


def text(title: str, abstract: str | None) -> str:
    """Return a record's text for a `Ranker`: the title as the first line, then the abstract."""
    return f"{' '.join(title.split())}\n{abstract or ''}"


def order(by: Literal["random", "date", "relevance"], seed: int = 0) -> ScreeningOrder:
    """The settings of an order as this program makes it, to be stored beside the decisions.

    Those of an order by relevance name features, classifier, balance and the version of scikit-learn; without that
    library they raise `AwesomeError`.
    """
    if by != "relevance":
        return ScreeningOrder(by=by, seed=seed, program=__version__)
    needs_library()
    return ScreeningOrder(
        by=by,
        seed=seed,
        features=FEATURES,
        classifier=CLASSIFIER,
        balance=BALANCE,
        version=f"scikit-learn {version('scikit-learn')}",
        program=__version__,
    )


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
