"""Months in bibliographies."""

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
"""Their names in BibTeX, in order."""


def month_named(number: str) -> str | None:
    """The name of a month that is given by its number, `3` or `03`; None for another text."""
    return MONTHS[int(number) - 1] if number.isdecimal() and 1 <= int(number) <= len(MONTHS) else None
