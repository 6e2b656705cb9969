"""Decisions of screening and coding: each changes records and is logged in the file of the person who decided."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from awesome_cli.curation.editing import admitting, duplicates, excluding
from awesome_cli.curation.editing.tagging import read_requests
from awesome_cli.errors import AwesomeError, RefusedError, SurveyError, UsageError
from awesome_cli.files import canonical, yaml_editing
from awesome_cli.files.tree import FileTree, WorkingTree
from awesome_cli.model.records import AnyRecord, AnyWork, Candidate, Exclusion, Paper, Screening, to_document, to_text
from awesome_cli.model.screenings import OPEN, Decision, ScreeningOrder, Screenings
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.survey import saving
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus, load_record
from awesome_cli.survey.saving import Change, Changes, Plan, create, delete, edit, reread
from awesome_cli.system.clock import today


@dataclass(frozen=True)
class ScreeningLog:
    """A person's decisions (`held`) and the bytes of the decision file (`data`, None before the first decision).

    Decisions are appended to a file in `canonical` form; other files are edited in place, which is slower.
    """

    held: Screenings
    data: bytes | None = None
    canonical: bool = True

    @classmethod
    def read(cls, tree: FileTree, held: Screenings) -> "ScreeningLog":
        """Read the log from disk; without a file, `held` is the log. Raises `SurveyError` for an unreadable file."""
        data = tree.read(held.path)
        if data is None or data == to_text(held).encode():
            return cls(held, data)
        stored, findings = load_record(Screenings, held.key, held.path, data)
        if stored is None:
            message = findings[0].message if findings else "it has no decisions"
            raise SurveyError(f"{held.path} cannot be read: {message}", hint="see 'awesome validate'")
        return cls(stored, data, to_text(stored).encode() == data)

    def fresh(self, tree: FileTree) -> "ScreeningLog":
        """Return the current log, which is read again only if another program changed the file."""
        return self if tree.read(self.held.path) == self.data else ScreeningLog.read(tree, self.held)

    def with_decision(self, decision: Decision) -> "ScreeningLog":
        """Return the log with a decision appended."""
        held = self.held.model_copy(update={"decisions": (*self.held.decisions, decision)})
        if self.data is None or not self.held.decisions or not self.canonical:
            return self._with(held)
        return replace(self, held=held, data=self.data + _entry(decision))

    def without_last(self) -> "ScreeningLog":
        """Return the log without its last decision."""
        *rest, last = self.held.decisions
        held = self.held.model_copy(update={"decisions": tuple(rest)})
        if self.canonical and rest and self.data is not None:
            return replace(self, held=held, data=self.data.removesuffix(_entry(last)))
        return self._with(held)

    def in_order(self, order: ScreeningOrder) -> "ScreeningLog":
        """Return the log with an order for the next decisions; unchanged if the order is already in use."""
        last = self.held.order
        if last is not None and last.model_copy(update={"after": 0}) == order:
            return self
        order = order.model_copy(update={"after": len(self.held.decisions)})
        # Orders without decisions are dropped.
        used = tuple(earlier for earlier in self.held.orders if earlier.after < order.after)
        return self._with(self.held.model_copy(update={"orders": (*used, order)}))

    def _with(self, held: Screenings) -> "ScreeningLog":
        if self.data is None or self.canonical:
            return replace(self, held=held, data=to_text(held).encode())
        return replace(self, held=held, data=yaml_editing.rewrite(self.data, to_document(held)))

    def since(self, before: "ScreeningLog") -> Changes:
        """Return the change of the decision file since an earlier state of the log."""
        return () if self.data == before.data else (Change(self.held.path, before.data, self.data),)


def _entry(decision: Decision) -> bytes:
    document: dict[str, Any] = to_document(decision)
    return (canonical.item(document) + "\n").encode()


def records(tree: FileTree, corpus: Corpus, record: AnyRecord, decision: Decision) -> Plan:
    """Return the changes that a decision causes on a candidate, or on a paper or exclusion that was a candidate.

    An included candidate becomes a paper if it is complete; otherwise it is proposed for retention and waits for
    coding. A duplicate with a reason is screened out; without a reason it is merged into the original record. Raises
    `UsageError` for an exclusion without stage or reason.
    """
    if decision.verdict in OPEN:
        return Plan(())
    if decision.verdict == "include":
        return _included(tree, corpus.taxonomy, record, decision)
    if decision.verdict == "duplicate" and decision.reason is None:
        return duplicates.merge(tree, corpus, record.key, decision.of or "")
    return _excluded(tree, corpus.taxonomy, record, decision)


def _included(tree: FileTree, taxonomy: Taxonomy, record: AnyRecord, decision: Decision) -> Plan:
    if isinstance(record, Paper):
        return Plan(())
    if isinstance(record, Exclusion) and record.paper.get("added"):
        return admitting.readmit(tree, Corpus(taxonomy, exclusions=(record,)), record.key, on=decision.on)
    after = retained(admitting.considered(record), decision.stage)
    if isinstance(record, Candidate):
        return completed(tree, Corpus(taxonomy, candidates=(record,)), record, after, on=decision.on)
    after = after.model_copy(update={"readmitted": admitting.readmission(record, decision.on)})
    paper = admitting.admitted(after, on=decision.on)
    made = after if admitting.missing(paper, Corpus(taxonomy)) else paper
    return Plan((create(tree, made, tuple(taxonomy.by_id)), delete(tree, record)))


def reopened(corpus: Corpus, key: str, *, blind: bool = False) -> Candidate:
    """Return a work, decided or not, as a candidate to decide on.

    Raises `RefusedError` if it was merged or renamed, and for `blind` screening if it is settled: later decisions do
    not measure independent agreement.
    """
    record = corpus.get(key)
    if record.key != key:
        raise RefusedError(f"{key} is now {record.key}", hint=f"awesome screen {record.key}; undo a merger with git")
    if blind and (path := next((s.path for s in corpus.screenings if not s.blind and key in s.final), None)):
        raise RefusedError(
            f"{key} is settled in {path} and cannot be decided on blind again",
            hint=f"decide again together, without --blind and --who: awesome screen {key} --conflicts",
        )
    return admitting.considered(record)


def retained(candidate: Candidate, stage: str | None) -> Candidate:
    """Return the candidate proposed for retention; `stage` is added to the stages that it passed."""
    passed = (*candidate.passed, stage) if stage and stage not in candidate.passed else candidate.passed
    return candidate.model_copy(update={"proposal": "retain", "passed": passed, "stage": None, "reason": None})


def completed(tree: FileTree, corpus: Corpus, before: AnyWork, after: AnyWork, *, on: date) -> Plan:
    """Return the plan that changes a work; a candidate that lacks nothing becomes a paper, added on the day `on`."""
    if not isinstance(after, Candidate) or admitting.missing(admitting.admitted(after, on=on), corpus):
        return Plan(edit(tree, before, after, tuple(corpus.taxonomy.by_id)))
    return admitting.admit(tree, Corpus(corpus.taxonomy, candidates=(after,)), after.key, on=on)


def admits(plan: Plan) -> bool:
    """True if a plan creates a paper."""
    return any(change.before is None and change.path.startswith(f"{Paper.FOLDER}/") for change in plan.changes)


DUPLICATE = re.compile(r"^a duplicate of \S+?(; |$)")


def _excluded(tree: FileTree, taxonomy: Taxonomy, record: AnyRecord, decision: Decision) -> Plan:
    if not decision.stage or not decision.reason:
        raise UsageError("an exclusion needs a stage and a reason", hint="taxonomy.yaml lists the stages and reasons")
    note, near = decision.note, excluding.near_misses(read_requests(decision.near_miss, taxonomy), decision.note)
    if isinstance(record, Exclusion):  # What a curator wrote stays; the work may not be a duplicate any more.
        note, near = note or DUPLICATE.sub("", record.note or "") or None, near or record.near_miss
    if decision.of:
        note = "; ".join(filter(None, (f"a duplicate of {decision.of}", note)))
    past = record.screening if isinstance(record, Exclusion) else record
    passed = tuple(stage for stage in past.passed if stage != decision.stage)
    screening = Screening(stage=decision.stage, reason=decision.reason, on=decision.on, passed=passed)
    if isinstance(record, Exclusion):
        origin = {name: getattr(record.screening, name) for name in ("source", "query_family")}
        update = {"screening": screening.model_copy(update=origin), "note": note, "near_miss": near}
        return Plan(edit(tree, record, record.model_copy(update=update), tuple(taxonomy.by_id)))
    alone = Corpus(taxonomy, papers=(record,)) if isinstance(record, Paper) else Corpus(taxonomy, candidates=(record,))
    return excluding.exclude(tree, alone, record.key, excluding.ScreeningDecision(screening, note, near))


PATIENCE = 2.0
"""Seconds to wait for another program that holds the lock."""
Effect = Callable[[FileTree], Plan]
"""A function that plans the changes of records for a decision."""


class ChangedError(RefusedError):
    """Another program changed the work. `now` is the new record, None if it was deleted or moved."""

    def __init__(self, work: AnyWork, now: AnyWork | None) -> None:
        what = f"is not a {work.KIND} any more" if now is None else "was changed by another program"
        super().__init__(f"{work.key} {what}", hint="run the command again")
        self.key, self.now = work.key, now


@dataclass
class ScreeningSession:
    """A screening session: the survey, the current log, and the changes that undo each decision (`back`).

    A new `order` is stored with the first decision. `newest` is the latest file timestamp of a record before the
    session; the clock of the file system may differ from the system clock. The journal names `command`.
    """

    root: Path
    corpus: Corpus
    log: ScreeningLog
    order: ScreeningOrder | None = None
    newest: int = 0
    command: tuple[str, ...] = ("screen",)
    back: list[tuple[Decision, Changes, Corpus]] = field(default_factory=list)

    @classmethod
    def begun(cls, root: Path, corpus: Corpus, held: Screenings, order: ScreeningOrder | None) -> "ScreeningSession":
        """Begin a session of the person who made the decisions in `held`."""
        tree = WorkingTree(root)
        newest = max((tree.changed(record.path) or 0 for record in corpus.records), default=0)
        return cls(root, corpus, ScreeningLog.read(tree, held), order, newest)

    @contextmanager
    def _held(self) -> Iterator[WorkingTree]:
        with saving.locked(self.root, timeout=PATIENCE):
            tree = WorkingTree(self.root)
            self.log = self.log.fresh(tree)
            yield tree

    def decide(self, work: AnyWork, decision: Decision, effect: Effect | None = None) -> Plan:
        """Execute a decision and write it to disk; `effect` plans its changes [default: those of a screening decision].

        Raises `ChangedError` if the work has changed since it was shown, `LockedError` if another process writes.
        """
        with self._held() as tree:
            record = self._record(work)
            data = tree.read(record.path)
            now = None if data is None else reread(record, data)
            if now != record:
                raise ChangedError(work, now if isinstance(now, type(work)) else None)
            if effect is not None:
                plan = effect(tree)
            elif self.log.held.blind or not isinstance(work, Candidate):
                plan = Plan(())
            else:
                plan = records(tree, self._now(tree, decision), record, decision)
            log = (self.log if self.order is None else self.log.in_order(self.order)).with_decision(decision)
            self._commit((*plan.changes, *log.since(self.log)))
            self.log = log
        self.back.append((decision, tuple(Change(c.path, c.after, c.before) for c in plan.changes), self.corpus))
        self.corpus = _with_admitted(self.corpus, plan.changes)
        return plan

    def _record(self, work: AnyWork) -> AnyRecord:
        """Return the record of a work, which is not a candidate if the work was reopened."""
        record = self.corpus.by_key.get(work.key, work)
        return record if isinstance(work, Candidate) and not isinstance(record, Candidate) else work

    def undo(self) -> Decision:
        """Roll back the last decision of this session and return it; files get their former bytes.

        Raises `RefusedError` without a decision, or if a file has changed since the decision.
        """
        if not self.back:
            raise RefusedError("there is nothing to undo in this session", hint="use git to undo earlier decisions")
        last, changes, corpus = self.back[-1]
        with self._held():
            if self.log.held.decisions[-1:] != (last,):
                raise RefusedError(f"{self.log.held.path} was changed by another program", hint="undo it with git")
            log = self.log.without_last()
            self._commit((*changes, *log.since(self.log)))
            self.log = log
        self.back.pop()
        self.corpus = corpus
        return last

    def _commit(self, changes: Changes) -> None:
        saving.commit(self.root, changes, command=self.command, timeout=PATIENCE)

    def _now(self, tree: WorkingTree, decision: Decision) -> Corpus:
        """Return the survey for a decision: reloaded before a merge, else with the records changed since the start."""
        if decision.verdict != "duplicate" or decision.reason is not None:
            return self.corpus
        times = ((record, tree.changed(record.path)) for record in self.corpus.records)
        unchanged = {record.path: record for record, on in times if on is not None and on < self.newest}
        return load_corpus(tree, candidates=True, unchanged=unchanged)


def _with_admitted(corpus: Corpus, changes: Changes) -> Corpus:
    """Return the survey with the admitted paper, so that claims count the paper."""
    for change in changes:
        folder, _, name = change.path.partition("/")
        if folder == Paper.FOLDER and change.before is None and change.after is not None:
            paper, _ = load_record(Paper, name.removesuffix(".yaml"), change.path, change.after)
            return corpus if paper is None else replace(corpus, papers=(*corpus.papers, paper))
    return corpus


def carried_out(root: Path, corpus: Corpus, held: Screenings, agreed: Iterable[Decision], *, written: bool) -> Plan:
    """Execute decisions in order, log them in the file of `held`, and return the changes; plan only if not `written`.

    Decisions that cannot be executed are skipped and listed as failed. Raises `RefusedError` for a blind file.
    """
    if held.blind:
        raise RefusedError(f"{held.path} is blind: its decisions change no records", hint="give --who another NAME")
    tree = WorkingTree(root)
    session = ScreeningSession.begun(root, corpus, held, None)
    changes: list[Change] = []
    failed: list[str] = []
    for decision in agreed:
        candidate = corpus.by_key.get(decision.key)
        try:
            if not isinstance(candidate, Candidate):
                raise RefusedError(f"{decision.key} is not a candidate")
            now = decision.model_copy(update={"on": today(), "at": None, "blind": False})
            done = session.decide(candidate, now) if written else records(tree, corpus, candidate, now)
            changes += done.changes
        except AwesomeError as error:
            failed.append(f"left out: {error.message}")
    return Plan(tuple(changes), (), tuple(failed))
