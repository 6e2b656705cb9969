"""Data models of a survey: taxonomy, records, codings, claims, audits. This package does not read or write files."""
