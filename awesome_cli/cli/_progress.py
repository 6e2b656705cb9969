"""Progress on a terminal: a line that comes after a second of work, and goes when the work has ended."""

from dataclasses import dataclass, field
from time import monotonic

from awesome_cli.cli._doors import pass_by

PATIENCE = 1.0
"""Seconds for which nothing is shown, and over which the speed is measured before a time is named."""
STEP = 0.1
"""Seconds between two lines."""


@dataclass
class Progress:
    """Told how far work has come, it shows the work that was told of last."""

    began: float = field(default_factory=monotonic)
    shown: float = 0.0
    works: dict[str, float] = field(default_factory=dict)
    """When each work began."""

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """See `reports.progress.Listener`."""
        now = monotonic()
        if not what:
            pass_by("")
        elif not done:
            self.works[what] = now
        if what and now - self.began >= PATIENCE and now - self.shown >= STEP:
            self.shown = now
            pass_by(line(what, done, total, now - self.works[what]))


def line(what: str, done: int, total: int | None, spent: float) -> str:
    """`reading corpus: 1,200 of 5,000, about 12 s left`."""
    if total is None:
        return f"{what}: {done:,}"
    left = spent / done * (total - done) if done and spent >= PATIENCE else None
    return f"{what}: {done:,} of {total:,}" + ("" if left is None else f", about {duration(left)} left")


def duration(seconds: float) -> str:
    """`12 s`, `3 min` or `2 h`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.0f} h"
