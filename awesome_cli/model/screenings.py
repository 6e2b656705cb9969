"""Model of `screenings/<who>.yaml`: one person's decisions on candidates, and the order in which they were shown."""

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import ClassVar, Literal

from pydantic import Field

from awesome_cli.model.codings import Filed, Frozen, Many

Verdict = Literal["include", "exclude", "skip", "near_miss", "duplicate", "note"]
OPEN: frozenset[Verdict] = frozenset({"skip", "note"})
"""Verdicts that leave a candidate undecided."""
OUT: frozenset[Verdict] = frozenset({"exclude", "near_miss"})
"""Verdicts that screen a candidate out."""


class ScreeningOrder(Frozen):
    """The order in which candidates were shown, with the parameters to reproduce it.

    `after` is the number of decisions in the file when the order came into use. `features`, `classifier` and `balance`
    name the parts of the model with their parameters, `version` is the version of the library; they are only used if
    `by` is `relevance`. `program` is the version of this program.
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
    """A decision on a candidate; `at` is the candidate's position in the order when it was shown, from 1.

    `stage` is the screening stage that it passed or at which it was screened out, `reason` the reason of an exclusion,
    `near_miss` lists tags such as `axis=term` that it almost has. `of` is the key of the record that it duplicates: a
    duplicate with a reason becomes an exclusion, one without is merged into that record. `skip` and `note` leave the
    candidate undecided.
    """

    key: str
    verdict: Verdict
    on: date
    stage: str | None = None
    reason: str | None = None
    near_miss: Many[str] = ()
    of: str | None = None
    note: str | None = None
    at: int | None = Field(default=None, ge=1)


class Screenings(Filed):
    """One person's decisions, oldest first; the last decision on a key counts, and the last of `orders` is in use.

    `blind` decisions do not change records.
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
        """The last decision on each key that is not `skip` or `note`."""
        return {decision.key: decision for decision in self.decisions if decision.verdict not in OPEN}
