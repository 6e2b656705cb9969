"""Texts as weights of their words, of pairs of neighbouring words, and of the words of their titles.

Within each of the three parts a text has a weight per term as scikit-learn's `TfidfVectorizer(sublinear_tf=True,
max_df=0.95)` gives it: (1 + ln count) · (1 + ln((1 + n) / (1 + texts with the term))), scaled so that the squares add
to 1; then each part counts by its share. Terms are counted as numbers in arrays, since the pairs of 100,000 texts as
strings need gigabytes.
"""

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

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
    """What `texts` are made of; the first line of each is its title. They are gone through once and not kept."""
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
    """The sum of the squares of each row."""
    import numpy as np

    found, filled = np.zeros(matrix.shape[0]), np.diff(matrix.indptr) > 0
    if filled.any():
        found[filled] = np.add.reduceat(matrix.data**2, matrix.indptr[:-1][filled], dtype=np.float64)
    return found
