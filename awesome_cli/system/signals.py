"""Signals that end a run, kept waiting while something must not be left half done."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def waiting() -> Iterator[list[int]]:
    """Keep SIGINT and SIGTERM waiting until the block ends; those that came are in the list that is given.

    Only the main thread is given signals; in another one the list stays empty.
    """
    came: list[int] = []
    with _handled(lambda number, _frame: came.append(number), signal.SIGINT, signal.SIGTERM):
        yield came


@contextmanager
def interrupting() -> Iterator[None]:
    """SIGTERM raises `KeyboardInterrupt` until the block ends, so that what is temporary is removed."""
    with _handled(signal.default_int_handler, signal.SIGTERM):
        yield


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], object], *numbers: signal.Signals) -> Iterator[None]:
    """Handle signals until the block ends; outside of the main thread, which alone is given signals, do nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = [(number, signal.signal(number, handler)) for number in numbers]
    try:
        yield
    finally:
        for number, earlier in before:
            # None stands for a handler that was not set from Python, which cannot be put back.
            signal.signal(number, signal.SIG_DFL if earlier is None else earlier)
