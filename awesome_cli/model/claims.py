"""The shape of `claims.yaml`: statements about the corpus that can be checked."""

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from math import isfinite
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, PlainSerializer, model_validator

from awesome_cli.model.codings import Frozen, Id, Many

PATH = "claims.yaml"


def _bound(value: object) -> object:
    """A number if the text is one, otherwise keys; raises `ValueError` for another value."""
    keys = tuple(value) if isinstance(value, list | tuple) else (value,)
    if not all(isinstance(key, str | int | float) for key in keys):
        raise ValueError("must be a number or a list of keys")
    if isinstance(value, list | tuple):
        return keys
    try:
        number = float(str(value))
    except ValueError:
        return (value,)
    return number if isfinite(number) else (value,)  # `nan` and `inf` may be keys


def _plain_bound(value: Any) -> object:
    if isinstance(value, tuple):
        return list(value)
    return int(value) if float(value).is_integer() else value


Bound = Annotated[float | tuple[str, ...], BeforeValidator(_bound), PlainSerializer(_plain_bound)]


State = Literal["gap", "sparse", "covered"]
"""A state that a term can have in the gap map, fewest papers first."""


class Expectation(Frozen):
    """A question to the corpus, and the bounds that the answer must keep.

    Exactly one of these is asked:

    - `count`: how many records match a query; `share`: how many of those that match `among` do;
      `ids`: which ones do (`at_least` names some that must be among them, `at_most` all that may);
    - `state`: in which state of the gap map a term is (`axis=term`); `is` lists those that it may be in;
    - `largest`, `median`: of a measure, in one of its groups (`group`), over the papers that the measure counts;
      `among` is another query for these papers, `confidence` another least confidence;
    - `agreement`: on how many cells of an `audit` (or of a `group` of its cells) two coders agree in one column;
    - `survive`: how many of these claims flip when the readings of `under` are applied; none, unless a bound says so.

    `over` divides the answer by that for another query (or another group of a measure), `minus` subtracts it. A `dated`
    expectation is a figure of the claim's day: it is read in the pool of that day.
    """

    count: str | None = None
    share: str | None = None
    state: str | None = None
    ids: str | None = None
    largest: str | None = None
    median: str | None = None
    agreement: str | None = None
    survive: Many[Id] = ()
    allowed: Many[State] = Field(default=(), alias="is")
    of: Literal["papers", "exclusions"] = "papers"
    among: str = "*"
    group: str | None = None
    confidence: Id | None = None
    over: str | None = None
    minus: str | None = None
    audit: str | None = None
    under: (
        Literal["near_misses", "partial", "strict", "generous", "contest", "second_reader", "low_confidence"] | None
    ) = None
    equals: Bound | None = None
    at_least: Bound | None = None
    at_most: Bound | None = None
    dated: bool = False

    model_config = ConfigDict(populate_by_name=True)

    KINDS: ClassVar[tuple[str, ...]] = ("count", "share", "state", "ids", "largest", "median", "agreement", "survive")
    NEEDS: ClassVar[Mapping[str, str]] = {
        "largest": "group",
        "median": "group",
        "agreement": "audit",
        "survive": "under",
    }

    @cached_property
    def kind(self) -> str:
        """The name of the question."""
        return next(name for name in self.KINDS if getattr(self, name))

    @property
    def asked(self) -> str:
        """The query, measure or axis that the question is about."""
        return str(getattr(self, self.kind)) if self.kind != "survive" else ", ".join(self.survive)

    @property
    def bounds(self) -> tuple[tuple[str, float | tuple[str, ...]], ...]:
        """`(equals | at_least | at_most, bound)` for each bound that is given."""
        named = ((name, getattr(self, name)) for name in ("equals", "at_least", "at_most"))
        return tuple((name, bound) for name, bound in named if bound is not None)

    @model_validator(mode="after")
    def _asks_one_thing(self) -> Self:
        kinds = [name for name in self.KINDS if getattr(self, name)]
        if len(kinds) != 1:
            raise ValueError(f"an expectation asks one of {', '.join(self.KINDS)}, not {' and '.join(kinds) or 'none'}")
        kind = kinds[0]
        needed = self.NEEDS.get(kind)
        if needed is not None and not getattr(self, needed):
            raise ValueError(f"{kind!r} needs {needed!r}")
        if (self.over or self.minus) and kind not in {"count", "largest", "median"}:
            raise ValueError(f"{kind!r} cannot be compared with 'over' or 'minus'")
        self._has_bounds_of(kind)
        return self

    def _has_bounds_of(self, kind: str) -> None:
        """Raises `ValueError` unless the bounds are of the sort that the kind of question takes."""
        if (kind == "state") is not bool(self.allowed) or (self.allowed and self.bounds):
            raise ValueError("'state' takes 'is', a list of states, and no other bound; nothing else takes 'is'")
        if not self.bounds and kind not in {"state", "survive"}:
            raise ValueError("an expectation needs a bound: equals, at_least or at_most")
        wants_keys = kind == "ids"
        if any(isinstance(bound, tuple) is not wants_keys for _, bound in self.bounds):
            raise ValueError(f"the bounds of {kind!r} are {'lists of keys' if wants_keys else 'numbers'}")


class Revised(Frozen):
    """The day from which a claim no longer stands, the claims `by` which it was revised, and the records behind it."""

    on: date
    by: Many[Id] = Field(min_length=1)
    records: Many[str] = ()
    because: str


class Withdrawn(Frozen):
    """The day from which a claim no longer stands, and why."""

    on: date
    because: str


class Claim(Frozen):
    """A statement of the survey, with the expectations that make it true.

    `boundary` says what it does not include, `stated` where it is published, `as_of` on which day it was made. A claim
    stands until it is `revised` or `withdrawn`; before that day it is judged as any other. `succeeds` names the
    revised claims in whose place this one stands. `account` tells in paragraphs how a claim came to change. Claims that
    `lead` come first on the site's front page.
    """

    id: Id
    statement: str = Field(min_length=1)
    expect: tuple[Expectation, ...] = Field(min_length=1)
    boundary: str | None = None
    stated: Many[str] = ()
    as_of: date
    lead: bool = False
    succeeds: Many[Id] = ()
    revised: Revised | None = None
    withdrawn: Withdrawn | None = None
    account: str | None = None

    def stands(self, day: date | None) -> bool:
        """True if the claim was neither revised nor withdrawn by that day (None: today)."""
        ended = [life.on for life in (self.revised, self.withdrawn) if life is not None]
        return not any(day is None or on <= day for on in ended)

    @property
    def definitional(self) -> bool:
        """True if the claim only says how many records there are: that changes with each record by definition."""
        return all((e.count, e.over, e.minus) == ("*", None, None) for e in self.expect)

    def is_due(self, day: date | None) -> bool:
        """True if the claim had been made on that day (None: today)."""
        return day is None or self.as_of <= day


class Rereading(Frozen):
    """Another way to read a term: `awesome sensitivity` replaces `term` by `read_as` on an axis."""

    id: Id
    label: str
    axis: str
    term: str
    read_as: str


class Claims(Frozen):
    """The whole of `claims.yaml`: claims, and other readings of tags."""

    claims: tuple[Claim, ...] = ()
    rereadings: tuple[Rereading, ...] = ()

    @cached_property
    def by_id(self) -> Mapping[str, Claim]:
        """Claims by their id."""
        return {claim.id: claim for claim in self.claims}
