"""Counts, cross-tables and measures of the pool."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from awesome_cli.model.records import Paper

SPLITS: Mapping[str, Callable[["Paper"], object]] = {
    "year": lambda paper: paper.year,
    "venue": lambda paper: paper.venue,
}
"""What tables split papers by besides axes: a name, and the value of a paper; an empty value counts as `NA`."""
