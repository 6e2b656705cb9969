"""The index of the search box: records, terms, claims, authors and venues by title, name and identifier."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from awesome_cli.analysis.claims.wording import titled
from awesome_cli.model.records import AnyRecord, Exclusion
from awesome_cli.publish.site import data
from awesome_cli.publish.site.groups import Groups
from awesome_cli.publish.site.page import Frame, SitePage

PER_KIND = 10_000
"""Maximum number of entries of a kind; longer lists are only searched on their own page."""


def find_page(frame: Frame, groups: Sequence[Groups]) -> SitePage:
    """Return the index as a script; `groups` are those of authors and venues.

    An entry has a key, which takes the place of `*` in the address of its kind, a title, a remark, other names and
    authors.
    """
    kinds = [
        {"kind": kind, "page": page, "entries": entries}
        for kind, page, entries in _kinds(frame, groups)
        if 0 < len(entries) <= PER_KIND
    ]
    return SitePage("data/find.js", data.script("findable", kinds))


def _kinds(frame: Frame, groups: Sequence[Groups]) -> Iterator[tuple[str, str, Sequence[tuple[str, ...]]]]:
    corpus, results = frame.corpus, frame.checked.results
    current, ended = ([r for r in results if r.stands is stands] for stands in (True, False))
    terms = [(axis, term) for axis in corpus.taxonomy.axes for term in axis.terms]
    pages: list[tuple[str, ...]] = [(path, label) for _, section in frame.nav for path, label in section]
    yield "Page", "*", [*pages, ("take-part.html", "Take part: propose, dispute, correct")]
    yield "Paper", "papers/*.html", _records(corpus.papers)
    yield (
        "Term",
        "terms/*.html",
        [(f"{a.id}.{t.id}", t.full_label, a.label, f"{t.id} {t.code or ''} {t.label}") for a, t in terms],
    )
    yield "Axis", "terms.html#*", [(axis.id, axis.label) for axis in corpus.taxonomy.axes]
    yield (
        "Claim",
        "claims.html#*",
        [(r.claim.id, titled(corpus, r.claim.statement), r.status.words) for r in (*current, *ended)],
    )
    yield "Screened out", "exclusions.html#*", _records(corpus.exclusions)
    yield "Candidate", "candidates.html#*", _records(corpus.candidates)
    for group in groups:
        pages = [(PurePosixPath(member.path).stem, name, member.summary) for name, member in group.by_name.items()]
        yield group.word.capitalize(), f"{group.word}s/*.html", pages


def _records(records: Iterable[AnyRecord]) -> list[tuple[str, ...]]:
    return [(r.key, r.title, str(r.year or ""), " ".join(_names(r)), " ".join(r.authors)) for r in records]


def _names(record: AnyRecord) -> Iterator[str]:
    """Yield former keys, the citation key, and identifiers of all versions; without any, the URL as in finder.js."""
    versions = () if isinstance(record, Exclusion) else record.versions
    cited = None if isinstance(record, Exclusion) else record.citation and record.citation.key
    ids = [name for work in (record, *versions) for _, name in work.identifiers.pairs()]
    address = (record.url if isinstance(record, Exclusion) else record.address) or ""
    yield from filter(None, (*record.aliases, cited, *(ids or [address.partition("://")[2].removeprefix("www.")])))
