"""How much is read of what other people wrote; docs/robustness.md lists every bound, and a test compares the list.

`AWESOME_LIMITS`, a number from 1, allows that many times as much of files to import and of traces, for those who know
their files and have the memory.
"""

import os

from awesome_cli.errors import UsageError

VARIABLE = "AWESOME_LIMITS"


def allowed(bound: int) -> int:
    """A bound, times `AWESOME_LIMITS`; raises `UsageError` where that is no number from 1."""
    times = os.environ.get(VARIABLE, "1")
    if not (times.isascii() and times.isdigit() and 0 < len(times) < 7 and int(times)):
        raise UsageError(f"{VARIABLE} is {times!r}, not a number from 1", hint=f"{VARIABLE}=2 allows twice as much")
    return bound * int(times)


def too_large(what: str, bound: int, unit: str = "bytes") -> str:
    """Why something is not read, and what allows it."""
    times = int(os.environ.get(VARIABLE, "1")) * 2
    return f"{what} has more than {allowed(bound):,} {unit}; {VARIABLE}={times} allows {bound * times:,}"
