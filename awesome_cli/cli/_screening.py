"""The interactive session of `awesome screen`: a key press screens a candidate."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from awesome_cli.analysis.screening import stopping
from awesome_cli.analysis.screening.card import ScreeningCards
from awesome_cli.analysis.screening.queue import Screened, ScreeningQueue, conflicting, listing, usual_stage
from awesome_cli.cli._session import CommandSession
from awesome_cli.cli._sitting import Sitting, decision_text, options, run_sitting
from awesome_cli.curation.editing.admitting import admitted, missing
from awesome_cli.curation.editing.tagging import read_requests
from awesome_cli.curation.screening import ScreeningSession, admits, reopened
from awesome_cli.errors import RefusedError, UsageError
from awesome_cli.model.records import Candidate, Exclusion
from awesome_cli.model.screenings import Decision, Verdict
from awesome_cli.reports.report import Line
from awesome_cli.survey.changes import Plan


@dataclass(kw_only=True)
class ScreeningSitting(Sitting[Candidate]):
    """Interactive screening, with `conflicts` of other screeners, the default `stage`, and `earlier` decisions.

    `reopened` has the keys on the command line. Stopping advice needs a `rule`.
    """

    queue: ScreeningQueue
    cards: ScreeningCards
    stage: str | None
    conflicts: Mapping[str, Sequence[str]]
    rule: stopping.HypergeometricRule | None
    reopened: frozenset[str] = frozenset()
    earlier: list[Decision] = field(default_factory=list)
    advised: set[str] = field(default_factory=set)
    card: tuple[tuple[Candidate, tuple[str, ...]], tuple[Line, ...]] | None = None

    KEYS: ClassVar[Mapping[str, str]] = {
        "i": "include: retain it; a coded record becomes a paper at once, any other record waits to be coded",
        "e": "exclude: choose stage and reason",
        "s": "skip: show it again after all other candidates",
        "n": "near-miss: exclude it and record the tags that it nearly has",
        "d": "duplicate: merge it with another record, or exclude it",
        "p": "take the proposal of the record, unless you screen blind",
        "u": "undo the last decision of this session, then reopen earlier ones",
        "a": "show advice on when to stop",
    }
    HELP = (
        "i include  e exclude  s skip  n near-miss  d duplicate  o open  t note  u undo",
        "a advice on stopping  q quit  ? help",
    )
    OPEN_HELP = "p proposal  "
    TO_DO = "to screen"
    NONE = "all candidates of this queue are screened"

    def _decisions(self) -> Mapping[str, Callable[[Candidate], None]]:
        return {
            "i": self._include, "e": self._exclude, "n": self._near_miss, "d": self._duplicate, "a": self._advise,
            "p": self._take_proposal,
        }  # fmt: skip

    @property
    def _blind(self) -> bool:
        return self.screening.log.held.blind

    def _facts(self) -> tuple[str, ...]:
        return (f"order: {self.queue.order.by}", *(["blind"] if self._blind else []))

    def _command(self) -> Sequence[str]:
        options = [word for word in self.session.command if word not in self.reopened]
        return (*options, *self.queue.waiting) if self.reopened else options

    def _card(self, shown: Candidate, notes: Sequence[str]) -> tuple[Line, ...]:
        former = self.screening.log.held.final.get(shown.key)
        decided = [f"decided on {former.on}: {decision_text(former)}"] if former else []
        content = (shown, (*decided, *self.conflicts.get(shown.key, ()), *notes))
        if self.card is None or self.card[0] != content:
            self.card = content, self.cards.lines(*content)
        return self.card[1]

    def _decision(self, shown: Candidate, verdict: Verdict, **values: object) -> Decision:
        decisions = self.screening.log.held.decisions
        notes = [d.note for d in decisions if d.key == shown.key and d.verdict == "note"]
        note = notes[-1] if notes and verdict != "skip" else None
        former = self.screening.log.held.final.get(shown.key)
        at = former.at if former else 1 + len({d.key for d in decisions if d.verdict != "code"})
        return super()._decision(shown, verdict, **{"at": at, "note": note, **values})

    def _decide(self, shown: Candidate, verdict: Verdict, **values: object) -> None:
        decision = self._decision(shown, verdict, **values)
        plan = self._log(shown, decision)
        if verdict != "duplicate":  # the stage of a duplicate is not the next default
            self.stage = decision.stage or self.stage
        self.cards.decide(shown.key, decision)
        self._say(f"{self._done(shown, decision, plan)}; u undoes it{self._hint()}", "good")
        if verdict != "note":
            self.shown = self.queue.next()

    def _done(self, shown: Candidate, decision: Decision, plan: Plan) -> str:
        text = decision_text(decision)
        if decision.verdict != "include" or self.screening.log.held.blind:
            return text
        if admits(plan):
            effects = self.cards.endangered(shown)
            self.cards.follow(self.screening.corpus)
            return f"{text} and admitted" + "".join(f"; it {effect}" for effect in effects)
        lacking = ", ".join(missing(admitted(shown, on=decision.on), self.screening.corpus))
        return f"{text}; not coded yet ({lacking}): awesome code --where key={shown.key}" if lacking else text

    def _hint(self) -> str:
        """Name the stopping rules that apply for the first time."""
        advice = stopping.advise(self.queue.progress, self.rule)
        new = [each.rule for each in advice if each.stop and each.rule not in self.advised]
        self.advised.update(new)
        return f"; {' and '.join(new)}: stop (a explains)" if new else ""

    def _include(self, shown: Candidate) -> None:
        stages = self.screening.corpus.taxonomy.stages
        if self.stage is None and stages:
            self.stage = self.terminal.choice(
                "Which stage of screening did it pass? (This question is asked once.)", options(stages)
            )
            if self.stage is None:
                return
        self._decide(shown, "include", stage=self.stage)

    def _take_proposal(self, shown: Candidate) -> None:
        if self._blind or shown.proposal == "consider":
            self._say("proposals are hidden" if self._blind else "the record proposes no decision", "warn")
        elif shown.proposal == "retain":
            self._include(shown)
        elif (stage := shown.stage or self.stage) and shown.reason:
            self._decide(shown, "exclude", stage=stage, reason=shown.reason)
        else:
            self._exclude(shown)

    def _why(self, shown: Candidate) -> dict[str, str] | None:
        """Prompt for stage and reason of an exclusion, by default the proposed ones; return None for Escape."""
        taxonomy = self.screening.corpus.taxonomy
        if not taxonomy.stages or not taxonomy.reasons:
            raise UsageError("taxonomy.yaml has no 'stages' or 'reasons'", hint="add both lists")
        proposed = (None, None) if self._blind else (shown.stage, shown.reason)
        stages, reasons = options(taxonomy.stages), options(taxonomy.reasons)
        stage = self.terminal.choice("At which stage is it screened out?", stages, proposed[0] or self.stage)
        reason = stage and self.terminal.choice("Reason for exclusion?", reasons, proposed[1])
        if not stage or not reason:
            return None
        return {"stage": stage, "reason": reason}

    def _exclude(self, shown: Candidate) -> None:
        if why := self._why(shown):
            self._decide(shown, "exclude", **why)

    def _near_miss(self, shown: Candidate) -> None:
        if not (why := self._why(shown)):
            return
        taxonomy = self.screening.corpus.taxonomy
        body = [Line(f"{axis.id}: {', '.join(term.id for term in axis.leaves)}") for axis in taxonomy.axes]
        text: str | None = ""
        title = "Which tags does it nearly have? Write AXIS=TERM or AXIS=TERM:STRENGTH, separated by blanks"
        while text is not None:
            text = self.terminal.line(title, body, text)
            try:
                words = (text or "").split()
                read_requests(words, taxonomy)
            except UsageError as error:
                title = error.message
                continue
            if words:
                self._decide(shown, "near_miss", near_miss=words, **why)
                return

    def _duplicate(self, shown: Candidate) -> None:
        corpus = self.screening.corpus
        # Similar records, and if the other one is excluded, are opinions of the survey.
        near = [] if self._blind else [record.key for record in self.cards.near(shown)]
        other = self.terminal.choice(
            f"Which record does {shown.key} duplicate?",
            [*((key, f"{key}: {corpus.by_key[key].title}") for key in near), ("", "another record (enter its key)")],
        )
        if other == "":
            other = self.terminal.line(f"Key of the record that {shown.key} duplicates")
        if not other:
            return
        record = corpus.get(other)
        if record.key == shown.key:
            raise UsageError("a record cannot be a duplicate of itself")
        ways = [("merge", "merge: keep one record, with this one as another version"), ("exclude", "exclude this one")]
        way = self.terminal.choice(
            f"Merge or exclude? {record.key}: {record.title}", ways[isinstance(record, Exclusion) and not self._blind :]
        )
        why = self._why(shown) if way == "exclude" else {}
        if way and why is not None:
            self._decide(shown, "duplicate", of=record.key, **why)

    def _advise(self, _: Candidate) -> None:
        if self.rule is None:
            raise RefusedError("stopping rules do not apply to conflicts")
        now = self.queue.progress
        head = f"Two stopping rules, after {now.seen} of {now.total} works"
        texts = (f"{stopping.work_left(now)}.", *map(stopping.words, stopping.advise(now, self.rule)))
        self._page(head, [line for text in texts for line in (Line(text), Line())])

    def _go_back(self) -> None:
        """Show the candidate of the last decision before this session, or before the one that is shown."""
        if not self.earlier:
            raise RefusedError("there is nothing to undo or reopen")
        former = self.earlier.pop()
        self.shown = reopened(self.screening.corpus, former.key, blind=self._blind)
        self._say(f"reopened: {decision_text(former)}; this stands until you decide again", "good")

    def _undo(self) -> None:
        if not self.past:
            self._go_back()
            return
        undone = self.past[-1].key
        super()._undo()
        self.cards.decide(undone, self.screening.log.held.final.get(undone))
        if self.screening.corpus is not self.cards.corpus:
            self.cards.follow(self.screening.corpus)


def run_screening(session: CommandSession, made_for: Screened) -> None:
    """Screen the candidates of a queue until the user quits; report an empty queue."""
    queue = ScreeningQueue(made_for)
    if not queue.waiting:
        session.emit(listing(queue, made_for))
        return
    held = made_for.held
    run_sitting(
        session,
        lambda terminal: ScreeningSitting(
            session=session,
            terminal=terminal,
            screening=ScreeningSession.begun(session.root, made_for.corpus, held, made_for.order),
            queue=queue,
            cards=ScreeningCards(made_for.corpus, dict(held.final), blind=held.blind),
            stage=made_for.stage or usual_stage(made_for),
            conflicts=conflicting(made_for),
            rule=made_for.rule,
            reopened=frozenset(work.key for work in made_for.reopened),
            earlier=[decision for decision in held.latest if decision.key in queue.place],
        ),
    )
