"""Wording of numbers and of lists."""

from collections.abc import Sequence


def short(value: float) -> str:
    """A number as people read it: four digits, or all of a larger whole part."""
    return f"{value:.4g}" if abs(value) < 10_000 else f"{value:.0f}"


def precise(value: float) -> float | int:
    """A number as programs read it: six decimals, of a share six digits; a whole one without decimals."""
    rounded = round(value, 6) if abs(value) >= 1 else float(f"{value:.6g}")
    return int(rounded) if rounded.is_integer() else rounded


def counted(n: int, noun: str) -> str:
    """`1 trace`, `2 traces`."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def either(words: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
