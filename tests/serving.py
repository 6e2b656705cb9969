"""A real HTTP server on loopback that answers as the services do: each test says what stands at a path."""

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
"""Variables that would send requests elsewhere than to the server of a test."""


@dataclass(frozen=True)
class Reply:
    """What stands at a path. `drip` sends the body byte by byte, that many seconds apart; `stall` waits first.

    `claim` is a Content-Length that the body does not have. `raw` gives all that is sent, piece by piece and perhaps
    without an end, in place of a well-formed answer.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    drip: float = 0.0
    drip_headers: float = 0.0
    stall: float = 0.0
    claim: int | None = None
    raw: Callable[[], Iterable[bytes]] | None = None


Route = Reply | list[Reply] | Callable[[str], Reply]


@dataclass
class Service:
    """The running server: `routes` by path without (then with) query, `asked` what came in, in order."""

    url: str
    routes: dict[str, Route] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    cookies: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    fallback: Route = Reply(b"Resource not found.", 404, {"Content-Type": "text/plain"})

    def reply(self, path: str) -> Reply:
        self.asked.append(path)
        route = self.routes.get(path, self.routes.get(path.partition("?")[0], self.fallback))
        if isinstance(route, list):
            return route.pop(0) if len(route) > 1 else route[0]
        return route(path) if callable(route) else route


class Server(ThreadingHTTPServer):
    daemon_threads = True
    service: Service
    stopping: threading.Event

    def handle_error(self, *_: Any) -> None:
        pass  # a client that goes away is part of the tests


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        service = self.server.service
        service.agents.append(self.headers.get("User-Agent", ""))
        service.cookies.append(self.headers.get("Cookie", ""))
        service.keys.append(self.headers.get("Authorization", ""))
        with contextlib.suppress(OSError):  # the client cuts the connection in some tests
            self.answer(service.reply(self.path))

    def answer(self, reply: Reply) -> None:
        self.server.stopping.wait(reply.stall)
        if reply.raw:
            for piece in reply.raw():
                if self.server.stopping.is_set():
                    break
                self.wfile.write(piece)
            return
        if reply.drip_headers:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            self.slowly(b"x" * 2000, reply.drip_headers)
            return
        self.send_response(reply.status)
        length = len(reply.body) if reply.claim is None else reply.claim
        for name, value in {"Content-Length": str(length), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if reply.drip:
            self.slowly(reply.body, reply.drip)
        else:
            self.wfile.write(reply.body)

    def slowly(self, body: bytes, pause: float) -> None:
        for byte in body:
            if self.server.stopping.wait(pause):
                return
            self.wfile.write(bytes([byte]))
            self.wfile.flush()

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serving() -> Iterator[Service]:
    with Server(("127.0.0.1", 0), Handler) as server:
        server.service = Service(f"http://127.0.0.1:{server.server_address[1]}")
        server.stopping = threading.Event()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.service
        finally:
            server.stopping.set()
            server.shutdown()
            thread.join()
