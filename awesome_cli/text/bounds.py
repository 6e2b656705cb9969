"""Limits on the size of input files; docs/robustness.md lists every limit, and a test compares the list.

`AWESOME_LIMITS`, an integer from 1 to 999999, multiplies the limits for imported files and traces.
"""

import os

from awesome_cli.errors import UsageError
from awesome_cli.text.known import shown

VARIABLE = "AWESOME_LIMITS"


def allowed(bound: int) -> int:
    """Return `bound * AWESOME_LIMITS`; raises `UsageError` unless the variable is an integer from 1 to 999999."""
    return bound * _times()


def too_large(what: str, bound: int, unit: str = "bytes") -> str:
    """Return the message for an input over a limit, with the value of `AWESOME_LIMITS` that allows it."""
    times = _times() * 2
    return f"{what} has more than {allowed(bound):,} {unit}; {VARIABLE}={times} allows {bound * times:,}"


def _times() -> int:
    times = os.environ.get(VARIABLE, "1")
    if not (times.isascii() and times.isdigit() and len(times) < 7 and int(times)):
        why = f"expected an integer from 1 to 999999 in {VARIABLE}, got {shown(times)}"
        raise UsageError(why, hint=f"{VARIABLE}=2 doubles the limits")
    return int(times)
