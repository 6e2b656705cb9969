"""Recognise cells that a spreadsheet changed by itself: `1-2` became `2-Jan`, `007` became `7`."""

import re
from collections.abc import Iterable
from contextlib import suppress

from awesome_cli.model.publication import MONTHS
from awesome_cli.text.inert import NUMBER
from awesome_cli.text.known import excerpt

ERROR = re.compile(r"#(?:[A-Z]+[!?]|DIV/0!|N/A|#+)|Err:\d+")
DATE = re.compile(r"(\w+)(?:[-/.]|\.? )(\w+)(?:(?:[-/.]|\.? )(\d+))?\.?(?:[ T]\d+:\d\d(?::\d\d)?)?")
MONTH = {name: n for n, name in enumerate(MONTHS, 1)} | {"mär": 3, "mai": 5, "okt": 10, "dez": 12}
"""Numbers of months by the start of their English and German names."""
LIMIT = 32_767
"""The number of characters after which spreadsheets truncate a cell."""
UNCALCULATED = "#VALUE!"
"""The text of a formula whose result a workbook does not contain."""


def changed_cell(cell: str, originals: Iterable[str | None]) -> str | None:
    """Return the message for a cell that a spreadsheet changed by itself, None for other cells.

    `originals` are the texts that the cell may have had; the message names the likely one.
    """
    if ERROR.fullmatch(cell):
        return f"{cell} is an error of the spreadsheet, not a value; enter the value again"
    words = [word for word in originals if word]
    if any(word != cell and word.encode("cp1252", "replace").decode("cp1252") == cell for word in words):
        return "the spreadsheet replaced characters by '?'; save the table as CSV UTF-8 or .xlsx"
    if any(word != cell and word in _as_utf8(cell) for word in words):
        return "the spreadsheet read UTF-8 as another encoding; open the table as UTF-8, or export it as .xlsx"
    if len(cell) in {LIMIT - 1, LIMIT} and any(len(word) > LIMIT and word.startswith(cell) for word in words):
        return f"the spreadsheet truncated the text to {LIMIT:,} characters; edit the record instead of the table"
    number, date, named = _number(cell), _date(cell), excerpt(cell)
    if number is None and not date:
        return None
    alike = (w for w in words if (number is not None and _number(w) == number) or (_date(w) and _date(w) <= date))
    origin = next(alike, None)
    fix = "format the column as text" + (f" and enter {origin} again" if origin else "; quote a text that is a number")
    cause = f"a spreadsheet probably made it of {origin!r}" if origin else "a spreadsheet may have changed it"
    return f"{named!r} is a {'number' if number is not None else 'date'}; {cause}: {fix}"


def _as_utf8(text: str) -> list[str]:
    """Return a text that was decoded as Windows-1252 or Latin-1, decoded as UTF-8: `MÃ¼ller` gives `Müller`."""
    decoded = []
    for encoding in ("cp1252", "latin-1"):
        with suppress(UnicodeError):
            decoded.append(text.encode(encoding).decode())
    return decoded


def _number(text: str) -> float | None:
    text = text.replace(",", ".") if text.count(",") == 1 else text
    return float(text) if NUMBER.fullmatch(text) else None


def _date(text: str) -> frozenset[int]:
    """Return day, month and year of a date in any order, without the century; empty for other texts."""
    match = DATE.fullmatch(text)
    parts = [_part(part) for part in match.groups() if part] if match else []
    return frozenset(part for part in parts if part is not None) if None not in parts else frozenset()


def _part(text: str) -> int | None:
    if text.isascii() and text.isdecimal():
        return int(text) % 100 if len(text) in {1, 2, 4} else None
    return MONTH.get(text[:3].casefold()) if len(text) < 5 else None
