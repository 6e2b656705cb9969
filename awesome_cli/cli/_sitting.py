"""The interactive session of `awesome screen`: show one candidate at a time, and record a decision per key press."""

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
    "duplicate": "marked as a duplicate", "note": "noted",
}  # fmt: skip
"""Words that describe each verdict in a message."""
MEANINGS: Mapping[str, str] = {
    "i": "include: retain it; a coded record becomes a paper at once, any other record waits to be coded",
    "e": "exclude: choose stage and reason",
    "s": "skip: show it again after all other candidates",
    "n": "near-miss: exclude it and record the tags that it nearly has",
    "d": "duplicate: merge it with another record, or exclude it",
    "o": "open its page in the browser",
    "t": "add a note",
    "u": "undo the last decision of this session",
    "a": "show advice on when to stop",
    "q": "quit; all decisions are saved",
    "space": "scroll down; b scrolls up",
}
HELP = "i include  e exclude  s skip  n near-miss  d duplicate  o open  t note  u undo"


def decision_text(decision: Decision) -> str:
    """Describe a decision: `rossi2021 excluded (abstract, off_topic)`."""
    why = ", ".join(filter(None, (decision.of, decision.stage, decision.reason)))
    return f"{decision.key} {DONE[decision.verdict]}" + (f" ({why})" if why else "")


ENTER, LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
"""Escapes that switch to the alternate screen without a cursor, and back."""
LETTERS = "123456789abcdefghijklmnopqrstuvwxyz"
"""The keys of a menu, in order."""
NEXT = "0"
"""The key that shows the next page of a long menu."""
ENDS = frozenset({"escape", "end"})
ARROWS = {"down": 1, "up": -1}
SCROLL = {" ": 1, "b": -1, **ARROWS}


@dataclass
class ScreenTerminal:
    """The user's terminal. A `plain` terminal cannot move its cursor."""

    keys: Keys
    colored: bool
    plain: bool

    @property
    def size(self) -> "ScreenSize":
        """The current size of the terminal, at least 20 columns and 8 rows."""
        from awesome_cli.output.screens import ScreenSize

        columns, rows = shutil.get_terminal_size()
        return ScreenSize(max(columns, 20), max(rows, 8), self.colored, self.plain)

    def wait(self, text: str) -> None:
        """Show a message until the first frame is drawn."""
        size = self.size
        _write(size.text(size.view(ScreenFrame((Line(text, "muted"),), (), ()))))

    def key(self, frame: ScreenFrame, scroll: Mapping[str, int] = SCROLL) -> str:
        """Show and scroll a frame; return the first key that does not scroll, or any key if the frame is one page."""
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
        """Show a menu of `(value, text)` and return the chosen value. Escape returns None, Enter returns `default`.

        A single option is returned without showing the menu.
        """
        if len(options) == 1:
            return options[0][0]
        first, message = 0, ""
        while (typed := self.key(_choices(title, options, default, first, message), {" ": 1, **ARROWS})) not in ENDS:
            if typed == "enter" and default is not None:
                return default
            if (at := LETTERS.find(typed)) >= 0 and first + at < len(options):
                return options[first + at][0]
            if typed == NEXT and len(options) > len(LETTERS):
                first = (first + len(LETTERS)) % (-(-len(options) // len(LETTERS)) * len(LETTERS))
            else:
                message = f"'{typed}' is not a key of this menu; "
                self.keys.forget()  # drop the rest of a word typed by mistake
        return None

    def line(self, title: str, body: Sequence[Line] = (), text: str = "") -> str | None:
        """Prompt for a line of text and return it, or None for Escape."""
        foot = Line("Enter: accept; Escape: go back", "muted")
        while True:
            typed = self.key(ScreenFrame((Line(title, "strong"), Line(f"> {text}_")), tuple(body), (foot,)), ARROWS)
            if typed == "enter":
                return text.strip()
            if typed in ENDS:
                return None
            text = edited(text, typed)


def _choices(
    title: str, options: Sequence[tuple[str, str]], default: str | None, first: int, message: str
) -> ScreenFrame:
    part = list(zip(LETTERS, options[first:], strict=False))
    body = [Line(f"{letter}  {'(Enter) ' * (value == default)}{text}", cut=True) for letter, (value, text) in part]
    if len(options) > len(LETTERS):
        seen = f"showing {first + 1} to {first + len(part)} of {len(options)}"
        body.append(Line(f"{NEXT}  more ({seen})", "muted", cut=True))
    foot = Line(f"{message}press the key of an option; Escape: go back", "muted")
    return ScreenFrame((Line(title, "strong"),), tuple(body), (foot,))


def edited(text: str, typed: str) -> str:
    """Return the edited line after a key press."""
    if typed == "backspace":
        return text[:-1]
    return "" if typed == "clear" else text + typed * (len(typed) == 1)


@contextmanager
def screen_terminal(session: CommandSession) -> Iterator[ScreenTerminal]:
    """Provide the terminal for one session, and restore it afterwards."""
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


MORE = "a advice on stopping  q quit  ? help"
LAST = "u undo  q quit"
NONE = "all candidates of this queue are screened"


@dataclass
class Sitting:
    """An interactive screening session.

    `decided` maps a candidate to the decisions of other screeners; `stage` is the default stage of decisions.
    """

    session: CommandSession
    terminal: ScreenTerminal
    screening: ScreeningSession
    queue: ScreeningQueue
    cards: ScreeningCards
    stage: str | None
    decided: Mapping[str, Sequence[str]] = field(default_factory=dict)
    message: Line = field(default_factory=Line)
    shown: Candidate | None = None
    past: list[Candidate] = field(default_factory=list)
    advised: set[str] = field(default_factory=set)
    card: tuple[tuple[Candidate, tuple[str, ...]], tuple[Line, ...]] | None = None

    def run(self) -> None:
        """Show candidates until the user quits. At the end of the queue, the last decision can still be undone."""
        self.shown = self.queue.next()
        decisions = self.screening.log.held.decisions
        last = f"Last decision, {decisions[-1].on}: {decision_text(decisions[-1])}." if decisions else ""
        self._say(last or "No decisions yet.", "muted")
        frame = self._frame()
        self.terminal.keys.forget()  # ignore keys pressed before the first paper is visible
        while (typed := self.terminal.key(frame)) not in {"q", "end"}:
            if self.shown is not None:
                self._act(typed, self.shown)
            elif typed == "u" and self.past:
                self._act(typed, self.past[-1])
            frame = self._frame()

    def _act(self, typed: str, shown: Candidate) -> None:
        act = self._acts.get(typed)
        if act is None:
            self._say("" if typed in SCROLL else f"'{typed}' has no function; ? shows the keys", "warn")
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
            "i": self._include, "e": self._exclude, "?": self._help, "s": lambda shown: self._decide(shown, "skip"),
            "n": self._near_miss, "d": self._duplicate, "o": self._open, "t": self._note, "u": self._undo,
            "a": self._advise,
        }  # fmt: skip

    def _frame(self) -> ScreenFrame:
        held, shown = self.screening.log.held, self.shown
        done = f"{len(held.final)} decided by {held.who}"
        facts = (f"{len(self.queue.waiting)} to screen", done, f"order: {self.queue.order.by}", "blind" * held.blind)
        head = Line(" | ".join(filter(None, facts)), "muted", cut=True)
        if shown is None:
            return ScreenFrame((head,), (Line(f"{NONE[0].upper()}{NONE[1:]}.", "good"),), (self.message, Line(LAST)))
        notes = (f"note: {d.note}" for d in held.decisions if d.key == shown.key and d.note)
        content = (shown, (*self.decided.get(shown.key, ()), *notes))
        if self.card is None or self.card[0] != content:
            self.card = content, self.cards.lines(*content)
        return ScreenFrame((head,), self.card[1], (self.message, Line(HELP, cut=True), Line(MORE, "muted", cut=True)))

    def _say(self, text: str, tone: Tone = "plain") -> None:
        self.message = Line(text, tone)

    def _decision(self, shown: Candidate, verdict: Verdict, **values: object) -> Decision:
        notes = [d.note for d in self.screening.log.held.decisions if d.key == shown.key and d.verdict == "note"]
        at = 1 + len({d.key for d in self.screening.log.held.decisions})
        note = notes[-1] if notes and verdict != "skip" else None
        return Decision.model_validate(
            {"key": shown.key, "verdict": verdict, "on": today(), "at": at, "note": note, **values}
        )

    def _decide(self, shown: Candidate, verdict: Verdict, **values: object) -> None:
        decision = self._decision(shown, verdict, **values)
        plan = self.screening.decide(shown, decision)
        self.past.append(shown)
        if verdict != "duplicate":  # the stage of a duplicate is not the next default
            self.stage = decision.stage or self.stage
        self.queue.decide(shown, decision)
        self.cards.decide(shown.key, decision)
        self._say(f"{self._done(shown, decision, plan)}; u undoes it{self._hint()}", "good")
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
        return f"{text}; not coded yet ({lacking}): awesome tag {shown.key} AXIS=TERM, awesome admit {shown.key}"

    def _hint(self) -> str:
        """Name the stopping rules that apply for the first time."""
        new = [advice.rule for advice in self._advice() if advice.stop and advice.rule not in self.advised]
        self.advised.update(new)
        return f"; {' and '.join(new)}: stop (a explains)" if new else ""

    def _advice(self) -> Sequence[stopping.Advice]:
        labels = self.queue.labels
        return stopping.advise(labels, len(self.queue.waiting) + len(labels))

    def _include(self, shown: Candidate) -> None:
        stages = self.screening.corpus.taxonomy.stages
        if self.stage is None and stages:
            self.stage = self.terminal.choice(
                "Which stage of screening did it pass? (This question is asked once.)", _options(stages)
            )
            if self.stage is None:
                return
        self._decide(shown, "include", stage=self.stage)

    def _why(self) -> dict[str, str] | None:
        """Prompt for stage and reason of an exclusion; return None for Escape."""
        taxonomy = self.screening.corpus.taxonomy
        if not taxonomy.stages or not taxonomy.reasons:
            raise UsageError("taxonomy.yaml has no 'stages' or 'reasons'", hint="add both lists")
        stage = self.terminal.choice("At which stage is it screened out?", _options(taxonomy.stages), self.stage)
        reason = stage and self.terminal.choice("Reason for exclusion?", _options(taxonomy.reasons))
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
        near = [record.key for record in self.cards.near(shown)]
        other = self.terminal.choice(
            f"Which record does {shown.key} duplicate?",
            [*((key, f"{key}: {corpus.by_key[key].title}") for key in near), ("", "another record (enter its key)")],
        )
        if other == "":
            other = self.terminal.line("Key of the other record")
        if not other:
            return
        record = corpus.get(other)
        if record.key == shown.key:
            raise UsageError("a record cannot be a duplicate of itself")
        ways = [("merge", "merge: keep one record, with this one as another version"), ("exclude", "exclude this one")]
        way = self.terminal.choice(
            f"Merge or exclude? {record.key}: {record.title}", ways[isinstance(record, Exclusion) :]
        )
        why = self._why() if way == "exclude" else {}
        if way and why is not None:
            self._decide(shown, "duplicate", of=record.key, **why)

    def _open(self, shown: Candidate) -> None:
        pages = links(shown)
        if not pages:
            self._say("the record has no link", "warn")
        elif open_address(pages[0], self.session.environment):
            self._say(f"opened {pages[0]}")
        else:
            self._say(f"cannot start a browser for {pages[0]}", "warn")

    def _note(self, shown: Candidate) -> None:
        text = self.terminal.line(f"Note on {shown.key}")
        if text:
            self._decide(shown, "note", note=text)

    def _undo(self, _: Candidate) -> None:
        decision = self.screening.undo()
        self.shown = self.past.pop()
        self.queue.undo(self.shown, decision)
        self.cards.decide(self.shown.key, self.screening.log.held.final.get(self.shown.key))
        if self.screening.corpus is not self.cards.corpus:
            self.cards.follow(self.screening.corpus)
        self._say(f"undone: {decision_text(decision)}", "good")

    def _follow(self, key: str, error: ChangedError) -> None:
        self.queue.follow(key, error.now)
        self.shown = error.now or self.queue.next()
        effect = "no decision was saved; check it again" if error.now else "it was skipped"
        self._say(f"{error.message}: {effect}", "warn")

    def _advise(self, _: Candidate) -> None:
        pool = len(self.queue.waiting) + len(self.queue.labels)
        head = f"Two stopping rules, after {len(self.queue.labels)} of {pool} works"
        lines = [line for advice in self._advice() for line in (Line(stopping.words(advice)), Line())]
        self._page(head, lines)

    def _help(self, _: Candidate) -> None:
        self._page("Keys", [Line(f"{key:<6} {text}") for key, text in MEANINGS.items()])

    def _page(self, title: str, lines: Sequence[Line]) -> None:
        self.terminal.key(ScreenFrame((Line(title, "strong"),), tuple(lines), (Line("any key: go back", "muted"),)))


def _options(words: Sequence[Named]) -> list[tuple[str, str]]:
    return [(word.id, f"{word.label}: {word.definition}" if word.definition else word.label) for word in words]


def run_sitting(session: CommandSession, made_for: Screened) -> None:
    """Run a screening session until the user quits, and print the command that resumes it."""
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
            terminal.wait("Loading the first candidate …")
            Sitting(session, terminal, screening, queue, cards, stage, conflicting(made_for)).run()
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_end(session, screening, queue)) from None
    session.say(_end(session, screening, queue))


def _end(session: CommandSession, screening: ScreeningSession, queue: ScreeningQueue) -> str:
    words = " ".join(shlex.quote(word) for word in session.command)
    go_on = f"{len(queue.waiting)} to screen.\nResume with:\n  awesome {words}"
    made = sum(decision.verdict not in OPEN for decision, *_ in screening.back)
    done = f"{counted(made, 'decision')} in this session, saved in {screening.log.held.path}"
    return f"{done}; {go_on if queue.waiting else NONE}"
