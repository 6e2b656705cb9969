"""Identifiers of works: parse the usual spellings of an identifier and normalise them.

`https://arxiv.org/pdf/1501.00001v2` and `arXiv:1501.00001v2` become `Reference("arxiv", "1501.00001", 2)`.

The syntax follows the definitions of the services:

- arXiv, https://info.arxiv.org/help/arxiv_identifier.html: archive/YYMMNNN until 0703, YYMM.NNNN from 0704 to 1412,
  YYMM.NNNNN from 1501 on; numbers start at 1. The preferred spelling omits a subject class after the archive
  (math.GT/0309136), https://info.arxiv.org/help/arxiv_identifier_for_services.html.
- DOI, ISO 26324 and https://www.doi.org/doi-handbook/HTML/: `10.`, a registrant of four or more digits, perhaps
  divided by dots, a slash, and printable characters that are not case-sensitive.
- OpenReview publishes no definition. Its ids have about ten letters, digits, `-` and `_`; they are case-sensitive.
- ACL Anthology, https://aclanthology.org/info/ids/: YEAR.VENUE-VOLUME.NUMBER, where venue and volume are lower-case
  letters and digits; before 2020 a letter, two digits of the year, `-` and four digits.
- ISBN, ISO 2108: ten or thirteen digits, the last one a check digit, perhaps separated by hyphens or spaces.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from awesome_cli.errors import UsageError

ABSENT = frozenset(
    {"", "na", "n/a", "n.a.", "nan", "-", "--", "\N{EN DASH}", "\N{EM DASH}", "?", "null", "none", "nil"}
)
"""Placeholders for a missing identifier, in lower case."""
LOOSE = re.ASCII | re.IGNORECASE
END = r"/?(?:\?.*)?"
MONTH = "(?:0[1-9]|1[0-2])"
ARXIV = (
    rf"(?:070[4-9]|071[0-2]|(?:0[89]|1[0-4]){MONTH})\.(?!0000)[0-9]{{4}}"
    rf"|(?:1[5-9]|[2-9][0-9]){MONTH}\.(?!00000)[0-9]{{5}}"
    rf"|[a-z]+(?:-[a-z]+)?(?:\.[A-Z]{{2}})?/(?:(?:9[1-9]|0[0-6]){MONTH}|070[1-3])[0-9]{{3}}"
)
ARXIV_PAGE = r"(?:(?:[a-z0-9-]+\.)*arxiv|ar5iv|alphaxiv)\.org/(?:abs|pdf|html|format|src|ps|e-print|overview)/([^?]+?)"
ACL = r"[A-Z][0-9]{2}-[0-9]{4}|[0-9]{4}\.[a-z0-9]+-[a-z0-9]+\.[0-9]+"
ACL_PAGE = r"acl(?:anthology|web)\.org/(?:anthology[^?]*/)?([A-Z]?[0-9][^/?]*?)(?:\.bib)?"
PUBLISHED = re.compile(
    r"[/=](10\.1093/[^/?#&]+/[^/?#&]+|10\.1162/[^/?#&]+|10\.[0-9]{4,9}(?:\.[0-9]+)*/[^?#&\s]+)"  # two add a number
)
"""A DOI in the address of a publisher, a resolver or a library's proxy: `dl.acm.org/doi/abs/10.1145/1.2`."""
NOT_THE_WORK = re.compile(
    r"^https?://[^/]*\b(?:github|githubusercontent|gitlab|bitbucket|figshare|huggingface)\b|/suppl|\.[gst][0-9]{3}(?![0-9])",
    re.IGNORECASE,
)
"""Addresses of files with a DOI in their path, and of supplements, figures and tables."""
TAIL = re.compile(
    r"(?:(?<=[0-9])v[0-9]+)?(?:[./](?:full|full-?text|e?pdf|abstract|short|summary|html?|epub|meta))*/?(?:;jsessionid=.*)?$"
)
"""Endings that publishers add to a DOI, such as `.pdf`, `/full`, or `v1.full` in bioRxiv's addresses."""
HOST = re.compile(r"(?:[\w-]+\.)+[a-z]+/", LOOSE)
"""The start of an address without `https://`."""
ISBN = "(?:[0-9][- ]?){9}[0-9X]|97[89][- ]?(?:[0-9][- ]?){9}[0-9]"


@dataclass(frozen=True)
class Scheme:
    """The identifiers of one service, and the URLs of the service.

    `title` is the name of an id in messages. `pattern` matches a normalised id, `check` is a further test such as a
    check digit, `spelling` normalises an id. `tail` is a pattern of text that may follow an id. `address` and `pdf` are
    URL prefixes: followed by an id, they lead to the work's page and PDF. `page` matches such URLs without
    `https://www.`; its group is the id. `doi` is the prefix of DOIs that the service makes from its ids; `doi_always`
    is true if every id has such a DOI. A `bare` id is recognised without the prefix `NAME:`.
    """

    name: str
    title: str
    example: str
    pattern: str
    tail: str = ""
    address: str = ""
    page: str = ""
    pdf: str = ""
    doi: str = ""
    doi_always: bool = False
    bare: bool = False
    spelling: Callable[[str], str] = str
    check: Callable[[str], bool] = bool

    def is_id(self, text: str) -> bool:
        """True if a text is a normalised id: not a URL, and without version and prefix (`arxiv:`)."""
        return text.isprintable() and bool(re.fullmatch(self.pattern, text, re.ASCII)) and self.check(text)


def _arxiv(text: str) -> str:
    archive, slash, number = text.lower().rpartition("/")
    return archive.partition(".")[0] + slash + number


def _isbn(text: str) -> str:
    return re.sub("[- ]", "", text).upper()


def _check_digit(text: str) -> bool:
    digits = [10 if c == "X" else int(c) for c in _isbn(text)]
    if len(digits) == 10:
        return sum((10 - i) * digit for i, digit in enumerate(digits)) % 11 == 0
    return sum(digit * (1, 3)[i % 2] for i, digit in enumerate(digits)) % 10 == 0


SCHEMES = {
    row.name: row
    for row in (
        Scheme("arxiv", "an arXiv id", "1501.00001", ARXIV, r"(?:v(?P<version>[1-9][0-9]{0,3}))?(?:\.pdf)?",
               address="https://arxiv.org/abs/", page=ARXIV_PAGE + END, pdf="https://arxiv.org/pdf/",
               doi="10.48550/arxiv.", doi_always=True, bare=True, spelling=_arxiv),
        Scheme("doi", "a DOI", "10.1000/182", r"10\.[0-9]{4,}(?:\.[0-9]+)*/\S+",
               address="https://doi.org/", page=r"(?:dx\.)?doi\.org/([^?]+?)" + END, bare=True),
        Scheme("openreview", "an OpenReview id", "rJXMpikCZ", "[A-Za-z0-9_-]{6,20}",
               address="https://openreview.net/forum?id=",
               page=r"openreview\.net/(?:forum|pdf|attachment)/?\?(?:.*&)?id=([^&]+)(?:&.*)?"),
        Scheme("acl", "an ACL Anthology id", "2020.acl-main.1", ACL, r"(?:v[0-9]+)?(?:\.pdf)?",
               address="https://aclanthology.org/", page=ACL_PAGE + END, doi="10.18653/v1/",
               spelling=lambda text: text.lower() if text[0].isdigit() else text.upper()),
        Scheme("isbn", "an ISBN", "978-0-306-40615-7", ISBN, spelling=_isbn, check=_check_digit),
    )
}  # fmt: skip
"""The schemes by name, in the order of records, tables and exports."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The identifier of a work in a scheme, or a URL (scheme `url`); `version` is the arXiv version."""

    scheme: str
    id: str
    version: int | None = None

    def __str__(self) -> str:
        version = f"v{self.version}" if self.version else ""
        return f"{self.scheme}:{self.id}{version}" if self.scheme in SCHEMES else self.id


def given(text: object) -> str:
    """Collapse the blanks of an identifier; return an empty string for a placeholder such as `NA`."""
    plain = " ".join(str(text or "").split())
    return "" if plain.casefold() in ABSENT else plain


def read(scheme: str, text: str) -> Reference | None:
    """Parse an id of a scheme (bare, with a prefix such as `arxiv:`, or in a URL); return None for other text."""
    row = SCHEMES[scheme]
    text = text.strip()
    if text[: len(scheme) + 1].lower() == f"{scheme}:":
        text = text[len(scheme) + 1 :].lstrip()
    if text.lower().startswith(("http://", "https://")) or (scheme == "doi" and HOST.match(text)):
        service, text = in_address(text if "://" in text else f"https://{text}") or ("", "")
        if service != scheme:
            return None
    match = re.fullmatch(f"(?P<id>{row.pattern}){row.tail}", text, LOOSE)
    name = row.spelling(match["id"]) if match else ""
    if match is None or not row.is_id(name):
        return None
    version = match.groupdict().get("version")
    return Reference(scheme, name, int(version) if version else None)


def on_page(address: str) -> tuple[str, str] | None:
    """Parse the URL of a work's page at a known service as `(scheme, id)`, else None; the id is not validated."""
    try:
        parts = urlsplit(address.strip())
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return None
    text = f"{host}{parts.path}?{parts.query}"
    for scheme in SCHEMES.values():
        if scheme.page and (match := re.fullmatch(scheme.page, text, LOOSE)):
            return scheme.name, unquote(match[1])
    return None


def in_address(address: str) -> tuple[str, str] | None:
    """Parse a URL as `on_page` does, also that of another page with a DOI in it.

    `https://dl-acm-org.proxy.uni.edu/doi/pdf/10.1145/1.2?x=1` becomes `("doi", "10.1145/1.2")`.
    """
    match = PUBLISHED.search(unquote(address)) if "10." in address and not NOT_THE_WORK.search(address) else None
    return on_page(address) or (("doi", TAIL.sub("", match[1], count=1)) if match else None)


def behind_doi(reference: Reference) -> Reference | None:
    """Return the arXiv or ACL Anthology id that a DOI contains, or None."""
    text = reference.id.lower() if reference.scheme == "doi" else ""
    for scheme in SCHEMES.values():
        if scheme.doi and text.startswith(scheme.doi):
            return read(scheme.name, text[len(scheme.doi) :])
    return None


def arxiv_month(text: str) -> tuple[int, int] | None:
    """Return year and month of a valid arXiv id, else None."""
    if not SCHEMES["arxiv"].is_id(text):
        return None
    digits = text.rpartition("/")[2]
    year, month = int(digits[:2]), int(digits[2:4])
    return (1900 if "/" in text and year > 90 else 2000) + year, month


def address_of(scheme: str, text: str) -> str | None:
    """Return the URL of the page for an id `text`, or None if the scheme is unknown or has no pages."""
    row = SCHEMES.get(scheme)
    return row.address + text if row and row.address else None


def host_of(url: str) -> str:
    """Return the host of a URL in lower case; empty for a text that is not a URL."""
    with suppress(ValueError):
        return urlsplit(url).hostname or ""
    return ""


def is_url(text: str) -> bool:
    """Return True for an http(s) URL with a host and without blanks, quotes, angle brackets or control characters."""
    if re.search(r"[\s<>\"\x00-\x1f\x7f]", text):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


OTHER_URL = re.compile(
    r"\s*(?!https?:)(?:[a-z][a-z0-9+.-]*://|(?:javascript|vbscript|data|file|blob|mailto):\S)", re.IGNORECASE
)
"""The start of a URL that is neither http nor https; `arxiv:1501.00001` and `Data: Table 2` are none."""
TYPED = {name: scheme for name, scheme in SCHEMES.items() if scheme.address}
"""The schemes that have a service with a web page per id."""
EXAMPLES = [f"{s.title} ({'' if s.bare else s.name + ':'}{s.example})" for s in TYPED.values()]
HELP = f"{', '.join(EXAMPLES)} or a URL (https://…)"
OR_FILE = ", or a file with one entry (work.bib)"


def parse_reference(text: str, *, files: bool = False) -> Reference:
    """Parse an identifier or URL; raise `UsageError` for other text. With `files`, the error mentions files, too."""
    text = text.strip()
    scheme = text.partition(":")[0].casefold() if ":" in text else ""
    if scheme in TYPED:
        return _named(scheme, text)
    if scheme in {"http", "https"}:
        return _address(text)
    for row in TYPED.values():
        if row.bare and read(row.name, text):
            return _named(row.name, text)
    hint = f"write {HELP}{OR_FILE if files else ''}"
    kinds = "an identifier, a URL or an existing file" if files else "an identifier or a URL"
    raise UsageError(f"{text!r} is not {kinds}", hint=hint)


def identifiers(urls: Iterable[str] = (), **known: Any) -> dict[str, Any]:
    """Extract identifiers from values by scheme and from URLs, as fields of a record; values override URLs."""
    ids: dict[str, Any] = {}
    texts = [(scheme, str(value)) for scheme, value in known.items() if value and scheme in TYPED]
    for scheme, text in (*texts, *(("", url) for url in urls if url)):
        try:
            reference = _named(scheme, text) if scheme else parse_reference(text)
        except UsageError:
            continue
        if reference.scheme in ids or reference.scheme not in SCHEMES:
            continue
        ids[reference.scheme] = reference.id
        if reference.version:
            ids["arxiv_version"] = reference.version
    return ids


def says(ids: Mapping[str, Any], urls: Iterable[str] = (), **known: Any) -> bool:
    """True if values and URLs contain at least one identifier, and the record's `ids` include all of them.

    The address of another page with a DOI says more than the DOI.
    """
    urls = tuple(urls)
    parsed = identifiers(urls, **known)
    return bool(parsed) and parsed.items() <= ids.items() and all(on_page(url) or not in_address(url) for url in urls)


def _named(scheme: str, text: str) -> Reference:
    """Parse an id of a scheme; convert a DOI that arXiv made from an arXiv id to the arXiv id."""
    reference = read(scheme, text)
    if reference is None:
        row = SCHEMES[scheme]
        raise UsageError(f"{text!r} is not {row.title}", hint=f"{row.title} looks like {row.example}")
    made_of = behind_doi(reference)
    return made_of if made_of and SCHEMES[made_of.scheme].doi_always else reference


def _address(text: str) -> Reference:
    """Parse a URL; for the page of a work at a known service, return the work's id at that service."""
    if page := in_address(text):
        return _named(*page)
    if not is_url(text):
        raise UsageError(f"{text!r} is not a valid URL", hint="write a URL such as https://example.org/paper")
    return Reference("url", text)
