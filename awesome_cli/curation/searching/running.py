"""A run of saved searches: it asks page by page, and says of each page what it changes in the survey.

The changes of a page are made under the survey's lock, when the page is there: candidates for the works that the
survey does not have, and the log of the run. So a kill loses one page at most, and what others have added meanwhile is
known. A source that gives no answer is not asked again in the run, and the log says so.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from awesome_cli.curation.intake import Intake, Known, Settings, Taken, begin, take_in
from awesome_cli.curation.searching.asking import Ask, NotAsked
from awesome_cli.curation.searching.finding import candidate
from awesome_cli.errors import NetError, NonsenseError, NotKnownError
from awesome_cli.files.tree import FileTree
from awesome_cli.model.drafts import Failure
from awesome_cli.model.records import to_text
from awesome_cli.model.searches import KEY_FORMAT, Asked, SearchRun
from awesome_cli.reports.progress import tell
from awesome_cli.sources.searchers import Page
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import FOLDERS, load_record
from awesome_cli.survey.saving import Change, Changes
from awesome_cli.system.clock import now
from awesome_cli.system.network import Net

Step = Callable[[], Changes]
"""Makes the changes of a page; called under the lock, and the changes written before the next step is asked for."""


@dataclass(frozen=True, slots=True)
class FoundOnPage:
    """What became of the works of a page: new candidates, works taken for known, and those that make no record.

    `unknown` are works of the survey that the source does not know, so that nothing was looked for around them.
    """

    ask: Ask
    taken: tuple[Taken, ...]
    known: tuple[Known, ...]
    refused: tuple[Failure, ...]
    unknown: tuple[Failure, ...]


@dataclass
class Searching:
    """A run, and what it found so far. `base` knows the works of the survey, `seen` the paths of its records."""

    net: Net
    base: Intake
    run: SearchRun
    began: datetime
    seen: set[str]
    found: list[FoundOnPage] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    left_out: list[NotAsked] = field(default_factory=list)
    logged: bool = False

    @classmethod
    def of(cls, corpus: Corpus, tree: FileTree, net: Net, by: str | None) -> "Searching":
        """A run that begins now, in a survey that was loaded with its candidates."""
        # Nobody wants to look at a work twice: what looks known is taken for known, and named if in doubt.
        settings = Settings((began := now()).date(), on_duplicate="ask", ask=lambda _known, _match: "skip")
        seen = {record.path for record in corpus.records}
        return cls(net, begin(corpus, tree, settings), SearchRun(key=_key(began), by=by), began, seen)

    @property
    def failed(self) -> tuple[Asked, ...]:
        """What was not answered to the end."""
        return tuple(asked for asked in self.run.asked if asked.state == "failed")

    def steps(self, asks: Sequence[Ask | NotAsked]) -> Iterator[Step]:
        """Ask one after the other, each page as a step. A source that fails raises nothing: the log says it."""
        for ask in asks:
            if isinstance(ask, NotAsked):
                self.left_out.append(ask)
                continue
            self.run = self.run.model_copy(update={"asked": (*self.run.asked, _asked(ask))})
            failure = yield from self._ask(ask)
            if failure is not None:
                if not isinstance(failure, NonsenseError | NotKnownError):
                    self.lost.add(ask.searcher.name)
                yield partial(self._log, state="failed", error=failure.message)
        tell("", 0)

    def _ask(self, ask: Ask) -> Generator[Step, None, NetError | None]:
        """Why the source did not answer to the end, None where it did."""
        if ask.request is None or ask.searcher.name in self.lost:
            return NonsenseError(ask.error or f"not asked, since {ask.searcher.label} failed before in this run")
        what = f"reading {ask.search.id} from {ask.searcher.label}"
        tell(what, 0)
        start = ask.rest.next if ask.rest else None
        try:
            for page in ask.searcher.pages(ask.request, self.net, start):
                yield partial(self._take, ask, page)
                tell(what, self.run.asked[-1].read, page.hits)
        except NetError as failure:
            return failure
        is_whole = self.run.asked[-1].state == "done"
        return None if is_whole else NonsenseError(f"{ask.searcher.label} stopped before the end of its answer")

    def _take(self, ask: Ask, page: Page) -> Changes:
        """The candidates of a page, and the log that counts them."""
        self._meet_others()
        intake = replace(self.base, taken=[], known=[], failed=[], kept=Counter(), decided=Counter())
        corpus, by = self.base.corpus, self.run.by
        take_in(intake, (candidate(draft, ask, corpus, by, self.began.date()) for draft in page.drafts))
        self.seen.update(taken.record.path for taken in intake.taken)
        found = FoundOnPage(
            ask, tuple(intake.taken), tuple(intake.known), (*page.failures, *intake.failed), page.unknown
        )
        self.found.append(found)
        asked = self.run.asked[-1]
        more = {
            "read": page.read,
            "new": len(found.taken),
            "known": len(found.known),
            "unfit": page.read - len(page.drafts) - len(page.failures),
            "refused": len(found.refused),
        }
        counts = {name: getattr(asked, name) + n for name, n in more.items()}
        state = "partly" if page.next else "done"
        return (*intake.changes(), *self._log(state=state, next=page.next, hits=page.hits, **counts))

    def _meet_others(self) -> None:
        """Know the records that others have added since they were looked at last."""
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
        """Say how it stands with what is asked, in the file of the run, which no other run has."""
        *before, asked = self.run.asked
        self.run = self.run.model_copy(update={"asked": (*before, asked.model_copy(update=values))})
        tree = self.base.tree
        while not self.logged and tree.read(self.run.path) is not None:
            self.began += timedelta(seconds=1)
            self.run = self.run.model_copy(update={"key": _key(self.began)})
        self.logged = True
        return (Change(self.run.path, tree.read(self.run.path), to_text(self.run).encode()),)


def _key(began: datetime) -> str:
    return began.strftime(KEY_FORMAT)


def _asked(ask: Ask) -> Asked:
    """What is asked, before there is an answer."""
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
