"""Curation of a survey: each command turns a corpus and a request into a plan, and does not write itself."""
