"""Counts, cross-tables and measures of the pool."""
