"""Serves a built site on this machine only, and builds it again when the survey's files change."""

import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from awesome_cli.errors import AwesomeError
from awesome_cli.survey.loading import FOLDERS

LOOPBACK = "127.0.0.1"
WATCHED = ("*.yaml", *FOLDERS, "templates", "traces")
PAUSE = 0.5
"""Seconds between two looks at the survey's files."""


class _Handler(SimpleHTTPRequestHandler):
    """Files without a cache, so that a reload shows the last build; no line on the terminal for each."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        return


def open_server(out: Path, port: int) -> ThreadingHTTPServer:
    """A server of the folder on loopback; port 0 takes a free one. Raises `AwesomeError` for one in use."""
    try:
        return ThreadingHTTPServer((LOOPBACK, port), partial(_Handler, directory=str(out)))
    except (OSError, OverflowError) as error:
        raise AwesomeError(f"cannot listen on port {port}: {error}", hint="name another with --port") from None


def snapshot(root: Path) -> tuple[tuple[str, int, int], ...]:
    """What the survey's files look like now: path, time of change and size of each."""
    files = [path for pattern in WATCHED for path in root.glob(pattern)]
    found = [inner for path in files for inner in ([path] if path.is_file() else path.rglob("*")) if inner.is_file()]
    stats = [(str(path), path.stat()) for path in sorted(set(found))]
    return tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in stats)


def watch(root: Path, rebuild: Callable[[], None], stop: threading.Event) -> None:
    """Call `rebuild` after each change until `stop` is set."""
    seen = snapshot(root)
    while not stop.wait(PAUSE):
        now = snapshot(root)
        if now != seen:
            seen = now
            rebuild()


def serve(server: ThreadingHTTPServer, root: Path, rebuild: Callable[[], None] | None) -> None:
    """Serve until interrupted; with `rebuild`, watch the survey meanwhile."""
    stop = threading.Event()
    watcher = threading.Thread(target=watch, args=(root, rebuild, stop)) if rebuild else None
    if watcher is not None:
        watcher.start()
    try:
        server.serve_forever()
    finally:
        stop.set()
        server.server_close()
        if watcher is not None:
            watcher.join()
