"""Model of `audits/<name>.yaml`: two codings of the same papers, for inter-rater agreement."""

import json
from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import Annotated, ClassVar

from pydantic import BeforeValidator, Field

from awesome_cli.model.codings import CURRENCY, Filed, Frozen, Many, parse_cell
from awesome_cli.model.records import EXCLUSION_KEY
from awesome_cli.model.taxonomy import Taxonomy

NA = "NA"
"""A coder's value if the axis does not apply to the paper; a column that the coder did not code is absent."""
ALL = "*"
"""In a group of cells: all columns of a paper."""


class Sample(Frozen):
    """The parameters of a random sample; `awesome audit sample` draws the same papers from the same parameters."""

    size: int = Field(ge=1)
    seed: int
    stratify: str | None = None
    pool: date | None = None


MOST = 10**12
"""Maximum number of tokens, and maximum cost, of an answer."""
FactName = Annotated[str, Field(pattern=EXCLUSION_KEY, max_length=60)]


class Cost(Frozen):
    """The cost of an answer."""

    amount: float = Field(ge=0, le=MOST)
    currency: Annotated[str, Field(pattern=CURRENCY)]


class CoderEvidence(Frozen):
    """A program's evidence for a coding. `found` is true if `quote` is word for word in the text that was sent."""

    evidence: str | None = None
    quote: str | None = None
    found: bool | None = None


def _setting(value: object) -> object:
    """Return a number or truth value also if it was read from YAML, as a string; other values as text."""
    text = value if isinstance(value, str) else json.dumps(value)
    try:
        parsed = json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return text
    return parsed if isinstance(parsed, int | float) and json.dumps(parsed) == text else text


Setting = Annotated[bool | int | float | Annotated[str, Field(max_length=200)], BeforeValidator(_setting)]


class CoderFacts(Frozen):
    """A program's description of its answer: coder, model, settings, number of tokens by kind, and cost."""

    coder: str | None = Field(default=None, min_length=1, max_length=100)
    model: str | None = Field(default=None, min_length=1, max_length=100)
    settings: dict[FactName, Setting] = Field(default={}, max_length=20)
    usage: dict[FactName, Annotated[int, Field(ge=0, le=MOST)]] = Field(default={}, max_length=20)
    cost: Cost | None = None

    @property
    def origin(self) -> str:
        """The coder, the model and the settings in words."""
        settings = (f"{name} {value}" for name, value in self.settings.items())
        return ", ".join((self.coder or "unnamed coder", *([f"model {self.model}"] if self.model else ()), *settings))


class Coding(Frozen):
    """The codings of one paper by two coders; `first` and `second` map columns to cells.

    A column is an axis or `axis.strength`. A cell is `NA` or a list of terms separated by `;`. On an axis of kind `one`
    the list has the main term and any parts (`role; tool:part`); on an axis of kind `many`, terms with strengths.
    `second_choice` has the second coder's alternative codings. `blind` overrides `blind` of the audit.
    """

    key: str
    blind: bool | None = None
    first: dict[str, str]
    second: dict[str, str]
    second_choice: dict[str, str] = {}
    evidence: dict[str, CoderEvidence] = {}
    answer: CoderFacts | None = None


class CellGroup(Frozen):
    """Cells whose agreement is reported separately; `cells` maps papers to columns (`axis`, `axis=term`, `*`: all)."""

    label: str
    cells: dict[str, Many[str]]

    def has(self, key: str, column: str) -> bool:
        """True if the cell of paper `key` in a column (`axis` or `axis=term`) belongs to the group."""
        return bool({ALL, column, column.partition("=")[0]} & {*self.cells.get(key, ())})


BLINDNESS: Mapping[bool | None, str] = {True: "blind", False: "not blind", None: "blindness not recorded"}


class Audit(Filed):
    """A second coding of papers, to measure inter-rater agreement; `key` is the file's name.

    `first` and `second` name the coders. `first_of` maps columns to their first coder, if this is another person than
    `first`. The first coder's values are copied here, so that agreement does not change when a paper is recoded later.

    `program` is true if the second coder is a program. `blind` is true if the second coder had not seen the first
    coding (None: not recorded). `sample` holds the parameters of a random sample; `chosen` describes how papers outside
    the sample were chosen. If the audit has both, the group `drawn` has the papers of the sample.
    """

    on: date
    first: str = "first coder"
    second: str = "second coder"
    program: bool = False
    prompt: str | None = None
    first_of: dict[str, str] = {}
    blind: bool | None = None
    columns: Many[str]
    sample: Sample | None = None
    chosen: str | None = None
    note: str | None = None
    groups: dict[str, CellGroup] = {}
    codings: tuple[Coding, ...] = ()

    FOLDER: ClassVar[str] = "audits"
    DRAWN: ClassVar[str] = "drawn"
    """The name of the group of papers that were drawn at random, in an audit that also has chosen papers."""

    @property
    def coder(self) -> str:
        """The second coder's name, marked if it is a program."""
        return f"{self.second} (a program)" if self.program else self.second

    @property
    def pairs(self) -> Mapping[str, tuple[tuple[str, str | None, str | None], ...]]:
        """Return `(key, first, second)` for each paper, by column; a value that a coder did not give is None."""
        return {
            column: tuple((c.key, c.first.get(column), c.second.get(column)) for c in self.codings)
            for column in self.columns
        }

    def names(self, taxonomy: Taxonomy) -> tuple[str, ...]:
        """Return the column names that claims may use.

        An axis of kind `many` has a column for each term (`axis=term`), for all terms (`axis=*`), and for each strength
        but the weakest (`axis=*:strength`).
        """
        columns: list[str] = []
        for column in self.columns:
            axis = taxonomy.by_id.get(column)
            if axis is None or axis.kind == "one":
                columns.append(column)
            else:
                columns += [f"{column}={term.id}" for term in axis.leaves]
                columns += [f"{column}=*", *(f"{column}=*:{strength}" for strength in axis.strength_ids[1:])]
        return tuple(columns)

    @property
    def with_parts(self) -> frozenset[str]:
        """The columns in which the second coder coded at least one part."""
        cells = {column: [cell for *_, cell in pairs if cell] for column, pairs in self.pairs.items()}
        return frozenset(c for c, coded in cells.items() if any(t.part for cell in coded for t in parse_cell(cell)))

    @property
    def seen(self) -> tuple[str, ...]:
        """The keys of papers that were not coded blind."""
        return tuple(key for (blind, _), keys in self.parts.items() if blind == BLINDNESS[False] for key in keys)

    @cached_property
    def parts(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """The keys of the papers by blindness and choice, such as `("not blind", "drawn at random")`."""
        drawn = self.groups[self.DRAWN].cells if self.DRAWN in self.groups else ()
        every = self.sample is not None and (not self.chosen or self.sample.size >= len(self.codings))
        parts: dict[tuple[str, str], tuple[str, ...]] = {}
        for coding in self.codings:
            blind = BLINDNESS[self.blind if coding.blind is None else coding.blind]
            choice = "chosen" if self.chosen else "of unrecorded choice"
            if every or (self.sample and coding.key in drawn):
                choice = "drawn at random"
            parts[blind, choice] = (*parts.get((blind, choice), ()), coding.key)
        return parts

    def group_of(self, part: tuple[str, str]) -> str | None:
        """Return the name of the group of a part, by its difference from the others; None if the part is the audit."""
        words = (word for word in part if any(word not in other for other in self.parts))
        return "_".join(words).removesuffix(" at random").replace(" ", "_") or None

    @property
    def subsets(self) -> Mapping[str, CellGroup]:
        """The groups of cells by name, with the parts of a mixed audit: `blind`, `not_blind`, `drawn`, `chosen`."""
        parts = {self.group_of(part): (part, keys) for part, keys in self.parts.items()}
        derived = {n: CellGroup(label=", ".join(p), cells=dict.fromkeys(k, (ALL,))) for n, (p, k) in parts.items() if n}
        return {**derived, **self.groups}
