"""Serve a built site on the loopback interface, and rebuild it when files of the survey change."""

import os
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from awesome_cli.errors import AwesomeError
from awesome_cli.files.paths import OutsideError, named, place
from awesome_cli.survey.loading import FOLDERS

LOOPBACK = "127.0.0.1"
NAMES = frozenset({LOOPBACK, "localhost"})
"""Accepted Host headers; others are refused to prevent DNS rebinding."""
MOST = 32
"""Maximum number of open connections; a new one closes the oldest."""
IDLE = 10.0
"""Seconds after which an idle connection is closed."""
WATCHED = ("*.yaml", *FOLDERS, "templates", "traces")
LAST_BUILD = 10.0
"""Seconds to wait for a running build when the server stops."""
PAUSE = 0.5
"""Seconds between two checks of the survey's files."""
Snapshot = tuple[tuple[str, int, int], ...]


class _Server(ThreadingHTTPServer):
    request_queue_size = MOST

    def __init__(self, survey: Path, *args: Any) -> None:
        self.survey = survey
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        super().__init__(*args)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open.append(request)
            oldest = self._open.pop(0) if len(self._open) > MOST else None
        if oldest is not None:
            with suppress(OSError):
                oldest.shutdown(socket.SHUT_RDWR)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock, suppress(ValueError):
            self._open.remove(request)
        super().shutdown_request(request)

    def handle_error(self, *_: object) -> None:
        return  # the browser closed the connection


class _Handler(SimpleHTTPRequestHandler):
    """Serve files with caching disabled, so that a reload shows the last build, and without a request log."""

    server: _Server
    timeout = IDLE

    def parse_request(self) -> bool:
        if not super().parse_request():
            return False
        port = self.server.server_port
        names = {f"{name}:{port}" for name in NAMES} | (NAMES if port == 80 else set())
        hosts = self.headers.get_all("Host", [])
        if len(hosts) == 1 and hosts[0].lower() in names:
            return True
        self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        return False

    def send_head(self) -> BytesIO | BinaryIO | None:
        if self._is_served():
            return super().send_head()
        self.send_error(HTTPStatus.NOT_FOUND)
        return None

    def _is_served(self) -> bool:
        """True for a visible file or a folder with an index page, if neither it nor the site's folder is a link out."""
        with suppress(OutsideError, OSError, ValueError):  # not a valid file name
            path = Path(self.translate_path(self.path)).relative_to(self.directory)
            site = named(self.server.survey, Path(self.directory))
            file = place(site, path)
            if file.is_dir():
                file = place(site, path / "index.html")
            return file.is_file() and not any(part.startswith(".") for part in path.parts)
        return False

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        return


def open_server(out: Path, port: int, survey: Path) -> ThreadingHTTPServer:
    """Open a server of a built site on loopback; port 0 chooses a free port. Raises `AwesomeError` if it is in use."""
    try:
        return _Server(survey, (LOOPBACK, port), partial(_Handler, directory=str(out)))
    except (OSError, OverflowError) as error:
        raise AwesomeError(f"cannot listen on port {port}: {error}", hint="choose another with --port") from None


def snapshot(root: Path) -> Snapshot:
    """Return `(path, modification time in ns, size)` of each file of the survey."""
    return tuple(sorted(set(_seen(root))))


def _seen(root: Path) -> Iterator[tuple[str, int, int]]:
    for top in {path.name for pattern in WATCHED for path in root.glob(pattern)}:
        with suppress(OutsideError):
            place(root, top)
            for folder, _, names in [(str(root), (), [top]), *os.walk(root / top)]:
                for path in (Path(folder, name) for name in names):
                    with suppress(OSError):  # deleted meanwhile
                        status = path.stat()
                        if stat.S_ISREG(status.st_mode):
                            yield str(path), status.st_mtime_ns, status.st_size


def watch(root: Path, seen: Snapshot, rebuild: Callable[[], None], stop: threading.Event) -> None:
    """Call `rebuild` after each change since the snapshot `seen`, until `stop` is set."""
    now = seen
    while not stop.wait(PAUSE):
        with suppress(OSError):
            now = snapshot(root)
        if now != seen:
            seen = now
            rebuild()


def serve(server: ThreadingHTTPServer, root: Path, seen: Snapshot, rebuild: Callable[[], None] | None) -> None:
    """Serve until interrupted; with `rebuild`, watch for changes since `seen`, the snapshot before the build."""
    stop = threading.Event()
    watcher = threading.Thread(target=watch, args=(root, seen, rebuild, stop), daemon=True) if rebuild else None
    if watcher is not None:
        watcher.start()
    try:
        server.serve_forever()
    finally:
        stop.set()
        server.server_close()
        if watcher is not None:
            watcher.join(LAST_BUILD)
