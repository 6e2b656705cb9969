"""What two coders gave, question by question: the columns of an audit, and the cells of a group."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from awesome_cli.analysis.audit.coefficients import Pair
from awesome_cli.model.audits import NA, Audit, CellGroup
from awesome_cli.model.codings import Tag, on_axis, parse_cell
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.text.known import require_known

Cells = Sequence[tuple[str, str | None, str | None]]
"""`(key, first, second)`; None where a coder gave no value."""


@dataclass(frozen=True)
class CodedColumn:
    """One coded question: pairs of values that both coders gave, with the papers' keys.

    `pooled` columns hold the cells of several others once more.
    """

    name: str
    pairs: tuple[tuple[str, str, str], ...]
    missing: tuple[str, ...] = ()
    pooled: bool = field(default=False, kw_only=True)

    @property
    def n(self) -> int:
        """Cells that both coded; one for each paper, unless the column is pooled."""
        return len(self.pairs)

    @property
    def agree(self) -> int:
        return sum(a == b for _, a, b in self.pairs)

    @property
    def disagreements(self) -> tuple[tuple[str, str, str], ...]:
        """`(key, first, second)` of those that differ."""
        return tuple(pair for pair in self.pairs if pair[1] != pair[2])

    @property
    def one_sided(self) -> tuple[int, int]:
        """In how many cells only the first coder gave a term, and in how many only the second."""
        return sum(b == NA for _, _, b in self.disagreements), sum(a == NA for _, a, _ in self.disagreements)

    @property
    def values(self) -> tuple[Pair, ...]:
        return tuple((a, b) for _, a, b in self.pairs)

    @property
    def varies(self) -> bool:
        """Whether there is more than one value. If not, chance-corrected agreement is not defined."""
        return len({value for pair in self.values for value in pair}) > 1


def columns(audit: Audit, taxonomy: Taxonomy, group: str | None = None) -> dict[str, CodedColumn]:
    """The columns of an audit by name, of all cells or of those of a group (`Audit.subsets`).

    An axis of kind one gives a column of main terms. One that takes many gives a column for each term (`axis=term`),
    their cells together (`axis=*`), and these again at each strength: `axis=*:strength` tells whether a coder gave
    that strength or more.
    """
    chosen = (
        audit.subsets[require_known(group, audit.subsets, "group", owner=f"audit {audit.key!r}")] if group else None
    )
    found: dict[str, CodedColumn] = {}
    for name, cells in audit.pairs.items():
        axis = taxonomy.by_id.get(name)
        if axis is not None and axis.kind == "many":
            found |= {column.name: column for column in _by_term(axis, cells, chosen)}
        else:
            mains = [(key, main_of(a), main_of(b)) for key, a, b in cells]
            found[name] = _column(name, mains if axis is not None else cells, chosen)
    return found


def main_of(cell: str | None) -> str | None:
    """The main term of a cell on an axis of kind one; `NA` if there are parts only, None for an empty cell."""
    return next((tag.term for tag in parse_cell(cell) if not tag.part), NA) if cell else None


def tags_of(cell: str) -> tuple[Tag, ...]:
    """The codings in a cell; none for `NA`."""
    return tuple(tag for tag in parse_cell(cell) if tag.term != NA)


def _column(name: str, cells: Cells, group: CellGroup | None) -> CodedColumn:
    kept = [cell for cell in cells if group is None or group.has(cell[0], name)]
    both = tuple((key, a, b) for key, a, b in kept if a and b)
    return CodedColumn(name, both, tuple(key for key, a, b in kept if not (a and b)))


def _by_term(axis: Axis, cells: Cells, group: CellGroup | None) -> Iterator[CodedColumn]:
    single = [_column(on_axis(axis.id, term.id), _split(cells, term.id), group) for term in axis.leaves]
    pairs = tuple(pair for column in single for pair in column.pairs)
    yield from single
    yield CodedColumn(f"{axis.id}=*", pairs, pooled=True)
    for strength in axis.strength_ids[1:]:
        least = axis.rank[strength]
        cut = tuple((key, *("yes" if axis.rank.get(v, -1) >= least else NA for v in pair)) for key, *pair in pairs)
        yield CodedColumn(f"{axis.id}=*:{strength}", cut, pooled=True)  # type: ignore[arg-type]


def _split(cells: Cells, term: str) -> Cells:
    return [(key, _strength(a, term), _strength(b, term)) for key, a, b in cells]


def _strength(cell: str | None, term: str) -> str | None:
    """The strength of a term in a cell such as `term:strength; term:strength`, `yes` if the axis has no strengths."""
    if not cell:
        return None
    given = {tag.term: tag.strength for tag in parse_cell(cell)}
    return (given[term] or "yes") if term in given else NA
