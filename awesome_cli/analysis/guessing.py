"""What the words of a candidate without codings point to: a guess with its reasons, never written into a record."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from awesome_cli.analysis.claims.evaluation import Verdict
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.likeness import Likeness, Neighbour, text_of
from awesome_cli.analysis.term_words import Guess, guesses
from awesome_cli.model.records import Candidate
from awesome_cli.reports.progress import watched

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
