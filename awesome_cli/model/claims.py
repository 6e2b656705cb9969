"""Model of `claims.yaml`: statements about the corpus that can be checked."""

import re
from collections.abc import Mapping
from datetime import date
from functools import cached_property
from math import isfinite
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, PlainSerializer, field_validator, model_validator

from awesome_cli.model.codings import Frozen, Id, Many
from awesome_cli.model.taxonomy import require_share

PATH = "claims.yaml"


def _bound(value: object) -> object:
    """Convert a bound to a number or a tuple of keys; raise `ValueError` for other types."""
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
"""The states of a term in the evidence gap map, fewest papers first."""


class CorpusQuestion(Frozen):
    """A question about the corpus whose answer is a number.

    A question has exactly one of these topics:

    - `count`: the number of records that match a query;
    - `share`: the number of records that match a query, divided by the number that match the query `among`;
    - `largest`, `median`: the maximum or median of a measure in the group `group`. By default the measure selects the
      papers; the query `among` and the lowest accepted `confidence` override the measure's settings;
    - `agreement`: the number of cells in columns of `audit` (or of its `group`) on which the two coders agree.

    `over` and `minus` are another query (or group of the measure): its answer divides the first, or is subtracted.
    """

    count: str | None = None
    share: str | None = None
    largest: str | None = None
    median: str | None = None
    agreement: Many[str] = ()
    of: Literal["papers", "exclusions"] = "papers"
    among: str = "*"
    group: str | None = None
    confidence: Id | None = None
    over: str | None = None
    minus: str | None = None
    audit: str | None = None

    KINDS: ClassVar[tuple[str, ...]] = ("count", "share", "largest", "median", "agreement")
    NEEDS: ClassVar[Mapping[str, str]] = {"largest": "group", "median": "group", "agreement": "audit"}

    @field_validator("share")
    @classmethod
    def _is_query(cls, value: str | None) -> str | None:
        if re.fullmatch(r"[\d.]+ ?%?", value or ""):
            raise ValueError(f"must be a query, not {value}; the number of a share is a bound, such as at_most: 0.5")
        return value

    @cached_property
    def kind(self) -> str:
        """The name of the topic: one of `KINDS`."""
        return next(name for name in self.KINDS if getattr(self, name))

    @property
    def of_measure(self) -> bool:
        """True if the question is about the values of a measure."""
        return self.kind in {"largest", "median"}

    @property
    def topic(self) -> str:
        """The query, measure, term, columns or claims of the question."""
        topic = getattr(self, self.kind)
        return topic if isinstance(topic, str) else ", ".join(topic)

    @model_validator(mode="after")
    def _asks_one_thing(self) -> Self:
        kinds = [name for name in self.KINDS if getattr(self, name)]
        if len(kinds) != 1:
            raise ValueError(f"expected one of {', '.join(self.KINDS)}, got {' and '.join(kinds) or 'none'}")
        kind = kinds[0]
        needed = self.NEEDS.get(kind)
        if needed is not None and not getattr(self, needed):
            raise ValueError(f"{kind!r} needs {needed!r}")
        if (self.over or self.minus) and kind != "count" and not self.of_measure:
            raise ValueError(f"{kind!r} cannot be compared with 'over' or 'minus'")
        if self.among != "*" and kind != "share" and not self.of_measure:
            raise ValueError(f"{kind!r} cannot have 'among'; write both conditions into its query")
        self._has_bounds_of(kind)
        return self

    def _has_bounds_of(self, kind: str) -> None:
        """Raise `ValueError` unless the bounds fit the kind of question; a question alone has no bounds."""


class Expectation(CorpusQuestion):
    """A question about the corpus, and bounds for the answer.

    Beside the topics of `CorpusQuestion`, an expectation can have one of these:

    - `ids`: the keys of the matching records; `at_least` lists keys that must match, `at_most` all keys that may match;
    - `state`: the state of a term (`axis=term`) in the evidence gap map; `is` lists the allowed states;
    - `survive`: the number of these claims that flip when the readings of `under` are applied [default bound: 0].

    `cells` is the exact number of cells that both coders coded, for an `agreement`. A `dated` expectation is evaluated
    on the pool of the claim's date.
    """

    state: str | None = None
    ids: str | None = None
    survive: Many[Id] = ()
    allowed: Many[State] = Field(default=(), alias="is")
    cells: int | None = Field(default=None, ge=0)
    under: (
        Literal["near_misses", "partial", "strict", "generous", "contest", "second_reader", "low_confidence"] | None
    ) = None
    equals: Bound | None = None
    at_least: Bound | None = None
    at_most: Bound | None = None
    dated: bool = False

    model_config = ConfigDict(populate_by_name=True)

    KINDS: ClassVar[tuple[str, ...]] = ("count", "share", "state", "ids", "largest", "median", "agreement", "survive")
    NEEDS: ClassVar[Mapping[str, str]] = {**CorpusQuestion.NEEDS, "survive": "under"}

    @field_validator("equals", "at_least", "at_most")
    @classmethod
    def _fits_a_share(cls, value: Any, info: Any) -> Any:
        return require_share(value) if isinstance(value, float) and info.data.get("share") else value

    @property
    def bounds(self) -> tuple[tuple[str, float | tuple[str, ...]], ...]:
        """The bounds that are set, as `(name, bound)`; the name is `equals`, `at_least` or `at_most`."""
        bounds = ((name, getattr(self, name)) for name in ("equals", "at_least", "at_most"))
        return tuple((name, bound) for name, bound in bounds if bound is not None)

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers that a sentence on the expectation states: bounds, the lengths of lists of keys, and `cells`."""
        cells = () if self.cells is None else (float(self.cells),)
        return (*(float(len(bound)) if isinstance(bound, tuple) else bound for _, bound in self.bounds), *cells)

    def _has_bounds_of(self, kind: str) -> None:
        if (kind == "state") is not bool(self.allowed) or (self.allowed and self.bounds):
            raise ValueError("'state' needs 'is' (a list of states) and no other bound; only 'state' can have 'is'")
        if not self.bounds and kind not in {"state", "survive"}:
            raise ValueError("an expectation needs a bound: equals, at_least or at_most")
        if self.cells is not None and kind != "agreement":
            raise ValueError("only 'agreement' can have 'cells'")
        wants_keys = kind == "ids"
        if any(isinstance(bound, tuple) is not wants_keys for _, bound in self.bounds):
            raise ValueError(f"the bounds of {kind!r} must be {'lists of keys' if wants_keys else 'numbers'}")


class Revised(Frozen):
    """The revision of a claim: the day, the claims that replace this claim (`by`), and the records that caused it."""

    on: date
    by: Many[Id] = Field(min_length=1)
    records: Many[str] = ()
    because: str


class Withdrawn(Frozen):
    """The withdrawal of a claim: the day and the reason."""

    on: date
    because: str


UNENDED = r"[^\s.!?]$"
"""The end of a text without a final sign."""


class Headline(Frozen):
    """The short form of a claim that introduces the survey.

    In `sentence`, without full stop, `{observed}` is replaced by the answer to the first expectation that is not dated,
    `{2}` as in the statement; the status is added. `counts` names the papers that the claim counts, as the caption of a
    chart.
    """

    sentence: str = Field(max_length=120, pattern=UNENDED)
    counts: str | None = None


class Claim(Frozen):
    """A statement of the survey, with the expectations under which it holds.

    `boundary` describes what the claim does not cover, `stated` lists the publications that contain it, `as_of` is the
    day on which it was made. A claim stands until it is `revised` or `withdrawn`. `succeeds` lists the claims that this
    claim replaces. `account` explains why a claim changed. Claims with a `headline` introduce the survey. In the
    statement, `{2}` is replaced by the first number of the second expectation, a share as a percentage.
    """

    id: Id
    statement: str = Field(min_length=1)
    expect: tuple[Expectation, ...] = Field(min_length=1)
    boundary: str | None = None
    stated: Many[str] = ()
    as_of: date
    headline: Headline | None = None
    succeeds: Many[Id] = ()
    revised: Revised | None = None
    withdrawn: Withdrawn | None = None
    account: str | None = None

    @model_validator(mode="after")
    def _fill(self) -> Self:
        for i, expectation in enumerate(self.expect, 1):
            for number in expectation.numbers[:1]:
                text = f"{100 * number:.12g} %" if expectation.share else f"{number:,.12g}"
                # The models are frozen.
                self.__dict__["statement"] = self.statement.replace(f"{{{i}}}", text)
                if self.headline:
                    filled = self.headline.sentence.replace(f"{{{i}}}", text)
                    self.__dict__["headline"] = self.headline.model_copy(update={"sentence": filled})
        return self

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The paragraphs of the account, each on one line."""
        return tuple(" ".join(text.split()) for text in (self.account or "").split("\n\n") if text.strip())

    def stands(self, day: date | None) -> bool:
        """True if the claim was not revised or withdrawn on or before a day (None: at any time)."""
        ended = [life.on for life in (self.revised, self.withdrawn) if life is not None]
        return not any(day is None or on <= day for on in ended)

    @property
    def definitional(self) -> bool:
        """True if the claim only states the number of records, which any new record changes by definition."""
        return all((e.count, e.over, e.minus) == ("*", None, None) for e in self.expect)

    @property
    def record_of_day(self) -> bool:
        """True if no later record can change an answer: each expectation is dated, or is about a finished audit."""
        return all(e.dated or e.agreement for e in self.expect)

    def is_due(self, day: date | None) -> bool:
        """True if the claim was made on or before a day (None: always true)."""
        return day is None or self.as_of <= day


class Rereading(Frozen):
    """An alternative reading of a term: `awesome sensitivity` replaces `term` by `read_as` on an axis."""

    id: Id
    label: str
    axis: str
    term: str
    read_as: str


class Claims(Frozen):
    """The contents of `claims.yaml`: claims, and alternative readings of terms."""

    claims: tuple[Claim, ...] = ()
    rereadings: tuple[Rereading, ...] = ()

    @cached_property
    def simple(self) -> tuple[str, ...]:
        """The ids of the claims without `survive`, which other claims may name in it."""
        return tuple(claim.id for claim in self.claims if all(e.kind != "survive" for e in claim.expect))

    @cached_property
    def by_id(self) -> Mapping[str, Claim]:
        """Claims by id."""
        return {claim.id: claim for claim in self.claims}

    def origin(self, claim: Claim) -> Claim | None:
        """Return the published claim that a claim replaces, directly or through other claims, else None."""
        waiting, seen = [*claim.succeeds], {claim.id}
        while waiting:
            name = waiting.pop(0)
            earlier = None if name in seen else self.by_id.get(name)
            seen.add(name)
            if earlier is not None:
                if earlier.stated:
                    return earlier
                waiting += earlier.succeeds
        return None
