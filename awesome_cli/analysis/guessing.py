"""Guess the terms of a candidate from its words, with reasons; guesses are never written to a record.

The words of a term are those of its id, label and definition, without its code. They are compared as whole words,
ignoring case, accents and common endings. A word of several terms counts less for each; a word of a definition counts
less than one of a name.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from textwrap import TextWrapper

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
"""English suffixes, removed if at least four letters remain."""
QUALITY = re.compile(r"(?<=\w{4})ness(?:es)?$")
NAME, DEFINITION = 2, Fraction(1, 3)
"""Weights of all words of a name together, and of one word of a definition."""
ENOUGH = 1
"""The lowest score of a guess: half of a name, or three words of a definition that no other term has."""
QUOTED = 300
"""Maximum length of a quoted passage in characters."""
PIECES = TextWrapper(QUOTED, break_long_words=False, break_on_hyphens=False)


@dataclass(frozen=True, slots=True)
class Guess:
    """A guessed term: its `words` as spelled in the text, and as `quote` the passage with most of them.

    `score` is positive and comparable among terms of one axis.
    """

    axis: str
    term: str
    strength: str | None
    words: tuple[str, ...]
    quote: str
    score: float


def guesses(taxonomy: Taxonomy, text: str) -> tuple[Guess, ...]:
    """Guess terms for a text, by axis, best first; deprecated terms are left out.

    The strength is the one with most words in the text, else the weakest.
    """
    passages = _Passages.of(text)
    return tuple(guess for axis in taxonomy.axes for guess in _on_axis(axis, passages))


@dataclass(frozen=True)
class _Passages:
    """Passages of a text; `places` maps a stem to the indices of passages with its first spelling there."""

    passages: tuple[str, ...]
    places: Mapping[str, Mapping[int, str]]

    @classmethod
    def of(cls, text: str) -> "_Passages":
        lines = (" ".join(sentence.split()) for sentence in SENTENCE.split(text))
        passages = tuple(passage for line in lines for passage in PIECES.wrap(line))
        places: dict[str, dict[int, str]] = {}
        for number, passage in enumerate(passages):
            for word in WORD.findall(passage):
                places.setdefault(stem(word), {}).setdefault(number, word)
        return cls(passages, places)

    def best(self, weights: Mapping[str, Fraction]) -> tuple[str, tuple[str, ...]]:
        """Return the passage with the highest weight of stems, and each stem as spelled in the text."""
        scores: dict[int, Fraction] = {}
        for name in weights:
            for number in self.places[name]:
                scores[number] = scores.get(number, Fraction(0)) + weights[name]
        best = max(scores, key=lambda number: (scores[number], -number))
        words = (self.places[name].get(best) or next(iter(self.places[name].values())) for name in weights)
        return self.passages[best], tuple(words)


def stem(word: str) -> str:
    """Return a word without case, accents and suffix; `Delegating` and `delegation` have the same stem."""
    short = ENDING.sub("", QUALITY.sub("", fold(word)))
    return short[:-1] if len(short) > 4 and short[-1] == short[-2] else short


def _stems(texts: Iterable[str]) -> dict[str, None]:
    words = (fold(word) for text in texts for word in WORD.findall(text))
    return dict.fromkeys(stem(word) for word in words if word not in PLAIN and len(word) > 1)


def _weights(entries: Iterable[Named]) -> dict[str, dict[str, Fraction]]:
    names = {entry.id: _stems([entry.id, entry.label]) for entry in entries}
    defined = {entry.id: _stems([entry.definition]) for entry in entries}
    words = {id_: name | defined[id_] for id_, name in names.items()}
    shared = Counter(word for stems in words.values() for word in stems)
    return {
        id_: {word: (Fraction(NAME, len(name)) if word in name else DEFINITION) / shared[word] for word in words[id_]}
        for id_, name in names.items()
    }


def _present(entries: tuple[Named, ...] | tuple[Term, ...], passages: _Passages) -> dict[str, dict[str, Fraction]]:
    return {
        id_: {name: weight for name, weight in weights.items() if name in passages.places}
        for id_, weights in _weights(entries).items()
    }


def _on_axis(axis: Axis, passages: _Passages) -> Iterator[Guess]:
    terms = tuple(term for term in axis.leaves if not term.deprecated)
    weights = {id_: stems for id_, stems in _present(terms, passages).items() if sum(stems.values()) >= ENOUGH}
    strengths = {id_: sum(stems.values()) for id_, stems in _present(axis.strengths, passages).items()}
    strength = max(strengths, key=lambda id_: strengths[id_], default=None)
    for id_ in sorted(weights, key=lambda id_: -sum(weights[id_].values())):
        quote, words = passages.best(weights[id_])
        yield Guess(axis.id, id_, strength, words, quote, float(sum(weights[id_].values())))


NEAREST = 2


@dataclass(frozen=True, slots=True)
class Guessed:
    """A candidate with guessed terms (`cells`), the nearest coded papers, and the claims that query the terms."""

    candidate: Candidate
    cells: tuple[Guess, ...]
    nearest: tuple[Neighbour, ...]
    claims: tuple[str, ...]


def guessed(pool: Pool, verdicts: Sequence[Verdict], candidates: Sequence[Candidate]) -> tuple[Guessed, ...]:
    """Guess the best term per axis for candidates, from title, abstract, summary and note.

    Candidates whose terms most claims query come first.
    """
    by_claim = {verdict.claim.id: set(_cells(verdict, pool)) for verdict in verdicts}
    coded = Likeness.of((paper for paper in pool.corpus.papers if paper.tags), pool.corpus.abstracts)
    results = [_guess(pool, by_claim, coded, candidate) for candidate in watched(candidates, "guessing cells")]
    return tuple(sorted(results, key=lambda guess: (-len(guess.claims), -len(guess.cells), guess.candidate.key)))


def _cells(verdict: Verdict, pool: Pool) -> Iterator[tuple[str, str]]:
    """Yield the terms that the queries of a claim name, with their children; none for claims about claims."""
    if any(expectation.survive for expectation in verdict.claim.expect):
        return
    for query in pool.queries(verdict.claim):
        for axis, term in query.terms:
            yield from ((axis, below) for below in pool.corpus.taxonomy.axis(axis).family.get(term, {term}))


def _guess(pool: Pool, by_claim: dict[str, set[tuple[str, str]]], coded: Likeness, candidate: Candidate) -> Guessed:
    text = text_of(candidate, pool.corpus.abstracts)
    best: dict[str, Guess] = {}
    for guess in guesses(pool.corpus.taxonomy, f"{candidate.title}.\n\n{text}"):
        best.setdefault(guess.axis, guess)
    cells = {(guess.axis, guess.term) for guess in best.values()}
    claims = tuple(name for name, terms in by_claim.items() if cells & terms)
    return Guessed(candidate, tuple(best.values()), coded.nearest(candidate.title, text, NEAREST), claims)
