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
    """Two dates of a record contradict each other.

    A paper was withdrawn or corrected before it was added, or added more than a year before its publication; an
    exclusion was screened more than a year before its publication, or before the review began (`begun` of the
    protocol). The searches of the protocol end after the audit of their records.
    """
    for paper in corpus.papers:
        if paper.withdrawn is not None and paper.withdrawn < paper.added:
            message = f"withdrawn on {paper.withdrawn}, before it was added on {paper.added}"
            yield at(paper, ("withdrawn",), message, f"awesome set {paper.key} withdrawn={DOTS}")
        if paper.year is not None and paper.added.year < paper.year - 1:
            message = f"added on {paper.added}, more than a year before its publication in {paper.year}"
            yield at(paper, ("added",), message, f"awesome set {paper.key} year={DOTS}")
        for i, correction in enumerate(paper.corrections):
            if correction.corrected_on < paper.added:
                message = f"corrected on {correction.corrected_on}, before it was added on {paper.added}"
                yield at(paper, ("corrections", i, "corrected_on"), message, "correct the date")
    yield from _screened_too_early(corpus)


def _screened_too_early(corpus: Corpus) -> Iterator[Found]:
    protocol, begun = corpus.protocol, corpus.protocol.begun if corpus.protocol else None
    screened: list[tuple[str, Route, str, date, int | None]] = [
        (e.path, ("screening", "on"), e.key, e.screening.on, e.year) for e in corpus.exclusions
    ]
    for held in corpus.screenings:
        for i, decision in enumerate(held.decisions):
            year = getattr(corpus.by_key.get(decision.key), "year", None)
            screened.append((held.path, ("decisions", i, "on"), decision.key, decision.on, year))
    for path, route, key, day, year in screened:
        if begun is not None and day < begun:
            yield Found(path, route, f"{key} was screened on {day}, before the review began on {begun}", FIX, key)
        elif year is not None and day.year < year - 1:
            message = f"{key} was screened on {day}, more than a year before its publication in {year}"
            yield Found(path, route, message, FIX, key)
    if protocol and protocol.searched_until and (end := protocol.audited_until) and protocol.searched_until > end:
        message = f"the searches end on {protocol.searched_until}, after the audit of their records on {end}"
        yield Found(PROTOCOL, ("searched_until",), message, FIX)


FIX = "correct the date"


@rule("K002", Level.ERROR)
def future_day(corpus: Corpus) -> Iterator[Found]:
    """A day is in the future.

    Commands count records and changes as of today, so a paper that is added next year would be counted today. Days of
    tomorrow are allowed, because time zones differ; so are arXiv ids of this month and years of publication until next
    year. Correct the date, or the clock of the computer.
    """
    latest = today() + timedelta(days=1)
    beside = [(TAXONOMY, corpus.taxonomy), (CLAIMS, corpus.claims), (PROTOCOL, corpus.protocol)]
    for path, model in (*((m.path, m) for m in (*corpus.records, *corpus.audits, *corpus.screenings)), *beside):
        for route, day in _days(model, ()):
            if day > latest:
                yield Found(
                    path, route, f"{day} is in the future (today is {today()})", FIX, getattr(model, "key", None)
                )
    for record in corpus.records:
        if record.year is not None and record.year > latest.year + 1:
            yield at(
                record, ("year",), f"the year {record.year} is in the future", f"awesome set {record.key} year={DOTS}"
            )
        for route, identifiers in identifiers_of(record):
            month = arxiv_month(identifiers.arxiv or "")
            if month is not None and month > (latest.year, latest.month):
                message = f"the arXiv id {identifiers.arxiv!r} is of a future month"
                yield at(record, (*route, "arxiv"), message, f"awesome set {record.key} identifiers.arxiv={DOTS}")
        public = record.first_public if isinstance(record, Candidate) else None
        if public and public > latest.isoformat()[: len(public)]:
            yield at(record, ("first_public",), f"{public} is in the future (today is {today()})", FIX)


def _days(value: object, route: Route) -> Iterator[tuple[Route, date]]:
    """Yield every day in a value, with its route; fields of any type, such as former values, are skipped."""
    if isinstance(value, date):
        yield route, value
    elif isinstance(value, Frozen):
        for name in _dated(type(value)):
            yield from _days(getattr(value, name), (*route, name))
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
