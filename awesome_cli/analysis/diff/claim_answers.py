"""The answers to the claims of one state of a survey."""

from dataclasses import dataclass

from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResult, judged
from awesome_cli.errors import SurveyError
from awesome_cli.model.claims import Claim
from awesome_cli.reports.progress import watched

UNANSWERABLE = "unanswerable"


@dataclass(frozen=True, slots=True)
class ClaimAnswer:
    """The status of a claim and the records behind it; `ended` says in words how it ended."""

    status: str | None
    keys: tuple[str, ...] = ()
    ended: str = ""


NOT_STATED = ClaimAnswer(None)


def answers(pool: Pool) -> dict[str, ClaimAnswer]:
    """The answer to each claim made by the day of the pool; one that cannot be asked is `unanswerable`."""
    corpus = pool.corpus
    due = [claim for claim in corpus.claims.claims if claim.is_due(corpus.day)]
    return {claim.id: _answer(claim, pool) for claim in watched(due, "checking claims")}


def _answer(claim: Claim, pool: Pool) -> ClaimAnswer:
    try:
        return answer_of(judged(claim, pool))
    except SurveyError:
        return ClaimAnswer(UNANSWERABLE)


def answer_of(found: ClaimResult) -> ClaimAnswer:
    """The answer that a result gives."""
    if found.ended is not None:
        return ClaimAnswer(found.status.value, found.records, found.life)
    return ClaimAnswer(found.status.value, found.keys)
