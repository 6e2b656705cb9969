"""The shape of `protocol.yaml`: how the survey searched, what it retained, and what its evidence may support."""

from collections.abc import Mapping
from datetime import date
from typing import ClassVar, Literal

from awesome_cli.model.codings import Frozen, Id, Many

PATH = "protocol.yaml"


class Source(Frozen):
    """Where was searched; the screening log calls it by its id, its label, or one of the `also`."""

    id: Id
    label: str
    also: Many[str] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The labels in the screening log that mean it."""
        return (self.id, self.label, *self.also)


class QueryFamily(Source):
    """Queries of one subject, by the terms that they combine."""

    terms: Many[str] = ()


class Criterion(Frozen):
    """A reason for which a record is retained or screened out."""

    id: Id
    text: str


class Support(Frozen):
    """Which statements publications with these terms may support, as a sentence."""

    terms: Many[Id]
    text: str


class EvidenceLevels(Frozen):
    """The axis that codes the kind of publication, and what its terms may support."""

    axis: Id
    supports: tuple[Support, ...] = ()


class Protocol(Frozen):
    """The whole of `protocol.yaml`.

    `kind` says what kind of review it is, `follows` the reporting standard that it claims to follow, if any. Hits were
    searched until one day, and records audited until another.
    """

    kind: str
    follows: Literal["PRISMA 2020"] | None = None
    note: str = ""
    searched_until: date | None = None
    audited_until: date | None = None
    sources: tuple[Source, ...] = ()
    query_families: tuple[QueryFamily, ...] = ()
    include: tuple[Criterion, ...] = ()
    exclude: tuple[Criterion, ...] = ()
    evidence: EvidenceLevels | None = None

    LABELS: ClassVar[Mapping[str, str]] = {"sources": "source", "query_families": "query_family"}
    """The lists that the labels of the screening log belong to, and the field of a screening that holds a label."""

    def named(self, name: str) -> Mapping[str, Source]:
        """The sources or query families (`name` is a key of `LABELS`) by every label that means them."""
        entries: tuple[Source, ...] = getattr(self, name)
        return {label: entry for entry in entries for label in entry.names}
