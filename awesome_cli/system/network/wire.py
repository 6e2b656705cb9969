"""One request on the wire, bounded in time and size, and kept away from private addresses.

`requests` bounds only the silence between two bytes; a server that drips, in its headers or its body,
could hold a reader for ever. Here a timer cuts the connection at the deadline. The peer's address is
checked on the connected socket, before a byte is sent, so that no second look-up of the name can
lead elsewhere.
"""

import contextlib
import ipaddress
import re
import socket
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection

from awesome_cli.errors import NetError
from awesome_cli.system.clock import today
from awesome_cli.system.network.cache import KEPT_HEADERS, Answer

CHUNK = 65_536


class PassingError(Exception):
    """A fault that may be gone at the next try."""


@dataclass(frozen=True)
class Limits:
    """What one request may cost: seconds (to connect, between two bytes, in total, between requests), bytes, tries.

    `patience` is the longest wait, in seconds, that a service's Retry-After is granted.
    """

    connect: float = 10.0
    silence: float = 20.0
    total: float = 60.0
    delay: float = 1.0
    patience: float = 60.0
    size: int = 20_000_000
    redirects: int = 5
    tries: int = 3


def send(url: str, headers: Mapping[str, str], limits: Limits, *, guarded: bool) -> Answer:
    """One GET without redirects. Raises `NetError`, or `PassingError` where trying again makes sense.

    With `guarded`, a private, loopback or link-local address is refused.
    """
    try:
        with _Watch(limits.total) as watch, requests.Session() as session:
            adapter = _Adapter(watch, guarded=guarded)
            session.mount("http://", adapter)
            session.mount("https://", adapter)
            timeout = (limits.connect, limits.silence)
            with session.get(
                url, headers=dict(headers), timeout=timeout, stream=True, allow_redirects=False
            ) as response:
                body = b"".join(_bounded(url, response, limits.size))
                watch.check(url)
                kept = {name: value for name in KEPT_HEADERS if (value := response.headers.get(name))}
                return Answer(url, response.status_code, kept, body, today())
    except _PrivateError as error:
        raise _private(url, error) from None
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
        watch.check(url)
        if private := _cause(error, _PrivateError):
            raise _private(url, private) from None
        if isinstance(error, requests.exceptions.InvalidURL | requests.exceptions.InvalidSchema):
            raise NetError(f"{shown(url)}: not a web address") from None
        message = f"{shown(url)}: {_words(error)}"
        if _cause(error, urllib3.exceptions.NameResolutionError):
            raise NetError(message, hint="check the connection and the address") from None
        raise PassingError(message) from None


def shown(url: str) -> str:
    """An address as messages name it: without its query, which may be long, and without a password."""
    return re.sub(r"//[^/@]*@", "//", url.partition("?")[0])[:200]


def _bounded(url: str, response: requests.Response, size: int) -> Iterator[bytes]:
    """The body piece by piece; the size is counted after decompression."""
    total = 0
    for piece in response.iter_content(CHUNK):
        total += len(piece)
        if total > size:
            raise NetError(f"{shown(url)}: the answer is larger than {size:,} bytes")
        yield piece


def _private(url: str, error: BaseException) -> NetError:
    return NetError(
        f"{shown(url)}: refused, {error} is a private address",
        hint="if you trust it, name it in the environment variable AWESOME_TRUSTED",
    )


def _words(error: BaseException) -> str:
    """What went wrong, in a few words instead of the library's chain of exceptions."""
    if isinstance(error, requests.exceptions.Timeout | urllib3.exceptions.TimeoutError | TimeoutError):
        return "no answer in time"
    if _cause(error, urllib3.exceptions.NameResolutionError) or _cause(error, socket.gaierror):
        return "the host's name cannot be resolved"
    if isinstance(error, requests.exceptions.SSLError):
        return "the certificate or the encryption was not accepted"
    if _cause(error, ConnectionRefusedError):
        return "the connection was refused"
    if isinstance(error, requests.exceptions.ChunkedEncodingError | requests.exceptions.ContentDecodingError):
        return "the answer broke off"
    return "no connection"


def _cause(error: BaseException, kind: type[BaseException]) -> BaseException | None:
    """The exception of a kind in the chain behind an error."""
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
    """A connection that was made to an address that nobody outside may name."""


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet, whichever way it is written."""
    ip = ipaddress.ip_address(address)
    mapped = getattr(ip, "ipv4_mapped", None)
    return (mapped or ip).is_global and not ip.is_multicast


class _Watch:
    """Cuts connections at a deadline."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.fired = False
        self._sockets: list[socket.socket] = []
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True

    def add(self, connection: socket.socket) -> None:
        # TLS takes the socket over and closes this handle; a duplicate reaches the same connection.
        self._sockets.append(connection.dup())

    def check(self, url: str) -> None:
        """Raise if the deadline has passed: what was read till then is not the answer."""
        if self.fired:
            raise NetError(f"{shown(url)}: not finished within {self.seconds:g} seconds", hint="try again later")

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
    """Makes connections that the watch can cut and, if guarded, that lead to public addresses only."""

    def __init__(self, watch: _Watch, *, guarded: bool) -> None:
        self._watch = watch
        self._guarded = guarded
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = _pools(self._watch, guarded=self._guarded)

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        # Behind a proxy the peer is the proxy, which the user configured and which guards its own network.
        manager = super().proxy_manager_for(*args, **kwargs)
        manager.pool_classes_by_scheme = _pools(self._watch, guarded=False)
        return manager


def _pools(watch: _Watch, *, guarded: bool) -> dict[str, type[urllib3.HTTPConnectionPool]]:
    """Connection pools whose sockets are watched.

    With `guarded`, a name with a private address is not even connected to; the address that was connected to is
    checked again, since a name may resolve otherwise a moment later.
    """

    def resolve(host: str) -> None:
        with contextlib.suppress(OSError, UnicodeError):  # the connection itself reports what cannot be resolved
            for info in socket.getaddrinfo(host.strip("[]"), None, type=socket.SOCK_STREAM) if guarded else ():
                refuse(str(info[4][0]))

    def refuse(address: str) -> None:
        peer = address.partition("%")[0]
        if guarded and not is_public(peer):
            raise _PrivateError(peer)

    def opened(connection: socket.socket) -> socket.socket:
        watch.add(connection)
        try:
            refuse(str(connection.getpeername()[0]))
        except BaseException:
            connection.close()
            raise
        return connection

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            resolve(self.host)
            return opened(super()._new_conn())

    class Secure(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            resolve(self.host)
            return opened(super()._new_conn())

    class PlainPool(urllib3.HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(urllib3.HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}
