"""The page of claims: a line per claim with details and its result in each reading of contested codings."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from awesome_cli.analysis.audit.report import agreement_sentences, summaries
from awesome_cli.analysis.claims.admission import Forecast, outlook_sentence
from awesome_cli.analysis.claims.evaluation import Outcome, Verdict, by_reading
from awesome_cli.analysis.claims.results import ClaimResult, ClaimStatus
from awesome_cli.analysis.claims.sensitivity import Tally
from awesome_cli.analysis.claims.wording import AnswerText, answer_texts, decisive, expected, first_sentence
from awesome_cli.analysis.gaps.states import GapState
from awesome_cli.model.claims import Claim
from awesome_cli.publish.badge import badge
from awesome_cli.publish.site import data
from awesome_cli.publish.site.evidence import LOOKS
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.survey.corpus import ContestReading

LIVING = (ClaimStatus.HOLDS, ClaimStatus.CONTESTED, ClaimStatus.UNDECIDED, ClaimStatus.FAILS)
"""The statuses of current claims."""
LISTED = 10
"""Maximum number of papers and changes listed in the details of a claim."""
NAMED = 3
"""Maximum number of contested papers and of candidates named in the line of a claim."""


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """The result of a claim, as coded or in a reading, with the decisive figure."""

    status: ClaimStatus
    told: AnswerText

    @property
    def look(self) -> GapState:
        """The gap state whose colours are used."""
        return LOOKS[self.status]


@dataclass(frozen=True)
class ClaimLine:
    """A claim on the page; `others` are its results in readings that differ from the coding."""

    result: ClaimResult
    frame: Frame
    others: tuple[tuple[ContestReading, ReadAnswer], ...]
    forecast: Forecast | None

    @property
    def claim(self) -> Claim:
        return self.result.claim

    @property
    def answer(self) -> ReadAnswer:
        """The result as coded."""
        return ReadAnswer(self.result.status, decisive(self.result.verdict, self.frame.checked.pool))

    @property
    def leading(self) -> str:
        return first_sentence(self.claim.statement)

    @property
    def figures(self) -> Iterator[tuple[AnswerText, str, str]]:
        """Yield each outcome in words, with its query as in the file, and whether it holds."""
        verdict = self.result.verdict
        for told, outcome in zip(answer_texts(verdict, self.frame.checked.pool), verdict.outcomes, strict=True):
            yield told, expected(outcome.expectation), self.result.answer(outcome)

    @property
    def contested(self) -> Mapping[str, str]:
        """Papers whose contested codings make the claim fail in a reading, each with its strongest grade."""
        return {contest.key: contest.grade for contest in reversed(self.result.contested)}

    @property
    def candidates(self) -> tuple[str, ...]:
        """Candidates proposed for retention that would overturn the claim, each alone or all together."""
        proposed = self.forecast.proposed if self.forecast else None
        return (proposed.alone or proposed.fewest) if proposed else ()

    @property
    def readings(self) -> Iterator[tuple[tuple[ContestReading, ...], ReadAnswer]]:
        """Yield results in readings; consecutive readings of one side with the same result are grouped."""
        for (_, answer), group in groupby(self.others, key=lambda pair: (pair[0].side, pair[1])):
            yield tuple(reading for reading, _ in group), answer

    @property
    def outlook(self) -> str:
        """The sentence on candidates that would overturn the claim."""
        return outlook_sentence(self.forecast) if self.forecast else ""

    @cached_property
    def tally(self) -> Tally | None:
        """The number of changes to the records that affect and flip the claim; None if not applicable."""
        applies = self.result.stands and not self.claim.definitional
        return self.frame.perturbed.tally(self.claim.id) if applies else None

    @property
    def families(self) -> Counter[str]:
        """The number of flips by kind of change."""
        flips = self.frame.perturbed.flips(self.claim.id)
        return Counter(trial.change.family.value.replace("_", " ") for trial in flips)


def claims_pages(frame: Frame) -> Iterator[SitePage]:
    """Yield the page of claims and the badge."""
    lines = tuple(_lines(frame))
    shown = badge(frame.checked)
    yield SitePage("badge.svg", shown.picture)
    yield SitePage("badge.json", shown.endpoint)
    statuses = frame.checked.answers
    yield frame.page(
        "claims.html",
        "claims",
        title="Claims",
        description=f"Statements about the papers of this survey, checked against the records: {shown.message}.",
        styles=("claims",),
        scripts=(data.SURVEY, *(f"assets/{name}.js" for name in ("view", "readings", "claims"))),
        standing=[line for line in lines if line.result.stands],
        ended=[line for line in lines if not line.result.stands],
        tallies=[(status, LOOKS[status], statuses[status]) for status in LOOKS if statuses[status] or status in LIVING],
        records={record.key: record for record in frame.corpus.records},
        readings=len(frame.corpus.taxonomy.grades) * 2,
        n=len(frame.perturbed.perturbed),
        most=NAMED,
        listed=LISTED,
        since=frame.since_published,
        badge=f"claims: {shown.message}",
        audits=summaries(frame.corpus),
        agreement=lambda claim: agreement_sentences(frame.corpus, *frame.checked.pool.axes([claim])),
    )


def _lines(frame: Frame) -> Iterator[ClaimLine]:
    results, pool = frame.checked.results, frame.checked.pool
    read = by_reading([result.claim for result in results if result.stands], pool)
    by_id = {reading: {verdict.claim.id: verdict for verdict in verdicts} for reading, verdicts in read.items()}
    for result in results:
        name = result.claim.id
        pairs = ((reading, verdicts[name]) for reading, verdicts in by_id.items() if name in verdicts)
        changed = (pair for pair in pairs if result.fails_in or _differ(pair[1], result.verdict))
        # In a reading no claim is contested; a claim that is undecided as coded remains so.
        read_as = ((reading, verdict, ClaimResult(verdict, doubts=result.doubts)) for reading, verdict in changed)
        answers = tuple((reading, ReadAnswer(r.status, decisive(verdict, pool))) for reading, verdict, r in read_as)
        yield ClaimLine(result, frame, answers, frame.forecasts.get(name))


def _differ(verdict: Verdict, coded: Verdict) -> bool:
    """True if a claim has another result, or depends on other papers."""
    return verdict.holds != coded.holds or any(map(Outcome.differs_from, verdict.outcomes, coded.outcomes))
