"""What the log of searches says of a saved search at a source: until when it was asked, and where to go on."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from awesome_cli.model.searches import Asked, SearchRun
from awesome_cli.reports.report import Cell, Table
from awesome_cli.system.clock import today

OVERLAP = timedelta(days=30)
"""By how much the days that two runs ask for overlap, since sources list works some weeks after they appear."""
NUMBERS = {
    "read": "Works read",
    "new": "New candidates",
    "known": "Known",
    "unfit": "Not what was asked for",
    "refused": "No record",
}
"""What is counted of the works that a source gave, and the heading of each number."""
COLUMNS = ("search", "source", "since", "hits", *NUMBERS, "state")


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a search has come at a source.

    `covered` is the day until which works are known to have been asked for, `last` what was asked last, in the run
    `run`; each None if there is none. Only what was asked in the present words of the search counts.
    """

    covered: date | None = None
    last: Asked | None = None
    run: str | None = None

    @property
    def since(self) -> date | None:
        """The first day to ask for next; None for the search's own first day."""
        return self.covered and self.covered - OVERLAP

    @property
    def rest(self) -> Asked | None:
        """What was begun and not read to the end."""
        return self.last if self.last and self.last.state != "done" and self.last.next else None


def standing(runs: Iterable[SearchRun], search: str, source: str, query: str, first: date | None) -> Standing:
    """How far a search has come at a source, with the words `query` that it has now, which ask from day `first` on.

    A run covers the days until it began, if it began where the search begins or before an earlier one had ended.
    """
    begun: dict[str, date] = {}
    found = Standing()
    for run, asked in entries(runs, today()):
        if (asked.search, asked.source, asked.query) != (search, source, query):
            continue
        began = begun[run] = begun.get(asked.resumes or "", asked.at.date())
        found = Standing(found.covered, asked, run)
        days = [day for day in (first, found.covered) if day is not None]
        if asked.state == "done" and (asked.since is None or asked.since <= max(days, default=date.min)):
            found = Standing(began, asked, run)
    return found


def entries(runs: Iterable[SearchRun], day: date = date.max) -> Iterator[tuple[str, Asked]]:
    """Everything that was asked until a day, in the order of the runs, each with the key of its run.

    What is dated later, by its time or by the name of its run, is left out, even if that cannot be true.
    """
    for run in sorted(runs, key=lambda run: run.key):
        for asked in run.asked:
            if max(run.key[: len("YYYY-MM-DD")], asked.at.date().isoformat()) <= day.isoformat():
                yield run.key, asked


def asked_row(asked: Asked) -> tuple[Cell, ...]:
    """What was asked as a row of a table with `COLUMNS`."""
    return tuple(str(cell) if isinstance(cell := getattr(asked, name), date) else cell for name in COLUMNS)


def by_source(runs: Sequence[SearchRun], day: date | None = None) -> Table | None:
    """The works that saved searches read, by source, until a day; None where none was run.

    A search that was resumed counts as one. A work that two searches find is read twice, and known the second time.
    """
    asked = [one for _, one in entries(runs, day or date.max)]
    rows: list[tuple[Cell, ...]] = []
    for source in dict.fromkeys(one.source for one in asked):
        here = [one for one in asked if one.source == source]
        numbers = [sum(getattr(one, name) for one in here) for name in NUMBERS]
        last = max(one.at for one in here).date().isoformat()
        rows.append((source, len({one.search for one in here}), last, *numbers))
    return Table.of(("Source", "Searches", "Last asked", *NUMBERS.values()), rows) if rows else None
