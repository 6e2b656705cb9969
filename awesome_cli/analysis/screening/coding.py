"""The queue of works that wait for coding, and their questions: axis after axis, work after work."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from awesome_cli.errors import RefusedError
from awesome_cli.model.records import AnyWork, Candidate
from awesome_cli.model.screenings import Decision, Screenings
from awesome_cli.model.taxonomy import NA, Axis
from awesome_cli.query.parser import Test, not_coded
from awesome_cli.reports.report import Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted


def settled(corpus: Corpus) -> set[tuple[str, str]]:
    """Return `(key, axis)` of each work and axis for which a person decided that the axis does not apply."""
    decisions = (decision for person in corpus.screenings for decision in person.decisions if NA in decision.terms)
    return {(decision.key, decision.axis or "") for decision in decisions}


@dataclass
class CodingQueue:
    """Works that are not coded on an axis, sorted by key; skipped questions come last.

    Works are papers, candidates that screening included, and candidates marked `not_coded`. `where` and `axes` restrict
    the questions. `settled` has pairs of key and axis for which somebody decided that the axis does not apply.
    """

    corpus: Corpus
    axes: tuple[Axis, ...]
    where: str | None = None
    settled: set[tuple[str, str]] = field(default_factory=set)
    skipped: dict[tuple[str, str], None] = field(default_factory=dict)

    @classmethod
    def of(cls, corpus: Corpus, held: Screenings, axes: Sequence[str], where: str | None) -> "CodingQueue":
        """Return the queue of a person on some axes [default: all], without the questions that are settled."""
        chosen = tuple(corpus.taxonomy.axis(name) for name in axes) or corpus.taxonomy.axes
        queue = cls(corpus, chosen, where, settled(corpus))
        for decision in held.decisions:
            queue.decide(None, decision)
        return queue

    @cached_property
    def waiting(self) -> dict[str, AnyWork]:
        """The waiting works by key."""
        candidates = (c for c in self.corpus.candidates if c.is_included or c.not_coded)
        works: tuple[AnyWork, ...] = (*self.corpus.papers, *candidates)
        chosen = self.corpus.query(self.where).select(works) if self.where else works
        return {work.key: work for work in sorted(chosen, key=lambda work: work.key) if any(self._axes(work))}

    @cached_property
    def _tests(self) -> Mapping[str, Test]:
        return {axis.id: not_coded(axis, self.corpus.taxonomy) for axis in self.corpus.taxonomy.axes}

    def _waits(self, work: AnyWork, axis: Axis) -> bool:
        if (work.key, axis.id) in self.settled:
            return False
        # Silence means something only for works whose coding is finished.
        return not work.tags.get(axis.id) if isinstance(work, Candidate) else self._tests[axis.id](work)

    def _axes(self, work: AnyWork) -> Iterator[Axis]:
        return (axis for axis in self.axes if self._waits(work, axis))

    def is_last(self, work: AnyWork, answered: Axis) -> bool:
        """True if the work waits on no other axis of the taxonomy than `answered`."""
        return not any(self._waits(work, axis) for axis in self.corpus.taxonomy.axes if axis.id != answered.id)

    def axis(self, work: AnyWork) -> Axis:
        """Return the axis to code next of a work that waits; skipped axes come last."""
        return min(self._axes(work), key=lambda axis: (work.key, axis.id) in self.skipped)

    def next(self) -> AnyWork | None:
        """Return the first work with a question that was not skipped, else the work skipped longest ago."""
        works = self.waiting.values()
        fresh = (w for w in works if any((w.key, axis.id) not in self.skipped for axis in self._axes(w)))
        return next(fresh, next((self.waiting[key] for key, _ in self.skipped if key in self.waiting), None))

    def decide(self, _: AnyWork | None, decision: Decision) -> None:
        """Update the queue after a decision; `follow` then has the work as changed by the decision."""
        question = (decision.key, decision.axis or "")
        if decision.verdict == "skip" and decision.axis:
            self.skipped.pop(question, None)
            self.skipped[question] = None
        elif decision.verdict == "code" and NA in decision.terms:
            self.settled.add(question)

    def undo(self, work: AnyWork, decision: Decision) -> None:
        """Update the queue after a decision was undone; `work` is as before the decision."""
        question = (decision.key, decision.axis or "")
        self.settled.discard(question)
        if decision.verdict == "skip":
            self.skipped.pop(question, None)
        self._put(work)

    def follow(self, key: str, now: AnyWork | None) -> None:
        """Update a work that has changed; `now` is None if it was deleted or moved."""
        if now is not None:
            self._put(now)
        else:
            self.waiting.pop(key, None)

    def _put(self, work: AnyWork) -> None:
        works = {**self.waiting, work.key: work}
        if not any(self._axes(work)):
            del works[work.key]
        elif work.key not in self.waiting:
            works = dict(sorted(works.items()))
        self.waiting.clear()
        self.waiting.update(works)

    def require_optional(self, work: AnyWork, axis: Axis) -> None:
        """Raise `RefusedError` if the work must have a term on the axis."""
        if axis.required_for is not None and self.corpus.query(axis.required_for).matches(work):
            papers = "every paper" if axis.required_for == "*" else f"papers with {axis.required_for}"
            raise RefusedError(f"{axis.id} cannot be {NA}: {papers} must have a term", hint="s skips it")

    def to_report(self, who: str) -> Report:
        """Report the waiting questions."""
        rows = [(work.key, axis.id, work.title) for work in self.waiting.values() for axis in self._axes(work)]
        table = Table.of(("key", "axis", "title"), rows)
        data = {"who": who, "queue": [{"key": key, "axis": axis} for key, axis, _ in rows]}
        blocks = (table,) if rows else (Text("No papers to code.", "good"),)
        title = f"{counted(len(self.waiting), 'paper')} to code"
        return Report("awesome/code/1", data, (Section(None, blocks),), title, table)
