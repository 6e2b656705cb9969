"""The records that a text is most like, by the words that they share."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from awesome_cli.analysis.term_words import PLAIN
from awesome_cli.model.records import AnyRecord
from awesome_cli.text.folding import WORD, fold

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
    """What a record says about its work beside the title: abstract, summary and note."""
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
