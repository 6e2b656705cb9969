"""The values of the registries that differ from a record's."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from awesome_cli.curation.intake.recording import readable
from awesome_cli.errors import NotKnownError
from awesome_cli.model.drafts import STUB_NOTE
from awesome_cli.model.identifiers import Reference
from awesome_cli.model.records import AnyWork, Retraction
from awesome_cli.sources import arxiv, crossref, fetch
from awesome_cli.system.network import Net
from awesome_cli.text.folding import plain
from awesome_cli.text.names import OTHERS, family

if TYPE_CHECKING:
    from arxiv import Result

FRESH = timedelta(days=1)
"""How old an answer may be that a record is compared with."""
PREPRINT_SERVERS = ("arxiv", "corr", "preprint", "openreview")
NOTICES = {"retraction": "retracted", "withdrawal": "retracted", "removal": "retracted"}
NOTICES |= {"expression_of_concern": "concern", "correction": "corrected", "erratum": "corrected"}
SEVERITY = ("none", "corrected", "concern", "retracted")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A field with another value in a source; `field` is a path in the record, None stands for no value."""

    field: str
    before: Any
    after: Any
    source: str


def from_arxiv(record: AnyWork, result: "Result") -> Iterator[Suggestion]:
    """The differences to arXiv: a newer version, the DOI of what was published, title and authors."""
    draft = readable(arxiv.to_draft(result))
    source, ids = f"arxiv:{record.identifiers.arxiv}", draft.fields["identifiers"]
    version = record.identifiers.arxiv_version
    if version is not None and (ids["arxiv_version"] or 0) > version:
        yield Suggestion("identifiers.arxiv_version", version, ids["arxiv_version"], source)
    if ids.get("doi") and not record.identifiers.doi:
        yield Suggestion("identifiers.doi", None, ids["doi"], source)
    yield from _bibliographic(record, draft.fields, source)


def from_crossref(record: AnyWork, work: crossref.CrossrefWork) -> Iterator[Suggestion]:
    """The differences to Crossref: title, authors, and the venue and year of a record that names a preprint."""
    fields = readable(crossref.to_draft(work)).fields
    source = f"doi:{work.doi}"
    yield from _bibliographic(record, fields, source)
    container = fields.get("citation", {}).get("container")
    venue = (record.venue or "").casefold()
    if container and (not venue or venue.startswith(PREPRINT_SERVERS)):
        yield Suggestion("venue", record.venue, container, source)
        if fields.get("year") and fields["year"] != record.year:
            yield Suggestion("year", record.year, fields["year"], source)


def from_service(record: AnyWork, net: Net) -> Iterator[Suggestion]:
    """The differences to the service of an identifier that is neither an arXiv id nor a DOI."""
    for scheme in record.identifiers.ASKED:
        if name := getattr(record.identifiers, scheme):
            draft = readable(fetch(Reference(scheme, name), net))
            yield from _bibliographic(record, draft.fields, f"{scheme}:{name}")
            return


def _bibliographic(record: AnyWork, fields: Mapping[str, Any], source: str) -> Iterator[Suggestion]:
    """A title or authors that differ in more than spelling, and a year and a venue that the record lacks."""
    if _letters(fields["title"]) != _letters(record.title):
        yield Suggestion("title", record.title, fields["title"], source)
    found = tuple(fields.get("authors", ()))
    if found and not {OTHERS, "Anonymous"}.intersection(found) and _people(found) != _people(record.authors):
        yield Suggestion("authors", list(record.authors) or None, list(found), source)
    for name in ("year", "venue"):
        if fields.get(name) and getattr(record, name) is None:
            yield Suggestion(name, None, fields[name], source)
    if record.note == STUB_NOTE:
        yield Suggestion("note", record.note, None, source)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, plain(text)))


def _people(authors: tuple[str, ...]) -> list[str]:
    """Family names, empty for `others`: given names are spelt in too many ways to compare."""
    return [_letters(family(author)) for author in authors]


def retraction(
    record: AnyWork, work: crossref.CrossrefWork | None, result: "Result | None", day: date
) -> Retraction | None:
    """The worst status that a source gives the work; None if no source gave one."""
    found: list[Retraction] = []
    if work is not None:
        words = [NOTICES.get(notice.type.replace("-", "_").casefold(), "none") for notice in work.updates]
        worst = max(words, key=SEVERITY.index, default=SEVERITY[0])
        found.append(Retraction(status=worst, source=f"doi:{work.doi}", on=day))
    if result is not None and "withdrawn" in (result.comment or "").casefold():
        found.append(Retraction(status="retracted", source=f"arxiv:{record.identifiers.arxiv}", on=day))
    return max(found, key=lambda status: SEVERITY.index(status.status), default=None)


def ask_crossref(doi: str, net: Net) -> crossref.CrossrefWork | None:
    """Crossref's record of a DOI; None if it has none, which says nothing about the work."""
    try:
        return crossref.work(doi, net, max_age=FRESH)
    except NotKnownError:
        return None
