"""The shape of `audits/<name>.yaml`: two codings of the same papers, and how independent they were."""

from collections.abc import Mapping
from datetime import date
from typing import ClassVar

from pydantic import Field

from awesome_cli.model.codings import Filed, Frozen, Many, parse_cell
from awesome_cli.model.taxonomy import Taxonomy

NA = "NA"
"""The axis does not apply, says the coder; an absent column was not coded."""
ALL = "*"
"""Every column of a paper, in a group of cells."""


class Sample(Frozen):
    """How papers were drawn at random; `awesome audit sample` draws the same papers again from the same values."""

    size: int = Field(ge=1)
    seed: int
    stratify: str | None = None
    pool: date | None = None


class Coding(Frozen):
    """One paper as two people coded it.

    Columns are axes and `axis.strength`. A cell is `NA`, or terms joined by `;`: on an axis of kind one the main term
    and any parts (`role; tool:part`), on one that takes many the terms with their strengths. `second_choice` is what
    the second coder would code otherwise. `blind` is given where it differs from the audit's.
    """

    key: str
    blind: bool | None = None
    first: dict[str, str]
    second: dict[str, str]
    second_choice: dict[str, str] = {}


class CellGroup(Frozen):
    """Cells whose agreement is also counted alone: for each paper its columns (`axis`, `axis=term`), `*` for all."""

    label: str
    cells: dict[str, Many[str]]

    def has(self, key: str, column: str) -> bool:
        """True if the cell of a paper in a column (`axis` or `axis=term`) belongs to the group."""
        return bool({ALL, column, column.partition("=")[0]} & {*self.cells.get(key, ())})


class Audit(Filed):
    """A second coding; the file's name is its name.

    `first` and `second` name the coders, `first_of` the first coder of a column that somebody else coded. The first
    coder's values are copied here, so that the agreement stays the same when a paper is coded anew later.

    `program` says that the second coder is one. `blind` says whether the second coder had not seen the first coding
    (None: nobody recorded it). `sample` says how papers were drawn at random, `chosen` by what the others were chosen.
    """

    on: date
    first: str = "first coder"
    second: str = "second coder"
    program: bool = False
    first_of: dict[str, str] = {}
    blind: bool | None = None
    columns: Many[str]
    sample: Sample | None = None
    chosen: str | None = None
    note: str | None = None
    groups: dict[str, CellGroup] = {}
    codings: tuple[Coding, ...] = ()

    FOLDER: ClassVar[str] = "audits"
    BLIND: ClassVar[str] = "blind"
    """The group of the papers coded blind, where not all of them were."""

    @property
    def coder(self) -> str:
        """The second coder, and whether it is a program."""
        return f"{self.second} (a program)" if self.program else self.second

    @property
    def pairs(self) -> Mapping[str, tuple[tuple[str, str | None, str | None], ...]]:
        """For each column `(key, first, second)`; None where a coder gave no value."""
        return {
            column: tuple((c.key, c.first.get(column), c.second.get(column)) for c in self.codings)
            for column in self.columns
        }

    def names(self, taxonomy: Taxonomy) -> tuple[str, ...]:
        """The columns as claims name them; for an axis that takes many, each term, all cells, and all at a strength."""
        found: list[str] = []
        for column in self.columns:
            axis = taxonomy.by_id.get(column)
            if axis is None or axis.kind == "one":
                found.append(column)
            else:
                found += [f"{column}={term.id}" for term in axis.leaves]
                found += [f"{column}=*", *(f"{column}=*:{strength}" for strength in axis.strength_ids[1:])]
        return tuple(found)

    @property
    def with_parts(self) -> frozenset[str]:
        """The columns in which the second coder named parts: in the others nobody asked for them."""
        cells = {column: [cell for *_, cell in pairs if cell] for column, pairs in self.pairs.items()}
        return frozenset(c for c, given in cells.items() if any(t.part for cell in given for t in parse_cell(cell)))

    @property
    def seen(self) -> tuple[str, ...]:
        """The papers that were not coded blind."""
        return tuple(c.key for c in self.codings if (self.blind if c.blind is None else c.blind) is False)

    @property
    def subsets(self) -> Mapping[str, CellGroup]:
        """The groups by name, with that of the papers coded blind where some were not."""
        unseen: dict[str, tuple[str, ...]] = {c.key: (ALL,) for c in self.codings if c.key not in self.seen}
        mixed = unseen and self.seen
        return {**({self.BLIND: CellGroup(label="papers coded blind", cells=unseen)} if mixed else {}), **self.groups}
