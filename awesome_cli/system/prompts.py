"""Prompts and single keys at a terminal. The only module that imports questionary or changes terminal settings.

Callers must check that there is a terminal.
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
    """An option of a prompt: the returned value, the label shown, and an explanation."""

    value: str
    label: str
    meaning: str = ""

    @property
    def shown(self) -> str:
        """The line shown in the prompt."""
        return visible_line(f"{self.label}: {self.meaning}" if self.meaning else self.label)


def ask_text(question: str, default: str = "", valid: Callable[[str], bool | str] | None = None) -> str:
    """Ask for a line of text; an empty line means the `default`, which is shown.

    `valid` returns True for valid input, else the error message. Raises `KeyboardInterrupt` on Ctrl-C.
    """
    import questionary

    def checked(text: str) -> bool | str:
        return valid is None or (not text.strip() and bool(default)) or valid(text.strip())

    shown = visible_line(f"({default})") if default else None
    return str(questionary.text(visible(question), instruction=shown, validate=checked).unsafe_ask()).strip() or default


def ask_one(question: str, choices: Sequence[Choice]) -> str:
    """Ask for one of several choices (arrow keys, or type a part of a line) and return its value."""
    import questionary

    return str(
        questionary.select(visible(question), _lines(choices), use_search_filter=True, use_jk_keys=False).unsafe_ask()
    )


def ask_many(question: str, choices: Sequence[Choice], *, required: bool = False) -> tuple[str, ...]:
    """Ask for any number of choices, at least one if `required`, and return their values."""
    import questionary

    def enough(picked: Sequence[str]) -> bool | str:
        return bool(picked) or not required or "Choose at least one, with the space bar."

    prompt = questionary.checkbox(
        visible(question), _lines(choices), validate=enough, use_search_filter=True, use_jk_keys=False
    )
    return tuple(map(str, prompt.unsafe_ask()))


def _lines(choices: Sequence[Choice]) -> Any:
    import questionary

    return [questionary.Choice(choice.shown, value=choice.value) for choice in choices]


NAMED = {
    "\r": "enter", "\n": "enter", "\x7f": "backspace", "\b": "backspace", "\x15": "clear", "\x04": "end",
    "\x1b": "escape", "\x1b[6~": "down", "\x1b[B": "down", "\x1b[5~": "up", "\x1b[A": "up", "\x1bOB": "down",
    "\x1bOA": "up",
}  # fmt: skip
"""Names of special keys, by the bytes that the terminal sends."""
RESIZED = "resized"
"""Returned in place of a key after the terminal was resized."""
WAIT = 0.3
"""Seconds between checks of the terminal size."""


class Keys(Protocol):
    """A function that returns the next key: a letter, a name from `NAMED`, or `RESIZED`."""

    def __call__(self) -> str: ...

    def forget(self) -> None:
        """Discard keys that were typed but not returned yet."""


@contextmanager
def single_keys() -> Iterator[Keys]:
    """Read single keys until the block ends, then restore the terminal settings.

    Ctrl-C and SIGTERM raise `KeyboardInterrupt`.
    """
    try:
        import termios
    except ImportError:
        raise UsageError("reading single keys is only supported on Linux and macOS") from None
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    now = termios.tcgetattr(terminal)
    now[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
    now[6][termios.VMIN], now[6][termios.VTIME] = 1, 0
    # Disable Ctrl-Z: a stopped process would leave the shell's terminal without echo.
    now[6][termios.VSUSP] = b"\0"
    # Keys typed ahead are returned later, unless `forget` discards them.
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
            if (self.waiting or self._readable(WAIT)) and (key := self._next()):
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
        """Return the next typed key; empty if it is not a known key."""
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
        """Return the key of an escape sequence, or Escape itself."""
        if len(self.waiting) == 1 and self._readable(WAIT / 10):
            self._more()
        end = 1
        if self.waiting[1:2] in {b"[", b"O"}:
            end = next((n + 1 for n, c in enumerate(self.waiting) if n > 1 and 0x40 <= c <= 0x7E), len(self.waiting))
        typed, self.waiting = self.waiting[:end].decode(errors="ignore"), self.waiting[end:]
        return NAMED.get(typed, "")

    def _more(self) -> None:
        try:
            data = os.read(self.terminal, 4096)
        except OSError:  # the terminal is gone
            data = b""
        if not data:
            raise EOFError
        self.waiting += data
