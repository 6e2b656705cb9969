"""Rules on search.yaml and searches/: each search can be asked, and the log adds up."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from awesome_cli.errors import UsageError
from awesome_cli.model.searches import KEY_FORMAT, PATH
from awesome_cli.query.searching import parse
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, rule, unknown_in
from awesome_cli.survey.corpus import Corpus
from awesome_cli.system.clock import today

KEYS = re.compile(r"\bkey\s*=\s*([\w.-]+(?:\s*,\s*[\w.-]+)*)")
WAYS = ("query", "citing", "cited_by")
"""The fields that say what is looked for."""
RUN_TIME = timedelta(days=7)
"""What a run may take: how far the times in it may be from that in its name."""


@rule("Q001", Level.ERROR)
def search_twice(corpus: Corpus) -> Iterator[Found]:
    """Two saved searches have the same id.

    The log of searches (`searches/`) knows a search by its id. Rename one of the two.
    """
    ids = [search.id for search in corpus.searches]
    for i, name in enumerate(ids):
        if name in ids[:i]:
            yield Found(PATH, ("searches", i, "id"), f"the id {name!r} is used twice", "rename one of the two")


@rule("Q002", Level.ERROR)
def no_search(corpus: Corpus) -> Iterator[Found]:
    """A saved search looks for nothing, or for two things.

    Each has one of `query` (words), `citing` (works that cite papers of the survey) and `cited_by` (works that they
    cite).
    """
    for i, search in enumerate(corpus.searches):
        ways = [name for name in WAYS if getattr(search, name) is not None]
        if len(ways) != 1:
            message = f"the search {search.id!r} has {' and '.join(ways) or 'nothing to look for'}"
            yield Found(PATH, ("searches", i, "id"), message, f"it needs one of {', '.join(WAYS)}")


@rule("Q003", Level.ERROR)
def unreadable_search(corpus: Corpus) -> Iterator[Found]:
    """A saved search cannot be read.

    `query` is in the language of searches (`awesome explain search`); `citing` and `cited_by` are queries for papers
    (`awesome explain query`). `awesome search --explain` shows what a search asks.
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
    """A saved search names a query family that the protocol does not have.

    Candidates that it finds are said to come from this family. Add it to `query_families` of protocol.yaml, or leave
    `family` out.
    """
    known = {family.id for family in corpus.protocol.query_families} if corpus.protocol else set[str]()
    for i, search in enumerate(corpus.searches):
        yield from unknown_in(PATH, ("searches", i, "family"), search.family, known, "query family")


@rule("Q005", Level.WARNING)
def no_paper_around(corpus: Corpus) -> Iterator[Found]:
    """A saved search for works around papers finds no paper, or names a key that no record has.

    Works that cite papers, or that papers cite, are found by the identifiers of papers in the corpus. See what the
    query finds with `awesome list --where QUERY`.
    """
    for i, search in enumerate(corpus.searches):
        for name in WAYS[1:]:
            text = getattr(search, name)
            try:
                papers = corpus.select(text) if text is not None else ("nothing is asked",)
            except UsageError:
                continue  # Q003 says so.
            for key in _keys(text or ""):
                yield from unknown_in(PATH, ("searches", i, name), key, corpus.by_key, "record")
            if not papers:
                fix = "it is skipped until there is one; else write another query ('awesome list --where QUERY')"
                yield Found(PATH, ("searches", i, name), f"the search {search.id!r} finds no paper", fix)


def _keys(text: str) -> Iterator[str]:
    for found in KEYS.findall(text):
        yield from map(str.strip, found.split(","))


@rule("Q006", Level.ERROR)
def log_of_search(corpus: Corpus) -> Iterator[Found]:
    """The log of a search does not add up.

    Each work that was read is new, known, not what was asked for, or makes no record. The log is written by
    `awesome search`; take the file back with git.
    """
    for run in corpus.runs:
        for i, asked in enumerate(run.asked):
            total = asked.new + asked.known + asked.unfit + asked.refused
            if total != asked.read:
                message = f"{asked.read} works were read, and {total} are accounted for"
                yield Found(run.path, ("asked", i, "read"), message, f"git checkout -- {run.path}", run.key)


@rule("Q007", Level.ERROR)
def time_of_search(corpus: Corpus) -> Iterator[Found]:
    """A run of searches is dated later than today, or not as the name of its file says.

    The next run asks for works that appeared since the last one, so that a wrong day would leave out works. What is
    dated later than today is not counted. A file in `searches/` is named by the second at which its run began, in UTC,
    `2025-01-31-101500.yaml`, and `at` is the time at which a source was asked.
    """
    for run in corpus.runs:
        began = _day(run.key)
        fix = f"put the day right if the clock of the computer was wrong, else remove {run.path}"
        if began is None or began > today():
            yield Found(run.path, (), "the name of the file is no time until today", fix, run.key)
            continue
        for i, asked in enumerate(run.asked):
            day = asked.at.date()
            if day > today() or abs(day - began) > RUN_TIME:
                message = f"the source was asked on {day}, by a run of {began}; today is {today()}"
                yield Found(run.path, ("asked", i, "at"), message, fix, run.key)


def _day(key: str) -> date | None:
    try:
        return datetime.strptime(key, KEY_FORMAT).replace(tzinfo=UTC).date()
    except ValueError:
        return None
