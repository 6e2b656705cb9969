"""The terminal while a person screens: frames are shown, single keys, choices and lines are read."""

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from awesome_cli.cli._doors import show
from awesome_cli.cli._workspace import Workspace
from awesome_cli.reports.report import Line, ScreenFrame
from awesome_cli.system.prompts import RESIZED, Keys, single_keys

if TYPE_CHECKING:
    from awesome_cli.output.screens import ScreenSize

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
def screen_terminal(workspace: Workspace) -> Iterator[ScreenTerminal]:
    """The terminal for one sitting; afterwards it is as it was."""
    plain = workspace.environment.get("TERM", "dumb") == "dumb"
    with single_keys() as keys:
        _write("" if plain else ENTER)
        try:
            yield ScreenTerminal(keys, workspace.colored and not plain, plain)
        finally:
            _write("" if plain else LEAVE)


def _write(text: str) -> None:
    show(text, styled=True)
    sys.stdout.flush()
