"""Wording of numbers."""


def counted(n: int, noun: str) -> str:
    """`1 trace`, `2 traces`."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
