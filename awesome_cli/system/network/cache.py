"""Answers that were fetched before, in the user's cache folder, each with its day."""

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

KEPT_HEADERS = ("content-type", "location", "retry-after")
"""The headers of an answer that are kept."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered: the address after redirects, status, headers (`KEPT_HEADERS`), body, and the day.

    `via` holds the statuses of the redirects that led there.
    """

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    day: date
    via: tuple[int, ...] = ()

    @property
    def status_code(self) -> int:
        """The status, under the name that the `arxiv` package reads."""
        return self.status

    @property
    def content(self) -> bytes:
        """The body, under the name that the `arxiv` package reads."""
        return self.body


def default_folder() -> Path:
    """The platform's cache folder for this program."""
    from platformdirs import user_cache_path

    return user_cache_path("awesome-survey", appauthor=False)


@dataclass(frozen=True)
class Cache:
    """A file for each answer: a line of JSON, then the body. If the folder cannot be used, nothing is kept."""

    folder: Path = field(default_factory=default_folder)

    def get(self, url: str, accept: str) -> Answer | None:
        """The answer that was kept for this address, or None."""
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
        """Keep an answer; a reader sees the old file or the new one, never a part."""
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
        """Keep the answer for this address no longer."""
        with contextlib.suppress(OSError):
            self._path(url, accept).unlink()

    def _path(self, url: str, accept: str) -> Path:
        asked = f"{accept}\n{url}".encode(errors="backslashreplace")
        return self.folder / "http" / hashlib.sha256(asked).hexdigest()[:40]
