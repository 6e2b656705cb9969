"""Interactive sessions of `awesome screen` and `awesome code`: show one work at a time; a key press decides on it."""

import shlex
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, TypeVar, cast

from awesome_cli.analysis.screening.card import links
from awesome_cli.cli._printing import show
from awesome_cli.cli._session import CommandSession
from awesome_cli.cli._writing import finish_open
from awesome_cli.curation.screening import ChangedError, Effect, ScreeningSession
from awesome_cli.errors import AwesomeError
from awesome_cli.model.codings import on_axis
from awesome_cli.model.records import AnyWork
from awesome_cli.model.screenings import REMARKS, Decision, Verdict
from awesome_cli.model.taxonomy import Named
from awesome_cli.reports.report import Line, ScreenFrame, Tone
from awesome_cli.survey.changes import Plan
from awesome_cli.system.clock import today
from awesome_cli.system.programs import open_address
from awesome_cli.system.prompts import RESIZED, Keys, single_keys
from awesome_cli.text.numbers import counted

if TYPE_CHECKING:
    from awesome_cli.output.screens import ScreenSize


ENTER, LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
"""Escapes that switch to the alternate screen without a cursor, and back."""
LETTERS = "123456789abcdefghijklmnopqrstuvwxyz"
"""The keys of a menu, in order."""
NEXT = "0"
"""The key that shows the next page of a long menu."""
ENDS = frozenset({"escape", "end"})
ARROWS = {"down": 1, "up": -1}
MENU_SCROLL = {" ": 1, **ARROWS}
SCROLL = {"b": -1, **MENU_SCROLL}


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

    def choice(
        self, title: str, options: Sequence[tuple[str, str]], default: str | None = None, about: Sequence[Line] = ()
    ) -> str | None:
        """Show a menu of `(value, text)` and return the chosen value. Escape returns None, Enter returns `default`.

        A single option is returned without showing the menu. The lines `about` follow the options. Options are cut
        at the width of the terminal if the menu does not fit on one page otherwise.
        """
        if len(options) == 1:
            return options[0][0]
        first, message = 0, ""
        while (
            typed := self.key(self._fitting(_choices(title, options, default, first, message, about)), MENU_SCROLL)
        ) not in ENDS:
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

    def _fitting(self, menu: ScreenFrame) -> ScreenFrame:
        if self.size.view(menu).pages == 1:
            return menu
        end = menu.body.index(Line())
        return replace(menu, body=(*(replace(line, cut=True) for line in menu.body[:end]), *menu.body[end:]))

    def line(self, title: str, body: Sequence[Line] = (), text: str = "") -> str | None:
        """Prompt for a line of text and return it, or None for Escape."""
        foot = Line("Enter: accept; Ctrl-U: clear; Escape: go back", "muted")
        while True:
            typed = self.key(ScreenFrame((Line(title, "strong"), Line(f"> {text}_")), tuple(body), (foot,)), ARROWS)
            if typed == "enter":
                return text.strip()
            if typed in ENDS:
                return None
            text = edited(text, typed)


def _choices(
    title: str,
    options: Sequence[tuple[str, str]],
    default: str | None,
    first: int,
    message: str,
    about: Sequence[Line],
) -> ScreenFrame:
    part = list(zip(LETTERS, options[first:], strict=False))
    body = [Line(f"{letter}  {'(Enter) ' * (value == default)}{text}") for letter, (value, text) in part]
    if len(options) > len(LETTERS):
        seen = f"showing {first + 1} to {first + len(part)} of {len(options)}"
        body.append(Line(f"{NEXT}  more ({seen})", "muted", cut=True))
    foot = Line(f"{message}press the key of an option; Escape: go back", "muted")
    return ScreenFrame((Line(title, "strong"),), (*body, Line(), *about), (foot,))


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


W = TypeVar("W", bound=AnyWork)
DONE: Mapping[Verdict, str] = {
    "include": "included", "exclude": "excluded", "near_miss": "excluded as a near-miss", "skip": "skipped",
    "duplicate": "marked as a duplicate", "note": "noted", "code": "coded",
}  # fmt: skip
"""Words that describe each verdict in a message."""
COMMON: Mapping[str, str] = {
    "o": "open its page in the browser",
    "t": "add a note",
    "u": "undo the last decision of this session",
    "q": "quit; all decisions are saved",
    "space": "scroll down; b scrolls up",
}
"""The keys that every session has, and their effects."""
LAST = "u undo  q quit"


def decision_text(decision: Decision) -> str:
    """Describe a decision: `rossi2021 excluded (abstract, off_topic)`."""
    coded = on_axis(decision.axis, ", ".join(decision.terms)) if decision.axis and decision.terms else decision.axis
    why = ", ".join(filter(None, (decision.of, decision.stage, decision.reason, coded)))
    return f"{decision.key} {DONE[decision.verdict]}" + (f" ({why})" if why else "")


def options(words: Sequence[Named]) -> list[tuple[str, str]]:
    """Return entries of the taxonomy as the options of a menu."""
    return [(word.id, f"{word.label}: {word.definition}" if word.definition else word.label) for word in words]


class Queue(Protocol[W]):
    """Works that wait for a person's decision, by key; updated after each decision."""

    @property
    def waiting(self) -> Mapping[str, W]:
        """The waiting works by key."""

    def next(self) -> W | None:
        """Return the work to show next, None if none is waiting."""

    def decide(self, work: W, decision: Decision) -> None:
        """Update the queue after a decision on a work."""

    def undo(self, work: W, decision: Decision) -> None:
        """Update the queue after a decision was undone; `work` is as before the decision."""

    def follow(self, key: str, now: W | None) -> None:
        """Update a work that another program changed, or that does not wait any more (None)."""


@dataclass(kw_only=True)
class Sitting(ABC, Generic[W]):
    """An interactive session of one person; `past` has the works on which the session decided."""

    session: CommandSession
    terminal: ScreenTerminal
    screening: ScreeningSession
    queue: Queue[W]
    message: Line = field(default_factory=Line)
    shown: W | None = None
    past: list[W] = field(default_factory=list)

    KEYS: ClassVar[Mapping[str, str]]
    """The keys of the session, and their effects."""
    HELP: ClassVar[tuple[str, str]]
    """The keys in short, on two lines."""
    OPEN_HELP: ClassVar[str] = ""
    """The keys in short that a blind session does not have; the second line begins with them."""
    TO_DO: ClassVar[str]
    """The verb for the waiting works: `to screen`."""
    NONE: ClassVar[str]
    """The message at the end of the queue."""

    def run(self) -> None:
        """Show works until the user quits. At the end of the queue, the last decision can still be undone."""
        self.shown = self.queue.next()
        decisions = self.screening.log.held.decisions
        last = f"Last decision, {decisions[-1].on}: {decision_text(decisions[-1])}." if decisions else ""
        self._say(last or "No decisions yet.", "muted")
        frame = self._frame()
        self.terminal.keys.forget()  # ignore keys pressed before the first paper is visible
        while (typed := self.terminal.key(frame)) not in {"q", "end"}:
            if self.shown is not None:
                self._act(typed, self.shown)
            elif typed == "u":
                self._attempt(self._undo)
            frame = self._frame()

    def summary(self) -> str:
        """Report the number of decisions, and the command that resumes the session."""
        words = shlex.join(self._command())
        go_on = f"{len(self.queue.waiting)} {self.TO_DO}.\nResume with:\n  awesome {words}"
        made = sum(decision.verdict not in REMARKS for decision, *_ in self.screening.back)
        saved = f", saved in {self.screening.log.held.path}" if self.screening.log.data is not None else ""
        done = f"{counted(made, 'decision')} in this session{saved}"
        return f"{done}; {go_on if self.queue.waiting else self.NONE}"

    def _command(self) -> Sequence[str]:
        """Return the words of the command that resumes the session."""
        return self.session.command

    def _decided(self) -> int:
        """Return the number of works on which the person decided."""
        return len(self.screening.log.held.final)

    def _facts(self) -> tuple[str, ...]:
        return ()

    @abstractmethod
    def _card(self, shown: W, notes: Sequence[str]) -> tuple[Line, ...]:
        """Return the text on a work, with the person's notes."""

    @abstractmethod
    def _decisions(self) -> Mapping[str, Callable[[W], None]]:
        """Return the functions of keys that other sessions do not have."""

    @abstractmethod
    def _decide(self, shown: W, verdict: Verdict, **values: object) -> None:
        """Make a decision, log it, and show the next work."""

    @cached_property
    def _acts(self) -> Mapping[str, Callable[[W], None]]:
        common = {"?": self._help, "s": self._skip, "o": self._open, "t": self._note, "u": lambda _: self._undo()}
        return {**common, **self._decisions()}

    def _act(self, typed: str, shown: W) -> None:
        act = self._acts.get(typed)
        if act is None:
            self._say("" if typed in SCROLL else f"'{typed}' has no function; ? shows the keys", "warn")
            return
        self._attempt(partial(act, shown))

    def _attempt(self, act: Callable[[], None]) -> None:
        try:
            act()
        except ChangedError as error:
            self._follow(error)
        except AwesomeError as error:
            self._say(f"not done: {error.message}" + (f" ({error.hint})" if error.hint else ""), "bad")

    def _frame(self) -> ScreenFrame:
        held, shown = self.screening.log.held, self.shown
        facts = (f"{len(self.queue.waiting)} {self.TO_DO}", f"{self._decided()} decided by {held.who}", *self._facts())
        head = Line(" | ".join(facts), "muted", cut=True)
        if shown is None:
            none = f"{self.NONE[0].upper()}{self.NONE[1:]}."
            return ScreenFrame((head,), (Line(none, "good"),), (self.message, Line(LAST)))
        notes = [f"note: {d.note}" for d in held.decisions if d.key == shown.key and d.note]
        first, second = self.HELP
        more = "" if held.blind else self.OPEN_HELP
        foot = (self.message, Line(first, cut=True), Line(more + second, "muted", cut=True))
        return ScreenFrame((head,), self._card(shown, notes), foot)

    def _show(self, work: W | None) -> None:
        self.shown = work

    def _say(self, text: str, tone: Tone = "plain") -> None:
        self.message = Line(text, tone)

    def _log(self, shown: W, decision: Decision, effect: Effect | None = None) -> Plan:
        """Write a decision and its changes to disk, and update the queue."""
        plan = self.screening.decide(shown, decision, effect)
        self.past.append(shown)
        self.queue.decide(shown, decision)
        return plan

    def _decision(self, shown: W, verdict: Verdict, **values: object) -> Decision:
        blind = self.screening.log.held.blind
        return Decision.model_validate({"key": shown.key, "verdict": verdict, "on": today(), "blind": blind, **values})

    def _skip(self, shown: W) -> None:
        self._decide(shown, "skip")

    def _open(self, shown: W) -> None:
        pages = links(shown)
        if not pages:
            self._say("the record has no link", "warn")
        elif open_address(pages[0], self.session.environment):
            self._say(f"opened {pages[0]}")
        else:
            self._say(f"cannot start a browser for {pages[0]}", "warn")

    def _note(self, shown: W) -> None:
        text = self.terminal.line(f"Note on {shown.key}")
        if text:
            self._decide(shown, "note", note=text)

    def _undo(self) -> None:
        decision, restored = self.screening.undo(), self.past.pop()
        self.queue.undo(restored, decision)
        self._show(restored)
        self._say(f"undone: {decision_text(decision)}", "good")

    def _follow(self, error: ChangedError) -> None:
        key, now = error.key, cast("W | None", error.now)  # a record of the same kind
        self.queue.follow(key, now)
        self._show(self.queue.waiting.get(key) or self.queue.next())
        waits = self.shown is not None and self.shown.key == key
        effect = "no decision was saved; check it again" if waits else "it was skipped"
        self._say(f"{error.message}: {effect}", "warn")

    def _help(self, _: W) -> None:
        self._page("Keys", [Line(f"{key:<8} {text}") for key, text in {**self.KEYS, **COMMON, **self.KEYS}.items()])

    def _page(self, title: str, lines: Sequence[Line]) -> None:
        self.terminal.key(ScreenFrame((Line(title, "strong"),), tuple(lines), (Line("any key: go back", "muted"),)))


def run_sitting(session: CommandSession, begin: Callable[[ScreenTerminal], Sitting[W]]) -> None:
    """Run a session until the user quits, and print the command that resumes it; `begin` starts it at a terminal."""
    finish_open(session)
    sitting: Sitting[W] | None = None
    try:
        with screen_terminal(session) as terminal:
            terminal.wait("Loading the first work …")
            sitting = begin(terminal)
            sitting.run()
    except KeyboardInterrupt:
        raise KeyboardInterrupt(*([sitting.summary()] if sitting else [])) from None
    session.say(sitting.summary())
