"""The terminal while a person screens: frames are shown, single keys, choices and lines are read."""

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from awesome_cli.cli._doors import show
from awesome_cli.cli._workspace import Workspace
from awesome_cli.reports.screens import Line, ScreenFrame
from awesome_cli.system.keys import RESIZED, Keys, single_keys

if TYPE_CHECKING:
    from awesome_cli.output.screens import ScreenSize

ENTER, LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
"""To a screen of its own, without a cursor, and back to what the terminal showed before."""
LETTERS = "123456789abcdefghijklmnopqrstuvwxyz"
"""The keys of a choice, in their order."""
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
        known = dict(zip(LETTERS, (value for value, _ in options), strict=False))
        body = [
            Line(f"{letter}  {'(Enter) ' * (value == default)}{text}", cut=True)
            for letter, (value, text) in zip(LETTERS, options, strict=False)
        ]
        frame = ScreenFrame((Line(title, "strong"),), tuple(body), (Line("a key chooses; Escape goes back", "muted"),))
        while (typed := self.key(frame, {" ": 1, **ARROWS})) not in {"escape", "end"}:
            if typed == "enter" and default is not None:
                return default
            if typed in known:
                return known[typed]
        return None

    def line(self, title: str, body: Sequence[Line] = (), text: str = "") -> str | None:
        """A line that a person types, ended by Enter; None for Escape."""
        foot = Line("Enter ends the line; Escape goes back", "muted")
        while True:
            typed = self.key(ScreenFrame((Line(title, "strong"), Line(f"> {text}_")), tuple(body), (foot,)), ARROWS)
            if typed == "enter":
                return text.strip()
            if typed in {"escape", "end"}:
                return None
            text = edited(text, typed)


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
