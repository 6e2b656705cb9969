"""The only module that asks for the time."""

import os
from datetime import UTC, date, datetime


def today() -> date:
    """Today in UTC, as `now` has it."""
    return now().date()


def now() -> datetime:
    """The second in UTC, or that of `SOURCE_DATE_EPOCH` (seconds since 1970): results can be reproduced."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return (datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)).replace(microsecond=0)
