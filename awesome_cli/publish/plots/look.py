"""How a picture is to look: colours, title, size, letters and resolution, within bounds."""

import re
from dataclasses import dataclass, replace

from awesome_cli.errors import UsageError

LEAST_MM, MOST_MM = 20, 1000
LEAST_DPI, MOST_DPI = 30, 1200
MOST_PIXELS = 100_000_000
COLUMN_MM = 84
"""The width of a column of a journal or of proceedings in two columns, about what IEEE, ACM and ACL have."""
INCH = 25.4
UNITS = {"mm": 1.0, "cm": 10.0, "in": INCH}
"""Millimetres of each unit."""


@dataclass(frozen=True, slots=True)
class Look:
    """`theme` is light, dark or paper; `title` replaces the figure's, empty for none.

    Sizes are in inches; None leaves the natural one.
    """

    theme: str = "light"
    title: str | None = None
    width: float | None = None
    height: float | None = None
    font: str | None = None
    dpi: int | None = None


def inches(text: str | None, option: str) -> float | None:
    """A length such as `84mm`, `8.4cm` or `3.3in`; raises `UsageError` for another text or one out of bounds."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(mm|cm|in)\s*", text)
    if found is None:
        raise UsageError(f"{option} {text!r} is no length", hint=f"write a number with mm, cm or in: {option} 84mm")
    length = float(found[1]) * UNITS[found[2]]
    if not LEAST_MM <= length <= MOST_MM:
        raise UsageError(f"{option} {text} is not between {LEAST_MM} mm and {MOST_MM} mm", hint=f"{option} 84mm")
    return length / INCH


def wished(form: str, look: Look, width: str | None, height: str | None) -> Look:
    """The look with its lengths read; raises `UsageError` for what is out of bounds or does not go with the format."""
    if look.dpi is not None and not LEAST_DPI <= look.dpi <= MOST_DPI:
        raise UsageError(f"--dpi {look.dpi} is not between {LEAST_DPI} and {MOST_DPI}", hint="journals ask for 300")
    if look.dpi is not None and form != "png":
        raise UsageError(f"--dpi does not go with --format {form}", hint="only --format png has dots")
    sized = replace(look, width=inches(width, "--width"), height=inches(height, "--height"))
    if form == "csv" and sized != Look():
        raise UsageError("--format csv has no colours, title or size", hint="leave out these options")
    return sized
