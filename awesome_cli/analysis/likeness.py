"""The records that a text is most like, by the words that they share, and the papers whose codings are most alike."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from awesome_cli.model.records import AnyRecord, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.folding import WORD, fold

PLAIN = frozenset(
    WORD.findall(
        "a about across after against all also an and any are as at be because been before between both but by can "
        "did do does during each else for from had has have here how i if in into is it its least less many may "
        "more most much neither no nor not of off on one only or other others our out over own same several so "
        "some such than that the their them then there these they this those through to toward towards two under "
        "using via was we were what when where whether which while who whom whose why will with within without yes you"
    )
)
"""Words that say nothing about a subject."""
SHOWN = 5
"""How many shared words are told."""
COMMON = 0.5
"""Words in a larger share of the records say nothing about any of them."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A record, how like it is (0: no word shared, 1: the same words), and the shared words that weigh most."""

    key: str
    score: float
    words: tuple[str, ...]


def text_of(record: AnyRecord) -> str:
    """Return a record's abstract, summary and note."""
    said = (record.extra.get("abstract"), getattr(record, "summary", None), record.note)
    return "\n".join(part for part in said if isinstance(part, str))


@dataclass(frozen=True)
class Likeness:
    """An index of records by their words.

    The likeness is the cosine of two vectors of words, where a word weighs (1 + ln tf) · ln(N / df): Salton and
    Buckley 1988, Term-weighting approaches in automatic text retrieval, doi:10.1016/0306-4573(88)90021-0. Words of the
    title count twice; case, accents and a plural `s` make no difference.
    """

    weights: Mapping[str, float]
    postings: Mapping[str, tuple[tuple[str, float], ...]]

    @classmethod
    def of(cls, records: Iterable[AnyRecord]) -> "Likeness":
        """The index of some records, by title and `text_of`."""
        counts = {record.key: _counts(record.title, text_of(record)) for record in records}
        found = Counter(word for words in counts.values() for word in words)
        most = max(COMMON * len(counts), 1)
        weights = {word: math.log((1 + len(counts)) / n) for word, n in found.items() if n <= most}
        postings: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
        for key, words in counts.items():
            for word, weight in _unit(words, weights).items():
                postings[word].append((key, weight))
        return cls(weights, {word: tuple(held) for word, held in postings.items()})

    def nearest(self, title: str, text: str = "", n: int = 3, without: Collection[str] = ()) -> tuple[Neighbour, ...]:
        """The `n` records most like a text, the nearest first, of the same likeness by key; `without` some keys."""
        shared: defaultdict[str, dict[str, float]] = defaultdict(dict)
        for word, weight in _unit(_counts(title, text), self.weights).items():
            for key, other in self.postings[word]:
                if key not in without:
                    shared[key][word] = weight * other
        scores = sorted(((-math.fsum(words.values()), key) for key, words in shared.items()))
        return tuple(Neighbour(key, round(-score, 4), _heaviest(shared[key])) for score, key in scores[:n])


def _counts(title: str, text: str) -> Counter[str]:
    """How often each word of three letters or more that says something stands in a text."""
    words = WORD.findall(fold(f"{title} {title} {text}"))
    found = (word for word in words if len(word) > 2 and not word.isdigit() and word not in PLAIN)
    return Counter(word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word for word in found)


def _unit(words: Mapping[str, int], weights: Mapping[str, float]) -> dict[str, float]:
    """The weights of the words that the index knows, as a vector of length 1; empty if it knows none."""
    vector = {word: (1 + math.log(n)) * weights[word] for word, n in sorted(words.items()) if word in weights}
    length = math.sqrt(math.fsum(weight * weight for weight in vector.values()))
    return {word: weight / length for word, weight in vector.items()} if length else {}


def _heaviest(words: Mapping[str, float]) -> tuple[str, ...]:
    return tuple(sorted(words, key=lambda word: (-words[word], word))[:SHOWN])


SHOWN_CODINGS = 4
"""How many shared codings are told."""
BLOCK = 500
"""Papers that are compared with all others at a time, which bounds the memory."""
SCALE = 1000
"""Weights are whole multiples of 1/1000: sums of them are exact, and equal on every machine."""

Coding = tuple[str, str, str | None]
"""Axis, term, and a strength or None for the term at any strength."""


@dataclass(frozen=True, slots=True)
class Near:
    """A paper, how like it is coded (above 0, up to 1: coded the same), and the shared codings that weigh most."""

    key: str
    score: float
    shared: tuple[Coding, ...]


def nearest(corpus: Corpus, n: int = 5) -> Mapping[str, tuple[Near, ...]]:
    """By key, the `n` papers whose codings are most like a paper's, the nearest first, of the same likeness by key.

    The likeness of two papers is the sum of the weights of the codings that both have, over that of the codings that
    at least one has: the index of Jaccard (1912, doi:10.1111/j.1469-8137.1912.tb05611.x) with weights. A coding of n
    of N papers weighs ln((N + 1) / n), so that rare ones count more (Spärck Jones 1972, doi:10.1108/eb026526). A term
    is a coding, and so is a term at a strength; of a part, only the term counts. Papers that share none are not near.
    """
    import numpy as np

    papers = sorted(corpus.papers, key=lambda paper: paper.key)
    codings = [frozenset(_codings(paper)) for paper in papers]
    found = Counter(coding for held in codings for coding in held)
    weights = {coding: round(SCALE * math.log((len(papers) + 1) / held)) for coding, held in found.items()}
    column = {coding: place for place, coding in enumerate(weights)}
    # Whole numbers below 2 ** 24 are exact in this type.
    held = np.zeros((len(papers), len(column)), dtype=np.float32)
    for row, own in enumerate(codings):
        held[row, [column[coding] for coding in own]] = 1
    weighted = held * np.array(list(weights.values()), dtype=np.float32)
    totals = weighted.sum(axis=1, dtype=np.float64)
    answer: dict[str, tuple[Near, ...]] = {}
    for start in range(0, len(papers), BLOCK):
        shared = (weighted[start : start + BLOCK] @ held.T).astype(np.float64)
        united = totals[start : start + BLOCK, None] + totals[None, :] - shared
        scores = np.divide(shared, united, out=np.zeros_like(shared), where=united > 0)
        for row, own in enumerate(scores, start):
            own[row] = 0
            least = np.partition(own, -n)[-n] if len(own) > n else 0
            among = np.flatnonzero((own >= least) & (own > 0))
            best = among[np.argsort(-own[among], kind="stable")][:n]
            answer[papers[row].key] = tuple(
                Near(papers[i].key, round(float(own[i]), 4), _heaviest_codings(codings[row] & codings[i], weights))
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
    """Of a term at a strength and the term at any, the first says both."""
    exact = {(axis, term) for axis, term, strength in shared if strength}
    told = [coding for coding in shared if coding[2] or coding[:2] not in exact]
    return tuple(sorted(told, key=lambda c: (-weights[c], c[0], c[1], c[2] or ""))[:SHOWN_CODINGS])
