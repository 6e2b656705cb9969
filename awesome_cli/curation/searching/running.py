"""Run saved searches: request results page by page, and return the changes of each page.

The changes of a page (candidates for unknown works, and the log of the run) are made under the survey's lock. If the
process is killed, at most one page is lost, and records added by other processes are recognised. A source that does not
respond is skipped for the rest of the run, which the log records.
"""

import math
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from awesome_cli.curation.intake import Intake, Known, Settings, Taken, begin, take_in
from awesome_cli.curation.searching import Ask, NotAsked, candidate
from awesome_cli.errors import NetError, NonsenseError, NotKnownError, UnresolvedError
from awesome_cli.files.tree import FileTree
from awesome_cli.model.drafts import Failure
from awesome_cli.model.records import to_text
from awesome_cli.model.searches import KEY_FORMAT, Asked, SearchRun
from awesome_cli.reports.progress import tell
from awesome_cli.reports.report import Block, Bullets, Code, Report, Section, Table, Text, Toned
from awesome_cli.sources import SEARCHERS
from awesome_cli.sources.searchers import Page
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import FOLDERS, load_record
from awesome_cli.survey.saving import Change, Changes
from awesome_cli.survey.searched import COLUMNS, OVERLAP, asked_row, entries
from awesome_cli.system.clock import now
from awesome_cli.system.network import Net
from awesome_cli.text.inert import without_unseen
from awesome_cli.text.known import without_middle
from awesome_cli.text.numbers import counted

Step = Callable[[], Changes]
"""A function that returns the changes of a page; call it under the lock, and write the changes before the next step."""


@dataclass(frozen=True, slots=True)
class FoundOnPage:
    """The results of a page: new candidates, known works, and entries that cannot become records (`refused`).

    `unknown` are works of the survey that the source does not have; their citations were not searched.
    """

    ask: Ask
    taken: tuple[Taken, ...]
    known: tuple[Known, ...]
    refused: tuple[Failure, ...]
    unknown: tuple[Failure, ...]


@dataclass
class Searching:
    """A run and its results so far. `base` has the works of the survey, `seen` the paths of its records.

    A request stops after the page on which it has read `limit` works, unless `confirm` returns True for a question.
    """

    net: Net
    base: Intake
    run: SearchRun
    began: datetime
    seen: set[str]
    limit: int
    confirm: Callable[[str], bool]
    found: list[FoundOnPage] = field(default_factory=list)
    lost: dict[str, NetError] = field(default_factory=dict)
    left_out: list[NotAsked] = field(default_factory=list)
    logged: bool = False

    @classmethod
    def of(
        cls, corpus: Corpus, tree: FileTree, net: Net, by: str | None, limit: int, confirm: Callable[[str], bool]
    ) -> "Searching":
        """Begin a run now, in a survey loaded with its candidates."""
        # Works that look known are skipped, and reported if that is uncertain.
        settings = Settings((began := now()).date(), on_duplicate="ask", ask=lambda _known, _match: "skip")
        seen = {record.path for record in corpus.records}
        run = SearchRun(key=began.strftime(KEY_FORMAT), by=by)
        return cls(net, begin(corpus, tree, settings), run, began, seen, limit, confirm)

    @property
    def failed(self) -> tuple[Asked, ...]:
        return tuple(request for request in self.run.asked if request.state == "failed")

    def steps(self, asks: Sequence[Ask | NotAsked]) -> Iterator[Step]:
        """Yield each page as a step. A source that fails does not raise; the log records it."""
        for ask in asks:
            if isinstance(ask, NotAsked):
                self.left_out.append(ask)
                continue
            self.run = self.run.model_copy(update={"asked": (*self.run.asked, _asked(ask))})
            failure = yield from self._ask(ask)
            if failure is not None:
                if not isinstance(failure, NonsenseError | NotKnownError):
                    self.lost[ask.searcher.name] = failure
                yield partial(self._log, state="failed", error=failure.message)
        tell("", 0)

    def _ask(self, ask: Ask) -> Generator[Step, None, NetError | None]:
        """Yield the pages of a request as steps; return the error if the source did not finish, else None."""
        if ask.request is None or ask.searcher.name in self.lost:
            return NonsenseError(ask.error or f"skipped, since {ask.searcher.label} failed before in this run")
        what = f"reading {ask.search.id} from {ask.searcher.label}"
        tell(what, 0)
        start, limit = ask.rest.next if ask.rest else None, None
        try:
            for page in ask.searcher.pages(ask.request, self.net, start):
                read = self.run.asked[-1].read + page.read
                limit = limit or self._limit(ask, read + max(page.left, bool(page.next)))
                yield partial(self._take, ask, page)
                tell(what, read, page.hits)
                if page.next and limit and read >= limit:
                    error = f"stopped after {read:,} works (--limit); the next run continues there"
                    yield partial(self._log, error=error)
                    return None
        except NetError as failure:
            return failure
        is_whole = self.run.asked[-1].state == "done"
        return None if is_whole else NonsenseError(f"{ask.searcher.label} stopped before its last result")

    def _limit(self, ask: Ask, works: int) -> float | None:
        """Return how many of the works of a request to read, which may need confirmation; None for all."""
        if works <= self.limit:
            return None
        tell("", 0)
        question = (
            f"{ask.searcher.label} has at least {works:,} works for {ask.search.id}. Read more than {self.limit:,}?"
        )
        return math.inf if self.confirm(question) else self.limit

    def _take(self, ask: Ask, page: Page) -> Changes:
        self._meet_others()
        intake = replace(self.base, taken=[], known=[], failed=[], kept=Counter(), decided=Counter())
        corpus, by = self.base.corpus, self.run.by
        take_in(intake, (candidate(draft, ask, corpus, by, self.began.date()) for draft in page.drafts))
        self.seen.update(taken.record.path for taken in intake.taken)
        refused = (*page.failures, *intake.failed)
        result = FoundOnPage(ask, tuple(intake.taken), tuple(intake.known), refused, page.unknown)
        self.found.append(result)
        request = self.run.asked[-1]
        more = {
            "read": page.read,
            "new": len(result.taken),
            "known": len(result.known),
            "unfit": page.read - len(page.drafts) - len(page.failures),
            "refused": len(result.refused),
        }
        counts = {name: getattr(request, name) + n for name, n in more.items()}
        state = "partly" if page.next else "done"
        return (*intake.changes(), *self._log(state=state, next=page.next, hits=page.hits, **counts))

    def _meet_others(self) -> None:
        """Load the records that other processes have added since the last page."""
        for folder, model in FOLDERS.items():
            for path in self.base.tree.list(folder):
                if path not in self.seen and path.endswith(".yaml"):
                    self.seen.add(path)
                    key = path.rpartition("/")[2].removesuffix(".yaml")
                    record, _ = load_record(model, key, path, self.base.tree.read(path) or b"")
                    if record is not None:
                        self.base.names.add(record)
                        self.base.works.put(record)

    def _log(self, **values: Any) -> Changes:
        """Return the change that logs the state of the current request, in a file only for this run.

        A run that reached no service is not logged. Invisible characters are removed from texts of services.
        """
        *before, request = self.run.asked
        request = request.model_copy(update=without_unseen(values))
        self.run = self.run.model_copy(update={"asked": (*before, request)})
        if not self.logged and all(isinstance(self.lost.get(r.source), UnresolvedError) for r in self.run.asked):
            return ()
        tree = self.base.tree
        while not self.logged and tree.read(self.run.path) is not None:
            self.began += timedelta(seconds=1)
            self.run = self.run.model_copy(update={"key": self.began.strftime(KEY_FORMAT)})
        self.logged = True
        return (Change(self.run.path, tree.read(self.run.path), to_text(self.run).encode()),)


def _asked(ask: Ask) -> Asked:
    return Asked(
        search=ask.search.id,
        source=ask.searcher.name,
        query=ask.query,
        sent=ask.sent,
        since=ask.request.since if ask.request else None,
        at=now(),
        state="failed",
        resumes=ask.resumes,
        next=ask.rest.next if ask.rest else None,
    )


UNLOGGED = "; no service was reached, so nothing was logged"
MINOR = ("refused", "unfit", "since")
WANTED = ("candidate", "title", "search", "source")


def explained(asks: Sequence[Ask | NotAsked]) -> Report:
    """Report the first requests of a run, and conditions that sources do not support; no request is sent."""
    rows = [
        (a.search.id, a.searcher.name, a.query, _since(a), a.sent, _remarks(a), a.error)
        if isinstance(a, Ask)
        else (a.search.id, None, None, None, "", () if a.failed else (a.why,), a.why if a.failed else "")
        for a in asks
    ]
    table = Table.of(("search", "source", "query", "since", "sent", "remarks", "error"), rows)
    sections = [
        Section(f"{a.search.id} at {a.searcher.label}" if isinstance(a, Ask) else a.search.id, tuple(_request(a)))
        for a in asks
    ]
    terms = dict.fromkeys(f"{a.searcher.label}: {_kept(a)}" for a in asks if isinstance(a, Ask))
    sections += [Section("Abstracts", (Bullets(tuple(terms)),))] if terms else []
    return Report("awesome/search-explain/1", {"asks": table.records()}, tuple(sections), "Requests", table)


def _request(ask: Ask | NotAsked) -> Iterator[Block]:
    if ask.search.label:
        yield Text(ask.search.label, "strong")
    if isinstance(ask, NotAsked):
        yield Text(ask.why, "bad" if ask.failed else "warn")
        return
    yield Text(ask.query)
    if ask.error:
        yield Text(ask.error, "bad")
        return
    yield Text(_days(ask))
    yield Code(ask.sent)
    if ask.request and ask.request.remarks:
        yield Bullets(ask.request.remarks)


def _days(ask: Ask) -> str:
    if ask.resumes:
        return f"It continues where the run {ask.resumes} stopped."
    since = _since(ask)
    if since is None:
        return "Works of all dates are requested: no run has read all of them yet."
    if ask.covered:
        why = f": an earlier run covered those until {ask.covered}, and runs overlap by {OVERLAP.days} days"
    else:
        why = ", the first day of the search" * (ask.request is not None and ask.request.since == ask.search.since)
    return f"Works published from {since} on are requested{why}."


def _since(ask: Ask) -> str | None:
    return ask.request.since.isoformat() if ask.request and ask.request.since else None


def _remarks(ask: Ask) -> tuple[str, ...]:
    return (*(ask.request.remarks if ask.request else ()), f"Abstracts are {_kept(ask)}")


def _kept(ask: Ask) -> str:
    return f"{'kept' if ask.searcher.keeps_abstracts else 'not kept'}: {ask.searcher.terms}"


def outcome(work: Searching, *, written: bool) -> Report:
    """Report the result of each request, the new candidates, and uncertain matches."""
    taken = [(page, taken) for page in work.found for taken in page.taken]
    rows = [(t.record.key, t.record.title, f.ask.search.id, f.ask.searcher.name) for f, t in taken]
    doubtful = [known for page in work.found for known in page.known if not known.match.certain]
    guesses = [f"{known.title} is {known.match.b} ({'; '.join(known.match.because)})" for known in doubtful]
    refused = [failure for page in work.found for failure in page.refused]
    unknown = [failure for page in work.found for failure in page.unknown]
    verb = "added" if written else "would add"
    note = "" if written else "; nothing was written"
    blocks: list[Block] = [_asked_table(work.run), Text(f"{verb} {counted(len(rows), 'candidate')}{note}", "strong")]
    shown = [(key, without_middle(title), *where) for key, title, *where in rows]
    blocks += [Table.of(WANTED, shown, minor=("source",))] if rows else []
    remarks: dict[str, Sequence[object]] = {
        "Skipped as known, but not certain:": guesses,
        "Could not become records:": refused,
        "Citations not searched for:": unknown,
    }
    for title, lines in remarks.items():
        items = tuple(Toned(without_middle(str(line)), "warn") for line in lines)
        blocks += [Text(title), Bullets(items)] if items else []
    blocks += [Text(f"{a.search} at {a.source}: {a.error}", "bad") for a in work.run.asked if a.error]
    notes = (note for request in work.run.asked for note in SEARCHERS[request.source].remarks(work.net))
    blocks += [Text(note, "warn") for note in dict.fromkeys(notes)]
    blocks += [Text(f"{skip.search.id}: {skip.why}", "bad" if skip.failed else "warn") for skip in work.left_out]
    data = {
        "run": work.run.key if written and work.logged else None,
        "asked": [request.model_dump(mode="json") for request in work.run.asked],
        "new": [dict(zip(WANTED, row, strict=True)) for row in rows],
        "doubtful": [{"title": k.title, "key": k.match.b, "because": list(k.match.because)} for k in doubtful],
        "unknown": [{"place": failure.place, "message": failure.message} for failure in unknown],
        "refused": [{"place": failure.place, "message": failure.message} for failure in refused],
        "left_out": [{"search": skip.search.id, "why": skip.why, "failed": skip.failed} for skip in work.left_out],
        "written": written,
    }
    tables = (_asked_table(work.run, "asked"), Table.of(WANTED, rows, title="new"))
    return Report("awesome/search/1", data, (Section(None, tuple(blocks)),), "Search", tables)


def _asked_table(run: SearchRun, title: str | None = None) -> Table:
    return Table.of(COLUMNS, [asked_row(request) for request in run.asked], title=title, minor=MINOR)


def logged(runs: Sequence[SearchRun], names: Sequence[str] = ()) -> Report:
    """Report the requests of runs [default: of all searches], newest last, with their URLs."""
    requests = [(run, request) for run, request in entries(runs) if not names or request.search in names]
    rows = [(run, *asked_row(request)) for run, request in requests]
    blocks: list[Block] = [Table.of(("run", *COLUMNS), rows, minor=MINOR)] if rows else [Text("no search was run yet")]
    blocks += [Text(f"{run}, {a.search} at {a.source}: {a.error}", "bad") for run, a in requests if a.error]
    sent = dict.fromkeys((a.search, a.source, a.query, a.sent) for _, a in requests)
    if sent:
        blocks += [Text("What was sent:"), *(Code(f"{query}\n{sent}") for *_, query, sent in sent)]
    columns = ("run", *Asked.model_fields)
    data = [{"run": run, **request.model_dump(mode="json")} for run, request in requests]
    table = Table.of(columns, [tuple(row.values()) for row in data])
    return Report("awesome/search-log/1", {"asked": data}, (Section(None, tuple(blocks)),), "Search log", table)
