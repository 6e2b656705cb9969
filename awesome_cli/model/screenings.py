"""The shape of `screenings/<who>.yaml`: what one person decided on candidates, in which order they were shown."""

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import ClassVar, Literal

from pydantic import Field

from awesome_cli.model.codings import Filed, Frozen, Many

Verdict = Literal["include", "exclude", "skip", "near_miss", "duplicate", "note"]
OPEN: frozenset[Verdict] = frozenset({"skip", "note"})
"""What leaves a candidate undecided."""
OUT: frozenset[Verdict] = frozenset({"exclude", "near_miss"})
"""What screens a candidate out."""


class ScreeningOrder(Frozen):
    """How candidates were put in order, with all that is needed to do it again.

    `after` is the number of entries that stood in the file when the order began to be used.
    `features`, `classifier` and `balance` name the parts of the model with their parameters, `version` that of the
    library; they stand only where `by` is relevance. `program` is the version of this program.
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
    """What a person decided on a candidate; `at` is its place in the order when it was shown, from 1.

    `stage` is the stage of screening that an included one passed or at which one was screened out, `reason` is that of
    an exclusion, `near_miss` holds tags such as `axis=term` that it nearly has, `of` is the key of the record that a
    duplicate is: one with a reason is an exclusion, one without was merged into that record. `skip` and `note` decide
    nothing.
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
    """One person's decisions, oldest first, of which the last one of a key counts; the last of `orders` is in use.

    `blind` says that they change no record by themselves.
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
        """The decision that counts of each key, without what leaves it undecided."""
        return {decision.key: decision for decision in self.decisions if decision.verdict not in OPEN}
