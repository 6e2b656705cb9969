"""How far long work has come: what works says it here, what shows it listens. Without a listener it costs nothing."""

from collections.abc import Callable, Iterable, Iterator, Sized
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Listener = Callable[[str, int, int | None], object]
"""Told `(what, done, total)` before the first item and after each; `what` is empty when the work has ended."""
LISTENER: ContextVar[Listener | None] = ContextVar("LISTENER", default=None)


def watched(items: Iterable[T], what: str, total: int | None = None) -> Iterable[T]:
    """The items, of which a listener is told how many are done; `what` says what is being done with them.

    There are `total`, without it as many as the items say themselves; of none, nothing is told.
    """
    tell = LISTENER.get()
    total = len(items) if total is None and isinstance(items, Sized) else total
    if tell is None or total == 0:
        return items
    return _told(items, what, total, tell)


def tell(what: str, done: int, total: int | None = None) -> None:
    """Tell the listener, if there is one, how far work has come whose length is not known before."""
    listener = LISTENER.get()
    if listener is not None:
        listener(what, done, total)


def telling(what: str, total: int) -> Callable[[int], object]:
    """Called with how many of `total` are done, for work of several threads, it tells the listener."""
    tell = LISTENER.get()
    if tell is None:
        return lambda _done: None
    tell(what, 0, total)
    return lambda done: tell(what, done, total)


def _told(items: Iterable[T], what: str, total: int | None, tell: Listener) -> Iterator[T]:
    tell(what, 0, total)
    try:
        for n, item in enumerate(items, 1):
            yield item
            tell(what, n, total)
    finally:
        tell("", 0, None)
