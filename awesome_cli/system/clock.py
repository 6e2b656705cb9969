"""The only module that reads the system clock."""

import os
from datetime import UTC, date, datetime


def today() -> date:
    """Return the date of `now`."""
    return now().date()


def now() -> datetime:
    """Return the current UTC time in seconds, or `SOURCE_DATE_EPOCH` (seconds since 1970) for reproducible results."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return (datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)).replace(microsecond=0)
