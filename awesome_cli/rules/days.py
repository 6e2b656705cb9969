"""Rules on days (K): no day is in the future, and days agree with each other."""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from typing import Any, get_args

from awesome_cli.model.claims import PATH as CLAIMS
from awesome_cli.model.codings import Frozen
from awesome_cli.model.identifiers import arxiv_month
from awesome_cli.model.misfits import identifiers_of
from awesome_cli.model.protocol import PATH as PROTOCOL
from awesome_cli.model.records import AnyRecord, Candidate
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, at, rule
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import TAXONOMY
from awesome_cli.system.clock import today
from awesome_cli.text.known import DOTS


@rule("K001", Level.WARNING)
def contradicting_dates(corpus: Corpus) -> Iterator[Found]:
    """Two dates contradict each other.

    A paper was withdrawn or corrected before it was added, or added more than a year before its publication; an
    exclusion was screened more than a year before its publication, or before the review began (`begun` of the
    protocol). The searches of the protocol end after the audit of their records.
    """
    for path, route, key, day, least, message in _ordered(corpus):
        if day is not None and least is not None and day < least:
            yield Found(path, route, f"{day} is {message}", FIX, key)


def _ordered(corpus: Corpus) -> Iterator[tuple[str, Route, str | None, date | None, date | None, str]]:
    """Yield path, route, key and value of days, the earliest day that is possible, and the message for earlier ones."""
    protocol = corpus.protocol
    begun = protocol.begun if protocol else None
    for paper in corpus.papers:
        added = f"before the paper was added on {paper.added}"
        yield paper.path, ("withdrawn",), paper.key, paper.withdrawn, paper.added, added
        yield paper.path, ("added",), paper.key, paper.added, *_published(paper)
        for i, correction in enumerate(paper.corrections):
            yield paper.path, ("corrections", i, "corrected_on"), paper.key, correction.corrected_on, paper.added, added
    screened: list[tuple[str, Route, date, AnyRecord | None]] = [
        (e.path, ("screening", "on"), e.screening.on, e) for e in corpus.exclusions
    ]
    for held in corpus.screenings:
        decisions = enumerate(held.decisions)
        screened += [(held.path, ("decisions", i, "on"), d.on, corpus.by_key.get(d.key)) for i, d in decisions]
    for path, route, day, record in screened:
        key = record.key if record else None
        yield path, route, key, day, begun, f"before the review began on {begun}"
        if record is not None:
            yield path, route, key, day, *_published(record)
    if protocol is not None:
        end = protocol.searched_until
        yield PROTOCOL, ("audited_until",), None, protocol.audited_until, end, f"before the searches end on {end}"


def _published(record: AnyRecord) -> tuple[date | None, str]:
    """Return the first day of the year before the publication, and the message for earlier days."""
    first = None if record.year is None else date(record.year - 1, 1, 1)
    return first, f"more than a year before the publication in {record.year}"


FIX = "correct the date"


@rule("K002", Level.ERROR)
def future_day(corpus: Corpus) -> Iterator[Found]:
    """A day is in the future.

    Commands count records and changes as of today, so a paper that is added next year would be counted today. Days of
    tomorrow are allowed, because time zones differ; so are arXiv ids of this month and years of publication until next
    year. Correct the date, or the clock of the computer.
    """
    latest = today() + timedelta(days=1)
    models: list[tuple[str, str | None, object]] = [
        *((filed.path, filed.key, filed) for filed in (*corpus.records, *corpus.audits, *corpus.screenings)),
        *((TAXONOMY, None, corpus.taxonomy), (CLAIMS, None, corpus.claims), (PROTOCOL, None, corpus.protocol)),
    ]
    late = ((path, key, place) for path, key, model in models for place in _days(model, ()) if place[1] > latest)
    published = ((r.path, r.key, place) for r in corpus.records for place in _publication(r, latest))
    for path, key, (route, day) in (*late, *published):
        yield Found(path, route, f"{day} is in the future (today is {today()})", FIX, key)


def _publication(record: AnyRecord, latest: date) -> Iterator[tuple[Route, str]]:
    if record.year is not None and record.year > latest.year + 1:
        yield ("year",), f"the year {record.year}"
    for route, identifiers in identifiers_of(record):
        if (arxiv_month(identifiers.arxiv or "") or (0, 0)) > (latest.year, latest.month):
            yield (*route, "arxiv"), f"the month of the arXiv id {identifiers.arxiv}"
    public = record.first_public if isinstance(record, Candidate) else None
    if public and public > latest.isoformat()[: len(public)]:
        yield ("first_public",), public


def _days(value: object, route: Route) -> Iterator[tuple[Route, date]]:
    """Yield every day in a value, with its route; fields of any type, such as former values, are skipped."""
    if isinstance(value, date):
        yield route, value
    elif isinstance(value, Frozen):
        for name in _dated(type(value)):
            if inner := getattr(value, name):
                yield from _days(inner, (*route, name))
    elif isinstance(value, dict | tuple):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _days(inner, (*route, step))


@cache
def _dated(model: type[Frozen]) -> tuple[str, ...]:
    """Return the fields of a model that may contain days."""
    return tuple(name for name, field in model.model_fields.items() if _may_hold_day(field.annotation))


def _may_hold_day(annotation: Any) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Frozen):
        return bool(_dated(annotation))
    return annotation is date or any(map(_may_hold_day, get_args(annotation)))


@rule("K003", Level.WARNING)
def year_before_arxiv(corpus: Corpus) -> Iterator[Found]:
    """A work was published before its arXiv id existed.

    An arXiv id starts with year and month. A work may be older than its arXiv version if it was published elsewhere:
    then the record has a further identifier, a venue other than arXiv, or another version.
    """
    for record in corpus.records:
        month = arxiv_month(record.identifiers.arxiv or "")
        if month is not None and record.year is not None and record.year < month[0] and not _is_elsewhere(record):
            message = f"published in {record.year}, but its arXiv id {record.identifiers.arxiv} is of {month[0]}"
            yield at(
                record, ("year",), message, f"awesome set {record.key} year={month[0]} # or identifiers.arxiv={DOTS}"
            )


def _is_elsewhere(record: AnyRecord) -> bool:
    others = [
        scheme for scheme, value in record.identifiers.pairs() if not (scheme == "arxiv" or "arxiv" in value.lower())
    ]
    venue = getattr(record, "venue", None) or "arXiv"
    return bool(others or getattr(record, "versions", ()) or "arxiv" not in venue.lower())
