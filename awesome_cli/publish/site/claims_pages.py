"""The page of claims: a line for each, what is behind it, and its answer under each reading of contested codings."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby

from markupsafe import Markup

from awesome_cli.analysis.audit.report import summaries
from awesome_cli.analysis.claims.admission import Forecast, outlook_sentence
from awesome_cli.analysis.claims.evaluation import Outcome, Verdict, by_reading
from awesome_cli.analysis.claims.results import ClaimResult, ClaimStatus
from awesome_cli.analysis.claims.sensitivity import Tally, Trial, endangered
from awesome_cli.analysis.claims.wording import AnswerText, answer_texts, decisive, expected, first_sentence, observed
from awesome_cli.analysis.gaps.states import GapState
from awesome_cli.model.claims import Claim
from awesome_cli.publish.badge import badge
from awesome_cli.publish.site import data
from awesome_cli.publish.site.evidence import LOOKS
from awesome_cli.publish.site.mentions import keyed
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.survey.corpus import ContestReading

LIVING = (ClaimStatus.HOLDS, ClaimStatus.CONTESTED, ClaimStatus.FAILS)
"""The answers to claims that stand."""
LISTED = 100
"""So many papers and changes of the records are listed in its details; of the others stands the number."""
NAMED = 3
"""So many papers that contest a claim, and so many candidates that would end it, its line names."""


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """The answer to a claim, as coded or in a reading, with the figure that decides it."""

    status: ClaimStatus
    told: AnswerText

    @property
    def look(self) -> GapState:
        """The gap state whose colours it is shown in."""
        return LOOKS[self.status]


@dataclass(frozen=True)
class ClaimLine:
    """A claim on the page; `others` are its answers in readings, without those that are as coded."""

    result: ClaimResult
    frame: Frame
    others: tuple[tuple[ContestReading, ReadAnswer], ...]
    forecast: Forecast | None

    @property
    def claim(self) -> Claim:
        return self.result.claim

    @property
    def answer(self) -> ReadAnswer:
        """The answer as coded."""
        return ReadAnswer(self.result.status, decisive(self.result.verdict, self.frame.checked.pool))

    @property
    def leading(self) -> str:
        """The first sentence of the statement."""
        return first_sentence(self.claim.statement)

    def keyed(self, text: str, *, short: bool = True) -> Markup:
        """A text of the claim, its answer or a trial, in which keys of records are links, `short` by their titles."""
        return keyed(self.frame.corpus, text, self._keys, short=short)

    @cached_property
    def _keys(self) -> frozenset[str]:
        outcomes = [*self.result.verdict.outcomes, *(trial.after for trial in self.flips)]
        lists = (o.value for o in outcomes if isinstance(o.value, tuple))
        bounds = (bound for o in outcomes for _, bound in o.expectation.bounds if isinstance(bound, tuple))
        changed = (trial.change.papers for trial in self.flips if not trial.change.whole)
        return frozenset(chain(*lists, *bounds, *changed, self.result.keys))

    @property
    def figures(self) -> Iterator[tuple[AnswerText, str]]:
        """Each outcome in words, with what is asked as it stands in the file."""
        verdict = self.result.verdict
        texts = answer_texts(verdict, self.frame.checked.pool)
        yield from zip(texts, (expected(o.expectation) for o in verdict.outcomes), strict=True)

    @property
    def contested(self) -> Mapping[str, str]:
        """The papers whose contested codings are behind a reading in which it fails, each with its strongest grade."""
        return {contest.key: contest.grade for contest in reversed(self.result.contested)}

    @property
    def candidates(self) -> tuple[str, ...]:
        """Those proposed for retention that would end the claim, each alone or all together."""
        proposed = self.forecast.proposed if self.forecast else None
        return (proposed.alone or proposed.fewest) if proposed else ()

    @property
    def readings(self) -> Iterator[tuple[tuple[ContestReading, ...], ReadAnswer]]:
        """The answers in readings of which one differs; readings of one side that follow with the same one together."""
        for (_, answer), group in groupby(self.others, key=lambda pair: (pair[0].side, pair[1])):
            yield tuple(reading for reading, _ in group), answer

    @property
    def outlook(self) -> str:
        """The effect of candidates on the claim."""
        return outlook_sentence(self.forecast) if self.forecast else ""

    @cached_property
    def tally(self) -> Tally | None:
        """How many changes of the records the claim met; None where they tell nothing."""
        applies = self.result.stands and not self.claim.definitional
        return self.frame.perturbed.tally(self.claim.id) if applies else None

    @cached_property
    def flips(self) -> tuple[Trial, ...]:
        return self.frame.perturbed.flips(self.claim.id)

    @property
    def families(self) -> Counter[str]:
        """How many of the flips are of which kind of change."""
        return Counter(trial.change.family.value.replace("_", " ") for trial in self.flips)


def claims_pages(frame: Frame) -> Iterator[SitePage]:
    """The page of claims, and the badge that says how many hold."""
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
        scripts=(data.SURVEY, *(f"assets/{name}.js" for name in ("gaps", "view", "readings", "claims"))),
        standing=[line for line in lines if line.result.stands],
        ended=[line for line in lines if not line.result.stands],
        tallies=[(status, LOOKS[status], statuses[status]) for status in LOOKS if statuses[status] or status in LIVING],
        records={record.key: record for record in frame.corpus.records},
        readings=len(frame.corpus.taxonomy.grades) * 2,
        n=len(frame.perturbed.perturbed),
        most=NAMED,
        listed=LISTED,
        observed=observed,
        since=frame.since_published,
        badge=f"claims: {shown.message}",
        audits=summaries(frame.corpus),
    )


def _lines(frame: Frame) -> Iterator[ClaimLine]:
    results, pool = frame.checked.results, frame.checked.pool
    read = by_reading([result.claim for result in results if result.stands], pool)
    by_id = {reading: {verdict.claim.id: verdict for verdict in verdicts} for reading, verdicts in read.items()}
    forecasts = endangered(frame.checked)
    for result in results:
        name = result.claim.id
        pairs = ((reading, verdicts[name]) for reading, verdicts in by_id.items() if name in verdicts)
        changed = (pair for pair in pairs if result.fails_in or _differ(pair[1], result.verdict))
        answers = tuple((reading, _read(verdict, frame)) for reading, verdict in changed)
        yield ClaimLine(result, frame, answers, forecasts.get(name))


def _differ(verdict: Verdict, coded: Verdict) -> bool:
    """True if a claim has another answer, or rests on other papers."""
    pairs = zip(verdict.outcomes, coded.outcomes, strict=True)
    return verdict.holds != coded.holds or any(Outcome.differs_from(now, before) for now, before in pairs)


def _read(verdict: Verdict, frame: Frame) -> ReadAnswer:
    """The answer in a reading, in which no claim is contested any more."""
    status = ClaimStatus.HOLDS if verdict.holds else ClaimStatus.FAILS
    return ReadAnswer(status, decisive(verdict, frame.checked.pool))
