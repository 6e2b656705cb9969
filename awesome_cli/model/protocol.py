"""Model of `protocol.yaml`: sources, queries, inclusion and exclusion criteria, and levels of evidence."""

from collections.abc import Mapping
from datetime import date
from typing import ClassVar, Literal

from awesome_cli.model.codings import Frozen, Id, Many

PATH = "protocol.yaml"


class Source(Frozen):
    """A searched source. The screening log names a source by its id, its label, or an alternative label in `also`."""

    id: Id
    label: str
    also: Many[str] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All labels of the source in the screening log."""
        return (self.id, self.label, *self.also)


class QueryFamily(Source):
    """A group of queries on one subject; `terms` are the search terms that the queries combine."""

    terms: Many[str] = ()


class Criterion(Frozen):
    """An inclusion or exclusion criterion."""

    id: Id
    text: str


class Support(Frozen):
    """The statements that publications with certain `terms` can support, described in a sentence (`text`)."""

    terms: Many[Id]
    text: str


class EvidenceLevels(Frozen):
    """The axis that codes the kind of publication, and the statements that each kind supports."""

    axis: Id
    supports: tuple[Support, ...] = ()


class Protocol(Frozen):
    """The contents of `protocol.yaml`.

    `kind` is the kind of review, `follows` the reporting standard that the review claims to follow. `begun` is the day
    on which the review began, `searched_until` the last day covered by the searches, `audited_until` the last day
    covered by the audit of records.
    """

    kind: str
    follows: Literal["PRISMA 2020"] | None = None
    note: str = ""
    begun: date | None = None
    searched_until: date | None = None
    audited_until: date | None = None
    sources: tuple[Source, ...] = ()
    query_families: tuple[QueryFamily, ...] = ()
    include: tuple[Criterion, ...] = ()
    exclude: tuple[Criterion, ...] = ()
    evidence: EvidenceLevels | None = None

    LABELS: ClassVar[Mapping[str, str]] = {"sources": "source", "query_families": "query_family"}
    """The protocol's lists of labelled entries, mapped to the field of a screening that contains a label."""

    def by_label(self, name: str) -> Mapping[str, Source]:
        """Map each label to its source or query family; `name` is a key of `LABELS`."""
        entries: tuple[Source, ...] = getattr(self, name)
        return {label: entry for entry in entries for label in entry.names}
