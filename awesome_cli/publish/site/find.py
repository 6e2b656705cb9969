"""The index of the search box: records, terms, claims, authors and venues by title, name and identifier."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from awesome_cli.analysis.claims.results import ClaimResult
from awesome_cli.model.records import AnyRecord, Exclusion
from awesome_cli.model.taxonomy import Axis, Term
from awesome_cli.publish.site import data
from awesome_cli.publish.site.groups import Groups
from awesome_cli.publish.site.mentions import keyed
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.survey.corpus import Corpus

PATH = "data/find.js"
SCHEME = re.compile(r"https?://(?:www\.)?", re.IGNORECASE)
"""The start of a URL, which the index and `assets/finder.js` leave out."""
PER_KIND = 10_000
"""Maximum number of entries of a kind; longer lists are only searched on their own page."""


@dataclass(frozen=True, slots=True)
class Findable:
    """An entry of the index; `key` completes the address of its kind, `names` are its other names and identifiers."""

    key: str
    title: str
    about: str = ""
    names: tuple[str, ...] = ()

    @property
    def columns(self) -> list[str]:
        """The values as a list, without empty ones at the end."""
        columns = [self.key, self.title, self.about, " ".join(dict.fromkeys(self.names))]
        return columns[: max(i for i, text in enumerate(columns, 1) if text)]


def find_page(frame: Frame, groups: Sequence[Groups]) -> SitePage:
    """Return the index as a script; `groups` are those of authors and venues."""
    kinds = [
        {"kind": kind, "page": page, "entries": [entry.columns for entry in entries]}
        for kind, page, entries in _kinds(frame, groups)
        if 0 < len(entries) <= PER_KIND
    ]
    return SitePage(PATH, data.script("findable", kinds))


def _kinds(frame: Frame, groups: Sequence[Groups]) -> Iterator[tuple[str, str, list[Findable]]]:
    """Yield `(kind, address, entries)`; an entry's key takes the place of `*` in the address."""
    corpus = frame.corpus
    axes = corpus.taxonomy.axes
    yield "Paper", "papers/*.html", _records(corpus.papers)
    yield "Term", "terms/*.html", [_term(axis, term) for axis in axes for term in axis.terms]
    yield "Axis", "terms.html#*", [Findable(axis.id, axis.label) for axis in axes]
    yield "Claim", "claims.html#*", [_claim(corpus, result) for result in frame.checked.results]
    yield "Screened out", "exclusions.html#*", _records(corpus.exclusions)
    yield "Candidate", "candidates.html#*", _records(corpus.candidates)
    for group in groups:
        pages = [Findable(PurePosixPath(g.path).stem, name, g.summary) for name, g in group.by_name.items()]
        yield group.word.capitalize(), f"{group.word}s/*.html", pages


def _claim(corpus: Corpus, result: ClaimResult) -> Findable:
    return Findable(result.claim.id, keyed(corpus, result.claim.statement).striptags(), result.status.words)


def _term(axis: Axis, term: Term) -> Findable:
    return Findable(f"{axis.id}.{term.id}", term.full_label, axis.label, (term.id, term.code or "", term.label))


def _records(records: Iterable[AnyRecord]) -> list[Findable]:
    return [Findable(record.key, record.title, str(record.year or ""), tuple(_names(record))) for record in records]


def _names(record: AnyRecord) -> Iterator[str]:
    """Yield former keys, the citation key, and identifiers of all versions; without identifiers, the URL."""
    versions = () if isinstance(record, Exclusion) else record.versions
    cited = None if isinstance(record, Exclusion) else record.citation and record.citation.key
    ids = [name for work in (record, *versions) for _, name in work.identifiers.pairs()]
    address = record.url if isinstance(record, Exclusion) else record.address
    yield from filter(None, (*record.aliases, cited, *(ids or [SCHEME.sub("", address or "")])))
