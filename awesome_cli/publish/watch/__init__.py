"""What a living survey should look at: new candidates, claims in danger, guesses, what registries and links answer."""

from dataclasses import dataclass
from datetime import date

from awesome_cli.analysis.claims.danger import Danger, dangers, judged
from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.guessing import Guessed, guessed
from awesome_cli.analysis.watching import found_since, unanswered
from awesome_cli.model.records import AnyWork, Candidate
from awesome_cli.model.searches import Asked
from awesome_cli.reports.report import Report
from awesome_cli.survey.corpus import Corpus


@dataclass(frozen=True)
class SurveyWatch:
    """What is to be looked at on a `day`; `new` are the candidates found from `since` on.

    `holding` are the claims that a candidate can end: they hold today, and not by definition. Each of the `coded`
    candidates was admitted alone; there is a guess for each of the others. `refresh` and `links` are what registries
    and links answered, None if they were not asked.
    """

    corpus: Corpus
    day: date
    since: date
    new: tuple[Candidate, ...]
    coded: int
    holding: tuple[str, ...]
    dangers: tuple[Danger, ...]
    guesses: tuple[Guessed, ...]
    unanswered: tuple[Asked, ...]
    refresh: Report | None = None
    links: Report | None = None

    def by(self, effect: str) -> tuple[Danger, ...]:
        """The dangers of one effect, `ends` or `weakens`."""
        return tuple(one for one in self.dangers if one.effect == effect)

    @property
    def retracted(self) -> tuple[AnyWork, ...]:
        """The papers and candidates whose records say that they were corrected or retracted, or that there is doubt."""
        return tuple(one for one in self.corpus.works if one.retraction and one.retraction.status != "none")

    @property
    def population(self) -> dict[str, int]:
        """What the numbers are of."""
        ends, weakens = self.by("ends"), self.by("weakens")
        return {
            "papers": len(self.corpus.papers),
            "candidates": len(self.corpus.candidates),
            "coded": self.coded,
            "not_coded": len(self.guesses),
            "new": len(self.new),
            "undated": sum(not (c.found and c.found.on) for c in self.corpus.candidates),
            "claims": len(self.corpus.claims.claims),
            "claims_that_hold": len(self.holding),
            "candidates_that_end": len({one.candidate.key for one in ends}),
            "claims_that_one_ends": len({one.claim.id for one in ends}),
            "candidates_that_weaken": len({one.candidate.key for one in weakens}),
            "claims_that_one_weakens": len({one.claim.id for one in weakens}),
        }


def watch(
    corpus: Corpus, day: date, since: date, refresh: Report | None = None, links: Report | None = None
) -> SurveyWatch:
    """The watch over a corpus with candidates, claims and the log of searches."""
    pool = Pool(corpus)
    verdicts = judged(pool)
    coded = [c for c in corpus.candidates if c.tags or c.measures]
    others = [c for c in corpus.candidates if not (c.tags or c.measures)]
    return SurveyWatch(
        corpus,
        day,
        since,
        new=found_since(corpus, since),
        coded=len(coded),
        holding=tuple(verdict.claim.id for verdict in verdicts),
        dangers=dangers(pool, verdicts, coded),
        guesses=guessed(pool, verdicts, others),
        unanswered=unanswered(corpus, day),
        refresh=refresh,
        links=links,
    )
