"""A warm process that forks the command line and lets a file operation of the child go wrong.

It reads requests from standard input, one JSON text a line: a list of runs that start at the same moment. For each
line it answers with the list of exit codes (`-n` for a signal). A run says `words`, `folder`, `environment`, `output`
(where its standard output, error and list of events go), `closed` (whether nobody reads its standard output) and `fault`
(`[kind, at]` or null). An event is an operation on a file below `watched` that changes something: opened for writing,
written, synchronised, renamed, removed and so on.
Nothing reaches the disk for good (`fsync` and `sync` are events and do nothing more): a kill loses no written page.
"""

import builtins
import errno
import gc
import importlib
import io
import json
import os
import pkgutil
import signal
import sys
from pathlib import Path
from typing import Any

LIMIT = 60
"""Seconds after which a child is ended by SIGALRM: a hang is a fault, too."""
KILLED = 137
CHANGING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
NAMED = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.link", "os.symlink", "os.truncate"}
NEEDS_SPACE = {"open", "write", "sync", "os.mkdir", "os.link", "os.symlink"}


class Faults:
    """Counts the events of this process; the one with the number `at` (from 0) goes wrong as `kind` says.

    `kill` ends the process before it; `SIGINT` and `SIGTERM` are sent before it; `EIO` fails it once; from then on a
    full disk (`ENOSPC`) fails whatever needs space, and a disk without writing (`EROFS`) everything. Any other kind is a
    command for the shell, run before it.
    """

    def __init__(self, folder: str, kind: str = "", at: int = -1) -> None:
        self.folder = os.path.realpath(folder)
        self.kind, self.at = kind, at
        self.seen: list[str] = []

    def event(self, name: str, path: str, to: str = "") -> str | None:
        """Note an event (a renaming `to` another path); for a fault of a write, whose first half is done, its kind."""
        if not path.startswith("/"):
            return None  # a pipe
        path, to = (str(Path(one).parent.resolve() / Path(one).name) if one else "" for one in (path, to))
        if not any(one.startswith(f"{self.folder}/") for one in (path, to)):
            return None
        number = len(self.seen)
        self.seen.append(f"{name} {path.removeprefix(f'{self.folder}/')}{to and ' to '}{Path(to).name}")
        lasting = self.kind in {"ENOSPC", "EROFS"} and 0 <= self.at < number
        if (number != self.at and not lasting) or (self.kind == "ENOSPC" and name not in NEEDS_SPACE):
            return None
        if name == "write" and self.kind in {"kill", "ENOSPC"}:
            return self.kind
        self.strike(path)
        return None

    def strike(self, path: str) -> None:
        if self.kind == "kill":
            os._exit(KILLED)
        elif self.kind.startswith("SIG"):
            os.kill(os.getpid(), getattr(signal, self.kind))
        elif number := getattr(errno, self.kind, 0):
            raise OSError(number, os.strerror(number), path)
        else:
            os.system(self.kind)

    def hook(self, name: str, args: tuple[Any, ...]) -> None:
        """What the interpreter reports of itself (`sys.addaudithook`)."""
        if name == "open":
            path, _, flags = args
            if isinstance(path, (str, bytes, os.PathLike)) and isinstance(flags, int) and flags & CHANGING:
                self.event("open", str(Path(os.fsdecode(path)).absolute()))
        elif name in NAMED:
            path, holder = args[0], args[-1]
            to = os.fsdecode(args[1]) if name == "os.rename" else ""
            if name in {"os.rename", "os.link"}:
                holder = args[2]
            if isinstance(path, int):
                self.event(name, named(path))
            elif isinstance(holder, int) and holder >= 0 and name not in {"os.truncate", "os.symlink"}:
                self.event(name, str(Path(named(holder), os.fsdecode(path))))
            else:
                self.event(name, str(Path(os.fsdecode(path)).absolute()), to)

    def install(self) -> None:
        """From now on events are counted."""
        faults, plain = self, io.open

        class Raw(io.FileIO):
            def write(self, data: Any) -> int:
                if faults.event("write", named(self.fileno())) is None:
                    return super().write(data)
                view = memoryview(data).cast("B")
                super().write(view[: len(view) // 2])
                return faults.strike(named(self.fileno())) or 0

        def opened(file: Any, mode: str = "r", buffering: int = -1, encoding: str | None = None,
                   errors: str | None = None, newline: str | None = None, closefd: bool = True, opener: Any = None) -> Any:  # fmt: skip
            if not set(mode) & set("wxa+"):
                return plain(file, mode, buffering, encoding, errors, newline, closefd, opener)
            raw = Raw(file, mode.replace("b", "").replace("t", ""), closefd, opener)
            if buffering == 0:
                return raw
            buffer = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
            return buffer if "b" in mode else io.TextIOWrapper(buffer, encoding or "utf-8", errors, newline)

        def synchronised(handle: int) -> None:
            faults.event("sync", named(handle))

        def all_synchronised() -> None:
            faults.event("sync", f"{faults.folder}/*")

        io.open = builtins.open = opened  # type: ignore[assignment]
        os.fsync = os.fdatasync = synchronised  # type: ignore[assignment]
        os.sync = all_synchronised
        sys.addaudithook(self.hook)


def named(handle: int) -> str:
    """The path of an open file."""
    path = Path(f"/proc/self/fd/{handle}")
    return str(path.readlink()) if path.is_symlink() else ""


def child(run: dict[str, Any], start: int) -> None:
    """Be the command; does not return."""
    from awesome_cli.cli.main import main

    output = Path(run["output"])
    for place, name in enumerate(("in", "out", "err")):
        path = os.devnull if name == "in" else f"{output}.{name}"
        os.dup2(os.open(path, os.O_RDONLY if name == "in" else os.O_RDWR | os.O_CREAT | os.O_TRUNC), place)
    os.environ.clear()
    os.environ.update(run["environment"])
    os.chdir(run["folder"])
    if run["closed"]:
        reader, writer = os.pipe()
        os.dup2(writer, 1)
        os.close(reader)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    signal.alarm(LIMIT)
    os.read(start, 1)
    faults = Faults(run["watched"], *(run["fault"] or ()))
    plain = io.open
    sys.argv = ["awesome", *run["words"]]
    code = 0
    faults.install()
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001
        sys.excepthook(*sys.exc_info())
        code = 1
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError as error:  # what the interpreter does at its end
        print(f"Traceback: {error}", file=sys.stderr)
        code = 120
    with plain(f"{output}.events", "w", encoding="utf-8") as file:
        file.write("\n".join(faults.seen))
    os._exit(code)


def answer(runs: list[dict[str, Any]]) -> list[int]:
    """The exit codes of runs that start together."""
    ready, go = os.pipe()
    children = []
    for run in runs:
        process = os.fork()
        if not process:
            os.close(go)
            try:
                child(run, ready)
            finally:
                os._exit(99)
        children.append(process)
    os.close(ready)
    os.close(go)  # the end of the pipe is the start for all
    return [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in children]


def warm() -> None:
    """Load what a command would load, once for all children."""
    import awesome_cli
    from awesome_cli.cli.main import compose, tune

    tune()
    for module in pkgutil.walk_packages(awesome_cli.__path__, "awesome_cli."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in ("matplotlib.figure", "matplotlib.backends.backend_svg", "lxml.html", "pylatexenc.latex2text", "rispy",
                 "bibtexparser", "arxiv", "requests", "pandas", "rich.table", "rich.console"):  # fmt: skip
        importlib.import_module(name)
    compose()
    gc.collect()
    gc.freeze()


def serve() -> None:
    warm()
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    serve()
