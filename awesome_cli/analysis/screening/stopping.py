"""When to stop screening: a statistical rule with a recall target and a confidence, and a heuristic.

Both look at how many papers were read, how many of them are relevant, and how many since the last relevant one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, floor, lgamma

from awesome_cli.text.numbers import counted

TARGET, CONFIDENCE, RUN = 0.95, 0.95, 50
"""The recall target, the confidence, and how many irrelevant papers in a row the heuristic asks for."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far screening has come: `seen` of `total` papers were read, `found` relevant, the last `run` irrelevant."""

    total: int
    seen: int = 0
    found: int = 0
    run: int = 0

    @classmethod
    def of(cls, labels: Iterable[bool], total: int) -> "Progress":
        """The progress after papers with these labels, in the order in which they were read, of `total`."""
        read = list(labels)
        run = next((n for n, relevant in enumerate(reversed(read)) if relevant), len(read))
        return cls(total, len(read), sum(read), run)


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice of a rule: stop or not, and why; `source` is who proposed it, `limits` are its assumptions."""

    rule: str
    stop: bool
    because: str
    source: str
    limits: str


@dataclass(frozen=True, slots=True)
class HypergeometricRule:
    """Stops when so long a run of irrelevant papers is too unlikely if the recall target were missed.

    If `found` relevant papers are less than the `target` share of all, at least `missed` of them stand behind the last
    one found. The rule stops when the hypergeometric probability that none of these is in the run is at most
    `a / (1 + a) / missed` with `a = 1 - confidence`. This is the test of Callaghan and Müller-Hansen (2020), made for
    the papers since the last relevant one, at a level that allows for making it after every paper: in a random order,
    the rule stops below the target with a probability of at most `a` (docs/screening.md has the proof).
    """

    target: float = TARGET
    confidence: float = CONFIDENCE
    name: str = "hypergeometric test"

    SOURCE = (
        "Callaghan and Müller-Hansen 2020, doi:10.1186/s13643-020-01521-4, at a level that holds for a test after"
        " every paper"
    )
    LIMITS = (
        "exact for a random order; for another one it assumes that the papers read since the last relevant one were no"
        " less likely to be relevant than those that remain, which nobody can check; labels count as correct"
    )

    def missed(self, found: int) -> int:
        """The least number of relevant papers still to be found if recall is below the target."""
        return floor(found / Fraction(str(self.target))) + 1 - found

    def level(self, found: int) -> float:
        """The probability at which the rule stops."""
        risk = 1 - self.confidence
        return risk / (1 + risk) / self.missed(found)

    def chance(self, now: Progress) -> float:
        """The probability of a run as long as this one if as few relevant papers as may be were missed."""
        behind, missed = now.total - now.seen + now.run, self.missed(now.found)
        free = behind - now.run
        if missed > free:
            return 0.0
        return exp(lgamma(free + 1) - lgamma(free - missed + 1) - lgamma(behind + 1) + lgamma(behind - missed + 1))

    def stops(self, now: Progress) -> bool:
        """True if the screening should stop; never before a relevant paper was found."""
        return now.seen == now.total or (now.found > 0 and self.chance(now) <= self.level(now.found))

    def advice(self, now: Progress) -> Advice:
        """Return the rule's advice at a point of a screening."""
        return Advice(self.name, self.stops(now), self._because(now), self.SOURCE, self.LIMITS)

    def _because(self, now: Progress) -> str:
        goal = f"recall of at least {self.target:.0%} at {self.confidence:.0%} confidence"
        if now.seen == now.total:
            return f"{goal}: every paper was read"
        if not now.found:
            return f"{goal}: no relevant paper was found yet, so that nothing can be said"
        missed, behind = self.missed(now.found), now.total - now.seen + now.run
        more = f"; it stops after {counted(self._more(now), 'more irrelevant paper')} in a row"
        return (
            f"{goal}: below it, at least {missed:,} of the {behind:,} papers behind the last relevant one would be"
            f" relevant; that none is among the {now.run:,} read of them has then a probability of at most"
            f" {self.chance(now):.2g}, and {self.level(now.found):.2g} is asked for{'' if self.stops(now) else more}"
        )

    def _more(self, now: Progress) -> int:
        low, high = 0, now.total - now.seen
        while low < high:
            middle = (low + high) // 2
            later = replace(now, seen=now.seen + middle, run=now.run + middle)
            low, high = (low, middle) if self.stops(later) else (middle + 1, high)
        return low


RUN_SOURCE = "one condition of the SAFE procedure, Boetje and van de Schoot 2024, doi:10.1186/s13643-024-02502-7"
RUN_LIMITS = "a heuristic: it says nothing about recall, and how well it does differs from review to review"


def run_advice(now: Progress) -> Advice:
    """Return the advice of the heuristic: stop after `RUN` irrelevant papers in a row."""
    because = f"{now.run:,} irrelevant papers in a row, and {RUN:,} are asked for"
    return Advice("run of irrelevant papers", now.seen == now.total or now.run >= RUN, because, RUN_SOURCE, RUN_LIMITS)


def advise(labels: Iterable[bool], total: int) -> tuple[Advice, ...]:
    """Return the advice of each rule after papers with these `labels` (relevant or not, in the order read) of `total`.

    Papers that were labelled before the screening began count neither among the labels nor in the total.
    """
    now = Progress.of(labels, total)
    return HypergeometricRule().advice(now), run_advice(now)


def words(advice: Advice) -> str:
    """Advice as a sentence with its source and its limits, for a screen."""
    return f"{advice.rule}: {'stop' if advice.stop else 'go on'}; {advice.because} ({advice.source}; {advice.limits})"
