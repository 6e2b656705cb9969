"""The only module that reads the system clock."""

import os
from datetime import UTC, date, datetime


def today() -> date:
    """Return the current date in UTC, or the date of `SOURCE_DATE_EPOCH`."""
    return now().date()


def now() -> datetime:
    """Return the UTC time in whole seconds: `SOURCE_DATE_EPOCH` (seconds since 1970) if set, else the current time."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return (datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)).replace(microsecond=0)
