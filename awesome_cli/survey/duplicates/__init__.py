"""Detect duplicate records by identifiers, titles and authors, without comparing all pairs."""

from awesome_cli.survey.duplicates.groups import Group, grouped
from awesome_cli.survey.duplicates.index import Index
from awesome_cli.survey.duplicates.scoring import Match, MatchKind, compare
from awesome_cli.survey.duplicates.works import Manifestation, manifestations, sketched

__all__ = [
    "Group", "Index", "Manifestation", "Match", "MatchKind", "compare", "grouped", "manifestations", "sketched",
]  # fmt: skip
