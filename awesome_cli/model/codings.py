"""Models of a paper's codings (tags), contests of codings, measures, near-misses, and changes of records."""

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property, lru_cache
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

T = TypeVar("T")
ID = r"^[a-z0-9][a-z0-9_-]*$"
KEY = r"^[a-z0-9][a-z0-9._-]*$"
CURRENCY = r"^[A-Z]{3}$"
Id = Annotated[str, Field(pattern=ID)]
"""The id of an axis, a term or another part of a survey, in lower case."""


class Frozen(BaseModel):
    """Base of a survey's models: frozen, without unknown fields."""

    # Validators are built on first use: most commands use few models.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, allow_inf_nan=False)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with updated fields; cached properties are not copied, since they depend on the old fields."""
        copied = super().model_copy(update=update, deep=deep)
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied

    @cached_property
    def memo(self) -> dict[object, Any]:
        """A cache for results derived from the value; a copy starts with an empty one."""
        return {}


class Filed(Frozen):
    """A model with its own file in a folder of the survey; the file name is its key."""

    key: str = Field(pattern=KEY, exclude=True)

    FOLDER: ClassVar[str]

    @property
    def path(self) -> str:
        """The path of the file relative to the survey's root."""
        return f"{self.FOLDER}/{self.key}.yaml"


_field_sets: dict[frozenset[str], set[str]] = {}


def shared(value: Frozen) -> None:
    """Save memory: let all models with the same `model_fields_set` share one set object."""
    names = value.__pydantic_fields_set__
    object.__setattr__(value, "__pydantic_fields_set__", _field_sets.setdefault(frozenset(names), names))


def _as_list(value: object) -> object:
    """Wrap a string or mapping in a tuple; return other values unchanged."""
    return (value,) if isinstance(value, str | Mapping) else value


Many = Annotated[tuple[T, ...], BeforeValidator(_as_list)]


NONE = "none"
"""The value of `as` in a contest that proposes to remove the coding."""
PART = "part"
MAIN = "main"


class Challenge(Frozen):
    """A coding proposed by a contest; None means the term or strength of the contested coding."""

    term: str | None = None
    strength: str | None = None


def _challenge(value: object) -> object:
    if not isinstance(value, str):
        return value
    term, _, strength = value.partition(":")
    return {"term": term or None, "strength": strength or None}


def _plain_challenges(challenges: "tuple[Challenge, ...] | None") -> object:
    if not challenges:
        return challenges if challenges is None else NONE
    plain = [
        {"strength": c.strength} if c.term is None else f"{c.term}:{c.strength}" if c.strength else c.term
        for c in challenges
    ]
    return plain[0] if len(plain) == 1 else plain


class Contest(Frozen):
    """Public evidence against a coding: the day, the grade of the evidence, and the argument.

    `reads_as` is the proposed coding. In files its name is `as`, and its value is a term or a list of terms (on an axis
    of kind `one` the first is the main coding), `{strength: …}` to change the strength, or `none` to remove the coding.
    A contest without a proposed coding only casts doubt: it changes neither the strict nor the generous reading.
    """

    on: date | None = None
    grade: str
    reads_as: Annotated[
        tuple[Annotated[Challenge, BeforeValidator(_challenge)], ...] | None,
        BeforeValidator(lambda value: () if value == NONE else _as_list(value)),
        PlainSerializer(_plain_challenges),
    ] = Field(default=None, alias="as")
    because: str
    source: str | None = None

    model_config = ConfigDict(populate_by_name=True)

    @property
    def would_be(self) -> str:
        """The proposed coding in short form; empty if the contest proposes no coding."""
        if not self.reads_as:
            return "" if self.reads_as is None else NONE
        return ", ".join(":".join(filter(None, (c.term, c.strength))) for c in self.reads_as)

    def __str__(self) -> str:
        """Return grade, day and proposed coding: `strong, 2025-01-31, as measured`."""
        would_be = f"as {self.would_be}" if self.would_be else ""
        return ", ".join(filter(None, (self.grade, str(self.on or ""), would_be)))


Direction = Literal["for", "against"]
"""The direction of evidence: it supports its coding, or speaks against it."""
AGAINST: Direction = "against"


class Tag(Frozen):
    """A coding of a paper: a term, with strength and evidence if the axis requires them.

    A `part` is a secondary coding: the paper has the term, but another coding is the main one on this axis.
    `quote` is a verbatim passage of the paper that supports the evidence. `direction` says whether evidence and quote
    support the coding or speak against it. `as_published` states that the coding repeats a publication despite evidence
    against it.

    The short form in commands, keywords and table cells is `term:strength`, or `term:strength:part` for a part. `axis=`
    may precede the short form.
    """

    term: str
    strength: str | None = None
    part: bool = False
    evidence: str | None = None
    direction: Direction = "for"
    as_published: bool = False
    quote: str | None = None
    source: str | None = None
    confidence: str | None = None
    contested: Contest | None = None

    @property
    def mark(self) -> str:
        """A mark for evidence that speaks against the coding, else an empty text."""
        return "evidence against" if self.direction == AGAINST else ""

    @property
    def marked(self) -> str:
        """The short form, followed by the mark of evidence against the coding."""
        return f"{self} ({self.mark})" if self.mark else str(self)

    @property
    def marked_evidence(self) -> str | None:
        """The evidence, preceded by the mark if it speaks against the coding."""
        return ": ".join(filter(None, (self.mark.capitalize(), self.evidence))) or None

    def __str__(self) -> str:
        return ":".join(filter(None, (self.term, self.strength, PART if self.part else None)))

    @classmethod
    def parse(cls, text: str) -> "Tag":
        """Parse a short form such as `tool:measured:part`, without validation."""
        term, *rest = text.split(":")
        part = rest[-1:] == [PART]
        return cls(term=term, strength=":".join(rest[: -1 if part else None]) or None, part=part)


def split_axis(text: str) -> tuple[str, str | None]:
    """Split `axis=rest` into axis and rest; without `=`, return the text and None."""
    axis, equals, rest = text.partition("=")
    return axis, rest if equals else None


def on_axis(axis: str, tag: Tag | str) -> str:
    """Return `axis=term` for a term, `axis=term:strength` for a tag with a strength."""
    return f"{axis}={tag}"


def which_axis(axes: Iterable[str], tag: Tag | str) -> str:
    """Return the hint for a term that several axes or no axis have: `write mood=calm or taste=calm`."""
    return f"write {' or '.join(on_axis(axis, tag) for axis in axes) or 'AXIS=TERM'}"


@lru_cache(maxsize=4096)
def parse_cell(cell: str) -> tuple[Tag, ...]:
    """Parse the tags of a table cell: `term:strength; term`."""
    return tuple(Tag.parse(part.strip()) for part in cell.split(";") if part.strip())


def _tag(value: object) -> object:
    return {"term": value} if isinstance(value, str) else value


_DEFAULTS = tuple((name, field.default) for name, field in Tag.model_fields.items())


def _plain_tag(tag: Tag) -> object:
    values = vars(tag)
    data = {name: v for name, default in _DEFAULTS if (v := values[name]) is not default and v != default}
    if len(data) == 1:
        return tag.term
    if tag.contested is not None:
        data["contested"] = tag.contested.model_dump(exclude_none=True, by_alias=True)
    return data


def _plain_tags(tags: tuple[Tag, ...]) -> object:
    values = [_plain_tag(tag) for tag in tags]
    return values[0] if len(values) == 1 and isinstance(values[0], str) else values


Tags = Annotated[
    tuple[Annotated[Tag, BeforeValidator(_tag)], ...], BeforeValidator(_as_list), PlainSerializer(_plain_tags)
]


class Measured(Frozen):
    """A number that a paper reports (None: it reports none); `basis` is the counted quantity, such as `per cup`."""

    value: float | None = None
    basis: str | None = None
    source: str | None = None
    confidence: str | None = None


def plain_measured(measures: Mapping[str, Measured]) -> object:
    """Convert measures to the mapping written to a file; whole numbers have no decimal point."""

    def short(fact: Measured) -> dict[str, object]:
        data = fact.model_dump(exclude_none=True)
        if "value" in data and float(data["value"]).is_integer():
            data["value"] = int(data["value"])
        return data

    return {name: short(fact) for name, fact in measures.items()}


class NearMiss(Frozen):
    """A tag that an excluded record would have if it were retained."""

    axis: str
    term: str
    strength: str | None = None
    because: str | None = None


Verdict = Literal["yes", "near", "no"]


class Judgement(Frozen):
    """A verdict on a paper: does it have the term in the strictest sense? `near` means almost."""

    key: str
    verdict: Verdict
    because: str


class Correction(Frozen):
    """A correction of an error; `published` is the wrong value that the field had until the day `corrected_on`."""

    field: str
    published: Any = None
    corrected_on: date
    because: str | None = None


class Revision(Frozen):
    """A revision of a field; `was` is the value that the field had before the day `on` (None: no value)."""

    on: date
    field: str
    was: Any = None
    by: str | None = None
    because: str | None = None
