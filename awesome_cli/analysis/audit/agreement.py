"""How far two coders agree, question by question: in percent and beyond chance, with intervals.

The formulas are short and stand here with their sources, because the packages that have them fit neither this
project's licence nor its other dependencies. Values are nominal: two values are the same or they are not. A pair in
which one value is missing is left out.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from awesome_cli.model.audits import NA, Audit, CellGroup
from awesome_cli.model.codings import Tag, on_axis, parse_cell
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.known import require_known

Pair = tuple[str, str]
RESAMPLES = 1000
LEVEL = 0.95


def percent(pairs: Sequence[Pair]) -> float | None:
    """The share of pairs that agree, 0 to 1; None without pairs."""
    return sum(a == b for a, b in pairs) / len(pairs) if pairs else None


def kappa(pairs: Sequence[Pair]) -> float | None:
    """Cohen's kappa (Educational and Psychological Measurement 20:37-46, 1960), at most 1.

    Chance is the product of both coders' own shares. None if all values are equal.
    """
    n = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(first[value] * second[value] for value in first) / n**2 if n else 1.0
    return _beyond(percent(pairs), chance)


def ac1(pairs: Sequence[Pair]) -> float | None:
    """Gwet's AC1 (British Journal of Mathematical and Statistical Psychology 61:29-48, 2008), at most 1.

    Chance is `sum p(1-p) / (q-1)` over the q values that occur, p being a value's share with both coders
    together; unlike kappa it stays high where almost everything is one value. None if all values are equal.
    """
    shares = _shares(pairs)
    if len(shares) < 2:
        return None
    return _beyond(percent(pairs), sum(p * (1 - p) for p in shares.values()) / (len(shares) - 1))


def alpha(units: Sequence[Sequence[str]]) -> float | None:
    """Krippendorff's alpha for nominal data (Computing Krippendorff's Alpha-Reliability, 2011), at most 1.

    A unit holds the values that any number of coders gave to one thing; units with fewer than two values are
    left out. None if all values are equal.
    """
    # Equal units are counted once, since resamples have many.
    times = Counter(tuple(unit) for unit in units if len(unit) > 1)
    totals: Counter[str] = Counter()
    for unit, count in times.items():
        for value in unit:
            totals[value] += count
    n = totals.total()
    expected = n * n - sum(count * count for count in totals.values())
    if not expected:
        return None
    observed = sum(
        count * (len(unit) ** 2 - sum(c * c for c in Counter(unit).values())) / (len(unit) - 1)
        for unit, count in times.items()
    )
    return 1 - (n - 1) * observed / expected


def _shares(pairs: Sequence[Pair]) -> dict[str, float]:
    counts = Counter(value for pair in pairs for value in pair)
    return {value: count / counts.total() for value, count in counts.items()}


def _beyond(observed: float | None, chance: float) -> float | None:
    """`(observed - chance) / (1 - chance)`; None if agreement by chance is certain."""
    return None if observed is None or chance >= 1 else (observed - chance) / (1 - chance)


COEFFICIENTS: Mapping[str, Callable[[Sequence[Pair]], float | None]] = {"kappa": kappa, "alpha": alpha, "ac1": ac1}
"""Agreement beyond chance, by name."""
Interval = tuple[float, float] | None


def exact(agree: int, n: int) -> Interval:
    """The exact 95 % interval of the share `agree / n` (Clopper and Pearson, Biometrika 26:404-413, 1934).

    None without pairs. It presumes independent pairs drawn at random.
    """
    return (_lowest(agree, n), 1 - _lowest(n - agree, n)) if n else None


def _lowest(k: int, n: int) -> float:
    """The share under which `k` or more of `n` have the probability of one tail, by bisection."""
    ways = [math.log(math.comb(n, i)) for i in range(k, n + 1)]
    low, high = 0.0, 1.0
    for _ in range(50 if k else 0):
        p = (low + high) / 2
        yes, no = math.log(p), math.log1p(-p)
        tail = math.fsum(math.exp(way + i * yes + (n - i) * no) for i, way in enumerate(ways, start=k))
        low, high = (p, high) if tail < (1 - LEVEL) / 2 else (low, p)
    return low


def intervals(pairs: Sequence[Pair], seed: int) -> dict[str, Interval]:
    """A 95 % percentile interval of each coefficient from 1,000 resamples of the pairs; one seed gives one result.

    Resamples in which a coefficient is not defined are left out of its interval (Efron and Tibshirani, An
    Introduction to the Bootstrap, 1993, chapter 13).
    """
    import random

    draw = random.Random(seed)  # noqa: S311 - a reproducible resample, not a secret
    found: dict[str, list[float]] = {name: [] for name in COEFFICIENTS}
    for _ in range(RESAMPLES if pairs else 0):
        sample = draw.choices(pairs, k=len(pairs))
        for name, coefficient in COEFFICIENTS.items():
            value = coefficient(sample)
            if value is not None:
                found[name].append(value)
    return {name: _middle(sorted(values)) for name, values in found.items()}


def _middle(values: Sequence[float]) -> Interval:
    if not values:
        return None
    tail = (1 - LEVEL) / 2
    last = len(values) - 1
    return values[round(tail * last)], values[round((1 - tail) * last)]


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
        """True if there is more than one value; else agreement beyond chance is not defined."""
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


@dataclass(frozen=True, slots=True)
class Agreement:
    """The statistics of a column by name, each with its interval; None if all values are equal."""

    column: CodedColumn
    values: Mapping[str, float | None]
    intervals: Mapping[str, Interval]

    @classmethod
    def of(cls, column: CodedColumn, seed: int, *, coefficients: bool) -> "Agreement":
        """The agreement on a column; without `coefficients` only in percent."""
        values, between = {"percent": percent(column.values)}, {"percent": exact(column.agree, column.n)}
        if coefficients:
            values |= {name: coefficient(column.values) for name, coefficient in COEFFICIENTS.items()}
            between |= intervals(column.values, seed)
        return cls(column, values, between)


@dataclass(frozen=True, slots=True)
class Subset:
    """The agreement on some cells of an audit: all of them, or a group's. `seen` are papers not coded blind."""

    label: str
    papers: int
    seen: tuple[str, ...]
    coefficients: bool
    found: tuple[Agreement, ...]

    @classmethod
    def of(cls, corpus: Corpus, audit: Audit, group: str | None, seed: int, *, asked: bool) -> "Subset":
        """A group's cells, by default all; coefficients of cells that were not coded blind must be asked for."""
        cells = audit.subsets[group].cells if group else {coding.key: () for coding in audit.codings}
        seen = tuple(key for key in audit.seen if key in cells)
        shown = asked or not seen
        coded = columns(audit, corpus.taxonomy, group).values()
        found = tuple(Agreement.of(column, seed, coefficients=shown) for column in coded if column.n or not group)
        return cls(audit.subsets[group].label if group else "all papers", len(cells), seen, shown, found)

    def to_json(self) -> dict[str, object]:
        return {
            "label": self.label,
            "papers": self.papers,
            "not_blind": list(self.seen),
            "coefficients": self.coefficients,
            "axes": {one.column.name: _to_json(one) for one in self.found},
        }


def _to_json(found: Agreement) -> dict[str, object]:
    column = found.column
    first, second = column.one_sided
    return {
        "n": column.n,
        "agree": column.agree,
        **dict.fromkeys(COEFFICIENTS),
        **found.values,
        "intervals": {name: list(value) if value else None for name, value in found.intervals.items()},
        "only_first": first,
        "only_second": second,
        "missing": list(column.missing),
        "varies": column.varies,
    }
