"""The shape of `audits/<name>.yaml`: two codings of the same papers, made independently."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, ClassVar

from pydantic import Field

from awesome_cli.model.codings import Frozen, Many

NA = "NA"
"""The axis does not apply, says the coder; an absent column was not coded."""


class Sample(Frozen):
    """How the papers were drawn; the same values draw the same papers again."""

    size: int = Field(ge=1)
    seed: int
    stratify: str | None = None
    pool: date | None = None


class Coding(Frozen):
    """One paper as two people coded it.

    Columns are axes (a term, terms joined by `;` on an axis that takes many, or `NA`) and `axis.strength`.
    """

    key: str
    first: dict[str, str]
    second: dict[str, str]


class Audit(Frozen):
    """A second coding; the file's name is its name.

    `first` and `second` name the coders. The first coder's values are copied here, so that the agreement stays the
    same when a paper is coded anew later.
    """

    key: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$", exclude=True)]
    on: date
    first: str = "first coder"
    second: str = "second coder"
    columns: Many[str]
    sample: Sample | None = None
    note: str | None = None
    codings: tuple[Coding, ...] = ()

    FOLDER: ClassVar[str] = "audits"

    @property
    def path(self) -> str:
        """Where the audit stands, relative to the survey's root."""
        return f"{self.FOLDER}/{self.key}.yaml"

    @property
    def pairs(self) -> Mapping[str, tuple[tuple[str, str | None, str | None], ...]]:
        """For each column `(key, first, second)`; None where a coder gave no value."""
        return {
            column: tuple((c.key, c.first.get(column), c.second.get(column)) for c in self.codings)
            for column in self.columns
        }
