"""What the log says of a search: until when it was asked well, and where it stopped."""

from datetime import date

import pytest

from awesome_cli.model.searches import SearchRun
from awesome_cli.survey.searched import Standing, by_source, standing


def run(day: int, state: str, key: str = "", **asked: object) -> SearchRun:
    at = f"2026-04-{day:02}T10:00:00Z"
    whole = {"search": "pressing", "source": "arxiv", "query": "press", "sent": "x", "at": at, "state": state, **asked}
    return SearchRun.model_validate({"key": key or f"2026-04-{day:02}-100000", "asked": [whole]})


DONE = run(1, "done")
STOPPED = run(5, "failed", since="2026-03-01", next="p2")


@pytest.mark.parametrize(
    ("runs", "covered", "rest"),
    [
        ([], None, None),
        ([DONE], date(2026, 4, 1), None),
        ([run(1, "done", since="2026-02-01")], None, None),  # not from the first day on
        ([DONE, run(9, "done", since="2026-03-15")], date(2026, 4, 9), None),
        ([DONE, run(9, "done", since="2026-04-05")], date(2026, 4, 1), None),  # with a gap
        ([DONE, STOPPED], date(2026, 4, 1), "p2"),
        ([DONE, run(9, "failed")], date(2026, 4, 1), None),
        ([DONE, STOPPED, run(9, "done", since="2026-03-01", resumes="2026-04-05-100000")], date(2026, 4, 5), None),
        ([DONE, run(9, "done", query="drip", since="2026-03-15")], date(2026, 4, 1), None),
        ([DONE, run(9, "done", source="openalex", since="2026-03-15")], date(2026, 4, 1), None),
        ([DONE, run(9, "done", at="2099-04-09T10:00:00Z")], date(2026, 4, 1), None),
        ([DONE, run(9, "done", key="2099-04-09-100000")], date(2026, 4, 1), None),
    ],
)
def test_the_days_that_are_covered_and_what_is_left(runs: list[SearchRun], covered: date | None, rest: str | None):
    for order in (runs, runs[::-1]):
        at = standing(order, "pressing", "arxiv", "press", None)
        assert (at.covered, at.rest and at.rest.next) == (covered, rest)


def test_a_search_with_a_first_day_is_covered_from_there_on():
    asked = run(9, "done", since="2026-02-01")
    assert standing([asked], "pressing", "arxiv", "press", date(2026, 2, 1)).since == date(2026, 3, 10)
    assert standing([asked], "pressing", "arxiv", "press", date(2026, 1, 1)) == Standing(
        None, asked.asked[0], "2026-04-09-100000"
    )


def test_works_are_counted_by_source_until_a_day():
    runs = [run(1, "done", read=7, new=3, known=4), run(9, "done", read=2, known=2, search="foam")]
    (row,) = by_source(runs).rows
    assert row == ("arxiv", 2, "2026-04-09", 9, 3, 6, 0, 0)
    (row,) = by_source(runs, date(2026, 4, 8)).rows
    assert row == ("arxiv", 1, "2026-04-01", 7, 3, 4, 0, 0)
    assert by_source(runs, date(2026, 3, 1)) is None
