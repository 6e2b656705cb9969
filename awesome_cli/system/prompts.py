"""Questions and single keys at a terminal. The only home of questionary, and of changes to how the terminal behaves.

Callers ask only where there is a terminal.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from awesome_cli.errors import UsageError
from awesome_cli.system.signals import interrupting
from awesome_cli.text.inert import visible, visible_line


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers to a question: what is returned, what is shown, and what it means."""

    value: str
    label: str
    meaning: str = ""

    @property
    def shown(self) -> str:
        """The line that a person reads."""
        return visible_line(f"{self.label}: {self.meaning}" if self.meaning else self.label)


def ask_text(question: str, default: str = "", valid: Callable[[str], bool | str] | None = None) -> str:
    """A line of text, or the `default`, which is shown, for an empty one.

    `valid` is True of what was typed, or says what is wrong. Raises `KeyboardInterrupt` on Ctrl-C.
    """
    import questionary

    def checked(text: str) -> bool | str:
        return valid is None or (not text.strip() and bool(default)) or valid(text.strip())

    shown = visible_line(f"({default})") if default else None
    return str(questionary.text(visible(question), instruction=shown, validate=checked).unsafe_ask()).strip() or default


def ask_one(question: str, choices: Sequence[Choice]) -> str:
    """The value of one choice, found with arrow keys or by typing a part of its line."""
    import questionary

    return str(
        questionary.select(visible(question), _lines(choices), use_search_filter=True, use_jk_keys=False).unsafe_ask()
    )


def ask_many(question: str, choices: Sequence[Choice], *, required: bool = False) -> tuple[str, ...]:
    """The values of any number of choices; of at least one if an answer is `required`."""
    import questionary

    def enough(picked: Sequence[str]) -> bool | str:
        return bool(picked) or not required or "Choose at least one, with the space bar."

    asked = questionary.checkbox(
        visible(question), _lines(choices), validate=enough, use_search_filter=True, use_jk_keys=False
    )
    return tuple(map(str, asked.unsafe_ask()))


def _lines(choices: Sequence[Choice]) -> Any:
    import questionary

    return [questionary.Choice(choice.shown, value=choice.value) for choice in choices]


NAMED = {
    "\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\x15": "clear", "\x04": "end",
    "\x1b": "escape", "\x1b[6~": "down", "\x1b[B": "down", "\x1b[5~": "up", "\x1b[A": "up", "\x1bOB": "down",
    "\x1bOA": "up",
}  # fmt: skip
"""Keys that are no letters, by what the terminal sends."""
RESIZED = "resized"
"""Given in place of a key when the terminal has another size."""
WAIT = 0.3
"""Seconds after which the size of the terminal is looked at again."""


class Keys(Protocol):
    """Gives the next key: a letter, a name of `NAMED`, or `RESIZED`."""

    def __call__(self) -> str: ...

    def forget(self) -> None:
        """Drop what was typed and not given yet."""


@contextmanager
def single_keys() -> Iterator[Keys]:
    """Read single keys until the block ends; the terminal is then as it was.

    Ctrl-C raises `KeyboardInterrupt`, and so does SIGTERM.
    """
    try:
        import termios
    except ImportError:
        raise UsageError("single keys are read on Linux and macOS alone") from None
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    now = termios.tcgetattr(terminal)
    now[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
    now[6][termios.VMIN], now[6][termios.VTIME] = 1, 0
    # A process that is stopped would leave the terminal to its shell without echo.
    now[6][termios.VSUSP] = b"\0"
    # What was typed meanwhile is kept until `forget`: a person may be faster than the program.
    termios.tcsetattr(terminal, termios.TCSADRAIN, now)
    try:
        with interrupting():
            yield _TerminalKeys(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


class _TerminalKeys:
    def __init__(self, terminal: int) -> None:
        self.terminal, self.waiting = terminal, b""
        self.size = shutil.get_terminal_size()

    def __call__(self) -> str:
        while True:
            if self.waiting or self._readable(WAIT):
                key = self._next()
                if key:
                    return key
            if (size := shutil.get_terminal_size()) != self.size:
                self.size = size
                return RESIZED

    def forget(self) -> None:
        import termios

        self.waiting = b""
        termios.tcflush(self.terminal, termios.TCIFLUSH)

    def _readable(self, seconds: float) -> bool:
        import select

        return bool(select.select([self.terminal], [], [], seconds)[0])

    def _next(self) -> str:
        """The first of the keys that were typed; empty for one that means nothing."""
        if not self.waiting:
            self._more()
        if self.waiting[:1] == b"\x1b":
            return self._escape()
        length = next((n for n, first in ((4, 0xF0), (3, 0xE0), (2, 0xC0)) if self.waiting[0] >= first), 1)
        while len(self.waiting) < length and self._readable(WAIT):
            self._more()
        typed, self.waiting = self.waiting[:length].decode(errors="ignore"), self.waiting[length:]
        return NAMED.get(typed, typed if typed.isprintable() else "")

    def _escape(self) -> str:
        """A key that sends several characters at once, or Escape by itself."""
        if len(self.waiting) == 1 and self._readable(WAIT / 10):
            self._more()
        end = 1
        if self.waiting[1:2] in {b"[", b"O"}:
            end = next((n + 1 for n, c in enumerate(self.waiting) if n > 1 and 0x40 <= c <= 0x7E), len(self.waiting))
        typed, self.waiting = self.waiting[:end].decode(errors="ignore"), self.waiting[end:]
        return NAMED.get(typed, "")

    def _more(self) -> None:
        try:
            found = os.read(self.terminal, 4096)
        except OSError:  # the terminal is gone
            found = b""
        if not found:
            raise EOFError
        self.waiting += found
