"""Whole numbers as short texts that stand in a script without escapes; assets/data.js reads them."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

SIGNS = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in "\"'\\<>&")
LAST = 60
"""The first signs end a number and say 0 to 59; the others carry on, so that small numbers take one sign."""
_KEPT = 1 << 12


def packed(numbers: Iterable[int]) -> str:
    """The numbers, each at least 0, one after the other: `assets/data.js` has the inverse."""
    known = _table()
    return "".join(known[number] if number < _KEPT else _sign(number) for number in numbers)


def steps(numbers: Iterable[int]) -> Iterator[int]:
    """The distances between rising numbers, the first one's from 0."""
    before = 0
    for number in numbers:
        yield number - before
        before = number


@lru_cache(maxsize=1)
def _table() -> list[str]:
    return [_sign(number) for number in range(_KEPT)]


def _sign(number: int) -> str:
    carried = len(SIGNS) - LAST
    text = ""
    while number >= LAST:
        number, digit = divmod(number - LAST, carried)
        text += SIGNS[LAST + digit]
    return text + SIGNS[number]
