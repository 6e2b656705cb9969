"""Progress of long tasks: tasks report it here, and a listener shows it. Free without a listener."""

from collections.abc import Callable, Iterable, Iterator, Sized
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Listener = Callable[[str, int, int | None], object]
"""Receives `(task, done, total)` before the first item and after each; an empty task means the end."""
LISTENER: ContextVar[Listener | None] = ContextVar("LISTENER", default=None)


def watched(items: Iterable[T], task: str, total: int | None = None) -> Iterable[T]:
    """Yield items and report progress; `task` is a label such as `reading corpus`.

    `total` is the number of items, by default their length.
    """
    tell = LISTENER.get()
    total = len(items) if total is None and isinstance(items, Sized) else total
    if tell is None or total == 0:
        return items
    return _reported(items, task, total, tell)


def tell(task: str, done: int, total: int | None = None) -> None:
    """Report progress of a task of unknown length."""
    listener = LISTENER.get()
    if listener is not None:
        listener(task, done, total)


def telling(task: str, total: int) -> Callable[[int], object]:
    """Return a function that reports the number of items done, for tasks of several threads."""
    tell = LISTENER.get()
    if tell is None:
        return lambda _done: None
    tell(task, 0, total)
    return lambda done: tell(task, done, total)


def _reported(items: Iterable[T], task: str, total: int | None, tell: Listener) -> Iterator[T]:
    tell(task, 0, total)
    try:
        for n, item in enumerate(items, 1):
            yield item
            tell(task, n, total)
    finally:
        tell("", 0, None)
