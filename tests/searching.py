"""Works, and services that find them: they answer as OpenAlex, arXiv and Crossref do, page by page."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

from serving import Reply


@dataclass(frozen=True)
class Work:
    """A work that services know; the day on which it appeared, and what they call it."""

    title: str
    authors: tuple[str, ...] = ("Ada Bean",)
    day: str = "2026-04-01"
    doi: str = ""
    arxiv: str = ""
    abstract: str = "How coffee is pressed."

    @property
    def names(self) -> str:
        return self.doi or f"10.48550/arxiv.{self.arxiv}"


def many(n: int, first: int = 0) -> list[Work]:
    """Works of which each has a title, an author and a DOI of its own."""
    return [Work(f"{NUMBERED[i % 10]} number {i} of {i * 7919 % 10007} beans", (f"Zoe {NUMBERED[i % 10]}{i}",),
                 doi=f"10.1000/many.{i}") for i in range(first, first + n)]  # fmt: skip


NUMBERED = (
    "Roasting",
    "Grinding",
    "Steeping",
    "Pouring",
    "Cupping",
    "Foaming",
    "Cooling",
    "Weighing",
    "Timing",
    "Storing",
)
Faults = dict[int, Reply]
"""What is answered in place of a page, by the number of the first work on it, until it is taken away."""


def _asked(path: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(path).query).items()}


def _since(works: Sequence[Work], day: str | None) -> list[Work]:
    return sorted((work for work in works if day is None or work.day >= day), key=lambda work: work.day)


def openalex(works: Sequence[Work], size: int = 2, faults: Faults | None = None) -> Callable[[str], Reply]:
    """OpenAlex with cursors, pages of `size`, and the filter of a first day."""

    def reply(path: str) -> Reply:
        asked = _asked(path)
        filters = dict(part.split(":", 1) for part in asked["filter"].split(",") if ":" in part)
        found = _since(works, filters.get("from_publication_date"))
        start = 0 if asked["cursor"] == "*" else int(asked["cursor"].removeprefix("at"))
        if faults and start in faults:
            return faults[start]
        page = found[start : start + size]
        cursor = f"at{start + size}" if start + size < len(found) else None
        answer = {"meta": {"count": len(found), "next_cursor": cursor}, "results": list(map(_openalex, page))}
        return Reply(json.dumps(answer).encode())

    return reply


def _openalex(work: Work) -> dict[str, object]:
    words = work.abstract.split()
    return {
        "id": f"https://openalex.org/W{abs(hash(work.names)) % 10**9}",
        "doi": f"https://doi.org/{work.names}",
        "title": work.title,
        "type": "article",
        "publication_year": int(work.day[:4]),
        "publication_date": work.day,
        "authorships": [{"author": {"display_name": name}} for name in work.authors],
        "primary_location": {"license": "cc-by"},
        "abstract_inverted_index": {word: [i for i, w in enumerate(words) if w == word] for word in words},
    }


ATOM = """<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom"
 xmlns="http://www.w3.org/2005/Atom"><opensearch:totalResults>{count}</opensearch:totalResults>{entries}</feed>"""
ENTRY = """<entry><id>http://arxiv.org/abs/{id}v1</id><title>{title}</title><summary>{abstract}</summary>
<published>{day}T00:00:00Z</published><updated>{day}T00:00:00Z</updated>{authors}</entry>"""


def arxiv(works: Sequence[Work], faults: Faults | None = None) -> Callable[[str], Reply]:
    """arXiv's feed, in pages of the size that is asked for."""

    def reply(path: str) -> Reply:
        asked = _asked(path)
        start, size = int(asked["start"]), int(asked["max_results"])
        if faults and start in faults:
            return faults[start]
        entries = [
            ENTRY.format(
                id=work.arxiv, title=escape(work.title), abstract=escape(work.abstract), day=work.day,
                authors="".join(f"<author><name>{name}</name></author>" for name in work.authors),
            )
            for work in works[start : start + size]
        ]  # fmt: skip
        return Reply(ATOM.format(count=len(works), entries="".join(entries)).encode())

    return reply


def crossref(works: Sequence[Work]) -> Callable[[str], Reply]:
    """Crossref's list, on one page."""

    def reply(_path: str) -> Reply:
        items = [
            {
                "DOI": work.doi,
                "title": [work.title],
                "type": "journal-article",
                "author": [{"given": name.split()[0], "family": name.split()[-1]} for name in work.authors],
                "published-online": {"date-parts": [list(date.fromisoformat(work.day).timetuple()[:3])]},
                "abstract": f"<jats:p>{work.abstract}</jats:p>",
            }
            for work in works
        ]
        message = {"total-results": len(items), "items": items, "next-cursor": "end"}
        return Reply(json.dumps({"status": "ok", "message": message}).encode())

    return reply
