"""A sitting of `awesome screen`: candidates are shown one after the other, and each key decides at once."""

import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from awesome_cli.analysis.screening import stopping
from awesome_cli.analysis.screening.card import ScreeningCards, links
from awesome_cli.analysis.screening.queue import Screened, ScreeningQueue, conflicting, listing, usual_stage
from awesome_cli.cli._printing import show
from awesome_cli.cli._session import CommandSession
from awesome_cli.cli._writing import finish_open
from awesome_cli.curation.editing.admitting import admitted, missing
from awesome_cli.curation.editing.tagging import read_requests
from awesome_cli.curation.screening import ChangedError, ScreeningSession
from awesome_cli.errors import AwesomeError, UsageError
from awesome_cli.model.records import Candidate, Exclusion
from awesome_cli.model.screenings import OPEN, Decision, Verdict
from awesome_cli.model.taxonomy import Named
from awesome_cli.reports.report import Line, ScreenFrame, Tone
from awesome_cli.survey.changes import Plan
from awesome_cli.system.clock import today
from awesome_cli.system.programs import open_address
from awesome_cli.system.prompts import RESIZED, Keys, single_keys
from awesome_cli.text.numbers import counted

if TYPE_CHECKING:
    from awesome_cli.output.screens import ScreenSize


DONE: Mapping[Verdict, str] = {
    "include": "included", "exclude": "excluded", "near_miss": "excluded as a near-miss", "skip": "skipped",
    "duplicate": "is a duplicate", "note": "noted",
}  # fmt: skip
"""What was done, for each verdict."""
MEANINGS: Mapping[str, str] = {
    "i": "include: it is to be retained; one that lacks nothing becomes a paper at once, another waits to be coded",
    "e": "exclude: asks for the stage and the reason",
    "s": "skip: it comes again when all others are decided",
    "n": "near-miss: exclude, and say which tags it nearly has",
    "d": "duplicate of a record: merge the two, or exclude it",
    "o": "open its page in the browser",
    "t": "write a note on it",
    "u": "undo: take back the last decision of this sitting",
    "a": "advice on when to stop",
    "q": "quit: everything is saved already",
    "space": "scroll on, b back",
}
HELP = "i include  e exclude  s skip  n near-miss  d duplicate  o open  t note  u undo"


def decision_text(decision: Decision) -> str:
    """A decision in words: `rossi2021 excluded (abstract, off_topic)`."""
    why = ", ".join(filter(None, (decision.of, decision.stage, decision.reason)))
    return f"{decision.key} {DONE[decision.verdict]}" + (f" ({why})" if why else "")


ENTER, LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
"""To a screen of its own, without a cursor, and back to what the terminal showed before."""
LETTERS = "123456789abcdefghijklmnopqrstuvwxyz"
"""The keys of a choice, in their order."""
NEXT = "0"
"""The key that shows the next part of a choice with more options than there are keys."""
ENDS = frozenset({"escape", "end"})
ARROWS = {"down": 1, "up": -1}
SCROLL = {" ": 1, "b": -1, **ARROWS}


@dataclass
class ScreenTerminal:
    """A terminal of a person; `plain` is one that cannot move its cursor."""

    keys: Keys
    colored: bool
    plain: bool

    @property
    def size(self) -> "ScreenSize":
        """The terminal as it is now."""
        from awesome_cli.output.screens import ScreenSize

        columns, rows = shutil.get_terminal_size()
        return ScreenSize(max(columns, 20), max(rows, 8), self.colored, self.plain)

    def wait(self, text: str) -> None:
        """Say what is being done before the first frame is drawn."""
        size = self.size
        _write(size.text(size.view(ScreenFrame((Line(text, "muted"),), (), ()))))

    def key(self, frame: ScreenFrame, scroll: Mapping[str, int] = SCROLL) -> str:
        """Show a frame, let the person scroll in it, and return the first other key.

        Where there is nothing to scroll, a key that scrolls is returned, too.
        """
        page = 1
        while True:
            size = self.size
            view = size.view(frame, page)
            _write(size.text(view))
            typed = self.keys()
            if typed != RESIZED and (typed not in scroll or view.pages == 1):
                return typed
            page = view.page + scroll.get(typed, 0)

    def choice(self, title: str, options: Sequence[tuple[str, str]], default: str | None = None) -> str | None:
        """The value of one of the `(value, text)` that a person chooses by its key; None for Escape.

        Enter takes the default. Of one option there is nothing to choose.
        """
        if len(options) == 1:
            return options[0][0]
        first, said = 0, ""
        while (typed := self.key(_choices(title, options, default, first, said), {" ": 1, **ARROWS})) not in ENDS:
            if typed == "enter" and default is not None:
                return default
            if (at := LETTERS.find(typed)) >= 0 and first + at < len(options):
                return options[first + at][0]
            if typed == NEXT and len(options) > len(LETTERS):
                first = (first + len(LETTERS)) % (-(-len(options) // len(LETTERS)) * len(LETTERS))
            else:
                said = f"'{typed}' is no key of this list; "
                self.keys.forget()  # the rest of a word that was typed here chooses nothing
        return None

    def line(self, title: str, body: Sequence[Line] = (), text: str = "") -> str | None:
        """A line that a person types, ended by Enter; None for Escape."""
        foot = Line("Enter ends the line; Escape goes back", "muted")
        while True:
            typed = self.key(ScreenFrame((Line(title, "strong"), Line(f"> {text}_")), tuple(body), (foot,)), ARROWS)
            if typed == "enter":
                return text.strip()
            if typed in ENDS:
                return None
            text = edited(text, typed)


def _choices(title: str, options: Sequence[tuple[str, str]], default: str | None, first: int, said: str) -> ScreenFrame:
    part = list(zip(LETTERS, options[first:], strict=False))
    body = [Line(f"{letter}  {'(Enter) ' * (value == default)}{text}", cut=True) for letter, (value, text) in part]
    if len(options) > len(LETTERS):
        seen = f"{first + 1} to {first + len(part)} of {len(options)} are shown"
        body.append(Line(f"{NEXT}  others: {seen}", "muted", cut=True))
    foot = Line(f"{said}a key chooses; Escape goes back", "muted")
    return ScreenFrame((Line(title, "strong"),), tuple(body), (foot,))


def edited(text: str, typed: str) -> str:
    """A line after a key."""
    if typed == "backspace":
        return text[:-1]
    return "" if typed == "clear" else text + typed * (len(typed) == 1)


@contextmanager
def screen_terminal(session: CommandSession) -> Iterator[ScreenTerminal]:
    """The terminal for one sitting; afterwards it is as it was."""
    plain = session.environment.get("TERM", "dumb") == "dumb"
    with single_keys() as keys:
        _write("" if plain else ENTER)
        try:
            yield ScreenTerminal(keys, session.colored and not plain, plain)
        finally:
            _write("" if plain else LEAVE)


def _write(text: str) -> None:
    show(text, styled=True)
    sys.stdout.flush()


MORE = "a when to stop?  q quit  ? what the keys do"
LAST = "u takes the last decision back, q ends"
NONE = "no candidate of this queue waits any more"


@dataclass
class Sitting:
    """One person at a terminal, with a queue; `others` is what others decided on a candidate, to be shown with it.

    `stage` is the stage of screening that is offered first, `shown` the candidate on the screen.
    """

    session: CommandSession
    terminal: ScreenTerminal
    screening: ScreeningSession
    queue: ScreeningQueue
    cards: ScreeningCards
    stage: str | None
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    said: Line = field(default_factory=Line)
    shown: Candidate | None = None
    past: list[Candidate] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    card: tuple[tuple[Candidate, tuple[str, ...]], tuple[Line, ...]] | None = None

    def run(self) -> None:
        """Show candidates until the person quits; when none waits any more, the last decision can be taken back."""
        self.shown = self.queue.next()
        decisions = self.screening.log.held.decisions
        last = f"The last decision, on {decisions[-1].on}: {decision_text(decisions[-1])}." if decisions else ""
        self._say(last or "Nothing is decided yet.", "muted")
        frame = self._frame()
        self.terminal.keys.forget()  # what was typed before a paper is seen decides nothing
        while (typed := self.terminal.key(frame)) not in {"q", "end"}:
            if self.shown is not None:
                self._act(typed, self.shown)
            elif typed == "u" and self.past:
                self._act(typed, self.past[-1])
            frame = self._frame()

    def _act(self, typed: str, shown: Candidate) -> None:
        act = self._acts.get(typed)
        if act is None:
            self._say("" if typed in SCROLL else f"'{typed}' is no key here; ? lists the keys", "warn")
            return
        try:
            act(shown)
        except ChangedError as error:
            self._follow(shown.key, error)
        except AwesomeError as error:
            self._say(f"not done: {error.message}" + (f" ({error.hint})" if error.hint else ""), "bad")

    @cached_property
    def _acts(self) -> Mapping[str, Callable[[Candidate], None]]:
        return {
            "i": self._include, "e": self._exclude, "?": self._help, "s": lambda one: self._decide(one, "skip"),
            "n": self._near_miss, "d": self._duplicate, "o": self._open, "t": self._note, "u": self._undo,
            "a": self._advise,
        }  # fmt: skip

    def _frame(self) -> ScreenFrame:
        held, shown = self.screening.log.held, self.shown
        done = f"{held.who} decided on {len(held.final)}"
        facts = (f"{len(self.queue.waiting)} to screen", done, f"by {self.queue.order.by}", "blind" * held.blind)
        head = Line(" | ".join(filter(None, facts)), "muted", cut=True)
        if shown is None:
            return ScreenFrame((head,), (Line(f"{NONE[0].upper()}{NONE[1:]}.", "good"),), (self.said, Line(LAST)))
        notes = (f"note: {d.note}" for d in held.decisions if d.key == shown.key and d.note)
        asked = (shown, (*self.others.get(shown.key, ()), *notes))
        if self.card is None or self.card[0] != asked:
            self.card = asked, self.cards.lines(*asked)
        return ScreenFrame((head,), self.card[1], (self.said, Line(HELP, cut=True), Line(MORE, "muted", cut=True)))

    def _say(self, text: str, tone: Tone = "plain") -> None:
        self.said = Line(text, tone)

    def _decision(self, shown: Candidate, verdict: Verdict, **values: object) -> Decision:
        notes = [d.note for d in self.screening.log.held.decisions if d.key == shown.key and d.verdict == "note"]
        at = 1 + len({d.key for d in self.screening.log.held.decisions})
        said = {"note": notes[-1] if notes and verdict != "skip" else None, **values}
        return Decision.model_validate({"key": shown.key, "verdict": verdict, "on": today(), "at": at, **said})

    def _decide(self, shown: Candidate, verdict: Verdict, **values: object) -> None:
        decision = self._decision(shown, verdict, **values)
        plan = self.screening.decide(shown, decision)
        self.past.append(shown)
        if verdict != "duplicate":  # duplicates may have a stage of their own
            self.stage = decision.stage or self.stage
        self.queue.decide(shown, decision)
        self.cards.decide(shown.key, decision)
        self._say(f"{self._done(shown, decision, plan)}; u takes it back{self._hint()}", "good")
        if verdict != "note":
            self.shown = self.queue.next()

    def _done(self, shown: Candidate, decision: Decision, plan: Plan) -> str:
        text = decision_text(decision)
        if decision.verdict != "include" or self.screening.log.held.blind:
            return text
        if any(change.before is None for change in plan.changes if change.path != self.screening.log.held.path):
            effects = self.cards.endangered(shown)
            self.cards.follow(self.screening.corpus)
            return f"{text} and admitted" + "".join(f"; it {effect}" for effect in effects)
        lacking = ", ".join(missing(admitted(shown, on=decision.on), self.screening.corpus))
        return f"{text}; it waits to be coded ({lacking}): awesome tag {shown.key} AXIS=TERM, awesome admit {shown.key}"

    def _hint(self) -> str:
        """What a rule says that was not said before."""
        new = [one.rule for one in self._advice() if one.stop and one.rule not in self.told]
        self.told.update(new)
        return f"; {' and '.join(new)}: stop (a says why)" if new else ""

    def _advice(self) -> Sequence[stopping.Advice]:
        labels = self.queue.labels
        return stopping.advise(labels, len(self.queue.waiting) + len(labels))

    def _include(self, shown: Candidate) -> None:
        stages = self.screening.corpus.taxonomy.stages
        if self.stage is None and stages:
            self.stage = self.terminal.choice("Which stage did it pass? This is asked once.", _options(stages))
            if self.stage is None:
                return
        self._decide(shown, "include", stage=self.stage)

    def _why(self) -> dict[str, str] | None:
        """Stage and reason of an exclusion; None if the person goes back."""
        taxonomy = self.screening.corpus.taxonomy
        if not taxonomy.stages or not taxonomy.reasons:
            raise UsageError("taxonomy.yaml lists no stages or no reasons", hint="an exclusion needs one of each")
        stage = self.terminal.choice("Screened out at which stage?", _options(taxonomy.stages), self.stage)
        reason = stage and self.terminal.choice("For which reason?", _options(taxonomy.reasons))
        if not stage or not reason:
            return None
        return {"stage": stage, "reason": reason}

    def _exclude(self, shown: Candidate) -> None:
        if why := self._why():
            self._decide(shown, "exclude", **why)

    def _near_miss(self, shown: Candidate) -> None:
        if not (why := self._why()):
            return
        taxonomy = self.screening.corpus.taxonomy
        body = [Line(f"{axis.id}: {', '.join(term.id for term in axis.leaves)}") for axis in taxonomy.axes]
        text: str | None = ""
        title = "Which tags does it nearly have? AXIS=TERM or AXIS=TERM:STRENGTH, with blanks between"
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
        near = [one.key for one in self.cards.near(shown)]
        other = self.terminal.choice(
            f"{shown.key} is a duplicate of which record?",
            [*((key, f"{key}: {corpus.by_key[key].title}") for key in near), ("", "another record: type its key")],
        )
        if other == "":
            other = self.terminal.line("The key of the record of which it is a duplicate")
        if not other:
            return
        record = corpus.get(other)
        if record.key == shown.key:
            raise UsageError("a record is no duplicate of itself")
        ways = [("merge", "merge: one record, with this one as a version of the work"), ("exclude", "exclude this one")]
        way = self.terminal.choice(f"How?  {record.key}: {record.title}", ways[isinstance(record, Exclusion) :])
        why = self._why() if way == "exclude" else {}
        if way and why is not None:
            self._decide(shown, "duplicate", of=record.key, **why)

    def _open(self, shown: Candidate) -> None:
        pages = links(shown)
        if not pages:
            self._say("no address is recorded", "warn")
        elif open_address(pages[0], self.session.environment):
            self._say(f"opened {pages[0]}")
        else:
            self._say(f"no browser was found: {pages[0]}", "warn")

    def _note(self, shown: Candidate) -> None:
        text = self.terminal.line(f"A note on {shown.key}")
        if text:
            self._decide(shown, "note", note=text)

    def _undo(self, _: Candidate) -> None:
        decision = self.screening.undo()
        self.shown = self.past.pop()
        self.queue.undo(self.shown, decision)
        self.cards.decide(self.shown.key, self.screening.log.held.final.get(self.shown.key))
        if self.screening.corpus is not self.cards.corpus:
            self.cards.follow(self.screening.corpus)
        self._say(f"taken back: {decision_text(decision)}", "good")

    def _follow(self, key: str, error: ChangedError) -> None:
        self.queue.follow(key, error.now)
        self.shown = error.now or self.queue.next()
        what = "look again, nothing was decided" if error.now else "it is left out"
        self._say(f"{error.message}: {what}", "warn")

    def _advise(self, _: Candidate) -> None:
        pool = len(self.queue.waiting) + len(self.queue.labels)
        head = f"When to stop, after {len(self.queue.labels)} of {pool} works, by two rules"
        lines = [line for one in self._advice() for line in (Line(stopping.words(one)), Line())]
        self._page(head, lines)

    def _help(self, _: Candidate) -> None:
        self._page("Keys", [Line(f"{key:<6} {text}") for key, text in MEANINGS.items()])

    def _page(self, title: str, lines: Sequence[Line]) -> None:
        self.terminal.key(ScreenFrame((Line(title, "strong"),), tuple(lines), (Line("any key goes back", "muted"),)))


def _options(words: Sequence[Named]) -> list[tuple[str, str]]:
    return [(one.id, f"{one.label}: {one.definition}" if one.definition else one.label) for one in words]


def run_sitting(session: CommandSession, made_for: Screened) -> None:
    """A whole sitting at the terminal, until the person leaves, and how to go on."""
    queue = ScreeningQueue(made_for)
    if not queue.waiting:
        session.emit(listing(queue, made_for))
        return
    finish_open(session)
    screening = ScreeningSession.begun(session.root, made_for.corpus, made_for.held, made_for.order)
    cards = ScreeningCards(made_for.corpus, dict(made_for.held.final))
    stage = made_for.stage or usual_stage(made_for)
    try:
        with screen_terminal(session) as terminal:
            terminal.wait("Looking up what the first candidate is like …")
            Sitting(session, terminal, screening, queue, cards, stage, conflicting(made_for)).run()
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_end(session, screening, queue)) from None
    session.say(_end(session, screening, queue))


def _end(session: CommandSession, screening: ScreeningSession, queue: ScreeningQueue) -> str:
    words = " ".join(shlex.quote(word) for word in session.command)
    go_on = f"{len(queue.waiting)} to screen.\nGo on with:\n  awesome {words}"
    made = sum(decision.verdict not in OPEN for decision, *_ in screening.back)
    done = f"{counted(made, 'decision')} in this sitting, saved in {screening.log.held.path}"
    return f"{done}; {go_on if queue.waiting else NONE}"
