"""The progress of each saved search at each source, computed from the search log."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from awesome_cli.model.searches import Asked, SearchRun
from awesome_cli.reports.report import Cell, Table
from awesome_cli.system.clock import today
from awesome_cli.text.grouping import group_pairs

OVERLAP = timedelta(days=30)
"""Overlap of the periods of two runs. Sources list some works weeks after publication."""
NUMBERS = {
    "read": "Works read",
    "new": "New candidates",
    "known": "Known",
    "unfit": "Not matching",
    "refused": "Invalid",
}
"""The counts of works read from a source, with table headings."""
COLUMNS = ("search", "source", "since", "hits", *NUMBERS, "state")


@dataclass(frozen=True, slots=True)
class Standing:
    """The progress of a search at a source.

    `covered` is the day up to which all works were requested, `last` the last request and `run` the key of the run
    that sent it; all are None before the first request. Requests with a former query do not count.
    """

    covered: date | None = None
    last: Asked | None = None
    run: str | None = None

    @property
    def since(self) -> date | None:
        """The first day of the next request; None before the first complete run."""
        return self.covered and self.covered - OVERLAP

    @property
    def rest(self) -> Asked | None:
        """The last request if it has unread results, else None."""
        return self.last if self.last and self.last.state != "done" and self.last.next else None


def standing(runs: Iterable[SearchRun], search: str, source: str, query: str, first: date | None) -> Standing:
    """Return the progress of a search at a source; its current `query` requests works from the day `first` on.

    A complete run covers the days until it began, if its period starts on `first` or within days already covered.
    """
    begun: dict[str, date] = {}
    result = Standing()
    for run, request in entries(runs, today()):
        if (request.search, request.source, request.query) != (search, source, query):
            continue
        began = begun[run] = begun.get(request.resumes or "", request.at.date())
        result = Standing(result.covered, request, run)
        days = [day for day in (first, result.covered) if day is not None]
        if request.state == "done" and (request.since is None or request.since <= max(days, default=date.min)):
            result = Standing(began, request, run)
    return result


def entries(runs: Iterable[SearchRun], day: date = date.max) -> Iterator[tuple[str, Asked]]:
    """Yield `(key of the run, request)` for all requests until a day, in the order of runs.

    A request is omitted if its timestamp, or the date in the key of its run, is later.
    """
    for run in sorted(runs, key=lambda run: run.key):
        for request in run.asked:
            if max(run.key[: len("YYYY-MM-DD")], request.at.date().isoformat()) <= day.isoformat():
                yield run.key, request


def asked_row(request: Asked) -> tuple[Cell, ...]:
    """Return a request as a table row with `COLUMNS`."""
    return tuple(str(cell) if isinstance(cell := getattr(request, name), date) else cell for name in COLUMNS)


def by_source(runs: Sequence[SearchRun], day: date | None = None) -> Table | None:
    """Return a table of the works that saved searches read until a day, by source; None without runs.

    A resumed search counts once. A work that two searches returned counts twice as read and once as known.
    """
    rows: list[tuple[Cell, ...]] = []
    for source, here in group_pairs((asked.source, asked) for _, asked in entries(runs, day or date.max)).items():
        numbers = [sum(getattr(request, name) for request in here) for name in NUMBERS]
        last = max(request.at for request in here).date().isoformat()
        rows.append((source, len({request.search for request in here}), last, *numbers))
    return Table.of(("Source", "Searches", "Last run", *NUMBERS.values()), rows) if rows else None
