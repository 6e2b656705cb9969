"""Texts as weights of their words, of pairs of neighbouring words, and of the words of their titles.

Within each of the three parts a text has a weight per term as scikit-learn's `TfidfVectorizer(sublinear_tf=True,
max_df=0.95)` gives it: (1 + ln count) · (1 + ln((1 + n) / (1 + texts with the term))), scaled so that the squares add
to 1; then each part counts by its share. Terms are counted as numbers in arrays, since the pairs of 100,000 texts as
strings need gigabytes.
"""

import re
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

WORD = re.compile(r"\b\w\w+\b")
MOST_TEXTS = 0.95
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


@lru_cache(maxsize=1)
def features(texts: tuple[str, ...]) -> Features:
    """What `texts` are made of; the first line of each is its title.

    Those of the texts last asked for are kept, since a simulation ranks the same ones with several seeds.
    """
    from scipy import sparse

    parts = [_weighed(*part, len(texts), share) for part, share in zip(_parts(texts), SHARES.values(), strict=True)]
    return Features(sparse.hstack([part.shared for part in parts], format="csr"), sum(part.own for part in parts))


def _parts(texts: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    """The terms of each part, as `_numbered` gives them; one part at a time is kept."""
    terms, rows = _numbered(texts)
    yield terms, rows
    terms, rows = _pairs(terms, rows)
    yield terms, rows
    del terms, rows
    yield _numbered([text.partition("\n")[0] for text in texts])


def _numbered(texts: Sequence[str]) -> tuple[Any, Any]:
    """The words of all texts as numbers, and for each the index of its text."""
    import numpy as np

    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    words, lengths = array("i"), []
    for text in texts:
        found = WORD.findall(text.lower())
        words.extend(map(numbers.__getitem__, found))
        lengths.append(len(found))
    return np.array(words, np.int64), np.repeat(np.arange(len(texts), dtype=np.int32), lengths)


def _pairs(words: Any, rows: Any) -> tuple[Any, Any]:
    """The pairs of neighbouring words of a text, as `_numbered` gives words."""
    inside = rows[:-1] == rows[1:]
    return (words[:-1] * (words.max(initial=0) + 1) + words[1:])[inside], rows[:-1][inside]


def _weighed(terms: Any, rows: Any, n: int, share: float) -> Features:
    """One part of the features of `n` texts: terms as numbers, and for each the index of its text, in order.

    The vectors of the part are as long as its share.
    """
    import numpy as np
    from scipy import sparse

    columns, width = _columns(terms)
    kept = columns >= 0
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[kept], minlength=n))]).astype(np.int32)
    counts = sparse.csr_matrix((np.ones(starts[-1], np.float32), columns[kept], starts), shape=(n, width))
    counts.sum_duplicates()
    texts = np.bincount(counts.indices, minlength=counts.shape[1])
    rarity = (1 + np.log((1 + n) / (1 + np.arange(n + 1)))).astype(np.float32)
    counts.data = (1 + np.log(counts.data)) * rarity[texts][counts.indices]
    alone = counts[:, texts == 1]
    own = _squares(alone) + np.bincount(rows[~kept], minlength=n) * rarity[1] ** 2
    shared = counts[:, (texts > 1) & (texts <= MOST_TEXTS * n)]
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
    """The sum of the squares of each row."""
    import numpy as np

    rows = np.repeat(np.arange(matrix.shape[0], dtype=np.int32), np.diff(matrix.indptr))
    return np.bincount(rows, matrix.data**2, matrix.shape[0])
