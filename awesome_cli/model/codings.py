"""What curators say of a paper: tags, measures, near-misses, and the history of both."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer

T = TypeVar("T")


class Frozen(BaseModel):
    """The base of all values of a survey: frozen, and without unknown fields."""

    # Each model is built when it is first used: most commands use a few of them.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


def _listed(value: object) -> object:
    """Allow one value in place of a list of one."""
    return (value,) if isinstance(value, str | Mapping) else value


Many = Annotated[tuple[T, ...], BeforeValidator(_listed)]


class Contest(Frozen):
    """Public evidence against a coding: its grade, and what it says."""

    grade: str
    because: str
    source: str | None = None


class Tag(Frozen):
    """A term given to a paper, with strength and evidence where the axis asks for them.

    Its short form in commands, queries, keywords and cells of tables is `term:strength`; there `axis=` may precede it.
    """

    term: str
    strength: str | None = None
    evidence: str | None = None
    source: str | None = None
    confidence: str | None = None
    contested: Contest | None = None

    def __str__(self) -> str:
        return f"{self.term}:{self.strength}" if self.strength else self.term

    @classmethod
    def parse(cls, text: str) -> "Tag":
        """The tag of a short form; nothing is checked."""
        term, _, strength = text.partition(":")
        return cls(term=term, strength=strength or None)


def split_axis(text: str) -> tuple[str, str | None]:
    """The axis and what follows it in `axis=rest`; the text and None where no `=` follows an axis."""
    axis, equals, rest = text.partition("=")
    return axis, rest if equals else None


def on_axis(axis: str, tag: Tag | str) -> str:
    """`axis=term` for a term, `axis=term:strength` for a tag with a strength."""
    return f"{axis}={tag}"


def which_axis(axes: Iterable[str], tag: Tag | str) -> str:
    """The hint for a term that stands on several axes, or on none."""
    return f"write {' or '.join(on_axis(axis, tag) for axis in axes) or 'AXIS=TERM'}"


def parse_cell(cell: str) -> tuple[Tag, ...]:
    """The tags of a cell, `term:strength; term`."""
    return tuple(Tag.parse(part.strip()) for part in cell.split(";") if part.strip())


def _tag(value: object) -> object:
    return {"term": value} if isinstance(value, str) else value


def _plain_tag(tag: Tag) -> object:
    """A tag as it stands in a file: a tag without further fields is just its term."""
    data = {name: value for name in Tag.model_fields if (value := getattr(tag, name)) is not None}
    if len(data) == 1:
        return tag.term
    if tag.contested is not None:
        data["contested"] = tag.contested.model_dump(exclude_none=True)
    return data


def _plain_tags(tags: tuple[Tag, ...]) -> object:
    values = [_plain_tag(tag) for tag in tags]
    return values[0] if len(values) == 1 and isinstance(values[0], str) else values


Tags = Annotated[
    tuple[Annotated[Tag, BeforeValidator(_tag)], ...], BeforeValidator(_listed), PlainSerializer(_plain_tags)
]


class Measured(Frozen):
    """A reported number. Without `value` the paper reports none; `basis` says where somebody looked."""

    value: float | None = None
    basis: str | None = None
    source: str | None = None
    confidence: str | None = None


def plain_measured(measures: Mapping[str, Measured]) -> object:
    """Measures as they stand in a file: whole numbers without a decimal point."""

    def short(fact: Measured) -> dict[str, object]:
        data = fact.model_dump(exclude_none=True)
        if "value" in data and float(data["value"]).is_integer():
            data["value"] = int(data["value"])
        return data

    return {name: short(fact) for name, fact in measures.items()}


class NearMiss(Frozen):
    """A tag that an excluded record would have if it were readmitted."""

    axis: str
    term: str
    strength: str | None = None
    because: str | None = None


class Correction(Frozen):
    """A wrong value that was published: before the day `corrected_on` the pool has `published`."""

    field: str
    published: Any = None
    corrected_on: date
    because: str | None = None


class Revision(Frozen):
    """A coding that was revised: before the day `on` the pool has `was`, or no value without it."""

    on: date
    field: str
    was: Any = None
    by: str | None = None
    because: str | None = None
