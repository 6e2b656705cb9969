"""The values of a survey: taxonomy, records, codings, claims, audits. None reads a file."""
