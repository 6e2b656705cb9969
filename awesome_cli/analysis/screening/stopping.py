"""Stopping rules for screening: a statistical rule with recall target and confidence, and a heuristic.

Both rules use the number of papers read, how many of these are relevant, and how many follow the last relevant paper.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, exp, floor, lgamma

from awesome_cli.text.numbers import counted

TARGET, CONFIDENCE, RUN = 0.95, 0.95, 50
"""Default recall target and confidence, and the least run of irrelevant papers that the heuristic requires."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of screening: `seen` of `total` papers were read, and `found` of the papers read are relevant.

    `run` is the number of irrelevant papers read since the last relevant paper, `late` the number of relevant papers
    among the last `RUN` read.
    """

    total: int
    seen: int = 0
    found: int = 0
    run: int = 0
    late: int = 0

    @classmethod
    def of(cls, labels: Iterable[bool], total: int) -> "Progress":
        """Compute the progress from labels in the order read; True is a relevant paper."""
        read = list(labels)
        run = next((n for n, relevant in enumerate(reversed(read)) if relevant), len(read))
        return cls(total, len(read), sum(read), run, sum(read[-RUN:]))

    @property
    def expected(self) -> float:
        """Expected relevant papers among the unread, at the rate of the run or of the last `RUN` read (Laplace)."""
        return (self.total - self.seen) * (self.late + 1) / (max(self.run, min(self.seen, RUN)) + 2)


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice of a stopping rule: `stop` or continue, the reason, the source of the rule, and its assumptions.

    `left` is the number of papers until the rule stops if none of them is relevant.
    """

    rule: str
    stop: bool
    left: int
    because: str
    source: str
    limits: str


@dataclass(frozen=True, slots=True)
class HypergeometricRule:
    """Stop when the run of irrelevant papers would be too unlikely if the recall target were missed.

    If recall is below `target`, at least `missed` relevant papers follow the last one found. The rule stops when the
    hypergeometric probability that none of them is in the run is at most `a / (1 + a) / missed`, with
    `a = 1 - confidence`. This is the test of Callaghan and Müller-Hansen (2020) for the papers since the last relevant
    one, at a level corrected for testing after every paper: in a random order, the rule stops below the target with a
    probability of at most `a` (proof in docs/screening.md).
    """

    target: float = TARGET
    confidence: float = CONFIDENCE
    name: str = "hypergeometric test"

    SOURCE = (
        "Callaghan and Müller-Hansen 2020, doi:10.1186/s13643-020-01521-4, at a level corrected for testing after"
        " every paper"
    )
    LIMITS = (
        "exact for a random order; for other orders, the papers read since the last relevant paper must have been at"
        " least as likely to be relevant as the unread papers, which cannot be checked; labels are assumed correct"
    )

    def missed(self, found: int) -> int:
        """Return the minimum number of relevant papers not yet found if recall is below the target."""
        return floor(found / Fraction(str(self.target))) + 1 - found

    def level(self, found: int) -> float:
        """Return the significance level: the probability at or below which the rule stops."""
        risk = 1 - self.confidence
        return risk / (1 + risk) / self.missed(found)

    def chance(self, now: Progress) -> float:
        """Return the probability of a run of this length if `missed` relevant papers are not yet found."""
        behind, missed = now.total - now.seen + now.run, self.missed(now.found)
        free = behind - now.run
        if missed > free:
            return 0.0
        return exp(lgamma(free + 1) - lgamma(free - missed + 1) - lgamma(behind + 1) + lgamma(behind - missed + 1))

    def stops(self, now: Progress) -> bool:
        """True if screening should stop; before a relevant paper is found, only if all papers are read."""
        return now.seen == now.total or (now.found > 0 and self.chance(now) <= self.level(now.found))

    def advice(self, now: Progress) -> Advice:
        """Return the advice for this progress."""
        return Advice(self.name, self.stops(now), self._left(now), self._because(now), self.SOURCE, self.LIMITS)

    def _because(self, now: Progress) -> str:
        goal = f"recall of at least {self.target:.0%} at {self.confidence:.0%} confidence"
        if now.seen == now.total:
            return f"{goal}: every paper was read"
        if not now.found:
            return f"{goal}: cannot be tested before a relevant paper is found"
        missed, behind = self.missed(now.found), now.total - now.seen + now.run
        return (
            f"{goal}: if missed, at least {missed:,} of the {behind:,} papers after the last relevant one would be"
            f" relevant; the probability that none of these is among the {now.run:,} read is at most"
            f" {self.chance(now):.2g} (required: {self.level(now.found):.2g})"
        )

    def _left(self, now: Progress) -> int:
        low, high = 0, now.total - now.seen
        while low < high:
            middle = (low + high) // 2
            later = replace(now, seen=now.seen + middle, run=now.run + middle)
            low, high = (low, middle) if self.stops(later) else (middle + 1, high)
        return low


USUAL = HypergeometricRule()
"""The rule with the default target and confidence."""
RUN_SOURCE = (
    "a condition of the SAFE procedure, Boetje and van de Schoot 2024, doi:10.1186/s13643-024-02502-7, tightened"
)
RUN_LIMITS = (
    "a heuristic without guarantee of recall, which costs relevant papers: a run of 50 alone stopped 68 % of 100"
    " screenings of ten reviews below 95 % recall"
)


def run_advice(now: Progress) -> Advice:
    """Return the advice of the heuristic: stop after a run twice as long as a random order would show, at least `RUN`.

    Since at least `found` papers are relevant, a random order shows one in `total / found` papers or more often. Before
    a relevant paper is found, the heuristic stops only when all papers are read.
    """
    unread = now.total - now.seen
    required = max(RUN, ceil(2 * now.total / now.found)) if now.found else now.run + unread
    left = min(max(required - now.run, 0), unread)
    run = f"{counted(now.run, 'irrelevant paper')} in a row (required: {required:,})"
    because = run if now.found else "cannot be applied before a relevant paper is found"
    return Advice("run of irrelevant papers", not left, left, because, RUN_SOURCE, RUN_LIMITS)


def advise(now: Progress, rule: HypergeometricRule | None = USUAL) -> tuple[Advice, ...]:
    """Return the advice of each rule, none without `rule`; papers labelled before the screening are not counted."""
    return (rule.advice(now), run_advice(now)) if rule else ()


def work_left(now: Progress) -> str:
    """Describe the unread papers: their number, and the expected number of relevant ones."""
    left = f"{counted(now.total - now.seen, 'paper')} left to read"
    return f"{left}; at the rate of the latest ones, about {now.expected:,.0f} of them relevant" if now.seen else left


def words(advice: Advice) -> str:
    """Format advice as a sentence with the source and the assumptions of the rule."""
    more = f"continue; stops after {counted(advice.left, 'more paper')} if none is relevant"
    return f"{advice.rule}: {'stop' if advice.stop else more}; {advice.because} ({advice.source}; {advice.limits})"
