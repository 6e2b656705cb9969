"""Counts, cross-tables and measures of the pool."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from awesome_cli.model.records import Paper, Screening

SPLITS: Mapping[str, Callable[["Paper"], object]] = {
    "year": lambda paper: paper.year,
    "venue": lambda paper: paper.venue,
}
"""What tables split papers by besides axes: a name, and the value of a paper; an empty value counts as `NA`."""
SCREENED: Mapping[str, Callable[["Screening"], str | None]] = {
    "stage": lambda screening: screening.stage,
    "reason": lambda screening: screening.reason,
    "source": lambda screening: screening.source,
    "query_family": lambda screening: screening.query_family,
}
"""What exclusions are counted by, in the words of the log."""
SCREENED_PAIRS = (("source", "query_family"),)
"""The pairs of these that are crossed."""
