"""Rules on search.yaml and searches/ (Q): searches are valid, and their log is consistent."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from awesome_cli.errors import UsageError
from awesome_cli.model.searches import KEY_FORMAT, PATH
from awesome_cli.query.searching import parse
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, repeated_ids, rule, unknown_in, unknown_keys
from awesome_cli.survey.corpus import Corpus
from awesome_cli.system.clock import today

WAYS = ("query", "citing", "cited_by")
"""The fields that define a search."""
RUN_TIME = timedelta(days=7)
"""Maximum duration of a run."""


@rule("Q001", Level.ERROR)
def search_twice(corpus: Corpus) -> Iterator[Found]:
    """Two saved searches have the same id.

    The log in `searches/` identifies a search by its id. Rename one of the two.
    """
    yield from repeated_ids(PATH, "searches", [search.id for search in corpus.searches])


@rule("Q002", Level.ERROR)
def no_search(corpus: Corpus) -> Iterator[Found]:
    """A saved search has no query, or several.

    A search has exactly one of `query` (words), `citing` (works that cite papers of the survey) and `cited_by` (works
    cited by them).
    """
    for i, search in enumerate(corpus.searches):
        ways = [name for name in WAYS if getattr(search, name) is not None]
        if len(ways) != 1:
            message = (
                f"expected one of {', '.join(WAYS)} in the search {search.id!r}, got {' and '.join(ways) or 'none'}"
            )
            yield Found(PATH, ("searches", i, "id"), message, f"write exactly one of {', '.join(WAYS)}")


@rule("Q003", Level.ERROR)
def unreadable_search(corpus: Corpus) -> Iterator[Found]:
    """A saved search is not valid.

    `query` uses the language of searches (`awesome explain search`); `citing` and `cited_by` are queries for papers
    (`awesome explain query`). `awesome search --explain` prints the requests of a search.
    """
    for i, search in enumerate(corpus.searches):
        for name in WAYS:
            text = getattr(search, name)
            try:
                if text is not None:
                    parse(text) if name == "query" else corpus.query(text)
            except UsageError as error:
                yield Found(PATH, ("searches", i, name), error.message, error.hint)


@rule("Q004", Level.ERROR)
def unknown_family(corpus: Corpus) -> Iterator[Found]:
    """A saved search has an unknown query family.

    Its candidates are assigned to this family. Add the family to `query_families` of protocol.yaml, or remove `family`.
    """
    known = {family.id for family in corpus.protocol.query_families} if corpus.protocol else set[str]()
    is_unread = any(finding.path.startswith("protocol.") for finding in corpus.findings)
    for i, search in enumerate(() if is_unread else corpus.searches):
        yield from unknown_in(PATH, ("searches", i, "family"), search.family, known, "query family")


@rule("Q005", Level.WARNING)
def no_paper_around(corpus: Corpus) -> Iterator[Found]:
    """The query of `citing` or `cited_by` matches no paper, or contains an unknown key.

    Citation searches start from the identifiers of matching papers. Test the query with `awesome list --where QUERY`.
    """
    for i, search in enumerate(corpus.searches):
        for name in WAYS[1:]:
            text = getattr(search, name)
            try:
                papers = corpus.select(text) if text is not None else ("nothing is asked",)
            except UsageError:
                continue  # reported by Q003
            yield from unknown_keys(PATH, ("searches", i, name), text or "", corpus)
            if not papers and not corpus.unread:
                fix = "change the query ('awesome list --where QUERY'); until then the search is skipped"
                yield Found(PATH, ("searches", i, name), f"the query of the search {search.id!r} matches no paper", fix)


@rule("Q006", Level.ERROR)
def log_of_search(corpus: Corpus) -> Iterator[Found]:
    """The counts in the log of a search are inconsistent.

    Every work read is counted once: as new, known, not matching, or invalid. `awesome search` writes the log; restore
    the file with git.
    """
    for run in corpus.runs:
        for i, request in enumerate(run.asked):
            total = request.new + request.known + request.unfit + request.refused
            if total != request.read:
                message = f"{request.read} works were read, but {total} are counted"
                yield Found(run.path, ("asked", i, "read"), message, f"git checkout -- {run.path}", run.key)


@rule("Q007", Level.ERROR)
def time_of_search(corpus: Corpus) -> Iterator[Found]:
    """A run of searches has a future date, or dates that differ from its file name.

    The next run searches for works since the last one, so a wrong date would miss works. Runs with a future date are
    ignored. A file in `searches/` is named by the start of its run in UTC, `2025-01-31-101500.yaml`; `at` is the time
    of a request.
    """
    for run in corpus.runs:
        began = _day(run.key)
        fix = f"correct the date if the clock of the computer was wrong, else remove {run.path}"
        if began is None or began > today():
            yield Found(run.path, (), "the file name is not a past timestamp", fix, run.key)
            continue
        for i, request in enumerate(run.asked):
            day = request.at.date()
            if day > today() or abs(day - began) > RUN_TIME:
                message = f"the request is dated {day}, but the run {began} (today is {today()})"
                yield Found(run.path, ("asked", i, "at"), message, fix, run.key)


def _day(key: str) -> date | None:
    try:
        return datetime.strptime(key, KEY_FORMAT).replace(tzinfo=UTC).date()
    except ValueError:
        return None
