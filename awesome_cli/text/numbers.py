"""Wording of numbers and of lists."""

from collections.abc import Iterable, Sequence
from math import inf

LONG = (("d", "h", 86_400, 3_600, 30), ("h", "min", 3_600, 60, 0.5), ("min", "s", 60, 1, 0.05))
"""A unit of time, that of the rest, the seconds of both, and by how much less a time still rounds up to the first."""


def short(value: float) -> str:
    """A number as people read it: four digits, or all of a larger whole part."""
    return f"{value:.4g}" if abs(value) < 10_000 else f"{value:.0f}"


def precise(value: float) -> float | int:
    """A number as programs read it: six decimals, of a share six digits; a whole one without decimals."""
    rounded = round(value, 6) if abs(value) >= 1 else float(f"{value:.6g}")
    return int(rounded) if rounded.is_integer() else rounded


def counted(n: int, noun: str) -> str:
    """`1 trace`, `2 traces`, `2 near-misses`, `2 entries`."""
    if n == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{n:,} {noun[:-1]}ies"
    return f"{n:,} {noun}{'es' if noun.endswith('s') else 's'}"


def either(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return _joined(words, "or")


def both(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return _joined(words, "and")


def _joined(words: Sequence[str], last: str) -> str:
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def shortened(words: Iterable[str], most: int) -> str:
    """`a, b and 3 more`: the first words, and how many more there are."""
    every = list(words)
    return ", ".join(every[:most]) + (f" and {len(every) - most:,} more" if len(every) > most else "")


def first_few(lines: Sequence[str], most: int) -> list[str]:
    """The first lines, then `and 3 more` if there are more."""
    return [*lines[:most], *([f"and {len(lines) - most:,} more"] if len(lines) > most else [])]


def spell_seconds(seconds: float) -> str:
    """A length of time as people read it: `5 h 1 min`, `2 min 5 s`, `4.2 s`, `380 ms`; at most two units."""
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
