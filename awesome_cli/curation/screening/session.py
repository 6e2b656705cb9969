"""One sitting of a person who screens: each decision is carried out under the survey's lock, and can be taken back."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from awesome_cli.curation.screening.deciding import records
from awesome_cli.curation.screening.log import ScreeningLog
from awesome_cli.errors import RefusedError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.records import Candidate, Paper
from awesome_cli.model.screenings import Decision, ScreeningOrder, Screenings
from awesome_cli.survey import saving
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus, load_record
from awesome_cli.survey.saving import Change, Changes, Plan, reread

PATIENCE = 2.0
"""Seconds for which a person waits for another program that writes."""
COMMAND = ("screen decision",)
"""What a change of several files is remembered by, if it is interrupted."""


class ChangedError(RefusedError):
    """Another program changed the candidate since it was shown; `now` is what it is, None if it is one no longer."""

    def __init__(self, candidate: Candidate, now: Candidate | None) -> None:
        what = "is no candidate any more" if now is None else "was changed by another program"
        super().__init__(f"{candidate.key} {what}", hint="run the command again")
        self.now = now


@dataclass
class ScreeningSession:
    """The survey as it was when the sitting began, the log as it is, and the way back from each decision.

    An `order` that is another than the stored one is stored with the first decision. `newest` is when the last record
    was changed before the sitting: the clock is that of the files, which may be another than the machine's.
    """

    root: Path
    corpus: Corpus
    log: ScreeningLog
    order: ScreeningOrder | None = None
    newest: int = 0
    back: list[tuple[Decision, Changes, Corpus]] = field(default_factory=list)

    @classmethod
    def begun(cls, root: Path, corpus: Corpus, held: Screenings, order: ScreeningOrder | None) -> "ScreeningSession":
        """A sitting of the person whose decisions are in the file of `held`."""
        tree = WorkingTree(root)
        newest = max((tree.changed(record.path) or 0 for record in corpus.records), default=0)
        return cls(root, corpus, ScreeningLog.read(tree, held), order, newest)

    @contextmanager
    def _held(self) -> Iterator[WorkingTree]:
        with saving.locked(self.root, timeout=PATIENCE):
            tree = WorkingTree(self.root)
            self.log = self.log.fresh(tree)
            yield tree

    def decide(self, candidate: Candidate, decision: Decision) -> Plan:
        """Carry out a decision: it is on the disk when this returns.

        Raises `ChangedError` where the candidate is not what was shown, `LockedError` where somebody else writes.
        """
        with self._held() as tree:
            self._require_shown(tree, candidate)
            blind = self.log.held.blind
            plan = Plan(()) if blind else records(tree, self._now(tree, decision), candidate, decision)
            log = (self.log if self.order is None else self.log.in_order(self.order)).with_decision(decision)
            self._commit((*plan.changes, *log.since(self.log)))
            self.log = log
        self.back.append((decision, tuple(Change(c.path, c.after, c.before) for c in plan.changes), self.corpus))
        self.corpus = _with_admitted(self.corpus, plan.changes)
        return plan

    def undo(self) -> Decision:
        """Take back the last decision of this sitting, with the same bytes; returns it.

        Raises `RefusedError` where there is none, or where a file was changed since.
        """
        if not self.back:
            raise RefusedError("there is nothing to take back in this sitting", hint="git takes back earlier ones")
        last, changes, corpus = self.back[-1]
        with self._held():
            if self.log.held.decisions[-1:] != (last,):
                raise RefusedError(
                    f"{self.log.held.path} was changed by another program", hint="use git to take it back"
                )
            log = self.log.without_last()
            self._commit((*changes, *log.since(self.log)))
            self.log = log
        self.back.pop()
        self.corpus = corpus
        return last

    def _commit(self, changes: Changes) -> None:
        saving.commit(self.root, changes, command=COMMAND, timeout=PATIENCE)

    def _require_shown(self, tree: WorkingTree, candidate: Candidate) -> None:
        data = tree.read(candidate.path)
        now = None if data is None else reread(candidate, data)
        if now != candidate:
            raise ChangedError(candidate, now if isinstance(now, Candidate) else None)

    def _now(self, tree: WorkingTree, decision: Decision) -> Corpus:
        """The survey for a merge as it is now, for any other decision as it was: only the candidate is asked.

        Only what changed since the sitting began is read again: a survey may have a hundred thousand records.
        """
        if decision.verdict != "duplicate" or decision.reason is not None:
            return self.corpus
        found = ((record, tree.changed(record.path)) for record in self.corpus.records)
        unchanged = {record.path: record for record, on in found if on is not None and on < self.newest}
        return load_corpus(tree, candidates=True, unchanged=unchanged)


def _with_admitted(corpus: Corpus, changes: Changes) -> Corpus:
    """The survey with a paper that was admitted: claims are asked of it from now on."""
    for change in changes:
        folder, _, name = change.path.partition("/")
        if folder == Paper.FOLDER and change.before is None and change.after is not None:
            paper, _ = load_record(Paper, name.removesuffix(".yaml"), change.path, change.after)
            return corpus if paper is None else replace(corpus, papers=(*corpus.papers, paper))
    return corpus
