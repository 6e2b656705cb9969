"""The manifestations of a record, and of a draft that is none yet."""

from collections.abc import Iterable, Mapping
from typing import Any

from awesome_cli.model.records import PAPER_LABELS, AnyRecord, Exclusion, Identifiers
from awesome_cli.survey.duplicates.details import Printed
from awesome_cli.survey.duplicates.identity import identities
from awesome_cli.survey.duplicates.works import Manifestation


def manifestations(record: AnyRecord) -> tuple[Manifestation, ...]:
    """The record as its own manifestation, followed by its other versions."""
    apart = frozenset(filter(None, [*record.distinct_from, record.key, getattr(record, "version_of", None)]))
    own = Manifestation(
        record.key,
        record.title,
        record.authors,
        record.year,
        getattr(record, "venue", None),
        identities(record.identifiers.pairs(), _urls(record)),
        apart,
        Printed.of(_citation(record), record.extra),
        record,
    )
    others = (
        Manifestation(
            record.key,
            version.title or record.title,
            record.authors,
            version.year or record.year,
            version.venue,
            identities(version.identifiers.pairs(), [version.url] if version.url else []),
            apart,
            Printed.of(vars(version.citation) if version.citation else {}, {}),
            version,
        )
        for version in getattr(record, "versions", ())
    )
    return (own, *others)


def _citation(record: AnyRecord) -> Mapping[str, Any]:
    if isinstance(record, Exclusion):
        return record.paper.get("citation") or {}
    return vars(record.citation) if record.citation else {}


def _urls(record: AnyRecord) -> Iterable[str]:
    if isinstance(record, Exclusion):
        return [record.url] if record.url else []
    return [link.url for link in record.links if link.label.casefold() in PAPER_LABELS]


def sketched(key: str, fields: Mapping[str, Any]) -> Manifestation:
    """A manifestation from the fields of a record that has not been made yet, such as an importer's draft."""
    named = fields.get("identifiers") or {}
    addresses = [str(link.get("url", "")) for link in fields.get("links") or () if isinstance(link, Mapping)]
    addresses += [str(fields["url"])] if fields.get("url") else []
    year = str(fields.get("year") or "")
    return Manifestation(
        key,
        str(fields.get("title") or ""),
        tuple(map(str, fields.get("authors") or ())),
        int(year) if year.isdigit() else None,
        str(fields["venue"]) if fields.get("venue") else None,
        identities(((scheme, str(text)) for scheme, text in named.items() if scheme in Identifiers.SCHEMES), addresses),
        printed=Printed.of(fields.get("citation") or {}, fields.get("extra") or {}),
        source=fields,
    )
