"""Screening decisions: each becomes a change of the records, and an entry in the file of the person who decided."""
