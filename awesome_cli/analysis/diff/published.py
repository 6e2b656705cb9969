"""What changed since the published version of a survey: the pool of its cutoff beside the records as they are."""

from dataclasses import dataclass
from datetime import date

from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResults
from awesome_cli.analysis.diff.comparison import ClaimMove, CorpusDiff, compare
from awesome_cli.model.codings import Correction
from awesome_cli.model.records import Paper
from awesome_cli.survey.corpus import Corpus


@dataclass(frozen=True)
class SincePublished:
    """The published version's day, what differs from it, and what was corrected since then in which paper."""

    day: date
    diff: CorpusDiff
    corrections: tuple[tuple[Paper, Correction], ...]

    @property
    def turned(self) -> tuple[ClaimMove, ...]:
        """The published claims whose answer is another one."""
        return tuple(claim for claim in self.diff.claims if claim.before is not None)

    @property
    def made(self) -> tuple[ClaimMove, ...]:
        """The claims that were made since."""
        return tuple(claim for claim in self.diff.claims if claim.before is None)


def since_published(corpus: Corpus, checked: ClaimResults | None = None) -> SincePublished | None:
    """What changed since the survey's cutoff; None for a survey without one, and for the pool of a day before it.

    `checked` are its claims, if they are known.
    """
    day = corpus.taxonomy.survey.cutoff
    if day is None or (corpus.day is not None and corpus.day < day):
        return None
    names = (day.isoformat(), str(corpus.day or ""))
    pool = checked.pool if checked else Pool(corpus)
    then = pool.as_of(day)
    difference = compare(then.corpus, corpus, names, checked=checked, pools=(then, pool))
    corrections = ((paper, one) for paper in corpus.papers for one in paper.corrections if one.corrected_on > day)
    return SincePublished(day, difference, tuple(corrections))
