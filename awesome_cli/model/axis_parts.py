"""What an axis is made of beside its terms: retired strengths, when a term is sparse, and what was changed."""

from datetime import date
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from awesome_cli.model.codings import Frozen

ID = r"^[a-z0-9][a-z0-9_-]*$"
Id = Annotated[str, Field(pattern=ID)]


class Deprecation(Frozen):
    """The successor of a retired term, and the day when it was retired."""

    use: Id
    on: date


class RetiredStrength(Deprecation):
    """A strength of older codings: it counts as its successor `use` or stronger, until the paper is read again."""

    id: Id


class Sparse(Frozen):
    """When a term is sparse: with at most so many papers, or with at most a share of those that match a query."""

    at_most: int | None = Field(default=None, ge=0)
    share: float | None = Field(default=None, ge=0, le=1)
    of: str = "*"

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.at_most is None) is (self.share is None):
            msg = "sparse is at_most (a number of papers) or share (of the papers that match 'of'), one of the two"
            raise ValueError(msg)
        return self

    def __str__(self) -> str:
        if self.at_most is not None:
            return f"at most {self.at_most} paper{'' if self.at_most == 1 else 's'}"
        return f"at most {100 * (self.share or 0):.3g} % of the papers" + (f" with {self.of}" if self.of != "*" else "")

    def limit(self, population: int) -> int:
        """The largest number of papers that is sparse, where `population` papers match `of`."""
        # The small addend keeps 0.29 x 100 from becoming 28.
        return self.at_most if self.at_most is not None else int((self.share or 0) * population + 1e-9)


class AxisChange(Frozen):
    """Fields of an axis that were changed on a day: before it they had the values in `was`.

    Without `was` the axis did not exist before that day.
    """

    on: date
    was: dict[str, Any] | None = None
    because: str | None = None
