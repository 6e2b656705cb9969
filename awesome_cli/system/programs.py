"""Run programs chosen by the user: filters (without a shell, limited in time and output), editor, browser."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event, Thread
from time import monotonic
from typing import IO

from awesome_cli.errors import AwesomeError, UsageError

STDERR_BYTES = 2000
"""Number of stored bytes of a program's standard error; earlier bytes are dropped."""
BLOCK, POLL_SECONDS = 1 << 16, 0.02
PATIENCE, QUIET = 1.0, 0.2
"""Seconds to read streams that stay open after the program ended: in total, and without new output."""
OWN = "AWESOME_"
"""Prefix of this tool's environment variables. Programs do not receive them: they may contain URLs and keys."""


class ProgramError(AwesomeError):
    """A program failed, took too long or wrote too much; `stderr` is the last line of its standard error."""

    def __init__(self, message: str, stderr: str = "") -> None:
        super().__init__(f"{message}: {stderr}" if stderr else message)


def words_of(command: str) -> list[str]:
    """Split a command as a shell does; raises `UsageError` if the command is empty or the program is not installed."""
    try:
        words = shlex.split(command)
    except ValueError:
        raise UsageError(f"the command cannot be read: {command!r}", hint="correct its quotes") from None
    if not words:
        raise UsageError("the command is empty", hint="name a program and its arguments")
    if shutil.which(words[0]) is None:
        raise UsageError(f"the program {words[0]!r} is not installed", hint="install it, or give its path")
    return words


@dataclass(frozen=True)
class Program:
    """A command that can be run repeatedly; `words` are the program and its arguments.

    It runs in the current folder with `environment`, without variables that begin with `AWESOME_`. Each run is limited
    to `seconds` and to `size` bytes of output. Setting `stopped` ends all runs, in whichever thread.
    """

    words: Sequence[str]
    environment: Mapping[str, str]
    seconds: float
    size: int
    stopped: Event = field(default_factory=Event)

    @property
    def name(self) -> str:
        """The file name of the program."""
        return Path(self.words[0]).name

    def run(self, stdin: bytes) -> bytes:
        """Run the program and return its output; raises `ProgramError`. The program never outlives this call."""
        with TemporaryFile() as source:
            source.write(stdin)
            source.seek(0)
            process = self._start(source)
            try:
                output = _Output(process, self.size)
                ends = monotonic() + self.seconds
                while (code := process.poll()) is None:
                    if self.stopped.wait(POLL_SECONDS) or monotonic() > ends:
                        raise ProgramError(f"it did not finish within {self.seconds:g} s")
            finally:
                _end(process)
        stderr = output.last_line()
        if output.too_large:
            raise ProgramError(f"it wrote more than {self.size:,} bytes")
        if code:
            raise ProgramError(
                f"it ended with exit code {code}" if code > 0 else f"it was killed (exit code {code})", stderr
            )
        return output.out

    def _start(self, source: IO[bytes]) -> "subprocess.Popen[bytes]":
        environment = {name: value for name, value in self.environment.items() if not name.startswith(OWN)}
        pipe = subprocess.PIPE
        try:
            # Start a process group, so that child processes end with the program.
            return subprocess.Popen(
                self.words, stdin=source, stdout=pipe, stderr=pipe, env=environment, start_new_session=True
            )
        except OSError as error:
            raise ProgramError(f"it cannot be started: {error.strerror}") from None


def _end(process: "subprocess.Popen[bytes]") -> None:
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


class _Output:
    """Reader of a program's output; the program is killed if it writes more than `size` bytes."""

    def __init__(self, process: "subprocess.Popen[bytes]", size: int) -> None:
        self.out, self.too_large, self._last = b"", False, b""
        self._process, self._size = process, size
        self._readers = [Thread(target=read, daemon=True) for read in (self._read, self._listen)]
        for reader in self._readers:
            reader.start()

    def _read(self) -> None:
        with self._process.stdout or BytesIO() as stream:
            while not self.too_large and (block := stream.read1(BLOCK)):  # type: ignore[attr-defined]
                self.out += block
                self.too_large = len(self.out) > self._size
            if self.too_large:
                _end(self._process)

    def _listen(self) -> None:
        with self._process.stderr or BytesIO() as stream:
            while block := stream.read1(BLOCK):  # type: ignore[attr-defined]
                self._last = (self._last + block)[-STDERR_BYTES:]

    def last_line(self) -> str:
        """Wait until the program's output is read, and return the last line of standard error.

        Child processes that left the program's process group may keep the streams open.
        """
        ends = monotonic() + PATIENCE
        while any(reader.is_alive() for reader in self._readers) and monotonic() < ends:
            before = self.out, self._last
            for reader in self._readers:
                reader.join(QUIET / 2)
            if self.out and before == (self.out, self._last):
                break
        lines = self._last.decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")[-200:]


def open_file(path: Path, environment: Mapping[str, str]) -> None:
    """Open a file in the editor `$VISUAL`, else `$EDITOR`, else vi, and wait until it is closed.

    Raises `UsageError` if the editor is not installed, `AwesomeError` if it fails.
    """
    chosen = environment.get("VISUAL") or environment.get("EDITOR") or "vi"
    try:
        words = shlex.split(chosen) or ["vi"]
    except ValueError:
        raise UsageError(f"EDITOR cannot be read: {chosen!r}", hint="correct its quotes") from None
    try:
        done = subprocess.run([*words, str(path)], check=False)
    except (FileNotFoundError, PermissionError):
        raise UsageError(f"the editor {words[0]!r} is not installed", hint="set EDITOR to your editor") from None
    if done.returncode:
        message = f"the editor {words[0]!r} ended with exit code {done.returncode}"
        raise AwesomeError(message, hint="nothing was changed")


DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
"""Environment variables for a display. If all are missing on Linux, a browser would run in the terminal."""


def open_address(address: str, environment: Mapping[str, str]) -> bool:
    """Open a web page; return False if there is no browser or the address is not an http(s) URL."""
    has_display = sys.platform != "linux" or any(map(environment.get, DISPLAYS))
    if not has_display or not address.startswith(("https://", "http://")):
        return False
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False
