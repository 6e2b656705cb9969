"""The terminal of an interactive session: frames, single keys, menus and lines of text."""

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from awesome_cli.cli._printing import show
from awesome_cli.cli._session import CommandSession
from awesome_cli.reports.report import Line, ScreenFrame
from awesome_cli.system.prompts import RESIZED, Keys, single_keys

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
