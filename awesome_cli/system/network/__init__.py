"""HTTP client with limits and a cache. The only package that uses the network and imports requests.

Time, size, redirects and retries are limited; requests to one host are rate-limited. Responses are cached in the user's
cache folder with the day of the request. Fetched content is never executed.

Environment variables: `AWESOME_CONTACT` (an e-mail address in the user agent, as services request),
`AWESOME_TRUSTED` (base URLs, separated by spaces, that may be private addresses), `AWESOME_HTTP_DELAY` and
`AWESOME_HTTP_TIMEOUT` (seconds), `AWESOME_CACHE_DIR`.
"""

import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit

from awesome_cli import __version__
from awesome_cli.errors import NetError, NoWorkError, TooLargeError, UsageError
from awesome_cli.system.clock import today
from awesome_cli.system.network.cache import Answer, Cache
from awesome_cli.system.network.wire import Limits, PassingError, send, shown

__all__ = ["WEEK", "Answer", "Cache", "Limits", "Net", "from_environment"]

WEEK = timedelta(days=7)
RETRIED = {429, 500, 502, 503, 504}
KEEPS_WAITING = "skipped: its host did not respond to earlier requests"
REDIRECTS = {301, 302, 303, 307, 308}
SLOW_HOSTS: Mapping[str, float] = {"arxiv.org": 3.0}
"""Minimum seconds between two requests, by host, for hosts that require more than the default delay."""


@dataclass
class Net:
    """An HTTP client. Private addresses are rejected, except the base URLs in `trusted`.

    `services` maps environment variables to the service URLs that the user configured. `throttling` are prefixes of
    URLs whose status 403 means "too many requests". `keys` maps base URLs to API keys: a key is sent only to its host,
    and never stored or printed. The client is thread-safe; requests to one host are rate-limited.
    """

    offline: bool = False
    limits: Limits = field(default_factory=Limits)
    contact: str = ""
    trusted: tuple[str, ...] = ()
    services: Mapping[str, str] = field(default_factory=dict)
    throttling: tuple[str, ...] = ()
    cache: Cache = field(default_factory=Cache)
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    _next: dict[str, float] = field(default_factory=dict)
    _lost: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, url: str, headers: Mapping[str, str] | None = None, *, max_age: timedelta = WEEK) -> Answer:
        """Return the response to a GET, whatever its status; a cached response is used if its age is at most `max_age`.

        Raises `NetError` if offline, without connection or too slow, and its subclasses `TooLargeError` (response too
        large) and `UnresolvedError` (unknown host name).
        """
        accept = (headers or {}).get("Accept", "*/*")
        cached = self.cache.get(url, accept)
        if cached is not None and (self.offline or today() - cached.day <= max_age):
            return cached
        if self.offline:
            reason = "not in the cache, and the network is switched off"
            raise NetError(reason, address=shown(url), hint="run without --offline")
        answer = self._patiently(url, accept)
        if not self._is_passing(url, answer):
            self.cache.put(url, accept, answer)
        return answer

    def _patiently(self, url: str, accept: str) -> Answer:
        """Fetch a URL, with retries after temporary failures; the service may request a longer delay, within limits."""
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
                if not self._is_passing(url, answer) or last or wait > self.limits.patience:
                    return answer
            time.sleep(wait)
        raise AssertionError

    def _is_passing(self, url: str, answer: Answer) -> bool:
        """Return True if a retry of a request makes sense."""
        return answer.status in RETRIED or (answer.status == 403 and url.startswith(self.throttling))

    def _follow(self, url: str, accept: str) -> Answer:
        """Follow redirects one by one, so that each target is checked; the time limit applies to their sum."""
        target, left = url, self.limits.total
        via: tuple[int, ...] = ()
        for _ in range(self.limits.redirects + 1):
            host = _parts(target)[1]
            if not host:
                raise NoWorkError(f"{target!r} is not a valid URL", hint="write a URL with http:// or https://")
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
                message = f"{url}: rejected the redirect to {location[:200]!r}"
                raise NoWorkError(message, hint="redirects must lead to http or https URLs")
        raise NoWorkError(f"more than {self.limits.redirects} redirects", address=shown(url))

    @contextmanager
    def _counted(self, host: str, start: float) -> Iterator[None]:
        """Add the time of a failed request to the total of its host; after a redirect, the host of the target."""
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
    """Return the seconds before the next try: from `Retry-After` (a number or a date), else `usual`."""
    after = answer.headers.get("retry-after", "")
    try:
        return float(after) if after.isdecimal() else max(0.0, parsedate_to_datetime(after).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return usual


def _parts(url: str) -> tuple[str, str, str]:
    """Return scheme, host, and host with port; all empty if `url` is not an http(s) URL."""
    try:
        parts = urlsplit(url)
        result = parts.scheme, parts.hostname or "", parts.netloc
    except ValueError:
        result = "", "", ""
    return result if result[1] and result[0] in {"http", "https"} else ("", "", "")


def _joined(url: str, location: str) -> str:
    """Return the target of a redirect; empty if it is not a valid URL."""
    try:
        return urljoin(url, location)
    except ValueError:
        return ""


def from_environment(environment: Mapping[str, str], services: Collection[str] = (), *, offline: bool = False) -> Net:
    """Create a client from environment variables; those in `services` hold URLs of services.

    Raises `UsageError` for an invalid number of seconds.
    """
    number = _seconds(environment, "AWESOME_HTTP_TIMEOUT", Limits.total)
    addresses = {name: environment[name] for name in services if environment.get(name)}
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
    )


def _seconds(environment: Mapping[str, str], name: str, default: float) -> float:
    try:
        value = float(environment.get(name) or default)
    except ValueError:
        value = -1.0
    if not 0 <= value < 3600:
        raise UsageError(f"{name} must be a number of seconds below 3600, not {environment[name]!r}")
    return value
