"""The number of the form in which a survey's files are written: `format` in taxonomy.yaml."""

from typing import Any

from awesome_cli import __version__
from awesome_cli.errors import SurveyError

FIRST = 1
"""The first form, which a survey may have that does not say its number."""
CURRENT = 2
"""The form that this version reads and writes."""


def require_known(document: Any, path: str) -> None:
    """Raise `SurveyError` for a survey of a later form, of which this version might lose something."""
    number = str(document.get("format", "")) if isinstance(document, dict) else ""
    if number.isdecimal() and int(number) > CURRENT:
        raise SurveyError(
            f"{path} says format: {number}, and awesome {__version__} reads formats up to {CURRENT}",
            hint="install a newer awesome, for instance with 'pip install --upgrade awesome-survey'",
        )
