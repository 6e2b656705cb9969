"""The layout of the tables that a survey publishes as an artifact."""

from collections.abc import Mapping

from awesome_cli.model.axis_parts import Id
from awesome_cli.model.codings import Frozen


class Column(Frozen):
    """A column of the artifact export: where its value comes from, and its own words for it.

    `axis` takes the tag; `field` is a path into the record (`identifiers.arxiv`); `constant` is a text.
    """

    column: str
    axis: Id | None = None
    field: str | None = None
    constant: str | None = None
    words: Mapping[str, str] = {}
    default: str = ""


class Artifact(Frozen):
    """The layout of the published artifact's tables, columns in order."""

    papers: tuple[Column, ...]
    exclusions: tuple[Column, ...]
