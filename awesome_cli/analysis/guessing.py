"""The cells that the words of a candidate point to: a guess with its reasons, never written into a record.

The words of a term are those of its id, its label and its definition, without its code. They are compared as whole
words without case, accents and common endings. A word that stands with several terms of an axis counts less for each,
one of a definition less than one of a name.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from awesome_cli.analysis.claims.evaluation import Verdict
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.likeness import PLAIN, Likeness, Neighbour, text_of
from awesome_cli.model.records import Candidate
from awesome_cli.model.taxonomy import Axis, Named, Taxonomy, Term
from awesome_cli.reports.progress import watched
from awesome_cli.text.folding import fold

WORD = re.compile(r"[^\W_]+")
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-z]|[\"'(\[])|\n\s*\n")
ENDING = re.compile(
    r"(?<=\w{4})(?:i[sz])?(?:ations?|at(?:ed?|es|ing|ors?)|ions?|ings?|e[dr]|ers|ors?|ies|ly|es|[esy])$"
)
"""An ending of English that a word is compared without, if four letters are left."""
QUALITY = re.compile(r"(?<=\w{4})ness(?:es)?$")
NAME, DEFINITION = 2, Fraction(1, 3)
"""The weight of all words of a name together, and of one word of a definition."""
ENOUGH = 1
"""The score from which a term is guessed: half of its name, or three words of its definition that no other term has."""
QUOTED = 300
"""The number of characters up to which a sentence is quoted whole."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A term that a text points to: `words` of the term as they stand in the text, and the passage with most of them.

    `score` is positive and compares terms of one axis.
    """

    axis: str
    term: str
    strength: str | None
    words: tuple[str, ...]
    quote: str
    score: float


def guesses(taxonomy: Taxonomy, text: str) -> tuple[Guess, ...]:
    """The terms in use that a text points to, axis by axis, of each axis the best first; without words, none.

    Of several strengths that one is guessed whose words the text has, else the weakest.
    """
    told = _Passages.of(text)
    return tuple(guess for axis in taxonomy.axes for guess in _on_axis(axis, told))


@dataclass(frozen=True)
class _Passages:
    """The passages of a text, and for each stem the passages that have it, with the word as it first stands there."""

    passages: tuple[str, ...]
    places: Mapping[str, Mapping[int, str]]

    @classmethod
    def of(cls, text: str) -> "_Passages":
        passages = tuple(passage for sentence in SENTENCE.split(text) for passage in _cut(sentence))
        places: dict[str, dict[int, str]] = {}
        for number, passage in enumerate(passages):
            for word in WORD.findall(passage):
                places.setdefault(stem(word), {}).setdefault(number, word)
        return cls(passages, places)

    def best(self, weights: Mapping[str, Fraction]) -> tuple[str, tuple[str, ...]]:
        """The passage with most of some words, the first of equals, and all of these words that the text has."""
        scores: dict[int, Fraction] = {}
        for name in weights:
            for number in self.places[name]:
                scores[number] = scores.get(number, Fraction(0)) + weights[name]
        best = max(scores, key=lambda number: (scores[number], -number))
        words = (self.places[name].get(best) or next(iter(self.places[name].values())) for name in weights)
        return self.passages[best], tuple(words)


def _cut(sentence: str) -> Iterator[str]:
    """A sentence in one line, in pieces of whole words if it is long."""
    piece: list[str] = []
    for word in sentence.split():
        if piece and sum(map(len, piece)) + len(piece) + len(word) > QUOTED:
            yield " ".join(piece)
            piece = []
        piece.append(word)
    if piece:
        yield " ".join(piece)


def stem(word: str) -> str:
    """A word without case, accents and ending: `Delegating` and `delegation` have one stem."""
    short = ENDING.sub("", QUALITY.sub("", fold(word)))
    return short[:-1] if len(short) > 4 and short[-1] == short[-2] else short


def _stems(texts: Iterable[str]) -> dict[str, None]:
    words = (fold(word) for text in texts for word in WORD.findall(text))
    return dict.fromkeys(stem(word) for word in words if word not in PLAIN and len(word) > 1)


def _weights(entries: Iterable[Named]) -> dict[str, dict[str, Fraction]]:
    names = {entry.id: _stems([entry.id, entry.label]) for entry in entries}
    defined = {entry.id: _stems([entry.definition]) for entry in entries}
    words = {id_: name | defined[id_] for id_, name in names.items()}
    shared = Counter(word for found in words.values() for word in found)
    return {
        id_: {word: (Fraction(NAME, len(name)) if word in name else DEFINITION) / shared[word] for word in words[id_]}
        for id_, name in names.items()
    }


def _found(entries: tuple[Named, ...] | tuple[Term, ...], told: _Passages) -> dict[str, dict[str, Fraction]]:
    """The stems of each entry that a text has, with their weights."""
    return {
        id_: {name: weight for name, weight in weights.items() if name in told.places}
        for id_, weights in _weights(entries).items()
    }


def _on_axis(axis: Axis, told: _Passages) -> Iterator[Guess]:
    terms = tuple(term for term in axis.leaves if not term.deprecated)
    found = {id_: weights for id_, weights in _found(terms, told).items() if sum(weights.values()) >= ENOUGH}
    strengths = {id_: sum(weights.values()) for id_, weights in _found(axis.strengths, told).items()}
    strength = max(strengths, key=lambda id_: strengths[id_], default=None)
    for id_ in sorted(found, key=lambda id_: -sum(found[id_].values())):
        quote, words = told.best(found[id_])
        yield Guess(axis.id, id_, strength, words, quote, float(sum(found[id_].values())))


NEAREST = 2


@dataclass(frozen=True, slots=True)
class Guessed:
    """The cells that a candidate's words point to, the nearest coded papers, and the claims that ask for the cells."""

    candidate: Candidate
    cells: tuple[Guess, ...]
    nearest: tuple[Neighbour, ...]
    claims: tuple[str, ...]


def guessed(pool: Pool, verdicts: Sequence[Verdict], candidates: Sequence[Candidate]) -> tuple[Guessed, ...]:
    """A guess for each candidate, from title, abstract, summary and note; those that most claims ask for first.

    Of each axis the best term alone stands in it.
    """
    asked = {verdict.claim.id: set(_cells(verdict, pool)) for verdict in verdicts}
    coded = Likeness.of(paper for paper in pool.corpus.papers if paper.tags)
    found = [_guess(pool, asked, coded, candidate) for candidate in watched(candidates, "guessing cells")]
    return tuple(sorted(found, key=lambda one: (-len(one.claims), -len(one.cells), one.candidate.key)))


def _cells(verdict: Verdict, pool: Pool) -> Iterator[tuple[str, str]]:
    """The cells that the queries of a claim name, and those below them; none for a claim about other claims."""
    if any(expectation.survive for expectation in verdict.claim.expect):
        return
    for query in pool.queries(verdict.claim):
        for axis, term in query.terms:
            yield from ((axis, below) for below in pool.corpus.taxonomy.axis(axis).family.get(term, {term}))


def _guess(pool: Pool, asked: dict[str, set[tuple[str, str]]], coded: Likeness, candidate: Candidate) -> Guessed:
    text = text_of(candidate)
    best: dict[str, Guess] = {}
    for guess in guesses(pool.corpus.taxonomy, f"{candidate.title}.\n\n{text}"):
        best.setdefault(guess.axis, guess)
    cells = {(guess.axis, guess.term) for guess in best.values()}
    claims = tuple(name for name, named in asked.items() if cells & named)
    return Guessed(candidate, tuple(best.values()), coded.nearest(candidate.title, text, NEAREST), claims)
