"""Model of `screenings/<who>.yaml`: one person's decisions on works, and the order of the candidates."""

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import ClassVar, Literal

from pydantic import Field

from awesome_cli.model.codings import Filed, Frozen, Many

Verdict = Literal["include", "exclude", "skip", "near_miss", "duplicate", "note", "code"]
REMARKS: frozenset[Verdict] = frozenset({"skip", "note"})
"""Verdicts that change no record."""
OPEN: frozenset[Verdict] = REMARKS | {"code"}
"""Verdicts that leave a candidate undecided."""
OUT: frozenset[Verdict] = frozenset({"exclude", "near_miss"})
"""Verdicts that screen a candidate out."""


class ScreeningOrder(Frozen):
    """The order in which candidates were shown, with the parameters to reproduce the order.

    `after` is the number of decisions in the file when the order came into use. `program` is the version of this
    program. An order by `relevance` also has `features`, `classifier` and `balance`, the parts of the model with their
    parameters, and `version`, the version of the library.
    """

    by: Literal["random", "date", "relevance"]
    seed: int = 0
    features: str | None = None
    classifier: str | None = None
    balance: str | None = None
    version: str | None = None
    program: str | None = None
    after: int = Field(default=0, ge=0)


class Decision(Frozen):
    """A decision on a candidate, or a coding; `at` is the candidate's position (from 1) in the order when it was shown.

    `stage` is the screening stage that the candidate passed or at which it was screened out, `reason` is the reason of
    an exclusion, `near_miss` lists tags (`axis=term`) that the candidate almost has. For a duplicate, `of` is the key
    of the other record: a duplicate with a reason becomes an exclusion; without a reason it is merged into the other
    record. `skip` and `note` leave the candidate undecided. The verdict `code` has the `axis` and the `terms` of a
    coding (`term:strength`, or `NA`). `blind` is true if the person saw no proposal, note, coding or other decision;
    without it, this is not known, also in a file that is `blind`.
    """

    key: str
    verdict: Verdict
    on: date
    stage: str | None = None
    reason: str | None = None
    near_miss: Many[str] = ()
    of: str | None = None
    note: str | None = None
    axis: str | None = None
    terms: Many[str] = ()
    at: int | None = Field(default=None, ge=1)
    blind: bool | None = None


class Screenings(Filed):
    """One person's decisions, oldest first. The last decision on a key counts; the last order in `orders` is in use.

    With `blind`, the decisions do not change records; each decision says if the person saw no opinion of the survey.
    """

    who: str
    blind: bool = False
    orders: tuple[ScreeningOrder, ...] = ()
    decisions: tuple[Decision, ...] = ()

    FOLDER: ClassVar[str] = "screenings"

    @property
    def order(self) -> ScreeningOrder | None:
        """The order in use; None if none was stored."""
        return self.orders[-1] if self.orders else None

    @cached_property
    def final(self) -> Mapping[str, Decision]:
        """The last decision on each key that is not open; keys in the order in which they were first decided on."""
        return {decision.key: decision for decision in self.decisions if decision.verdict not in OPEN}

    @property
    def latest(self) -> tuple[Decision, ...]:
        """The decisions of `final`, oldest first."""
        newest = dict.fromkeys(decision.key for decision in reversed(self.decisions) if decision.verdict not in OPEN)
        return tuple(self.final[key] for key in reversed(newest))
