"""What curators say of a paper: tags, measures, near-misses, and the history of both."""

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

T = TypeVar("T")
ID = r"^[a-z0-9][a-z0-9_-]*$"
KEY = r"^[a-z0-9][a-z0-9._-]*$"
Id = Annotated[str, Field(pattern=ID)]
"""The name of an axis, a term or another part of a survey, in small letters."""


class Frozen(BaseModel):
    """The base of all values of a survey: frozen, and without unknown fields."""

    # Each model is built when it is first used: most commands use a few of them.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, allow_inf_nan=False)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some new values; cached properties are left behind, since they were made of the old ones."""
        copied = super().model_copy(update=update, deep=deep)
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied

    @cached_property
    def memo(self) -> dict[object, Any]:
        """What was worked out of the value and is asked for again; a copy starts without it."""
        return {}


class Filed(Frozen):
    """A value that has a file of its own in a folder of the survey, by the name of its key."""

    key: str = Field(pattern=KEY, exclude=True)

    FOLDER: ClassVar[str]

    @property
    def path(self) -> str:
        """The path of the file, relative to the survey's root."""
        return f"{self.FOLDER}/{self.key}.yaml"


_given: dict[frozenset[str], set[str]] = {}


def shared(value: Frozen) -> None:
    """Let values with the same fields share the set of their names, which is larger than a short value."""
    names = value.__pydantic_fields_set__
    object.__setattr__(value, "__pydantic_fields_set__", _given.setdefault(frozenset(names), names))


def _listed(value: object) -> object:
    """Allow one value in place of a list of one."""
    return (value,) if isinstance(value, str | Mapping) else value


Many = Annotated[tuple[T, ...], BeforeValidator(_listed)]


NONE = "none"
"""What a contest would code where it wants the coding to go."""
PART = "part"
MAIN = "main"


class Challenge(Frozen):
    """A coding that a challenger would give; without a term the contested one, without a strength its strength."""

    term: str | None = None
    strength: str | None = None


def _challenge(value: object) -> object:
    if not isinstance(value, str):
        return value
    term, _, strength = value.partition(":")
    return {"term": term or None, "strength": strength or None}


def _challenges(value: object) -> object:
    return () if value == NONE else _listed(value)


def _plain_challenges(challenges: "tuple[Challenge, ...] | None") -> object:
    if not challenges:
        return challenges if challenges is None else NONE
    plain = [
        {"strength": c.strength} if c.term is None else f"{c.term}:{c.strength}" if c.strength else c.term
        for c in challenges
    ]
    return plain[0] if len(plain) == 1 else plain


class Contest(Frozen):
    """Public evidence against a coding: the day when it was raised, its grade, and what it says.

    `reads_as`, written `as`, is what the challenger would code: terms, the first one as the main coding on an axis
    that takes one; `{strength: …}` for another strength; `none` if the coding should go. A contest without it casts
    doubt and changes no reading.
    """

    on: date | None = None
    grade: str
    reads_as: Annotated[
        tuple[Annotated[Challenge, BeforeValidator(_challenge)], ...] | None,
        BeforeValidator(_challenges),
        PlainSerializer(_plain_challenges),
    ] = Field(default=None, alias="as")
    because: str
    source: str | None = None

    model_config = ConfigDict(populate_by_name=True)

    @property
    def would_be(self) -> str:
        """What the challenger would code, in short forms; empty if the contest only casts doubt."""
        if not self.reads_as:
            return "" if self.reads_as is None else NONE
        return ", ".join(":".join(filter(None, (c.term, c.strength))) for c in self.reads_as)

    def __str__(self) -> str:
        """Grade, day, and what the challenger would code: `strong, 2025-01-31, as measured`."""
        would_be = f"as {self.would_be}" if self.would_be else ""
        return ", ".join(filter(None, (self.grade, str(self.on or ""), would_be)))


class Tag(Frozen):
    """A term given to a paper, with strength and evidence where the axis asks for them.

    A `part` is a further coding beside the main one: the paper has it, but it is not what the paper is about on this
    axis. `quote` is a passage of the paper, word for word, that the evidence rests on.

    The short form in commands, keywords and cells of tables is `term:strength`, with `:part` for a part;
    `axis=` may precede it.
    """

    term: str
    strength: str | None = None
    part: bool = False
    evidence: str | None = None
    quote: str | None = None
    source: str | None = None
    confidence: str | None = None
    contested: Contest | None = None

    def __str__(self) -> str:
        return ":".join(filter(None, (self.term, self.strength, PART if self.part else None)))

    @classmethod
    def parse(cls, text: str) -> "Tag":
        """The tag of a short form; nothing is checked."""
        term, *rest = text.split(":")
        part = rest[-1:] == [PART]
        return cls(term=term, strength=":".join(rest[: -1 if part else None]) or None, part=part)


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
    data = {name: value for name in Tag.model_fields if (value := getattr(tag, name)) not in (None, False)}
    if len(data) == 1:
        return tag.term
    if tag.contested is not None:
        data["contested"] = tag.contested.model_dump(exclude_none=True, by_alias=True)
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


Verdict = Literal["yes", "near", "no"]


class Judgement(Frozen):
    """Whether a paper has a term in the survey's strictest sense; `near` comes close to it."""

    key: str
    verdict: Verdict
    because: str


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
