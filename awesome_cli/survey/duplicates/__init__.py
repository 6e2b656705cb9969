"""Detect duplicate records by identifiers, titles and authors, without comparing all pairs."""

from awesome_cli.survey.duplicates.groups import SameWork, grouped
from awesome_cli.survey.duplicates.index import Index
from awesome_cli.survey.duplicates.scoring import Match, MatchKind, compare
from awesome_cli.survey.duplicates.works import Manifestation, manifestations, sketched

__all__ = [
    "Index", "Manifestation", "Match", "MatchKind", "SameWork", "compare", "grouped", "manifestations", "sketched",
]  # fmt: skip
