"""Check the survey's links: whether they work, where they redirect, and whether they lead to the right work."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from awesome_cli.errors import AwesomeError, NetError, TooLargeError, UnresolvedError
from awesome_cli.model.identifiers import host_of, parse_reference
from awesome_cli.model.records import PAPER_LABELS, AnyRecord, Exclusion
from awesome_cli.reports.progress import telling
from awesome_cli.reports.report import Block, Report, Section, Table, Text, Tone, Toned
from awesome_cli.sources import fetch, pages
from awesome_cli.survey.corpus import Corpus
from awesome_cli.system.network import Answer, Net
from awesome_cli.system.network.wire import shown
from awesome_cli.text.folding import plain, spaced
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.known import excerpt
from awesome_cli.text.numbers import shortened

LinkState = Literal["alive", "moved", "dead", "blocked", "unknown"]
TitleMatch = Literal["yes", "no", "unknown"]
FAILURES = ("moved", "dead", "blocked", "unknown", "identity")
BLOCKED = {401: "asks for a login", 403: "refuses programs", 429: "asks programs to wait"}
GONE = {404, 410}
PERMANENT = {301, 308}
UNKNOWN: TitleMatch = "unknown"
WORKERS = 8
FAILED_WAITS = 3
"""No more requests are sent to a host if its failed requests took this many times the limit of one."""
MANY = 3
"""A host does not answer if at least this many links to it, and most of them, failed; likewise a resolver."""
ALIKE = 85
"""Lowest similarity (0 to 100) at which a title on a page counts as the work's."""
TONES: dict[str, Tone] = {"alive": "good", "moved": "warn", "dead": "bad", "blocked": "muted", "unknown": "warn"}


@dataclass(frozen=True, slots=True)
class RecordLink:
    """A URL in a record. `title` is the title that the page should have, None if the URL may lead to any page."""

    key: str
    label: str
    url: str
    title: str | None


@dataclass(frozen=True, slots=True)
class Check:
    """The result of a link check; `target` is the URL after redirects, also if it failed, `found` the page's title.

    `resolved` is False if the host name cannot be resolved.
    """

    link: RecordLink
    state: LinkState
    status: int | None = None
    identity: TitleMatch = "unknown"
    target: str | None = None
    found: str | None = None
    remark: str | None = None
    resolved: bool = True

    @property
    def host(self) -> str:
        """The host that sent the response or failed to: after redirects, the last one."""
        return host_of(self.target or self.link.url)

    @property
    def failed(self) -> bool:
        """True if the host did not answer, or answered with an error of its own."""
        return self.state in {"unknown", "dead"} and (self.status is None or self.status >= 500)

    @property
    def failures(self) -> frozenset[str]:
        """The values of `--fail-on` that match the result."""
        return frozenset([self.state]) | ({"identity"} if self.identity == "no" else frozenset())

    def to_json(self) -> dict[str, object]:
        """Return the JSON form."""
        names = ("state", "status", "identity", "target", "found", "remark")
        link = {"key": self.link.key, "label": self.link.label, "url": self.link.url}
        return link | {name: getattr(self, name) for name in names}


def collect(records: Iterable[AnyRecord]) -> tuple[RecordLink, ...]:
    """Return the links and the identifiers' pages of records, without duplicates in a record."""
    return tuple(link for record in records for link in _links_of(record))


def _links_of(record: AnyRecord) -> Iterator[RecordLink]:
    links = [("Page", record.url)] if isinstance(record, Exclusion) else [(k.label, k.url) for k in record.links]
    seen: set[str] = set()
    for label, url in (*links, *record.identifiers.addresses()):
        if url and _same(url) not in seen:
            seen.add(_same(url))
            leads_to_work = label.casefold() in PAPER_LABELS
            yield RecordLink(record.key, label, url, record.title if leads_to_work else None)


def _same(url: str) -> str:
    """Normalise a URL for comparison: without scheme, `www.` and trailing slash, in lower case."""
    return url.partition("://")[2].removeprefix("www.").rstrip("/").casefold()


def check(links: Sequence[RecordLink], net: Net, *, max_age: timedelta) -> tuple[Check, ...]:
    """Request every link: several hosts in parallel, one request at a time to each.

    Responses younger than `max_age` come from the cache, so an interrupted run continues where it stopped.
    """
    bounded = replace(net, limits=replace(net.limits, size=pages.LONGEST, waits=FAILED_WAITS))
    hosts = group_pairs((host_of(link.url), place) for place, link in enumerate(links))
    checks: dict[int, Check] = {}
    tell = telling("checking links", len(links))

    def ask(places: list[int]) -> None:
        for place in places:
            checks[place] = check_one(links[place], bounded, max_age)
            tell(len(checks))

    with ThreadPoolExecutor(WORKERS) as pool:
        try:
            for _ in pool.map(ask, hosts.values()):
                pass
        except BaseException:
            pool.shutdown(cancel_futures=True, wait=False)
            raise
    return judged(checks[place] for place in range(len(links)))


def judged(checks: Iterable[Check]) -> tuple[Check, ...]:
    """Mark links to unknown hosts as dead, except if no host responded, this one did, or a fault explains it."""
    results = tuple(checks)
    answered = {host for c in results if c.status is not None for host in (host_of(c.link.url), c.host)}
    spared = answered | faults(results).keys() if answered else {c.host for c in results}
    return tuple(c if c.resolved or c.host in spared else replace(c, state="dead") for c in results)


def silent_hosts(checks: Sequence[Check]) -> dict[str, str]:
    """Return each fault of `faults` with the number of links and the reason."""
    names = faults(checks)
    remarks = group_pairs((names[c.host], c.remark) for c in checks if c.failed and c.host in names)
    return {name: f"{len(each)} links could not be checked ({each[0]})" for name, each in remarks.items()}


def faults(checks: Sequence[Check]) -> dict[str, str]:
    """Return the hosts that do not answer, each with its fault: itself, or all unresolved hosts if these are most."""
    links = Counter(host for c in checks for host in {host_of(c.link.url), c.host})
    failed = Counter(c.host for c in checks if c.failed)
    lost = tuple(dict.fromkeys(c.host for c in checks if not c.resolved))
    is_one = len(lost) >= MANY and 2 * len(lost) > len(links)
    silent = {host: host for host, n in failed.items() if n >= MANY and 2 * n > links[host]}
    return silent | (dict.fromkeys(lost, shortened(lost, MANY)) if is_one else {})


def check_one(link: RecordLink, net: Net, max_age: timedelta) -> Check:
    """Check one link. Status 404 or 410 means `dead`; a network error means `unknown`."""
    try:
        answer = net.get(link.url, {"Accept": "text/html,*/*;q=0.8"}, max_age=max_age)
    except TooLargeError:
        return Check(link, "alive", 200, remark="too large to check its title")
    except NetError as error:
        target = None if error.address == shown(link.url) else error.address
        reason, resolved = error.message if target else error.reason, not isinstance(error, UnresolvedError)
        return Check(link, "unknown", target=target, remark=reason, resolved=resolved)
    if answer.status in GONE:
        return Check(link, "dead", answer.status)
    title, identity = identify(link, answer) if answer.status < 400 else (None, UNKNOWN)
    if identity == UNKNOWN:
        title, identity = identify_by_service(link, net)
    target = answer.url if _same(answer.url) != _same(link.url) else None
    state: LinkState = "moved" if target and PERMANENT.intersection(answer.via[:1]) else "alive"
    if answer.status >= 400:
        state = "blocked" if answer.status in BLOCKED else "unknown"
    remark = BLOCKED.get(answer.status, f"status {answer.status}") if answer.status >= 400 else None
    return Check(link, state, answer.status, identity, target, title, remark)


def identify(link: RecordLink, answer: Answer) -> tuple[str | None, TitleMatch]:
    """Return the title of a page, and if it is the work's title; `(None, "unknown")` if the page has no title."""
    if link.title is None or not pages.is_html(answer):
        return None, UNKNOWN
    titles = pages.read(answer).titles
    if not titles:
        return None, UNKNOWN
    return titles[0], "yes" if any(_alike(link.title, title) for title in titles) else "no"


def identify_by_service(link: RecordLink, net: Net) -> tuple[str | None, TitleMatch]:
    """Return the result of `identify` with the title from the URL's service, since publishers often block programs."""
    try:
        reference = parse_reference(link.url)
        if link.title is None or reference.scheme == "url":
            return None, UNKNOWN
        title = fetch(reference, net).title
    except AwesomeError:
        return None, UNKNOWN
    return title, "yes" if _alike(link.title, title) else "no"


def _alike(title: str, other: str) -> bool:
    """True if the text `other` contains a title in any spelling, perhaps with the name of the site or an id."""
    from rapidfuzz.fuzz import partial_ratio

    short, long = spaced(plain(title)), spaced(plain(other))
    return len(long) >= 0.6 * len(short) and partial_ratio(short, long) >= ALIKE


def to_report(checks: Sequence[Check]) -> Report:
    """Report the number of links by state, and list the links with a failure and the hosts that do not answer."""
    counts = Counter(c.state if c.state != "blocked" else f"blocked ({c.status})" for c in checks)
    wrong, silent, down = [c for c in checks if c.identity == "no"], silent_hosts(checks), faults(checks)
    shown_ones = [c for c in checks if c.failures & {*FAILURES} and not (c.failed and c.host in down)]
    rows = [_row(c) for c in sorted(shown_ones, key=lambda c: (c.state, c.link.key, c.link.url))]
    columns = ("key", "label", "state", "status", "identity", "url", "remark")
    summary = ", ".join(f"{n} {name}" for name, n in sorted(counts.items())) or "no links"
    blocks: list[Block] = [Table.of(columns, rows)] if rows else []
    blocks += [Text(f"no answer from {name}: {reason}", "bad") for name, reason in silent.items()]
    blocks.append(Text(summary))
    if wrong:
        blocks.append(Text(f"{len(wrong)} lead to a page with another title", "bad"))
    data = {"links": [c.to_json() for c in checks], "counts": dict(sorted(counts.items())), "silent_hosts": silent}
    table = Table.of(columns, [_row(c) for c in checks])
    return Report("awesome/links/1", data, (Section(None, tuple(blocks)),), rows=table)


def _row(c: Check) -> tuple[str | int | Toned | None, ...]:
    moved = f"to {c.target}" if c.state == "moved" else None
    carries = f"page title: {excerpt(c.found)}" if c.found and c.identity == "no" else None
    remark = "; ".join(part for part in (moved, carries, c.remark) if part) or None
    return (c.link.key, c.link.label, Toned(c.state, TONES[c.state]), c.status, c.identity, c.link.url, remark)


def records_of(corpus: Corpus, keys: Sequence[str], where: str | None = None) -> tuple[AnyRecord, ...]:
    """Return the records with these keys; without keys, return the papers and exclusions that match a query."""
    if keys:
        return tuple(corpus.get(key) for key in keys)
    matches = corpus.where(where, "papers", "exclusions")
    return (*matches.papers, *matches.exclusions)
