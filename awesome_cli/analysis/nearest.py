"""The papers whose codings are most alike."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from awesome_cli.model.records import Paper
from awesome_cli.survey.corpus import Corpus

SHOWN = 4
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
                Near(papers[i].key, round(float(own[i]), 4), _heaviest(codings[row] & codings[i], weights))
                for i in best
            )
    return answer


def _codings(paper: Paper) -> Iterator[Coding]:
    for axis, tags in paper.tags.items():
        for tag in tags:
            yield axis, tag.term, None
            if tag.strength and not tag.part:
                yield axis, tag.term, tag.strength


def _heaviest(shared: frozenset[Coding], weights: Mapping[Coding, int]) -> tuple[Coding, ...]:
    """Of a term at a strength and the term at any, the first says both."""
    exact = {(axis, term) for axis, term, strength in shared if strength}
    told = [coding for coding in shared if coding[2] or coding[:2] not in exact]
    return tuple(sorted(told, key=lambda c: (-weights[c], c[0], c[1], c[2] or ""))[:SHOWN])
