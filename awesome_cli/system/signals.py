"""Signals that end a run, kept waiting while something must not be left half done."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def waiting() -> Iterator[list[int]]:
    """Keep SIGINT and SIGTERM waiting until the block ends; those that came are in the list that is given.

    Only the main thread is given signals; in another one the list stays empty.
    """
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return
    ends = (signal.SIGINT, signal.SIGTERM)
    handlers = [(end, signal.signal(end, lambda number, _frame: came.append(number))) for end in ends]
    try:
        yield came
    finally:
        for end, handler in handlers:
            # None stands for a handler that was not set from Python, which cannot be put back.
            signal.signal(end, signal.SIG_DFL if handler is None else handler)


@contextmanager
def interrupting() -> Iterator[None]:
    """SIGTERM raises `KeyboardInterrupt` until the block ends, so that what is temporary is removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL if handler is None else handler)
