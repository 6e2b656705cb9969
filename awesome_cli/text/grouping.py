"""Grouping of values."""

from collections.abc import Hashable, Iterable, Iterator
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def group_pairs(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Group values by key, in the order of the pairs: `(a, 1), (b, 2), (a, 3)` gives `{a: [1, 3], b: [2]}`."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def repeated(values: Iterable[K]) -> Iterator[tuple[int, K]]:
    """Yield the index and the value of each value that an earlier one equals."""
    seen = set[K]()
    for i, value in enumerate(values):
        if value in seen:
            yield i, value
        seen.add(value)
