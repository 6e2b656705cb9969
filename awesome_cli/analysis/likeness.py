"""Similarity: records with the most similar words, and papers with the most similar codings."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from awesome_cli.model.records import AnyRecord, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.folding import WORD, fold
from awesome_cli.text.grouping import group_pairs

PLAIN = frozenset(
    WORD.findall(
        "a about across after against all also an and any are as at be because been before between both but by can "
        "did do does during each else for from had has have here how i if in into is it its least less many may "
        "more most much neither no nor not of off on one only or other others our out over own same several so "
        "some such than that the their them then there these they this those through to toward towards two under "
        "using via was we were what when where whether which while who whom whose why will with within without yes you"
    )
)
"""Stop words."""
SHOWN = 5
"""Maximum number of shared words in a result."""
COMMON = 0.5
"""Words in a larger share of the records are ignored."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A similar record: its score from 0 (no shared words) to 1 (same words), and the heaviest shared words."""

    key: str
    score: float
    words: tuple[str, ...]


def text_of(record: AnyRecord, abstracts: Mapping[str, str] = {}) -> str:
    """Return a record's abstract, summary and note."""
    parts = (record.extra.get("abstract", abstracts.get(record.key)), getattr(record, "summary", None), record.note)
    return "\n".join(part for part in parts if isinstance(part, str))


@dataclass(frozen=True)
class Likeness:
    """A TF-IDF index of records.

    The score is the cosine of two word vectors with weights (1 + ln tf) · ln(N / df): Salton and Buckley 1988,
    Term-weighting approaches in automatic text retrieval, doi:10.1016/0306-4573(88)90021-0. Words of the title count
    twice; case, accents and a plural `s` are ignored.
    """

    weights: Mapping[str, float]
    postings: Mapping[str, tuple[tuple[str, float], ...]]

    @classmethod
    def of(cls, records: Iterable[AnyRecord], abstracts: Mapping[str, str] = {}) -> "Likeness":
        """Index records by title and `text_of`."""
        counts = {record.key: _counts(record.title, text_of(record, abstracts)) for record in records}
        frequency = Counter(word for words in counts.values() for word in words)
        most = max(COMMON * len(counts), 1)
        weights = {word: math.log((1 + len(counts)) / n) for word, n in frequency.items() if n <= most}
        vectors = ((key, _unit(words, weights)) for key, words in counts.items())
        postings = group_pairs((word, (key, weight)) for key, unit in vectors for word, weight in unit.items())
        return cls(weights, {word: tuple(entries) for word, entries in postings.items()})

    def nearest(self, title: str, text: str = "", n: int = 3, without: Collection[str] = ()) -> tuple[Neighbour, ...]:
        """Return the `n` records most similar to a text, best first, ties by key; `without` excludes keys."""
        shared: defaultdict[str, dict[str, float]] = defaultdict(dict)
        for word, weight in _unit(_counts(title, text), self.weights).items():
            for key, their_weight in self.postings[word]:
                if key not in without:
                    shared[key][word] = weight * their_weight
        scores = sorted(((-math.fsum(words.values()), key) for key, words in shared.items()))
        return tuple(Neighbour(key, round(-score, 4), _heaviest(shared[key])) for score, key in scores[:n])


def _counts(title: str, text: str) -> Counter[str]:
    """Count the words of three letters or more, without stop words and numbers."""
    words = WORD.findall(fold(f"{title} {title} {text}"))
    content = (word for word in words if len(word) > 2 and not word.isdigit() and word not in PLAIN)
    return Counter(word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word for word in content)


def _unit(words: Mapping[str, int], weights: Mapping[str, float]) -> dict[str, float]:
    """Return the indexed words as a vector of length 1; empty if no word is indexed."""
    vector = {word: (1 + math.log(n)) * weights[word] for word, n in sorted(words.items()) if word in weights}
    length = math.sqrt(math.fsum(weight * weight for weight in vector.values()))
    return {word: weight / length for word, weight in vector.items()} if length else {}


def _heaviest(words: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(sorted(words, key=lambda word: (-words[word], word))[:SHOWN])


SHOWN_CODINGS = 4
"""Maximum number of shared codings in a result."""
BLOCK = 500
"""Papers per block of the matrix product, which bounds the memory."""
SCALE = 1000
"""Weights are multiples of 1/1000, so that sums are exact and equal on every machine."""

Coding = tuple[str, str, str | None]
"""Axis, term and strength (None: any)."""


@dataclass(frozen=True, slots=True)
class Near:
    """A similarly coded paper: its score, above 0 and at most 1 (equal codings), and the heaviest shared codings."""

    key: str
    score: float
    shared: tuple[Coding, ...]


def nearest(corpus: Corpus, n: int = 5) -> Mapping[str, tuple[Near, ...]]:
    """Return, by key, the `n` papers with the most similar codings, best first, ties by key.

    The score is the weighted Jaccard index (1912, doi:10.1111/j.1469-8137.1912.tb05611.x): the weight of the codings
    that both papers have over that of the codings that either has. A coding of n of N papers weighs ln((N + 1) / n), so
    that rare ones count more (Spärck Jones 1972, doi:10.1108/eb026526). A term and a term at a strength are separate
    codings; a part counts as its term. Papers without shared codings are left out.
    """
    import numpy as np

    papers = sorted(corpus.papers, key=lambda paper: paper.key)
    codings = [frozenset(_codings(paper)) for paper in papers]
    frequency = Counter(coding for each in codings for coding in each)
    weights = {coding: round(SCALE * math.log((len(papers) + 1) / n)) for coding, n in frequency.items()}
    column = {coding: place for place, coding in enumerate(weights)}
    # float32 represents integers below 2 ** 24 exactly.
    held = np.zeros((len(papers), len(column)), dtype=np.float32)
    for row, each in enumerate(codings):
        held[row, [column[coding] for coding in each]] = 1
    weighted = held * np.array(list(weights.values()), dtype=np.float32)
    totals = weighted.sum(axis=1, dtype=np.float64)
    answer: dict[str, tuple[Near, ...]] = {}
    for start in range(0, len(papers), BLOCK):
        shared = (weighted[start : start + BLOCK] @ held.T).astype(np.float64)
        united = totals[start : start + BLOCK, None] + totals[None, :] - shared
        scores = np.divide(shared, united, out=np.zeros_like(shared), where=united > 0)
        for row, line in enumerate(scores, start):
            line[row] = 0
            least = np.partition(line, -n)[-n] if len(line) > n else 0
            among = np.flatnonzero((line >= least) & (line > 0))
            best = among[np.argsort(-line[among], kind="stable")][:n]
            answer[papers[row].key] = tuple(
                Near(papers[i].key, round(float(line[i]), 4), _heaviest_codings(codings[row] & codings[i], weights))
                for i in best
            )
    return answer


def _codings(paper: Paper) -> Iterator[Coding]:
    for axis, tags in paper.tags.items():
        for tag in tags:
            yield axis, tag.term, None
            if tag.strength and not tag.part:
                yield axis, tag.term, tag.strength


def _heaviest_codings(shared: frozenset[Coding], weights: Mapping[Coding, int]) -> tuple[Coding, ...]:
    """Return the heaviest shared codings, without a term that is also there at a strength."""
    exact = {(axis, term) for axis, term, strength in shared if strength}
    distinct = [coding for coding in shared if coding[2] or coding[:2] not in exact]
    return tuple(sorted(distinct, key=lambda c: (-weights[c], c[0], c[1], c[2] or ""))[:SHOWN_CODINGS])
