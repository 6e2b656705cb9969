"""Send one HTTP request, limited in time and size, and never to a private address.

`requests` limits only the time between two bytes: a server that sends its response byte by byte would never time out.
Here a timer closes the connection at the deadline. The IP address is checked on the connected socket before anything is
sent, because a second DNS lookup could return another address.
"""

import contextlib
import http.client
import io
import ipaddress
import math
import re
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection

from awesome_cli.errors import NetError, NoWorkError, TooLargeError, UnresolvedError
from awesome_cli.system.clock import today
from awesome_cli.system.network.cache import KEPT_HEADERS, Answer

CHUNK = 65_536


class PassingError(NetError):
    """A temporary failure, after which a retry makes sense."""


@dataclass(frozen=True)
class Limits:
    """Limits of a request: times in seconds, `size` in bytes, numbers of redirects and tries.

    `connect` limits the time to connect, `silence` the time between two bytes, `total` the time of one try, including
    redirects. `delay` is the time between requests to one host, `patience` the longest accepted `Retry-After`. When
    failed requests to a host have taken `waits` times `total` seconds, no more requests are sent to that host.
    """

    connect: float = 10.0
    silence: float = 20.0
    total: float = 60.0
    delay: float = 1.0
    patience: float = 60.0
    size: int = 20_000_000
    redirects: int = 5
    tries: int = 3
    waits: float = math.inf


def send(url: str, headers: Mapping[str, str], limits: Limits, seconds: float, *, guarded: bool) -> Answer:
    """Send one GET without following redirects. Raises `NetError`, or `PassingError` if a retry makes sense.

    The connection is closed after `seconds`, the remaining time. With `guarded`, private, loopback and link-local
    addresses are rejected.
    """
    try:
        with _Watch(limits.total, seconds) as watch, _Session() as session:
            adapter = _Adapter(watch, guarded=guarded)
            session.mount("http://", adapter)
            session.mount("https://", adapter)
            timeout = (limits.connect, limits.silence)
            with session.get(
                url, headers=dict(headers), timeout=timeout, stream=True, allow_redirects=False
            ) as response:
                body = b"".join(_bounded(url, response, limits.size))
                watch.check(url)
                stored = {name: value for name in KEPT_HEADERS if (value := response.headers.get(name))}
                return Answer(url, response.status_code, stored, body, today())
    except FAULTS as error:
        watch.check(url)
        if private := _cause(error, _PrivateError):
            hint = "if you trust it, add it to the environment variable AWESOME_TRUSTED"
            raise NoWorkError(f"rejected: {private} is a private address", address=shown(url), hint=hint) from None
        if isinstance(error, NO_ADDRESS):
            raise NoWorkError("not a valid URL", address=shown(url)) from None
        if _cause(error, urllib3.exceptions.NameResolutionError) or _cause(error, socket.gaierror):
            reason, hint = "the host name cannot be resolved", "check the connection and the URL"
            raise UnresolvedError(reason, address=shown(url), hint=hint) from None
        raise PassingError(_words(error), address=shown(url)) from None


class _Session(requests.Session):
    """A session without redirects; `requests` would read the whole body of a redirect and decode its target."""

    def get_redirect_target(self, _resp: requests.Response) -> None:
        return None


def shown(url: str) -> str:
    """Return a URL for messages: without query and password, at most 200 characters."""
    return re.sub(r"//[^/@]*@", "//", url.partition("?")[0])[:200]


def _bounded(url: str, response: requests.Response, size: int) -> Iterator[bytes]:
    """Yield the body in chunks; the size limit applies after decompression."""
    total = 0
    for piece in response.iter_content(CHUNK):
        total += len(piece)
        if total > size:
            raise TooLargeError(f"the response is larger than {size:,} bytes", address=shown(url))
        yield piece


def _words(error: BaseException) -> str:
    if isinstance(error, requests.exceptions.Timeout | urllib3.exceptions.TimeoutError | TimeoutError):
        return "no response in time"
    if isinstance(error, requests.exceptions.SSLError):
        return "the certificate or the encryption was rejected"
    if _cause(error, ConnectionRefusedError):
        return "the connection was refused"
    if isinstance(error, requests.exceptions.ChunkedEncodingError | requests.exceptions.ContentDecodingError):
        return "the response is incomplete"
    if _cause(error, http.client.RemoteDisconnected):
        return "no connection"
    if isinstance(error, ValueError) or _cause(error, http.client.HTTPException):
        return "the response is not valid HTTP"
    return "no connection"


def _cause(error: BaseException, kind: type[BaseException]) -> BaseException | None:
    """Return the first exception of a type in the chain of causes of an error, or None."""
    seen: set[int] = set()
    todo: list[Any] = [error]
    while todo:
        current = todo.pop()
        if isinstance(current, kind):
            return current
        if isinstance(current, BaseException) and id(current) not in seen:
            seen.add(id(current))
            todo += [current.__cause__, current.__context__, getattr(current, "reason", None), *current.args]
    return None


class _PrivateError(Exception):
    """A connection was made to a private address."""


FAULTS = (
    _PrivateError,
    requests.RequestException,
    urllib3.exceptions.HTTPError,
    http.client.HTTPException,
    OSError,
    ValueError,  # malformed numbers or strings in the response
)
"""All exceptions that a request may raise, for any response."""
NO_ADDRESS = (
    requests.exceptions.InvalidURL,
    requests.exceptions.InvalidSchema,
    urllib3.exceptions.LocationValueError,  # such as a label of more than 63 characters
)


def is_public(address: str) -> bool:
    """Return True for a public IP address in any notation."""
    ip = ipaddress.ip_address(address)
    return (getattr(ip, "ipv4_mapped", None) or ip).is_global and not ip.is_multicast


class _Watch:
    """Timer that closes connections after `left` seconds, the remaining part of the limit `seconds`."""

    def __init__(self, seconds: float, left: float) -> None:
        self.seconds = seconds
        self.fired = False
        self._sockets: list[socket.socket] = []
        self._timer = threading.Timer(left, self._cut)
        self._timer.daemon = True

    def add(self, connection: socket.socket) -> None:
        # TLS takes over the socket and closes this handle; a duplicate refers to the same connection.
        self._sockets.append(connection.dup())

    def check(self, url: str) -> None:
        """Raise `NetError` if the deadline has passed, since the response is then incomplete."""
        if self.fired:
            raise NetError(f"not finished within {self.seconds:g} seconds", address=shown(url), hint="try again later")

    def _cut(self) -> None:
        self.fired = True
        for connection in self._sockets:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        for connection in self._sockets:
            connection.close()


class _Adapter(HTTPAdapter):
    """Adapter whose connections the watch can close. If guarded, it connects only to public addresses."""

    def __init__(self, watch: _Watch, *, guarded: bool) -> None:
        self._watch = watch
        self._guarded = guarded
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = _pools(_Connector(self._watch, self._guarded))

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        # The peer is the proxy, which the user configured and which protects its own network.
        manager = super().proxy_manager_for(*args, **kwargs)
        manager.pool_classes_by_scheme = _pools(_Connector(self._watch, guarded=False))
        return manager


@dataclass(frozen=True)
class _Connector:
    """Checks the address of a host before and after connecting, since DNS may change in between."""

    watch: _Watch
    guarded: bool

    def connect(self, host: str, make: Callable[[], socket.socket]) -> socket.socket:
        """Return the socket opened by `make`; raises `_PrivateError` for a private address if guarded."""
        with contextlib.suppress(OSError, UnicodeError):  # `make` reports names that cannot be resolved
            for info in socket.getaddrinfo(host.strip("[]"), None, type=socket.SOCK_STREAM) if self.guarded else ():
                self._check(str(info[4][0]))
        connection = make()
        self.watch.add(connection)
        try:
            self._check(str(connection.getpeername()[0]))
        except BaseException:
            connection.close()
            raise
        return connection

    def _check(self, address: str) -> None:
        peer = address.partition("%")[0]
        if self.guarded and not is_public(peer):
            raise _PrivateError(peer)


class _Bounded(io.BufferedReader):
    """Reader that rejects unlimited reads; an endless stream or a chunk of length -1 would cause such a read."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:
            raise OSError("a read without a limit")
        return super().read(size)


class _Response(http.client.HTTPResponse):
    """A response with bounded reads. Cookies are removed unparsed: parsing may take long, and none is stored."""

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = _Bounded(self.fp.detach())

    def begin(self) -> None:
        super().begin()
        del self.headers["Set-Cookie"]


def _pools(connector: _Connector) -> dict[str, type[urllib3.HTTPConnectionPool]]:
    """Return connection pool classes by scheme; the connector opens their sockets."""

    class Plain(HTTPConnection):
        response_class = _Response

        def _new_conn(self) -> socket.socket:
            return connector.connect(self.host, super()._new_conn)

    class Secure(HTTPSConnection):
        response_class = _Response

        def _new_conn(self) -> socket.socket:
            return connector.connect(self.host, super()._new_conn)

    class PlainPool(urllib3.HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(urllib3.HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}
