"""How much is read of what other people wrote; docs/robustness.md lists every bound, and a test compares the list.

`AWESOME_LIMITS`, a number from 1 to 999999, allows that many times as much of files to import and of traces, for those
who know their files and have the memory.
"""

import os

from awesome_cli.errors import UsageError
from awesome_cli.text.known import shown

VARIABLE = "AWESOME_LIMITS"


def allowed(bound: int) -> int:
    """A bound, times `AWESOME_LIMITS`; raises `UsageError` where that is no number from 1 to 999999."""
    return bound * _times()


def too_large(what: str, bound: int, unit: str = "bytes") -> str:
    """Why something is not read, and what allows it."""
    times = _times() * 2
    return f"{what} has more than {allowed(bound):,} {unit}; {VARIABLE}={times} allows {bound * times:,}"


def _times() -> int:
    times = os.environ.get(VARIABLE, "1")
    if not (times.isascii() and times.isdigit() and len(times) < 7 and int(times)):
        why = f"{VARIABLE} is {shown(times)}, not a number from 1 to 999999"
        raise UsageError(why, hint=f"{VARIABLE}=2 allows twice as much")
    return int(times)
