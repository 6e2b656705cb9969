"""Counts, cross-tables and measures of the pool."""

SPLITS = ("year", "venue")
"""The fields of papers that tables split them by, besides axes; an empty value counts as `NA`."""
SCREENED = ("stage", "reason", "source", "query_family")
"""The fields of their screening by which exclusions are counted, in the words of the log."""
SCREENED_PAIRS = (("source", "query_family"),)
"""The pairs of these that are crossed."""
