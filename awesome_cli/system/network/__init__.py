"""The only module that uses the network: it fetches bytes, within limits. The only home of requests.

Time, size, redirects and retries are limited, and requests to one host wait for each other. Answers are kept in the
user's cache folder with the day on which they were fetched. Nothing that was fetched is executed.

Configured by environment variables: `AWESOME_CONTACT` (an e-mail address for the user agent, as services ask for),
`AWESOME_TRUSTED` (base URLs, separated by blanks, that may be private addresses),
`AWESOME_HTTP_DELAY` and `AWESOME_HTTP_TIMEOUT` (seconds), `AWESOME_CACHE_DIR`.
"""

import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from awesome_cli import __version__
from awesome_cli.errors import NetError, NoWorkError, TooLargeError, UsageError
from awesome_cli.system.clock import today
from awesome_cli.system.network.cache import Answer, Cache
from awesome_cli.system.network.wire import Limits, PassingError, send, shown

__all__ = ["WEEK", "Answer", "Cache", "Limits", "Net", "from_environment"]

WEEK = timedelta(days=7)
RETRIED = {429, 500, 502, 503, 504}
KEEPS_WAITING = "not asked: its host keeps us waiting"
REDIRECTS = {301, 302, 303, 307, 308}
SLOW_HOSTS: Mapping[str, float] = {"arxiv.org": 3.0}
"""Seconds between two requests to services that ask for more than the usual delay."""


@dataclass
class Net:
    """Fetches web addresses. Only the base URLs in `trusted`, which the user configured, may be private addresses.

    `services` holds the addresses of services that the user configured, by the names of their variables. `keys` holds
    what such a service knows the user by, by its base URL: sent to that host alone, and never written or shown.
    Safe to use from several threads; requests to one host wait for each other.
    """

    offline: bool = False
    limits: Limits = field(default_factory=Limits)
    contact: str = ""
    trusted: tuple[str, ...] = ()
    services: Mapping[str, str] = field(default_factory=dict)
    cache: Cache = field(default_factory=Cache)
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    _next: dict[str, float] = field(default_factory=dict)
    _lost: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, url: str, headers: Mapping[str, str] | None = None, *, max_age: timedelta = WEEK) -> Answer:
        """The answer to a GET, whatever its status; one from the cache if it is not older than `max_age`.

        Raises `NetError` when there is none: offline, no connection, too slow, `TooLargeError`, `UnresolvedError`.
        """
        accept = (headers or {}).get("Accept", "*/*")
        kept = self.cache.get(url, accept)
        if kept is not None and (self.offline or today() - kept.day <= max_age):
            return kept
        if self.offline:
            reason = "not in the cache, and the network is switched off"
            raise NetError(reason, address=shown(url), hint="run without --offline")
        answer = self._patiently(url, accept)
        if answer.status not in RETRIED:
            self.cache.put(url, accept, answer)
        return answer

    def _patiently(self, url: str, accept: str) -> Answer:
        """Try again after a failure that may not happen again; the wait is what the service asks for, within limits."""
        for attempt in range(self.limits.tries):
            last, wait = attempt == self.limits.tries - 1, self.limits.delay * 2**attempt
            try:
                answer = self._follow(url, accept)
            except PassingError as failure:
                if last:
                    hint = "check the connection, or try again later"
                    raise NetError(failure.reason, address=failure.address, hint=hint) from None
            else:
                wait = _wait_asked_for(answer, wait)
                if answer.status not in RETRIED or last or wait > self.limits.patience:
                    return answer
            time.sleep(wait)
        raise AssertionError

    def _follow(self, url: str, accept: str) -> Answer:
        """Follow redirects one by one, so that each target is checked; the limit of time holds for all together."""
        target, left = url, self.limits.total
        via: tuple[int, ...] = ()
        for _ in range(self.limits.redirects + 1):
            host = _parts(target)[1]
            if not host:
                raise NoWorkError(f"{target!r} is not a web address", hint="addresses begin with http:// or https://")
            if self._lost.get(host, 0.0) >= self.limits.waits * self.limits.total:
                raise NetError(KEEPS_WAITING, address=shown(target), hint="try again later")
            self._queue(host)
            start = time.monotonic()
            with self._counted(host, start):
                answer = self._once(target, accept, left)
            left = max(0.0, left - (time.monotonic() - start))
            location = answer.headers.get("location")
            if answer.status not in REDIRECTS or not location:
                return replace(answer, via=via)
            target, via = _joined(target, location), (*via, answer.status)
            if not _parts(target)[0]:
                message = f"{url}: refused a redirect to {location[:200]!r}"
                raise NoWorkError(message, hint="only http and https are followed")
        raise NoWorkError(f"more than {self.limits.redirects} redirects", address=shown(url))

    @contextmanager
    def _counted(self, host: str, start: float) -> Iterator[None]:
        """Remember how long a host was waited for in vain: the one that was asked, whatever host led to it."""
        try:
            yield
        except TooLargeError:
            raise
        except NetError:
            with self._lock:
                self._lost[host] = self._lost.get(host, 0.0) + time.monotonic() - start
            raise

    def _once(self, url: str, accept: str, seconds: float) -> Answer:
        agent = f"awesome-survey/{__version__} (literature survey tool{self.contact and f'; mailto:{self.contact}'})"
        headers = {"User-Agent": agent, "Accept": accept, "Accept-Encoding": "gzip, deflate"}
        if key := next((key for base, key in self.keys.items() if _parts(base) == _parts(url)), ""):
            headers["Authorization"] = f"Bearer {key}"
        trusted = _parts(url) in map(_parts, self.trusted)
        return send(url, headers, self.limits, seconds, guarded=not trusted)

    def _queue(self, host: str) -> None:
        delay = next((s for name, s in SLOW_HOSTS.items() if host == name or host.endswith(f".{name}")), 0.0)
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next.get(host, now))
            self._next[host] = start + max(delay, self.limits.delay)
        time.sleep(start - now)


def _wait_asked_for(answer: Answer, usual: float) -> float:
    """Seconds before the next try: from `Retry-After`, which is a number or a date, otherwise the usual ones."""
    asked = answer.headers.get("retry-after", "")
    try:
        return float(asked) if asked.isdecimal() else max(0.0, parsedate_to_datetime(asked).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return usual


def _parts(url: str) -> tuple[str, str, str]:
    """Scheme, host, host with port; each empty for what is no web address."""
    try:
        parts = urlsplit(url)
        found = parts.scheme, parts.hostname or "", parts.netloc
    except ValueError:
        found = "", "", ""
    return found if found[1] and found[0] in {"http", "https"} else ("", "", "")


def _joined(url: str, location: str) -> str:
    """The target of a redirect, empty for one that is no address."""
    try:
        return urljoin(url, location)
    except ValueError:
        return ""


def from_environment(environment: Mapping[str, str], services: Collection[str] = (), *, offline: bool = False) -> Net:
    """The network as environment variables configure it; those named in `services` hold addresses of services.

    Raises `UsageError` for a number of seconds that is none.
    """
    number = _seconds(environment, "AWESOME_HTTP_TIMEOUT", Limits.total)
    addresses = {name: environment[name] for name in services if environment.get(name)}
    folder = environment.get("AWESOME_CACHE_DIR")
    return Net(
        offline=offline,
        limits=Limits(
            connect=min(Limits.connect, number),
            silence=min(Limits.silence, number),
            total=number,
            delay=_seconds(environment, "AWESOME_HTTP_DELAY", Limits.delay),
        ),
        contact=environment.get("AWESOME_CONTACT", ""),
        trusted=(*environment.get("AWESOME_TRUSTED", "").split(), *addresses.values()),
        services=addresses,
        cache=Cache(Path(folder)) if folder else Cache(),
    )


def _seconds(environment: Mapping[str, str], name: str, default: float) -> float:
    try:
        value = float(environment.get(name) or default)
    except ValueError:
        value = -1.0
    if not 0 <= value < 3600:
        raise UsageError(f"{name} must be a number of seconds below 3600, not {environment[name]!r}")
    return value
