"""Order candidates for screening: at random, by date, or by relevance learnt from decisions (active learning)."""

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
from awesome_cli.system.extras import install

WORD = re.compile(r"\w\w+")
COMMON = 0.95
"""Terms in a larger share of the texts are ignored."""

PARTS = 8
"""Number of parts in which terms are numbered, which bounds the memory."""

SHARES = {"words": 0.75, "pairs": 0.5, "title": 0.25}
"""Length of the vector of each part."""


@dataclass(frozen=True)
class Features:
    """TF-IDF features, one row per text: `shared` weights of terms in two texts or more, and `unique` per text.

    A term of one text alone does not change other scores; the model needs only the sum of its squared weights, `unique`
    (see `scores`). This omits four of five terms. `shared` is a SciPy sparse matrix (float32), `unique` an array.
    """

    shared: Any
    unique: Any


def features(texts: Iterable[str]) -> Features:
    """Return the features of texts whose first line is the title; iterates once and keeps no text."""
    from scipy import sparse

    n, parts = _parts(texts)
    shares = watched(SHARES.values(), "weighing terms")
    blocks = [_weighed(*block, n, share) for block, share in zip(parts, shares, strict=True)]
    shared = sparse.hstack([block.shared for block in blocks], format="csr")
    return Features(shared, sum(block.unique for block in blocks))


def _parts(texts: Iterable[str]) -> tuple[int, Iterator[tuple[Any, Any]]]:
    """Return the number of texts and, for each part, `(terms, rows)`: term numbers and the index of their text."""
    import numpy as np

    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    # For each text: the number of words in the title, and in the rest.
    words, lengths = array("i"), array("i")
    for text in texts:
        title, _, rest = text.partition("\n")
        for line in (title, rest):
            tokens = WORD.findall(line.lower())
            words.extend(map(numbers.__getitem__, tokens))
            lengths.append(len(tokens))
    n = len(lengths) // 2
    terms = np.frombuffer(words, np.int32) if words else np.zeros(0, np.int32)
    places = np.repeat(np.arange(2 * n, dtype=np.int32), lengths)
    return n, _each(terms, places)


def _each(words: Any, places: Any) -> Iterator[tuple[Any, Any]]:
    """Yield `(terms, rows)` of words, pairs and title words; `places` has two values per text: title and rest."""
    first, rows = places % 2 == 0, places // 2
    del places
    titles = words[first], rows[first]
    yield words, rows
    words, rows = _pairs(words, rows)
    yield words, rows
    del words, rows
    yield titles


def _pairs(words: Any, rows: Any) -> tuple[Any, Any]:
    """Return each pair of adjacent words encoded as a number, and the index of the text of each pair."""
    inside = rows[:-1] == rows[1:]
    import numpy as np

    pairs = words[:-1].astype(np.int64)
    pairs *= int(words.max(initial=0)) + 1
    pairs += words[1:]
    return pairs[inside], rows[:-1][inside]


def _weighed(terms: Any, rows: Any, n: int, share: float) -> Features:
    """Compute a part, of length `share`, of the features of `n` texts from term numbers and sorted row indices."""
    import numpy as np
    from scipy import sparse

    columns, width = _columns(terms)
    ends = np.searchsorted(rows, np.arange(n + 1))
    frequent = columns >= 0
    starts = np.concatenate([[0], np.cumsum(frequent, dtype=np.int32)])[ends]
    columns = columns[frequent]
    counts = sparse.csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(n, width))
    del columns, frequent
    counts.sum_duplicates()
    texts = np.bincount(counts.indices, minlength=counts.shape[1])
    rarity = (1 + np.log((1 + n) / (1 + np.arange(n + 1)))).astype(np.float32)
    counts.data = (1 + np.log(counts.data)) * rarity[texts][counts.indices]
    unique = _squares(counts[:, texts == 1]) + (np.diff(ends) - np.diff(starts)) * rarity[1] ** 2
    shared = counts[:, (texts > 1) & (texts <= COMMON * n)]
    del counts
    squares = np.maximum(_squares(shared) + unique, np.finfo(np.float32).tiny) / share**2
    shared.data /= np.repeat(np.sqrt(squares), np.diff(shared.indptr)).astype(np.float32)
    return Features(shared, unique / squares)


def _columns(terms: Any) -> tuple[Any, int]:
    """Return the column of each term (-1 if it occurs once) and the number of columns.

    Terms are processed in `PARTS` parts, because a table of all pairs of 100,000 texts takes 0.5 GB.
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

    sums, filled = np.zeros(matrix.shape[0]), np.diff(matrix.indptr) > 0
    if filled.any():
        sums[filled] = np.add.reduceat(matrix.data**2, matrix.indptr[:-1][filled], dtype=np.float64)
    return sums


C = 0.07
"""Cost of a training error (regularisation): lower values fit single texts less."""

RATIO = 9.8
"""Total weight of all relevant texts relative to all irrelevant ones, whatever their numbers."""

STEP = 25
"""The model is refitted after each relevant label, and when one label in this many is new."""


def scores(features: Features, labelled: Sequence[int], labels: Sequence[bool], seed: int) -> Any:
    """Return the score of each text: its distance from the plane of a linear SVM, up to a constant.

    The model minimises |w|²/2 + Σ cᵢ · max(0, 1 - yᵢ · (w·xᵢ + b))². In the dual form, cᵢ occurs only as 1/(2cᵢ), added
    to |xᵢ|²; the square of a term of one text alone is added there, too. Lowering the costs by `unique` therefore gives
    the model of all terms (Hsieh et al. 2008, "A dual coordinate descent method for large-scale linear SVM"). If all
    labels are relevant, the score is the similarity to their mean; without a relevant one it is 0.
    """
    import numpy as np

    at, y = np.asarray(labelled, dtype=int), np.asarray(labels, dtype=bool)
    relevant = int(y.sum())
    if relevant == 0:
        return np.zeros(features.shared.shape[0])
    if relevant == len(y):
        return features.shared @ np.asarray(features.shared[at].mean(axis=0)).ravel()
    cost = C * np.where(y, 1 / relevant, 1 / (RATIO * (len(y) - relevant))) * len(y) / (1 + 1 / RATIO)
    return features.shared @ _weights(features.shared[at], y, cost / (1 + 2 * cost * features.unique[at]), seed)


def _weights(rows: Any, y: Any, cost: Any, seed: int) -> Any:
    """Fit the model to the terms that occur in `rows`; return the weight of each term (float32)."""
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


CLASSIFIER = (
    f"linear support vector machine, squared hinge loss, C {C}, fitted when a label is relevant or 1 in {STEP} new"
)


@dataclass(frozen=True)
class LabelledText:
    """A labelled text for training only: a paper that was retained or excluded earlier."""

    text: str
    relevant: bool


def can_learn() -> bool:
    """True if scikit-learn is installed; does not import it."""
    return find_spec("sklearn") is not None


def needs_library() -> None:
    """Import scikit-learn, which takes a second; raises `AwesomeError` if it is not installed."""
    try:
        import_module("sklearn.svm")
    except ImportError:
        hint = f"install it with: {install('screen')}; or choose --order random or --order date"
        raise AwesomeError("an order by relevance needs scikit-learn", hint=hint) from None


def text(title: str, abstract: str | None) -> str:
    """Return a record's text for a `Ranker`: the title as the first line, then the abstract."""
    return f"{' '.join(title.split())}\n{abstract or ''}"


def order(by: Literal["random", "date", "relevance"], seed: int = 0) -> ScreeningOrder:
    """Return the settings of an order, to be stored with the decisions.

    An order by relevance records features, classifier, balance and the version of scikit-learn; raises `AwesomeError`
    if that is not installed.
    """
    if by != "relevance":
        return ScreeningOrder(by=by, seed=seed, program=__version__)
    needs_library()
    return ScreeningOrder(
        by=by,
        seed=seed,
        features="TF-IDF of " + ", ".join(f"{part} {share}" for part, share in SHARES.items()),
        classifier=CLASSIFIER,
        balance=f"all relevant {RATIO} to all irrelevant 1",
        version=f"scikit-learn {version('scikit-learn')}",
        program=__version__,
    )


class Ranker:
    """Candidates without a label, next to read first.

    `texts` are the texts of the candidates (see `text`), iterated once; a candidate is identified by its index. `dates`
    are for the order by date: newest first, missing dates last. `known` are labelled texts for training. `made` are the
    features of `texts` and `known`, if computed before. Until a relevant text is known, an order by relevance is random
    by its seed; with relevant labels only, it is by similarity to them. The same texts, settings and labels, in the
    same sequence, give the same order. Raises `AwesomeError` if an order by relevance needs scikit-learn.

    The model is fitted to all labels up to the last relevant one, and to all labels when one in `STEP` is new. Fitting
    after every irrelevant label finds relevant papers hardly earlier.
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
        """Set the label of candidate `i`, which removes it from the order; a new label replaces the former in place."""
        if self._labels.get(i, relevant) != relevant:
            self._fitted = None
        self._labels[i] = relevant

    def unlabel(self, i: int) -> None:
        """Remove the label of candidate `i`, which returns it to the order."""
        if self._labels.pop(i, None) is not None:
            self._fitted = None

    def ranked(self, n: int | None = None) -> list[int]:
        """Return the first `n` candidates without a label [default: all], best first."""
        if self.settings.by == "relevance":
            self._fit()
        return list(islice((i for i in self._order if i not in self._labels), n))

    def next(self) -> int | None:
        """Return the candidate to read next, None if all have a label."""
        return next(iter(self.ranked(1)), None)

    def _fit(self) -> None:
        import numpy as np

        irrelevant = takewhile(lambda relevant: not relevant, reversed(self._labels.values()))
        size = max(len(self._labels) - sum(1 for _ in irrelevant), _reached(len(self._labels)))
        if size == self._fitted:
            return
        self._fitted = size
        n = len(self._fixed)
        at = [*islice(self._labels, size), *range(n, n + len(self._known))]
        labels = [*islice(self._labels.values(), size), *self._known]
        fixed = np.asarray(self._fixed, dtype=int)
        scored = scores(self._features, at, labels, self.settings.seed)[fixed]
        self._order = fixed[np.argsort(-scored, kind="stable")].tolist()


def _fixed(n: int, settings: ScreeningOrder, dates: Sequence[date | None]) -> list[int]:
    """Return the order by date, else at random; it also breaks ties of scores."""
    if settings.by == "date":
        return sorted(range(n), key=lambda i: dates[i] or date.min, reverse=True)
    return random.Random(settings.seed).sample(range(n), n)  # noqa: S311 - no secret


def _reached(n: int) -> int:
    """Return the largest number of labels, up to `n`, at which the model is refitted."""
    reached = 0
    while (following := reached + 1 + reached // STEP) <= n:
        reached = following
    return reached
