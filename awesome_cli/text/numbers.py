"""Format numbers, counts, durations and lists for messages."""

from collections.abc import Iterable, Sequence
from math import floor, inf, log10

LONG = (("d", "h", 86_400, 3_600, 30), ("h", "min", 3_600, 60, 0.5), ("min", "s", 60, 1, 0.05))
"""`(unit, smaller unit, seconds of each, tolerance)`; a duration within the tolerance below a unit rounds up to it."""


def short(value: float) -> str:
    """Format a number for people: four significant digits, or the whole integer part if larger."""
    return f"{value:.4g}" if abs(value) < 10_000 else f"{value:.0f}"


def precise(value: float) -> float | int:
    """Round a number for programs: six decimals from 1 up, six significant digits below; integers as `int`."""
    rounded = round(value, 6) if abs(value) >= 1 else float(f"{value:.6g}")
    return int(rounded) if rounded.is_integer() else rounded


def rounded(value: float) -> str:
    """Round for a text: two decimals, four significant digits below 1, and more if the number would look whole."""
    if not value % 1:
        return f"{value:,.0f}"
    least = 2 if abs(value) >= 1 else 3 - floor(log10(abs(value)))
    texts = [f"{value:,.{n}f}".rstrip("0") for n in range(least, least + 3)]
    return next((text for text in texts if text[-1] != "."), texts[0][:-1])


def percentage(share: float) -> str:
    """Round a share for a text: `66.7 %`, three significant digits, or more if they would say 100 % of less."""
    texts = (f"{100 * share:.{n}g}" for n in range(3, 18))
    return f"{next(text for text in texts if text != '100' or share == 1)} %"


def counted(n: int, noun: str) -> str:
    """Return a count with its noun: `1 trace`, `2 traces`, `2 near-misses`, `2 entries`."""
    if n == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{n:,} {noun[:-1]}ies"
    return f"{n:,} {noun}{'es' if noun.endswith('s') else 's'}"


def either(words: Sequence[str]) -> str:
    """Join words: `a`, `a or b`, `a, b or c`."""
    return _joined(words, "or")


def both(words: Sequence[str]) -> str:
    """Join words: `a`, `a and b`, `a, b and c`."""
    return _joined(words, "and")


def _joined(words: Sequence[str], last: str) -> str:
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def shortened(words: Iterable[str], most: int, mark: str = ", ") -> str:
    """Join at most `most` words: `a, b and 3 more`."""
    every = list(words)
    return mark.join(every[:most]) + (f" and {len(every) - most:,} more" if len(every) > most else "")


def first_few(lines: Sequence[str], most: int) -> list[str]:
    """Return at most `most` lines, then `and 3 more` if there are more."""
    return [*lines[:most], *([f"and {len(lines) - most:,} more"] if len(lines) > most else [])]


def spell_seconds(seconds: float) -> str:
    """Format a duration in at most two units: `5 h 1 min`, `2 min 5 s`, `4.2 s`, `380 ms`."""
    if seconds < 0:
        return f"-{spell_seconds(-seconds)}"
    if seconds == inf:
        return "∞"
    if seconds < 0.9995:
        return f"{seconds * 1000:.3g} ms" if seconds else "0 s"
    if seconds < 59.95:
        return f"{seconds:.3g} s"
    first, second, large, small, _ = next(unit for unit in LONG if seconds >= unit[2] - unit[4])
    whole, rest = divmod(round(seconds / small), large // small)
    return f"{whole:,} {first} {rest} {second}" if rest else f"{whole:,} {first}"
