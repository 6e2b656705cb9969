"""Web pages: a draft from the title and meta elements of a page. Scripts are not executed.

`<meta name="citation_title" content="On Tea">` becomes the draft's title `On Tea`.
"""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from awesome_cli.errors import NoWorkError
from awesome_cli.model.drafts import Draft, filled, link, year_of
from awesome_cli.model.identifiers import Reference, identifiers
from awesome_cli.sources.services import Service, checked
from awesome_cli.system.network import Answer, Net
from awesome_cli.text import names
from awesome_cli.text.html import attributes, pieces

LONGEST = 3_000_000
"""Maximum size of a page in bytes; a larger page is not read."""
MANY = 10_000
"""Maximum length of a title in characters, and maximum number of authors."""
SCRIPTS = frozenset({"script", "style", "template"})
ENCODINGS = re.compile("ascii|big5|cp|euc|gb|hz|iso|johab|koi8|mac|shift|tis|utf-(?:8|16|32)")
"""Python codecs that are text encodings; a page must not select others, such as `idna`."""
TITLES = ("citation_title", "dc.title", "og:title", "twitter:title")


@dataclass(frozen=True, slots=True)
class PageHead:
    """Metadata of a web page: its title, its first heading, and the values of `meta` elements by lower-case name."""

    title: str = ""
    meta: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    headings: tuple[str, ...] = ()

    def first(self, *wanted: str) -> str:
        """Return the first value of the first name in `wanted` that the page has; empty if it has none."""
        return next((self.meta[name][0] for name in wanted if self.meta.get(name)), "")

    @property
    def titles(self) -> tuple[str, ...]:
        """Possible titles of the work, most likely first."""
        return tuple(filter(None, (*(self.first(name) for name in TITLES), self.title, *self.headings)))


def fetch(reference: Reference, net: Net) -> Draft:
    """Fetch the work that a page describes; raises `NoWorkError` if the page is not HTML or has no title."""
    bounded = replace(net, limits=replace(net.limits, size=LONGEST))
    answer = checked(SERVICE.name, bounded.get(reference.id), reference.id)
    if not is_html(answer):
        kind = answer.headers.get("content-type", "no content type")
        raise NoWorkError(f"{reference.id}: expected a web page, got {kind}", hint="use --offline --set title=…")
    return to_draft(read(answer), reference)


def to_draft(page: PageHead, reference: Reference) -> Draft:
    """Convert a page to a draft; without bibliographic meta elements the draft has only title, year and venue."""
    title = next(iter(page.titles), "")
    if not title:
        raise NoWorkError(f"{reference.id} has no title", hint="use --offline --set title=…")
    container = page.first("citation_journal_title", "citation_conference_title", "citation_inbook_title")
    fields = {
        "title": title,
        "authors": names.listed(map(names.inverted, page.meta.get("citation_author", ()))),
        "year": year_of(page.first("citation_publication_date", "citation_date", "article:published_time", "dc.date")),
        "venue": container or page.first("og:site_name"),
        "identifiers": identifiers(doi=page.first("citation_doi"), arxiv=page.first("citation_arxiv_id")),
        "links": [link("Page", reference.id)],
        "citation": {"type": "misc", "container": container},
    }
    missing = [name for name in ("authors", "year") if not fields[name]]
    warnings = (f"the page does not name {' and '.join(missing)}",) if missing else ()
    return Draft(filled(fields), reference.id, warnings=warnings)


def is_html(answer: Answer) -> bool:
    """True if the response declares an HTML content type."""
    return "html" in answer.headers.get("content-type", "").lower()


def decoded(answer: Answer) -> str:
    """Decode a response in its declared encoding; invalid bytes are replaced."""
    _, _, charset = answer.headers.get("content-type", "").lower().partition("charset=")
    try:
        encoding = codecs.lookup(charset.partition(";")[0].strip("\"' ")).name
    except (LookupError, ValueError):
        encoding = ""
    return answer.body.decode(encoding if ENCODINGS.match(encoding) else "utf-8", errors="replace")


def read(answer: Answer) -> PageHead:
    """Parse the title, meta elements and first heading of a page; malformed markup is read as far as possible."""
    meta: dict[str, list[str]] = {}
    texts: dict[str, list[str]] = {}
    inside = ""
    for name, text in pieces(decoded(answer), SCRIPTS):
        if name == "meta":
            values = attributes(text)
            content = _line(values.get("content", ""))
            key = values.get("name") or values.get("property") or ""
            if key and content:
                meta.setdefault(key.lower(), []).append(content)
        elif name in {"title", "h1"} and name not in texts:
            inside = name
            texts[name] = []
        elif name == f"/{inside}":
            inside = ""
        elif inside and not name:
            texts[inside].append(text)
    title, heading = (_line("".join(texts.get(name, ()))) for name in ("title", "h1"))
    return PageHead(title, {name: tuple(values[:MANY]) for name, values in meta.items()}, (heading,))


def _line(text: str) -> str:
    return " ".join(text[:MANY].split())


SERVICE = Service("the page's server", "url", "", "", fetch)
