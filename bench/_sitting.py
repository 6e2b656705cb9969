"""A person who screens: `awesome screen` at a pseudo terminal, with the clock between a key and what it brings."""

import os
import pty
import re
import select
import time
from dataclasses import dataclass
from pathlib import Path

from bench.timing import AWESOME, COMPILED

ESCAPE = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")
HOME, BELOW = "\x1b[H", "\x1b[J"
"""Where a screen begins and ends."""
PATIENCE = 600.0
"""Seconds."""


@dataclass
class Clocked:
    """A command at a terminal; `all` is what it wrote since the last key."""

    child: int
    terminal: int
    all: str = ""

    def until(self, text: str) -> float:
        """Seconds until a whole screen is written with a text on it."""
        start = time.perf_counter()
        while not (self.all.endswith(BELOW) and text in ESCAPE.sub("", self.all.rpartition(HOME)[2])):
            left = start + PATIENCE - time.perf_counter()
            if left < 0 or not select.select([self.terminal], [], [], left)[0]:
                raise TimeoutError(f"no {text!r} on the screen: {self.all[-500:]}")
            self.all += os.read(self.terminal, 65536).decode(errors="replace")
        return time.perf_counter() - start

    def press(self, key: str, text: str) -> float:
        """Seconds from a key to a screen with a text on it."""
        self.all = ""
        os.write(self.terminal, key.encode())
        return self.until(text)

    def end(self) -> dict[str, float]:
        """Quit; the processor seconds of the whole sitting and its peak resident memory in bytes."""
        os.write(self.terminal, b"q")
        try:
            while os.read(self.terminal, 65536):
                pass
        except OSError:  # EIO: the other end is closed
            pass
        os.close(self.terminal)
        used = os.wait4(self.child, 0)[2]
        return {"processor": used.ru_utime + used.ru_stime, "bytes": used.ru_maxrss * 1024}


def begun(root: Path, *words: str) -> Clocked:
    """Start `awesome -C root words…` at a pseudo terminal."""
    child, terminal = pty.fork()
    if not child:
        settings = {**COMPILED, "TERM": "xterm", "LINES": "40", "COLUMNS": "100"}
        os.execvpe(AWESOME[0], [*AWESOME, "-C", str(root), *words], settings)
    return Clocked(child, terminal)


def sat(root: Path, order: str) -> dict[str, float]:
    """Screen a while: seconds to the first card, of the slowest decision and undo, and what `Clocked.end` says."""
    person = begun(root, "screen", "--order", order, "--who", order)
    found = {"start": person.until("No decisions yet")}
    person.press("i", "Which stage")
    decisions = [person.press("2", "included"), *(person.press("i", "included") for _ in range(2))]
    for _ in range(3):
        person.press("e", "At which stage")
        person.press("\r", "Reason for exclusion")
        decisions.append(person.press("1", "excluded"))
    undone = [person.press("u", "undone") for _ in range(4)]
    decisions.append(person.press("i", "included"))
    return {**found, "decision": max(decisions), "undo": max(undone), **person.end()}
