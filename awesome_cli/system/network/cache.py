"""HTTP cache in the user's cache folder; each response is stored with the day of the request."""

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from awesome_cli.system.folders import user_cache

KEPT_HEADERS = ("content-type", "location", "retry-after")
"""The headers of a response that are stored."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP response: URL after redirects, status, headers (`KEPT_HEADERS`), body, and the day of the request.

    `via` lists the status codes of the redirects.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    day: date
    via: tuple[int, ...] = ()

    @property
    def status_code(self) -> int:
        """The status, under the name that the `arxiv` package expects."""
        return self.status

    @property
    def content(self) -> bytes:
        """The body, under the name that the `arxiv` package expects."""
        return self.body


@dataclass(frozen=True)
class Cache:
    """One file for each response: a line of JSON, then the body. If the folder is not writable, nothing is stored."""

    folder: Path = field(default_factory=user_cache)

    def get(self, url: str, accept: str) -> Answer | None:
        """Return the stored response for a URL and an `Accept` header, or None."""
        try:
            head, _, body = self._path(url, accept).read_bytes().partition(b"\n")
            data = json.loads(head)
            if data["size"] != len(body) or data["asked"] != url:
                return None
            day = date.fromisoformat(data["day"])
            return Answer(data["url"], data["status"], data["headers"], body, day, tuple(data["via"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, url: str, accept: str, answer: Answer) -> None:
        """Store a response atomically."""
        data = {
            "asked": url,
            "url": answer.url,
            "status": answer.status,
            "headers": dict(answer.headers),
            "day": answer.day.isoformat(),
            "size": len(answer.body),
            "via": list(answer.via),
        }
        path = self._path(url, accept)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(json.dumps(data).encode() + b"\n" + answer.body)
            draft.replace(path)

    def drop(self, url: str, accept: str) -> None:
        """Remove the stored response for a URL and an `Accept` header."""
        with contextlib.suppress(OSError):
            self._path(url, accept).unlink()

    def _path(self, url: str, accept: str) -> Path:
        request = f"{accept}\n{url}".encode(errors="backslashreplace")
        return self.folder / "http" / hashlib.sha256(request).hexdigest()[:40]
