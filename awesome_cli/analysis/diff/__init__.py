"""Differences between two states of a survey, and release notes."""
