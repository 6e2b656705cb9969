"""Run the command line at a terminal: a pseudo terminal of a size, in a process of its own."""

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
import traceback
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL

from rich.cells import cell_len
from rich.color import Color
from running import APP, get_command

from awesome_cli.output.layout import COPIED

ESCAPE = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")
LEFT_OUT = re.compile(r"^Columns hidden in this narrow terminal: (.*)\.$", re.MULTILINE | re.DOTALL)
LONGEST = 44
"""A word that is longer may be broken: an address, a path."""


def typed(*words: str, root: Path, columns: int = 80, color: str = "auto", term: str = "dumb") -> str:
    """What a person sees of `awesome -C root words…`, messages included, without colours."""
    return ESCAPE.sub("", written(*words, root=root, columns=columns, color=color, term=term))


def words(text: str) -> set[str]:
    """The words that a terminal of any width shows whole; a rule below a heading and a bullet are none."""
    return {word for word in text.split() if len(word) < LONGEST and word.strip("-")}


def cut(seen: str, width: int, whole: set[str], code: Collection[str] = ()) -> object:
    """The lines that are too long for a width, but for `code`, or words of the `whole` answer that it silently lacks."""
    lines = (line for line in seen.splitlines() if line not in code and not COPIED.match(line))
    lost = whole - {*seen.split()}
    return [line for line in lines if cell_len(line) > width] or (not LEFT_OUT.search(seen) and lost)


PLAIN = {"", "0", "1", "3", "4"}
"""Reset, bold, italic, underlined: the colours stay the terminal's, and so does their contrast."""
LEAST_CONTRAST = 4.5
"""The contrast that WCAG asks of text."""


def unreadable(text: str) -> list[str]:
    """The styles of a text with a background, a dimmed or named colour, or too little contrast on white or on black.

    Terminals draw the 16 named colours, yellow for one, as they like; the others of 256 are the same everywhere.
    """
    styles = set(re.findall(r"\x1b\[([\d;]*)m", text))
    return sorted(s for s in styles if not all(map(is_readable, re.findall(r"38;5;\d+|[^;]+", s))))


def is_readable(code: str) -> bool:
    """Return True for one part of a style, `1` or `38;5;29`, that is read on white and on black."""
    number = int(code.removeprefix("38;5;"))
    if code == str(number) or number < 16:
        return code in PLAIN
    parts = Color.from_ansi(number).get_truecolor().normalized
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    light = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True)) + 0.05
    return min(1.05 / light, light / 0.05) >= LEAST_CONTRAST


def written(*words: str, root: Path, columns: int = 80, color: str = "auto", term: str = "dumb") -> str:
    """What `awesome -C root words…` writes to a terminal, with the escapes of its colours.

    A `dumb` terminal shows no progress, which a slow machine would bring into any answer.
    """
    child, terminal = _started(["--color", color, "--no-input", *words], root, (24, columns), term)
    shown = b""
    with contextlib.suppress(OSError):  # EIO, where the other end is closed
        while part := os.read(terminal, 65536):
            shown += part
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    text = shown.decode().replace("\r\n", "\n")
    assert os.waitstatus_to_exitcode(status) in {0, 1, 4}, text
    return text


def _started(words: list[str], root: Path, size: tuple[int, int], term: str) -> tuple[int, int]:
    """A process of `awesome -C root words…` at a terminal of rows and columns, and the other end of that."""
    # The process has everything loaded; it is told the size before it runs.
    gate, go = os.pipe()
    child, terminal = pty.fork()
    if not child:
        os.read(gate, 1)
        os.environ["TERM"] = term
        _run(["-C", str(root), *words])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    os.write(go, b"1")
    for handle in (gate, go):
        os.close(handle)
    return child, terminal


@dataclass
class Sat:
    """A command at a terminal that waits for keys; `all` is what it wrote, up to `old` before the last key."""

    child: int
    terminal: int
    all: str = ""
    old: int = 0
    code: int | None = None

    @property
    def screen(self) -> str:
        """What a person sees: the last screen, without colours."""
        return ESCAPE.sub("", self.all[self.old :].rpartition("\x1b[H")[2])

    def press(self, keys: str, until: str, within: float = 20.0) -> str:
        """Type keys, and wait until a text stands on the screen."""
        end = time.monotonic() + within
        self.old = len(self.all) if keys else self.old
        os.write(self.terminal, keys.encode())
        while until not in self.screen:
            assert time.monotonic() < end, f"{until!r} is not on the screen:\n{self.screen}"
            if select.select([self.terminal], [], [], 0.1)[0]:
                self._read()
        while select.select([self.terminal], [], [], 0.05)[0] and self._read():
            pass
        return self.screen

    def _read(self) -> bool:
        try:
            part = os.read(self.terminal, 65536).decode(errors="replace").replace("\r\n", "\n")
        except OSError:  # EIO, where the other end is closed
            part = ""
        self.all += part
        return bool(part)

    def resize(self, rows: int, columns: int) -> None:
        """Make the terminal larger or smaller."""
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def end(self, signal: int | None = None) -> str:
        """What was written at the end, after a signal if one is to be sent."""
        if signal is not None:
            os.kill(self.child, signal)
        while self._read():
            pass
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
        return ESCAPE.sub("", self.all.rpartition("\x1b[?1049l")[2])


@contextlib.contextmanager
def sat(*words: str, root: Path, rows: int = 24, columns: int = 80, term: str = "xterm") -> Iterator[Sat]:
    """`awesome -C root words…` at a terminal, until the block ends."""
    child, terminal = _started(list(words), root, (rows, columns), term)
    sitting = Sat(child, terminal)
    try:
        yield sitting
    finally:
        if sitting.code is None:
            sitting.end(SIGKILL)
        os.close(terminal)


def _run(words: list[str]) -> None:
    code = 70
    try:
        for name in ("COLUMNS", "LINES"):
            os.environ.pop(name, None)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, mode) for n, mode in enumerate(("r", "w", "w")))
        sys.__stdout__ = sys.stdout
        get_command(APP)(words)
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:  # noqa: BLE001 - the process ends here, whatever was raised
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
