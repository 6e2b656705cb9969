"""Counts, cross-tabulations and measures of the pool."""

SPLITS = ("year", "venue")
"""Fields of papers by which tables can be split, in addition to axes; an empty value counts as `NA`."""
SCREENED = ("stage", "reason", "source", "query_family")
"""Fields of `screening` by which exclusions are counted."""
SCREENED_PAIRS = (("source", "query_family"),)
"""Pairs of these fields that are cross-tabulated."""
