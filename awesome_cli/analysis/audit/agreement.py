"""Inter-rater agreement by column: percent, kappa, alpha and AC1, with 95 % intervals.

The formulas are implemented here because packages that have them conflict with the project's licence or dependencies.
Values are nominal: they are equal or not. Pairs with a missing value are left out.
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
Pairs = Sequence[Pair] | Counter[Pair]
"""Pairs in any order, or the number of each: resamples repeat few different pairs."""
RESAMPLES = 1000
LEVEL = 0.95


def percent(pairs: Pairs) -> float | None:
    """Return the share of pairs that agree, 0 to 1; None without pairs."""
    times = Counter(pairs)
    return sum(count for (a, b), count in times.items() if a == b) / times.total() if times else None


def kappa(pairs: Pairs) -> float | None:
    """Cohen's kappa (Educational and Psychological Measurement 20:37-46, 1960), at most 1.

    Chance agreement is the sum over values of the product of both coders' shares. None if all values are equal.
    """
    times = Counter(pairs)
    n, first, second = times.total(), Counter[str](), Counter[str]()
    for (a, b), count in times.items():
        first[a] += count
        second[b] += count
    chance = sum(first[value] * second[value] for value in first) / n**2 if n else 1.0
    return _beyond(percent(times), chance)


def ac1(pairs: Pairs) -> float | None:
    """Gwet's AC1 (British Journal of Mathematical and Statistical Psychology 61:29-48, 2008), at most 1.

    Chance agreement is `sum p(1-p) / (q-1)` over the q values that occur, where p is a value's share for both coders
    together. Unlike kappa, it stays high if one value dominates. None if all values are equal.
    """
    times, counts = Counter(pairs), Counter[str]()
    for pair, count in times.items():
        for value in pair:
            counts[value] += count
    if len(counts) < 2:
        return None
    shares = (count / counts.total() for count in counts.values())
    return _beyond(percent(times), sum(p * (1 - p) for p in shares) / (len(counts) - 1))


def alpha(units: Sequence[tuple[str, ...]] | Counter[Pair]) -> float | None:
    """Krippendorff's alpha for nominal data (Computing Krippendorff's Alpha-Reliability, 2011), at most 1.

    A unit holds the values of any number of coders for one item; units with fewer than two values are left out.
    None if all values are equal.
    """
    times = {unit: count for unit, count in Counter(units).items() if len(unit) > 1}
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


def _beyond(observed: float | None, chance: float) -> float | None:
    """Return `(observed - chance) / (1 - chance)`; None if chance is 1."""
    return None if observed is None or chance >= 1 else (observed - chance) / (1 - chance)


COEFFICIENTS: Mapping[str, Callable[[Pairs], float | None]] = {"kappa": kappa, "alpha": alpha, "ac1": ac1}
"""Coefficients of agreement beyond chance, by name."""
Interval = tuple[float, float] | None


def exact(agree: int, n: int) -> Interval:
    """Return the exact 95 % interval of the share `agree / n` (Clopper and Pearson, Biometrika 26:404-413, 1934).

    None without pairs. It assumes independent pairs drawn at random.
    """
    return (_lowest(agree, n), 1 - _lowest(n - agree, n)) if n else None


def _lowest(k: int, n: int) -> float:
    """Return the share for which `k` or more of `n` have a probability of 2.5 %, by bisection."""
    ways = [math.log(math.comb(n, i)) for i in range(k, n + 1)]
    low, high = 0.0, 1.0
    for _ in range(50 if k else 0):
        p = (low + high) / 2
        yes, no = math.log(p), math.log1p(-p)
        tail = math.fsum(math.exp(way + i * yes + (n - i) * no) for i, way in enumerate(ways, start=k))
        low, high = (p, high) if tail < (1 - LEVEL) / 2 else (low, p)
    return low


def intervals(pairs: Sequence[Pair], seed: int) -> dict[str, Interval]:
    """Return 95 % percentile intervals of the coefficients from 1,000 bootstrap resamples, reproducible by seed.

    Resamples for which a coefficient is undefined are left out of its interval (Efron and Tibshirani, An
    Introduction to the Bootstrap, 1993, chapter 13).
    """
    import random

    draw = random.Random(seed)  # noqa: S311 - a reproducible resample, not a secret
    samples: dict[str, list[float]] = {name: [] for name in COEFFICIENTS}
    for _ in range(RESAMPLES if pairs else 0):
        sample = Counter(draw.choices(pairs, k=len(pairs)))
        for name, coefficient in COEFFICIENTS.items():
            value = coefficient(sample)
            if value is not None:
                samples[name].append(value)
    return {name: _middle(sorted(values)) for name, values in samples.items()}


def _middle(values: Sequence[float]) -> Interval:
    if not values:
        return None
    tail = (1 - LEVEL) / 2
    last = len(values) - 1
    return values[round(tail * last)], values[round((1 - tail) * last)]


Cells = Sequence[tuple[str, str | None, str | None]]
"""`(key, first, second)` for each paper; None for a missing value."""


@dataclass(frozen=True)
class CodedColumn:
    """One coded question: `pairs` of `(key, first, second)` and the keys of papers with a `missing` value.

    `pooled` columns repeat the cells of several other columns.
    """

    name: str
    pairs: tuple[tuple[str, str, str], ...]
    missing: tuple[str, ...] = ()
    pooled: bool = field(default=False, kw_only=True)

    @property
    def n(self) -> int:
        """Number of cells that both coded; one per paper, unless the column is pooled."""
        return len(self.pairs)

    @property
    def agree(self) -> int:
        return sum(a == b for _, a, b in self.pairs)

    @property
    def disagreements(self) -> tuple[tuple[str, str, str], ...]:
        """`(key, first, second)` of the pairs that differ."""
        return tuple(pair for pair in self.pairs if pair[1] != pair[2])

    @property
    def one_sided(self) -> tuple[int, int]:
        """Numbers of cells in which only the first, and only the second coder gave a term."""
        return sum(b == NA for _, _, b in self.disagreements), sum(a == NA for _, a, _ in self.disagreements)

    @property
    def values(self) -> tuple[Pair, ...]:
        return tuple((a, b) for _, a, b in self.pairs)

    @property
    def varies(self) -> bool:
        """True if the column has several values; otherwise agreement beyond chance is undefined."""
        return len({value for pair in self.values for value in pair}) > 1


def columns(audit: Audit, taxonomy: Taxonomy, group: str | None = None) -> dict[str, CodedColumn]:
    """Return the columns of an audit by name, with all cells or those of a group (`Audit.subsets`).

    An axis of kind `one` has a column of main terms. An axis of kind `many` has a column for each term (`axis=term`),
    one with all their cells (`axis=*`), and one for each strength (`axis=*:strength`) that is `yes` at that strength
    or above.
    """
    chosen = (
        audit.subsets[require_known(group, audit.subsets, "group", owner=f"audit {audit.key!r}")] if group else None
    )
    result: dict[str, CodedColumn] = {}
    for name, cells in audit.pairs.items():
        axis = taxonomy.by_id.get(name)
        if axis is not None and axis.kind == "many":
            result |= {column.name: column for column in _by_term(axis, cells, chosen)}
        else:
            mains = [(key, main_of(a), main_of(b)) for key, a, b in cells]
            result[name] = _column(name, mains if axis is not None else cells, chosen)
    return result


def main_of(cell: str | None) -> str | None:
    """Return the main term of a cell of kind `one`; `NA` if it has parts only, None if it is empty."""
    return next((tag.term for tag in parse_cell(cell) if not tag.part), NA) if cell else None


def tags_of(cell: str) -> tuple[Tag, ...]:
    """Return the codings in a cell; empty for `NA`."""
    return tuple(tag for tag in parse_cell(cell) if tag.term != NA)


def _column(name: str, cells: Cells, group: CellGroup | None) -> CodedColumn:
    chosen = [cell for cell in cells if group is None or group.has(cell[0], name)]
    both = tuple((key, a, b) for key, a, b in chosen if a and b)
    return CodedColumn(name, both, tuple(key for key, a, b in chosen if not (a and b)))


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
    """Return the strength of a term in a cell such as `a:weak; b:strong`; `yes` on an axis without strengths."""
    if not cell:
        return None
    strengths = {tag.term: tag.strength for tag in parse_cell(cell)}
    return (strengths[term] or "yes") if term in strengths else NA


@dataclass(frozen=True, slots=True)
class Agreement:
    """Statistics of a column by name, with intervals; None if all values are equal."""

    column: CodedColumn
    values: Mapping[str, float | None]
    intervals: Mapping[str, Interval]

    @classmethod
    def of(cls, column: CodedColumn, seed: int, *, coefficients: bool) -> "Agreement":
        """Compute the agreement on a column: percent and, with `coefficients`, kappa, alpha and AC1."""
        values, between = {"percent": percent(column.values)}, {"percent": exact(column.agree, column.n)}
        if coefficients:
            values |= {name: coefficient(column.values) for name, coefficient in COEFFICIENTS.items()}
            between |= intervals(column.values, seed)
        return cls(column, values, between)


@dataclass(frozen=True, slots=True)
class Subset:
    """Agreement on all cells of an audit or on a group; `seen` are keys of papers not coded blind."""

    label: str
    papers: int
    seen: tuple[str, ...]
    coefficients: bool
    columns: tuple[Agreement, ...]

    @classmethod
    def of(cls, corpus: Corpus, audit: Audit, group: str, seed: int, *, coefficients: bool) -> "Subset":
        """Compute the agreement on a group [`""`: all cells].

        Papers that were not coded blind have coefficients only on request.
        """
        cells = audit.subsets[group].cells if group else {coding.key: () for coding in audit.codings}
        seen = tuple(key for key in audit.seen if key in cells)
        shown = coefficients or not seen
        coded = columns(audit, corpus.taxonomy, group).values()
        agreements = tuple(Agreement.of(column, seed, coefficients=shown) for column in coded if column.n or not group)
        return cls(audit.subsets[group].label if group else "all papers", len(cells), seen, shown, agreements)

    def to_json(self) -> dict[str, object]:
        return {
            "label": self.label,
            "papers": self.papers,
            "not_blind": list(self.seen),
            "coefficients": self.coefficients,
            "axes": {agreement.column.name: _to_json(agreement) for agreement in self.columns},
        }


def _to_json(agreement: Agreement) -> dict[str, object]:
    column = agreement.column
    first, second = column.one_sided
    return {
        "n": column.n,
        "agree": column.agree,
        **dict.fromkeys(COEFFICIENTS),
        **agreement.values,
        "intervals": {name: list(value) if value else None for name, value in agreement.intervals.items()},
        "only_first": first,
        "only_second": second,
        "missing": list(column.missing),
        "varies": column.varies,
    }
