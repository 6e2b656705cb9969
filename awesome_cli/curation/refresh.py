"""Compare records with the registries, and store the values that a curator accepts.

The source and date of each new value are stored under `provenance`, the replaced value under `corrections`, from
which the pool as of an earlier day is restored.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from awesome_cli.curation.intake.recording import readable
from awesome_cli.errors import NetError, NotKnownError, UsageError
from awesome_cli.files.canonical import texts
from awesome_cli.files.tree import FileTree
from awesome_cli.model.drafts import STUB_NOTE
from awesome_cli.model.fields import RECORD_FIELDS
from awesome_cli.model.identifiers import Reference
from awesome_cli.model.misfits import misfit
from awesome_cli.model.records import AnyWork, Retraction, to_document
from awesome_cli.reports.progress import watched
from awesome_cli.reports.report import Block, Code, Report, Section, Table, Text
from awesome_cli.sources import arxiv, crossref, fetch
from awesome_cli.survey.corpus import put
from awesome_cli.survey.saving import Changes, diff, edit
from awesome_cli.system.network import Net
from awesome_cli.text.folding import plain
from awesome_cli.text.grouping import group_pairs
from awesome_cli.text.names import OTHERS, family
from awesome_cli.text.numbers import counted, shortened

if TYPE_CHECKING:
    from arxiv import Result


FRESH = timedelta(days=1)
"""Maximum age of a cached response that a record is compared with."""
PREPRINT_SERVERS = ("arxiv", "corr", "preprint", "openreview")
NOTICES = {"retraction": "retracted", "withdrawal": "withdrawn", "removal": "withdrawn"}
NOTICES |= {"expression_of_concern": "concern", "correction": "corrected", "erratum": "corrected"}
SEVERITY = ("none", "corrected", "concern", "withdrawn", "retracted")
OVERWRITTEN = frozenset({"title", "authors", "identifiers.arxiv_version"})
"""Fields in which a registry writes that a work was withdrawn or retracted, in place of the work's values."""
MARKED = re.compile(
    r"\W*(retracted|withdrawn)(?:\s+(?:article|chapter|paper))?(?:\s*[:\]]|\s+[\u2013\u2014-]\s)", re.IGNORECASE
)
"""The start of a title that a publisher marked, such as `RETRACTED ARTICLE: …`."""
WITHDRAWN = re.compile(
    r"(?:^|[.:;,(]\s+)\W*(?:(?:th(?:e|is)\s+)?(?:article|manuscript|paper|preprint|submission|work)\s+"
    r"(?:(?:has\s+been|is|was)\s+)?(?:\w+ly\s+)?withdrawn\b(?!\s+from(?!\s+arxiv))"
    r"|withdrawn(?=\W*$|[^\w\s]|\s+(?:as|because|by|due|from\s+arxiv|since)\b))",
    re.IGNORECASE,
)
"""A withdrawal from arXiv, as in `This paper has been withdrawn by the authors`; not one from a conference."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A value that differs in a source. `field` is its path in the record; `before` or `after` is None if missing."""

    field: str
    before: Any
    after: Any
    source: str


def from_arxiv(record: AnyWork, result: "Result") -> Iterator[Suggestion]:
    """Yield values that differ at arXiv: a newer version, the DOI of the published work, title and authors."""
    draft = readable(arxiv.to_draft(result))
    source, ids = f"arxiv:{record.identifiers.arxiv}", draft.fields["identifiers"]
    version = record.identifiers.arxiv_version
    if version is not None and (ids["arxiv_version"] or 0) > version:
        yield Suggestion("identifiers.arxiv_version", version, ids["arxiv_version"], source)
    if ids.get("doi") and not record.identifiers.doi:
        yield Suggestion("identifiers.doi", None, ids["doi"], source)
    yield from _bibliographic(record, draft.fields, source)


def from_crossref(record: AnyWork, work: crossref.CrossrefWork) -> Iterator[Suggestion]:
    """Yield values that differ at Crossref: title and authors, and for a preprint also venue and year."""
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
    """Yield values that differ at the service of an identifier other than an arXiv id or a DOI."""
    for scheme in record.identifiers.ASKED:
        if name := getattr(record.identifiers, scheme):
            draft = readable(fetch(Reference(scheme, name), net))
            yield from _bibliographic(record, draft.fields, f"{scheme}:{name}")
            return


def _bibliographic(record: AnyWork, fields: Mapping[str, Any], source: str) -> Iterator[Suggestion]:
    """Yield a title or authors that differ in more than spelling, and a year and venue that the record lacks."""
    if _letters(fields["title"]) != _letters(record.title):
        yield Suggestion("title", record.title, fields["title"], source)
    authors = tuple(fields.get("authors", ()))
    if authors and not {OTHERS, "Anonymous"}.intersection(authors) and _people(authors) != _people(record.authors):
        yield Suggestion("authors", list(record.authors) or None, list(authors), source)
    for name in ("year", "venue"):
        if fields.get(name) and getattr(record, name) is None:
            yield Suggestion(name, None, fields[name], source)
    if record.note == STUB_NOTE:
        yield Suggestion("note", record.note, None, source)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, plain(text)))


def _people(authors: tuple[str, ...]) -> list[str]:
    """Return normalised family names, empty for `others`; given names have too many spellings to compare."""
    return [_letters(family(author)) for author in authors]


def retraction(
    record: AnyWork, work: crossref.CrossrefWork | None, result: "Result | None", day: date
) -> Retraction | None:
    """Return the most severe retraction status at Crossref and arXiv; None if the status is unknown."""
    statuses: list[Retraction] = []
    if work is not None:
        kinds = [NOTICES.get(notice.type.replace("-", "_").casefold(), "none") for notice in work.updates]
        kinds += [mark[1].casefold() for title in work.title if (mark := MARKED.match(title))]
        worst = max(kinds, key=SEVERITY.index, default=SEVERITY[0])
        statuses.append(Retraction(status=worst, source=f"doi:{work.doi}", on=day))
    if result is not None and _is_withdrawn(result):
        statuses.append(Retraction(status="withdrawn", source=f"arxiv:{record.identifiers.arxiv}", on=day))
    return max(statuses, key=lambda status: SEVERITY.index(status.status), default=None)


def _is_withdrawn(result: "Result") -> bool:
    starts = (result.title, result.summary.strip())
    return bool(WITHDRAWN.search(result.comment or "") or any(p.match(s) for s in starts for p in (MARKED, WITHDRAWN)))


def ask_crossref(doi: str, net: Net) -> crossref.CrossrefWork | None:
    """Return Crossref's record of a DOI; None if the DOI is from another registry."""
    try:
        return crossref.work(doi, net, max_age=FRESH)
    except NotKnownError:
        return None


UNTRACKED = frozenset(field.path or field.name for field in RECORD_FIELDS if not field.dated)
"""Fields whose former value is not needed for the pool of an earlier day."""


@dataclass(frozen=True, slots=True)
class LookUp:
    """The result of looking up a record: suggestions and retraction status, or the reason for the failure.

    `rejected` are the suggestions that a person rejects now.
    """

    record: AnyWork
    suggestions: tuple[Suggestion, ...] = ()
    status: Retraction | None = None
    failure: str | None = None
    rejected: tuple[Suggestion, ...] = ()

    @property
    def new_status(self) -> Retraction | None:
        """The retraction status at the sources; None if it is unknown or stored, or milder although a source failed."""
        known, new = self.record.retraction, self.status
        if known is None or new is None:
            return new
        change = SEVERITY.index(new.status) - SEVERITY.index(known.status)
        return new if change > 0 or (change and not self.failure) else None

    @property
    def published(self) -> Suggestion | None:
        """The venue in which a preprint was published; None without a new one."""
        return next((s for s in self.suggestions if s.field == "venue" and s.before), None)


@dataclass
class Refresh:
    """A look-up of records at the sources, and a plan that applies the suggestions."""

    net: Net
    day: date
    axes: tuple[str, ...] = ()
    looks: list[LookUp] = field(default_factory=list)

    def look_up(self, records: Sequence[AnyWork]) -> None:
        """Look up each record. If a source fails, the failure is stored for each record that needs the source."""
        ids = sorted({record.identifiers.arxiv for record in records if record.identifiers.arxiv})
        preprints: dict[str, Any] = {}
        trouble: str | None = None
        try:
            preprints = dict(arxiv.search(ids, self.net, max_age=FRESH)) if ids else {}
        except (NetError, UsageError) as error:
            trouble = error.message
        for record in watched(records, "looking up records"):
            self.looks.append(self._look(record, preprints, trouble))

    def _look(self, record: AnyWork, preprints: dict[str, Any], trouble: str | None) -> LookUp:
        suggestions: dict[str, Suggestion] = {}
        result = preprints.get(record.identifiers.arxiv or "")
        failure = trouble if record.identifiers.arxiv else None
        if record.identifiers.arxiv and result is None and failure is None:
            failure = f"arXiv has no record of {record.identifiers.arxiv}"
        if result is not None:
            suggestions |= {s.field: s for s in from_arxiv(record, result)}
        suggested = suggestions.get("identifiers.doi")
        doi = record.identifiers.doi or (suggested.after if suggested else None)
        work = None
        try:
            work = ask_crossref(doi, self.net) if doi else None
            # Crossref's suggestions replace those of the preprint server.
            suggestions |= {s.field: s for s in from_crossref(record, work)} if work else {}
            if not (doi or record.identifiers.arxiv):
                suggestions |= {s.field: s for s in from_service(record, self.net)}
        except NetError as error:
            failure = error.message
        status = retraction(record, work, result, self.day)
        look = LookUp(record, tuple(_open(record, suggestions.values(), status)), status, failure)
        try:
            refreshed(look, self.day)
        except ValidationError as error:
            return LookUp(record, failure=f"a source returned invalid data: {misfit(error.errors()[0])}")
        return look

    def reject(self, fields: Collection[str], *, rest: bool) -> None:
        """Plan to store suggestions as rejected, and retraction statuses; other suggestions are applied if `rest`."""
        if missing := set(fields) - {s.field for look in self.looks for s in look.suggestions}:
            message = f"no registry proposes another value of {', '.join(sorted(missing))}"
            raise UsageError(message, hint="see the fields with 'awesome refresh'")
        for n, look in enumerate(self.looks):
            rejected = tuple(s for s in look.suggestions if s.field in fields)
            others = tuple(s for s in look.suggestions if rest and s not in rejected)
            self.looks[n] = replace(look, suggestions=others, rejected=rejected)

    def changes(self, tree: FileTree) -> Changes:
        """Return the file changes that apply all suggestions, or that store those to reject."""
        news = (look for look in self.looks if look.suggestions or look.new_status or look.rejected)
        plans = (edit(tree, look.record, refreshed(look, self.day), self.axes) for look in news)
        return tuple(change for plan in plans for change in plan)

    @property
    def trouble(self) -> str:
        """The number of records that could not be looked up as a message; empty if there are none."""
        failed = sum(look.failure is not None for look in self.looks)
        return f"{counted(failed, 'record')} could not be looked up" if failed else ""

    def to_report(self, changes: Changes, *, written: bool) -> Report:
        """Report differences by record, and the records that could not be looked up."""
        suggestions = [(look.record.key, suggestion) for look in self.looks for suggestion in look.suggestions]
        rows = [(key, s.field, shown(s.before), shown(s.after), s.source) for key, s in suggestions]
        failed = [look for look in self.looks if look.failure is not None]
        blocks: list[Block] = [Code(diff(changes), "diff")] if changes else []
        blocks += [
            Text(f"{look.record.key}: {look.status}", "bad")
            for look in self.looks
            if look.status is not None and look.status.status != "none"
        ]
        reasons = group_pairs((look.failure or "", look.record.key) for look in failed)
        blocks += [Text(f"{shortened(keys, 3)}: {reason}", "warn") for reason, keys in reasons.items()]
        verb = "updated" if written else "would be updated"
        line = f"{len(changes)} of {len(self.looks)} records {verb}; {len(failed)} could not be looked up"
        mute = sum(not look.record.identifiers.is_askable for look in self.looks)
        blocks.append(Text(line + (f"; {mute} have no identifier to look up" if mute else "")))
        blocks += [Text(note, "warn") for note in crossref.contact_remark(self.net)]
        known = sum(look.status is not None for look in self.looks)
        blocks.append(Text(f"retraction status: known for {known}, unknown for {len(self.looks) - known}"))
        data = {
            "changes": [{"key": key, **asdict(s), "on": self.day.isoformat()} for key, s in suggestions],
            "retraction": {look.record.key: look.status.status if look.status else "unknown" for look in self.looks},
            "failed": [{"key": look.record.key, "message": look.failure} for look in failed],
            "rejected": [{"key": look.record.key, **asdict(s)} for look in self.looks for s in look.rejected],
            "written": written,
        }
        table = Table.of(("key", "field", "before", "after", "source"), rows)
        return Report("awesome/refresh/1", data, (Section(None, tuple(blocks)),), rows=table)


def shown(value: Any) -> str:
    """Write a value, a list without brackets."""
    return "; ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)


def _open(record: AnyWork, suggestions: Iterable[Suggestion], status: Retraction | None) -> Iterator[Suggestion]:
    """Yield the suggestions that were not rejected before, and that do not only state a withdrawal."""
    rejected = {(entry.field, str(entry.value)) for entry in record.rejected}
    gone = OVERWRITTEN if status and status.status in {"withdrawn", "retracted"} else frozenset()
    yield from (s for s in suggestions if s.field not in gone and (s.field, str(texts(s.after))) not in rejected)


def refreshed(look: LookUp, day: date) -> AnyWork:
    """Return the record with all suggestions applied, including provenance and corrections."""
    record = look.record
    document = to_document(record)
    document = {**document, "identifiers": dict(document.get("identifiers", {}))}
    provenance, corrections = dict(document.get("provenance", {})), list(document.get("corrections", []))
    for suggestion in look.suggestions:
        put(document, suggestion.field, suggestion.after)
        if suggestion.after is not None:
            provenance[suggestion.field] = {"source": suggestion.source, "on": day}
        if suggestion.field not in UNTRACKED and record.added is not None and record.added < day:
            because = f"refreshed from {suggestion.source}"
            published = texts(suggestion.before)
            correction = {"field": suggestion.field, "published": published, "corrected_on": day}
            corrections.append({**correction, "because": because})
    rejected = [{"field": s.field, "value": texts(s.after), "source": s.source, "on": day} for s in look.rejected]
    document |= {"provenance": provenance, "corrections": corrections}
    document |= {"rejected": [*document.get("rejected", []), *rejected]}
    if look.new_status is not None:
        document["retraction"] = look.new_status
    return type(record).model_validate({"key": record.key, **document})
