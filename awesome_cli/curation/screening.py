"""Screening decisions: each changes the records and is logged in the file of the person who decided."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from awesome_cli.curation.editing import admitting, duplicates, excluding
from awesome_cli.curation.editing.tagging import read_requests
from awesome_cli.errors import AwesomeError, RefusedError, SurveyError, UsageError
from awesome_cli.files import canonical, yaml_editing
from awesome_cli.files.tree import FileTree, WorkingTree
from awesome_cli.model.records import AnyWork, Candidate, Paper, Screening, to_document, to_text
from awesome_cli.model.screenings import OPEN, Decision, ScreeningOrder, Screenings
from awesome_cli.survey import saving
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus, load_record
from awesome_cli.survey.saving import Change, Changes, Plan, edit, reread
from awesome_cli.system.clock import today


@dataclass(frozen=True)
class ScreeningLog:
    """A person's decisions and the bytes that say so; `data` is None before the first decision.

    A file in `canonical` form grows by the text of a decision; any other is edited in place, which takes longer.
    """

    held: Screenings
    data: bytes | None = None
    canonical: bool = True

    @classmethod
    def read(cls, tree: FileTree, held: Screenings) -> "ScreeningLog":
        """The log as it is on the disk, or `held` if there is no file; raises `SurveyError` if it cannot be read."""
        data = tree.read(held.path)
        if data is None or data == to_text(held).encode():
            return cls(held, data)
        found, findings = load_record(Screenings, held.key, held.path, data)
        if found is None:
            message = findings[0].message if findings else "it holds no decisions"
            raise SurveyError(f"{held.path} cannot be read: {message}", hint="see 'awesome validate'")
        return cls(found, data, to_text(found).encode() == data)

    def fresh(self, tree: FileTree) -> "ScreeningLog":
        """The log as it is now; read again only where another program changed it."""
        return self if tree.read(self.held.path) == self.data else ScreeningLog.read(tree, self.held)

    def with_decision(self, decision: Decision) -> "ScreeningLog":
        """The log with one more decision."""
        held = self.held.model_copy(update={"decisions": (*self.held.decisions, decision)})
        if self.data is None or not self.held.decisions or not self.canonical:
            return self._with(held)
        return replace(self, held=held, data=self.data + _entry(decision))

    def without_last(self) -> "ScreeningLog":
        """The log without its last decision."""
        *rest, last = self.held.decisions
        held = self.held.model_copy(update={"decisions": tuple(rest)})
        if self.canonical and rest and self.data is not None:
            return replace(self, held=held, data=self.data.removesuffix(_entry(last)))
        return self._with(held)

    def in_order(self, order: ScreeningOrder) -> "ScreeningLog":
        """The log with the order in use, if that is another one."""
        last = self.held.order
        if last is not None and last.model_copy(update={"after": 0}) == order:
            return self
        order = order.model_copy(update={"after": len(self.held.decisions)})
        # An order by which nothing was decided is of no use to anybody.
        kept = tuple(one for one in self.held.orders if one.after < order.after)
        return self._with(self.held.model_copy(update={"orders": (*kept, order)}))

    def _with(self, held: Screenings) -> "ScreeningLog":
        if self.data is None or self.canonical:
            return replace(self, held=held, data=to_text(held).encode())
        return replace(self, held=held, data=yaml_editing.rewrite(self.data, to_document(held)))

    def since(self, before: "ScreeningLog") -> Changes:
        """The change of the file from another state of it."""
        return () if self.data == before.data else (Change(self.held.path, before.data, self.data),)


def _entry(decision: Decision) -> bytes:
    document: dict[str, Any] = to_document(decision)
    return (canonical.item(document) + "\n").encode()


def records(tree: FileTree, corpus: Corpus, candidate: Candidate, decision: Decision) -> Plan:
    """The change of the records; none for what leaves the candidate undecided.

    An included one that lacks nothing becomes a paper at once, else it is proposed for retention and waits to be coded.
    A duplicate with a reason is screened out, without one it is merged into the record that it is of. Raises
    `UsageError` for an exclusion without stage or reason.
    """
    if decision.verdict in OPEN:
        return Plan(())
    alone = Corpus(corpus.taxonomy, candidates=(candidate,))
    if decision.verdict == "include":
        return _included(tree, alone, candidate, decision)
    if decision.verdict == "duplicate" and decision.reason is None:
        return duplicates.merge(tree, corpus, candidate.key, decision.of or "")
    return _excluded(tree, alone, candidate, decision)


def retained(candidate: Candidate, stage: str | None) -> Candidate:
    """The candidate proposed for retention, with the stage that it passed."""
    passed = (*candidate.passed, stage) if stage and stage not in candidate.passed else candidate.passed
    return candidate.model_copy(update={"proposal": "retain", "passed": passed, "stage": None, "reason": None})


def _included(tree: FileTree, alone: Corpus, candidate: Candidate, decision: Decision) -> Plan:
    found = retained(candidate, decision.stage)
    if admitting.missing(admitting.admitted(found, on=decision.on), alone):
        return Plan(edit(tree, candidate, found, tuple(alone.taxonomy.by_id)))
    known = Corpus(alone.taxonomy, candidates=(found,))
    return admitting.admit(tree, known, candidate.key, on=decision.on)


def _excluded(tree: FileTree, alone: Corpus, candidate: AnyWork, decision: Decision) -> Plan:
    if not decision.stage or not decision.reason:
        raise UsageError("an exclusion needs a stage and a reason", hint="taxonomy.yaml lists them")
    note = decision.note
    if decision.of:
        note = "; ".join(filter(None, (f"a duplicate of {decision.of}", note)))
    near = excluding.near_misses(read_requests(decision.near_miss, alone.taxonomy), decision.note)
    passed = tuple(stage for stage in candidate.passed if stage != decision.stage)
    screening = Screening(stage=decision.stage, reason=decision.reason, on=decision.on, passed=passed)
    why = excluding.ScreeningDecision(screening, note, near)
    return excluding.exclude(tree, alone, candidate.key, why)


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


def carried_out(root: Path, corpus: Corpus, held: Screenings, agreed: Iterable[Decision], *, written: bool) -> Plan:
    """The changes of decisions, made one after the other and stored in the file of `held`; none if not `written`.

    A decision that cannot be carried out is left out and named. Raises `RefusedError` for a file of somebody who
    screens blind.
    """
    if held.blind:
        raise RefusedError(f"{held.path} is blind: what it holds changes no record", hint="--who NAME of another file")
    tree = WorkingTree(root)
    session = ScreeningSession.begun(root, corpus, held, None)
    changes: list[Change] = []
    failed: list[str] = []
    for decision in agreed:
        candidate = corpus.by_key.get(decision.key)
        try:
            if not isinstance(candidate, Candidate):
                raise RefusedError(f"{decision.key} is no candidate")
            now = decision.model_copy(update={"on": today(), "at": None})
            done = session.decide(candidate, now) if written else records(tree, corpus, candidate, now)
            changes += done.changes
        except AwesomeError as error:
            failed.append(f"left out: {error.message}")
    return Plan(tuple(changes), (), tuple(failed))
