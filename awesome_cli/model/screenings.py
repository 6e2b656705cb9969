"""The shape of `screenings/<who>.yaml`: what one person decided on candidates, in which order they were shown."""

from datetime import date
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from awesome_cli.model.codings import Frozen, Many
from awesome_cli.model.records import KEY

Verdict = Literal["include", "exclude", "skip", "near_miss", "duplicate"]


class ScreeningOrder(Frozen):
    """How candidates were put in order, with all that is needed to do it again.

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


class Decision(Frozen):
    """What a person decided on a candidate; `at` is its place in the order when it was shown, from 1.

    `stage` and `reason` belong to an exclusion, `near_miss` holds tags such as `axis=term` that it nearly has, `of` is
    the key of the record that a duplicate is.
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


class Screenings(Frozen):
    """One person's decisions, the last one of a key counts; `blind` says that they change no record by themselves."""

    key: Annotated[str, Field(pattern=KEY, exclude=True)]
    who: str
    blind: bool = False
    order: ScreeningOrder | None = None
    decisions: tuple[Decision, ...] = ()

    FOLDER: ClassVar[str] = "screenings"

    @property
    def path(self) -> str:
        """Where the decisions stand, relative to the survey's root."""
        return f"{self.FOLDER}/{self.key}.yaml"
