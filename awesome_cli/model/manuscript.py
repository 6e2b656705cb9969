"""Model of `paper.yaml`: the numbers, tables and citations that a text on the survey uses."""

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from awesome_cli.model.claims import CorpusQuestion
from awesome_cli.model.codings import Frozen, Id, Many

PATH = "paper.yaml"
FOLDER = "paper"
"""The folder of the document and the files generated for it."""


class Pooled(Frozen):
    """The pool that an entry refers to: the day, and the reading of the contests from a grade; default: the file's."""

    as_of: date | None = None
    reading: Literal["strict", "generous"] | None = None
    grade: Id | None = None


class QuotedNumber(Pooled, CorpusQuestion):
    """A number of the text: the answer to a question, a `statistic`, or the figure of a `claim`.

    `statistic` is a path in the JSON of `awesome stats`, such as `totals.retained`. `figure` is the position of the
    claim's expectation whose observed value is meant, from 1.
    """

    statistic: str | None = None
    claim: Id | None = None
    figure: int = Field(default=1, ge=1)

    KINDS: ClassVar[tuple[str, ...]] = (*CorpusQuestion.KINDS, "statistic", "claim")

    def _has_bounds_of(self, kind: str) -> None:
        if kind != "claim" and "figure" in self.model_fields_set:
            raise ValueError(f"{kind!r} cannot have 'figure'; only 'claim' can")


class QuotedTable(Pooled):
    """A table of the text: a report with the options of its command; the default caption is the report's title."""

    report: Literal["stats", "gaps", "list", "claims", "audit", "flow"]
    caption: str | None = None
    by: Many[str] = ()
    where: str | None = None
    term: str | None = None
    measure: str | None = None
    columns: Many[str] = ()
    sort: str | None = None
    limit: int | None = Field(default=None, ge=1)
    claims: Many[Id] = ()
    audit: str | None = None

    OPTIONS: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "stats": ("by", "where"),
        "gaps": ("by", "term", "measure", "where"),
        "list": ("where", "columns", "sort", "limit"),
        "claims": ("claims",),
        "audit": ("audit",),
        "flow": (),
    }
    """The options of each report."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        options = {name for names in self.OPTIONS.values() for name in names}
        for name in sorted(options & self.model_fields_set - {*self.OPTIONS[self.report]}):
            known = ", ".join(self.OPTIONS[self.report]) or "none"
            raise ValueError(f"{self.report!r} cannot have {name!r} (options: {known})")
        if self.report == "gaps" and len({"by", "term", "measure"} & self.model_fields_set) > 1:
            raise ValueError("'gaps' needs one of by, term and measure")
        if self.report == "gaps" and len(self.axes) > 2:
            raise ValueError("'by' of 'gaps' takes one axis or two")
        return self

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes in `by`, where `a,b` is a pair."""
        return tuple(axis.strip() for names in self.by for axis in names.split(","))


class QuotedList(Pooled):
    """Papers that the text cites together: those that match `where`, sorted by a column [default: by key]."""

    where: str
    sort: str | None = None
    limit: int | None = Field(default=None, ge=1)


class Manuscript(Pooled):
    """The contents of `paper.yaml`: entries by the name that the text uses."""

    numbers: dict[Id, QuotedNumber] = Field(default_factory=dict)
    tables: dict[Id, QuotedTable] = Field(default_factory=dict)
    lists: dict[Id, QuotedList] = Field(default_factory=dict)

    @cached_property
    def queries(self) -> tuple[tuple[tuple[str, ...], str], ...]:
        """Every query with its route in the file."""
        of_numbers = ("count", "share", "among", "over", "minus")
        fields = {"numbers": of_numbers, "tables": ("where",), "lists": ("where",)}
        return tuple(
            ((group, name, field), query)
            for group, names in fields.items()
            for name, entry in getattr(self, group).items()
            for field in names
            if (query := getattr(entry, field)) and (field not in {"over", "minus"} or entry.count)
        )
