"""Handle signals that end a program: defer them during critical sections, or raise `KeyboardInterrupt`."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType


@contextmanager
def waiting() -> Iterator[list[int]]:
    """Defer SIGINT and SIGTERM until the block ends; the yielded list collects the signals received.

    Only the main thread receives signals; in other threads the list stays empty.
    """
    came: list[int] = []
    with _handled(lambda number, _frame: came.append(number), signal.SIGINT, signal.SIGTERM):
        yield came


def interrupting() -> AbstractContextManager[None]:
    """Let SIGTERM raise `KeyboardInterrupt` until the block ends, so that temporary files are removed."""
    return _handled(signal.default_int_handler, signal.SIGTERM)


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], object], *numbers: signal.Signals) -> Iterator[None]:
    """Handle signals until the block ends; do nothing in other threads, which receive no signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = [(number, signal.signal(number, handler)) for number in numbers]
    try:
        yield
    finally:
        for number, earlier in before:
            # None means a handler that was not set from Python, which cannot be restored.
            signal.signal(number, signal.SIG_DFL if earlier is None else earlier)
