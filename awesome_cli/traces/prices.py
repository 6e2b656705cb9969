"""The shape of `prices.yaml`: what models cost, as its owner knows it. The tool ships no prices and guesses none."""

from datetime import date
from fnmatch import fnmatchcase
from typing import Annotated

from pydantic import BaseModel, Field

Rate = Annotated[float, Field(ge=0)]
"""A price per million tokens."""


class ModelPrice(BaseModel, frozen=True, extra="forbid", allow_inf_nan=False):
    """A model's price per million tokens from a day on: `model` is a name, or a pattern with `*` and `?`."""

    model: Annotated[str, Field(min_length=1)]
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")]
    since: date
    source: Annotated[str, Field(min_length=1)]
    fresh: Rate
    output: Rate
    cached: Rate | None = None
    cache_write: Rate | None = None


class Prices(BaseModel, frozen=True, extra="forbid"):
    """The whole of `prices.yaml`."""

    prices: tuple[ModelPrice, ...] = ()

    def price(self, model: str, day: date | None) -> ModelPrice | None:
        """The price of a model on a day: a name counts before a pattern, a longer pattern before a shorter one.

        None where no row fits, and where several dated rows fit and the day is unknown.
        """
        fitting = [row for row in self.prices if fnmatchcase(model, row.model)]
        closest = max(fitting, key=lambda row: (row.model == model, len(row.model)), default=None)
        rows = [row for row in fitting if closest and row.model == closest.model]
        if day is None:
            return rows[0] if len(rows) == 1 else None
        return max((row for row in rows if row.since <= day), key=lambda row: row.since, default=None)
