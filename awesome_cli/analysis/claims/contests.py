"""What contests a claim: the readings in which it fails, and the contested codings behind that."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from awesome_cli.analysis.claims.evaluation import Outcome, Verdict, evaluate, outcome
from awesome_cli.analysis.claims.perturbations import Family, Perturbation, challenged
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.model.claims import Claim
from awesome_cli.model.codings import Contest, on_axis
from awesome_cli.survey.corpus import ContestReading, Corpus, Side
from awesome_cli.survey.readings import in_reading


@dataclass(frozen=True, slots=True)
class Contested:
    """A paper whose coding public evidence contests, at a grade, for a reason; `side` is that of the contest."""

    key: str
    tag: str
    grade: str
    because: str
    side: Side

    def to_json(self) -> dict[str, str]:
        """The published form."""
        return {"key": self.key, "tag": self.tag, "grade": self.grade, "side": self.side.value,
                "because": self.because}  # fmt: skip


def weakest(corpus: Corpus) -> tuple[ContestReading, ...]:
    """Both readings, from the weakest grade on; none where the taxonomy has no grades."""
    return tuple(ContestReading(side, grade.id) for grade in corpus.taxonomy.grades[:1] for side in Side)


def every_reading(corpus: Corpus) -> tuple[ContestReading, ...]:
    """Both readings, from each grade on, the weakest first; none where the taxonomy has no grades."""
    return tuple(ContestReading(side, grade.id) for side in Side for grade in corpus.taxonomy.grades)


def by_reading(claims: Sequence[Claim], pool: Pool) -> Mapping[ContestReading, tuple[Verdict, ...]]:
    """The verdicts on claims under every reading, in their order."""
    return {
        reading: tuple(evaluate(claim, pool, under(reading, pool)) for claim in claims)
        for reading in every_reading(pool.corpus)
    }


def under(reading: ContestReading, pool: Pool) -> Perturbation:
    """The papers of a pool that a reading changes, as one perturbation."""
    return pool.changes(Family(reading.side.value))[str(reading)]


def failing(
    verdict: Verdict, pool: Pool, readings: Sequence[ContestReading]
) -> Iterator[tuple[ContestReading, tuple[Contested, ...]]]:
    """The readings in which a claim that holds as coded fails, with the contests that contribute to that."""
    if verdict.claim.definitional or not verdict.holds:
        return
    for reading in readings:
        read = evaluate(verdict.claim, pool, under(reading, pool))
        if not read.holds:
            fails = [before for before, after in zip(verdict.outcomes, read.outcomes, strict=True) if not after.holds]
            yield reading, tuple(_behind(verdict.claim, fails, pool, reading))


def _behind(claim: Claim, fails: Sequence[Outcome], pool: Pool, reading: ContestReading) -> Iterator[Contested]:
    """The contests that by themselves change one of the answers, as coded, to the failing expectations."""
    singles = pool.cached(("single contests", reading), lambda: tuple(_singles(pool.corpus, reading)))
    for contest, coding, change in singles:
        if not pool.touched(claim, change):
            continue
        if any(outcome(claim, coded.expectation, pool, change).differs_from(coded) for coded in fails):
            yield Contested(next(iter(change.papers)), coding, contest.grade, contest.because, reading.side)


def _singles(corpus: Corpus, reading: ContestReading) -> Iterator[tuple[Contest, str, Perturbation]]:
    """Each contest that a reading applies, by itself, with the coding that it contests."""
    axes, applies = corpus.taxonomy.by_id, in_reading(corpus.taxonomy, reading)
    for paper in corpus.papers:
        for axis in paper.tags.keys() & axes.keys():
            for tag in paper.tags[axis]:
                if tag.contested is not None and applies(axes[axis], tag):
                    yield tag.contested, on_axis(axis, tag), challenged(corpus, paper, axis, tag)
