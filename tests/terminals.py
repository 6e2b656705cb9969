"""Run the command line at a terminal: a pseudo terminal of a width, in a process of its own."""

import contextlib
import fcntl
import os
import pty
import re
import struct
import sys
import termios
import traceback
from pathlib import Path

from running import APP

ESCAPE = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")


def typed(*words: str, root: Path, columns: int = 80, color: str = "auto", term: str = "dumb") -> str:
    """What a person sees of `awesome -C root words…`, messages included, without colours.

    A `dumb` terminal shows no progress, which a slow machine would bring into any answer.
    """
    size = struct.pack("HHHH", 24, columns, 0, 0)
    # The process has everything loaded; it is told the width before it runs.
    gate, go = os.pipe()
    child, terminal = pty.fork()
    if not child:
        os.read(gate, 1)
        os.environ["TERM"] = term
        _run(["-C", str(root), "--color", color, "--no-input", *words])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
    os.write(go, b"1")
    shown = b""
    with contextlib.suppress(OSError):  # EIO, where the other end is closed
        while part := os.read(terminal, 65536):
            shown += part
    _, status = os.waitpid(child, 0)
    for handle in (gate, go, terminal):
        os.close(handle)
    text = shown.decode().replace("\r\n", "\n")
    assert os.waitstatus_to_exitcode(status) in {0, 1}, text
    return ESCAPE.sub("", text)


def _run(words: list[str]) -> None:
    code = 70
    try:
        os.environ.pop("COLUMNS", None)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, mode) for n, mode in enumerate(("r", "w", "w")))
        sys.__stdout__ = sys.stdout
        APP(words)
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:  # noqa: BLE001 - the process ends here, whatever was raised
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
