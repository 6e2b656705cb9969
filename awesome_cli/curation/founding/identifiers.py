"""Identifiers that a list gives to two works."""

from dataclasses import dataclass

from awesome_cli.curation.intake import Intake
from awesome_cli.model.records import AnyRecord


@dataclass(frozen=True, slots=True)
class DoubtfulIdentifier:
    """An identifier that a list gives to two works, of which one is another: `key` keeps it under `extra`."""

    key: str
    other: str
    scheme: str
    value: str

    def __str__(self) -> str:
        return f"{self.key} and {self.other} both have {self.scheme} {self.value}: one of the two is wrong"


def settled(intake: Intake) -> tuple[DoubtfulIdentifier, ...]:
    """Take an identifier of two different works from the one that comes later, and keep it there under `extra`."""
    records = intake.works.records
    owners: dict[tuple[str, str], AnyRecord] = {}
    found: list[DoubtfulIdentifier] = []
    for key in [taken.record.key for taken in intake.taken]:
        for scheme, value in records[key].identifiers.pairs():
            first = owners.setdefault((scheme, value.casefold()), records[key])
            if first.key != key and scheme != "isbn" and first.key not in records[key].distinct_from:
                found.append(DoubtfulIdentifier(key, first.key, scheme, value))
                records[key] = _without(records[key], scheme, value)
    return tuple(found)


def _without(record: AnyRecord, scheme: str, value: str) -> AnyRecord:
    gone = {scheme: None, "arxiv_version": None} if scheme == "arxiv" else {scheme: None}
    identifiers = record.identifiers.model_copy(update=gone)
    return record.model_copy(update={"identifiers": identifiers, "extra": {**record.extra, scheme: value}})
