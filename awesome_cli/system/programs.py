"""Run programs of the user's choice: a filter without a shell, bounded in time and size; the editor; the browser."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from threading import Thread
from time import monotonic
from typing import IO

from awesome_cli.errors import AwesomeError, UsageError

SAID = 2000
"""The last bytes of a program's standard error that are kept."""
BLOCK = 1 << 16
PATIENCE, QUIET = 1.0, 0.2
"""So many seconds streams that stay open are read after a program ended, or until nothing came for so long."""
OWN = "AWESOME_"
"""The settings of this program are not handed on: an address and a key for a service can be among them."""


class ProgramError(AwesomeError):
    """A program failed, took too long or wrote too much; `said` is the last line of its standard error."""

    def __init__(self, message: str, said: str = "") -> None:
        super().__init__(f"{message}: {said}" if said else message)


def words_of(command: str) -> list[str]:
    """A command split as a shell would; raises `UsageError` for none, and where its program is not there."""
    try:
        words = shlex.split(command)
    except ValueError:
        raise UsageError(f"the command cannot be read: {command!r}", hint="correct its quotes") from None
    if not words:
        raise UsageError("the command is empty", hint="name a program and its arguments")
    if shutil.which(words[0]) is None:
        raise UsageError(f"there is no program {words[0]!r}", hint="name one that is installed, or its path")
    return words


@dataclass(frozen=True)
class Program:
    """Runs `words` as often as asked.

    It runs in the folder and with the variables in which this program was started, but those that begin with
    `AWESOME_`. It may take `seconds`, and write `size` bytes.
    """

    words: Sequence[str]
    environment: Mapping[str, str]
    seconds: float
    size: int

    @property
    def name(self) -> str:
        """The program, without its folder."""
        return Path(self.words[0]).name

    def run(self, given: bytes) -> bytes:
        """What the program answers; raises `ProgramError`. However this is left, the program has ended."""
        with TemporaryFile() as source:
            source.write(given)
            source.seek(0)
            process = self._start(source)
            try:
                told = _Output(process, self.size)
                code = process.wait(self.seconds)
            except subprocess.TimeoutExpired:
                raise ProgramError(f"it took more than {self.seconds:g} s") from None
            finally:
                _end(process)
        said = told.said()
        if told.too_large:
            raise ProgramError(f"it wrote more than {self.size:,} bytes")
        if code:
            raise ProgramError(f"it ended with code {code}" if code > 0 else f"it was killed, number {-code}", said)
        return told.out

    def _start(self, source: IO[bytes]) -> "subprocess.Popen[bytes]":
        kept = {name: value for name, value in self.environment.items() if not name.startswith(OWN)}
        pipe = subprocess.PIPE
        try:
            # A group of its own, so that what the program starts ends with it.
            return subprocess.Popen(
                self.words, stdin=source, stdout=pipe, stderr=pipe, env=kept, start_new_session=True
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
    """What a program writes, read while it runs; one that writes more than `size` bytes is ended."""

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
                self._last = (self._last + block)[-SAID:]

    def said(self) -> str:
        """The last line of standard error, after all was read that the program itself wrote.

        What left the program's group may keep its streams open.
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
    """Open a file in the editor of `VISUAL`, else `EDITOR`, else vi, and wait until it is closed.

    Raises `UsageError` if there is no such program, `AwesomeError` if it fails.
    """
    chosen = environment.get("VISUAL") or environment.get("EDITOR") or "vi"
    try:
        words = shlex.split(chosen) or ["vi"]
    except ValueError:
        raise UsageError(f"EDITOR cannot be read: {chosen!r}", hint="correct its quotes") from None
    try:
        done = subprocess.run([*words, str(path)], check=False)
    except (FileNotFoundError, PermissionError):
        raise UsageError(f"there is no editor {words[0]!r}", hint="set EDITOR to the one you use") from None
    if done.returncode:
        raise AwesomeError(f"the editor {words[0]!r} ended with code {done.returncode}", hint="nothing was changed")


DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
"""Variables without which a browser on Linux would take the terminal."""


def open_address(address: str, environment: Mapping[str, str]) -> bool:
    """Open a page of the web; False where there is no browser, or for what is no address of the web."""
    if not address.startswith(("https://", "http://")):
        return False
    if sys.platform == "linux" and not any(environment.get(name) for name in DISPLAYS):
        return False
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False
