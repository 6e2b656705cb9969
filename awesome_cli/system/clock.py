"""The only module that asks for today's date."""

import os
from datetime import UTC, date, datetime


def today() -> date:
    """Today in UTC, or the day of `SOURCE_DATE_EPOCH` (seconds since 1970), so that results can be reproduced."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return (datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)).date()
