"""Compare records with what the registries say today, and take over the values that a curator accepts.

The source and day of each new value stand under `provenance`, the value that it replaces under `corrections`, so that
the pool of an earlier day does not change.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pydantic import ValidationError

from awesome_cli.curation.refresh.facts import (
    FRESH,
    Suggestion,
    ask_crossref,
    from_arxiv,
    from_crossref,
    from_service,
    retraction,
)
from awesome_cli.errors import NetError, UsageError
from awesome_cli.files.canonical import texts
from awesome_cli.files.tree import FileTree
from awesome_cli.model.fields import RECORD_FIELDS
from awesome_cli.model.misfits import misfit
from awesome_cli.model.records import AnyWork, Retraction, to_document
from awesome_cli.reports.progress import watched
from awesome_cli.reports.report import Block, Code, Report, Section, Table, Text
from awesome_cli.sources import arxiv
from awesome_cli.survey.corpus import put
from awesome_cli.survey.saving import Changes, diff, edit
from awesome_cli.system.network import Net

UNTRACKED = frozenset(field.path or field.name for field in RECORD_FIELDS if not field.dated)
"""Fields whose former value does not matter to the pool of an earlier day."""


@dataclass(frozen=True, slots=True)
class LookUp:
    """The result of looking a record up: suggestions and status, or why it failed."""

    record: AnyWork
    suggestions: tuple[Suggestion, ...] = ()
    status: Retraction | None = None
    failure: str | None = None

    @property
    def would_change(self) -> bool:
        """Whether the record would change."""
        known = self.record.retraction
        return bool(self.suggestions) or (
            self.status is not None and (known is None or known.status != self.status.status)
        )


@dataclass
class Refresh:
    """Looks up records, and plans what taking over their suggestions would change."""

    net: Net
    day: date
    axes: tuple[str, ...] = ()
    looks: list[LookUp] = field(default_factory=list)

    def look_up(self, records: Sequence[AnyWork]) -> None:
        """Look up each record; a source that fails is noted for the records that needed it."""
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
            failure = f"arXiv does not know {record.identifiers.arxiv}"
        if result is not None:
            suggestions |= {s.field: s for s in from_arxiv(record, result)}
        found = suggestions.get("identifiers.doi")
        doi = record.identifiers.doi or (found.after if found else None)
        work = None
        try:
            work = ask_crossref(doi, self.net) if doi else None
            # The registry of what was published outweighs the preprint server.
            suggestions |= {s.field: s for s in from_crossref(record, work)} if work else {}
            if not (doi or record.identifiers.arxiv):
                suggestions |= {s.field: s for s in from_service(record, self.net)}
        except NetError as error:
            failure = error.message
        look = LookUp(record, tuple(suggestions.values()), retraction(record, work, result, self.day), failure)
        try:
            refreshed(look, self.day)
        except ValidationError as error:
            return LookUp(record, failure=f"a source answered nonsense: {misfit(error.errors()[0])}")
        return look

    def changes(self, tree: FileTree) -> Changes:
        """The plan that takes over all suggestions."""
        news = (look for look in self.looks if look.would_change)
        plans = (edit(tree, look.record, refreshed(look, self.day), self.axes) for look in news)
        return tuple(change for plan in plans for change in plan)

    def to_report(self, changes: Changes, *, written: bool) -> Report:
        """What differs, record by record; records that could not be looked up are listed apart."""
        rows = [
            (look.record.key, s.field, _shown(s.before), _shown(s.after), s.source)
            for look in self.looks
            for s in look.suggestions
        ]
        unknown = [look for look in self.looks if look.failure is None and look.status is None]
        failed = [look for look in self.looks if look.failure is not None]
        warned = [look for look in self.looks if look.status is not None and look.status.status != "none"]
        blocks: list[Block] = [Code(diff(changes), "diff")] if changes else []
        blocks += [
            Text(f"{look.record.key}: {look.status.status} according to {look.status.source}", "bad")
            for look in warned
            if look.status
        ]
        blocks += _failures(failed)
        verb = "updated" if written else "would be updated"
        line = f"{len(changes)} of {len(self.looks)} records {verb}; {len(failed)} could not be looked up"
        mute = sum(not look.record.identifiers.is_askable for look in self.looks)
        blocks.append(Text(line + (f"; {mute} have no identifier to look up" if mute else "")))
        asked = len(self.looks) - len(unknown) - sum(look.status is None for look in failed)
        blocks.append(Text(f"retraction status: known for {asked}, unknown for {len(self.looks) - asked}"))
        data = {
            "changes": [
                {
                    "key": look.record.key,
                    "field": s.field,
                    "before": s.before,
                    "after": s.after,
                    "source": s.source,
                    "on": self.day.isoformat(),
                }
                for look in self.looks
                for s in look.suggestions
            ],
            "retraction": {look.record.key: look.status.status if look.status else "unknown" for look in self.looks},
            "failed": [{"key": look.record.key, "message": look.failure} for look in failed],
            "written": written,
        }
        table = Table.of(("key", "field", "before", "after", "source"), rows)
        return Report("awesome/refresh/1", data, (Section(None, tuple(blocks)),), rows=table)


def _failures(looks: Iterable[LookUp]) -> Iterator[Text]:
    """A line for each reason, with its records."""
    reasons: dict[str, list[str]] = {}
    for look in looks:
        reasons.setdefault(look.failure or "", []).append(look.record.key)
    for reason, keys in reasons.items():
        more = f" and {len(keys) - 3} more" if len(keys) > 3 else ""
        yield Text(f"{', '.join(keys[:3])}{more}: {reason}", "warn")


def _shown(value: Any) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)


def refreshed(look: LookUp, day: date) -> AnyWork:
    """The record with the suggestions taken over, with their sources and the values that they replaced."""
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
    document |= {"provenance": provenance, "corrections": corrections}
    if look.status is not None and (record.retraction is None or record.retraction.status != look.status.status):
        document["retraction"] = look.status
    return type(record).model_validate({"key": record.key, **document})
