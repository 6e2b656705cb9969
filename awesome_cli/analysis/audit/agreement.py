"""How far two coders agree, also beyond chance. A pair in which one value is missing is left out.

The formulas are short and stand here with their sources, because the packages that have them fit neither this
project's licence nor its other dependencies. Values are nominal: two values are the same or they are not.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from awesome_cli.model.audits import NA, Audit
from awesome_cli.model.codings import parse_cell
from awesome_cli.model.taxonomy import Axis, Taxonomy

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
    paired = [Counter(unit) for unit in units if len(unit) > 1]
    totals: Counter[str] = Counter()
    for unit in paired:
        totals.update(unit)
    n = totals.total()
    expected = n * n - sum(count * count for count in totals.values())
    if not expected:
        return None
    observed = sum(
        (unit.total() ** 2 - sum(count * count for count in unit.values())) / (unit.total() - 1) for unit in paired
    )
    return 1 - (n - 1) * observed / expected


def _shares(pairs: Sequence[Pair]) -> dict[str, float]:
    counts = Counter(value for pair in pairs for value in pair)
    return {value: count / counts.total() for value, count in counts.items()}


def _beyond(observed: float | None, chance: float) -> float | None:
    """`(observed - chance) / (1 - chance)`; None if agreement by chance is certain."""
    return None if observed is None or chance >= 1 else (observed - chance) / (1 - chance)


STATISTICS: Mapping[str, Callable[[Sequence[Pair]], float | None]] = {
    "percent": percent,
    "kappa": kappa,
    "alpha": alpha,
    "ac1": ac1,
}


def intervals(pairs: Sequence[Pair], seed: int) -> dict[str, tuple[float, float] | None]:
    """A 95 % percentile interval of each statistic from 1,000 resamples of the pairs; one seed gives one result.

    Resamples in which a statistic is not defined are left out of its interval (Efron and Tibshirani, An Introduction
    to the Bootstrap, 1993, chapter 13).
    """
    import random

    draw = random.Random(seed)  # noqa: S311 - a reproducible resample, not a secret
    found: dict[str, list[float]] = {name: [] for name in STATISTICS}
    for _ in range(RESAMPLES if pairs else 0):
        sample = draw.choices(pairs, k=len(pairs))
        for name, statistic in STATISTICS.items():
            value = statistic(sample)
            if value is not None:
                found[name].append(value)
    return {name: _middle(sorted(values)) for name, values in found.items()}


def _middle(values: Sequence[float]) -> tuple[float, float] | None:
    if not values:
        return None
    tail = (1 - LEVEL) / 2
    last = len(values) - 1
    return values[round(tail * last)], values[round((1 - tail) * last)]


@dataclass(frozen=True)
class CodedColumn:
    """One coded question: pairs of values that both coders gave, with the papers' keys."""

    name: str
    pairs: tuple[tuple[str, str, str], ...]
    missing: tuple[str, ...]
    covered: int = 0

    @property
    def n(self) -> int:
        """Papers that both coded."""
        return len(self.pairs)

    @property
    def agree(self) -> int:
        return sum(a == b for _, a, b in self.pairs)

    @property
    def disagreements(self) -> tuple[tuple[str, str, str], ...]:
        """`(key, first, second)` of those that differ."""
        return tuple(pair for pair in self.pairs if pair[1] != pair[2])

    @property
    def values(self) -> tuple[Pair, ...]:
        return tuple((a, b) for _, a, b in self.pairs)

    @property
    def varies(self) -> bool:
        """Whether there is more than one value. If not, chance-corrected agreement is not defined."""
        return len({value for pair in self.values for value in pair}) > 1


def columns(audit: Audit, taxonomy: Taxonomy) -> dict[str, CodedColumn]:
    """The columns of an audit by name; an axis that takes many terms gives one column for each term."""
    found: dict[str, CodedColumn] = {}
    for name, pairs in audit.pairs.items():
        axis_id, _, strength = name.partition(".")
        axis = taxonomy.by_id.get(axis_id)
        weakest = axis.strengths[0].id if axis is not None and strength and axis.strengths else None
        if axis is not None and axis.kind == "many" and not strength:
            found |= {f"{name}={term}": column for term, column in _by_term(axis, name, pairs)}
        else:
            found[name] = _column(name, pairs, weakest)
    return found


def _column(name: str, pairs: Sequence[tuple[str, str | None, str | None]], weakest: str | None) -> CodedColumn:
    """`NA` counts as `weakest`, because both say that the paper has no mechanism."""
    both = [(key, a, b) for key, a, b in pairs if a and b]
    covered = 0
    if weakest is not None:
        covered = sum({a, b} == {NA, weakest} for _, a, b in both)
        both = [(key, *(weakest if value == NA else value for value in (a, b))) for key, a, b in both]  # type: ignore[misc]
    missing = tuple(key for key, a, b in pairs if not (a and b))
    return CodedColumn(name, tuple(both), missing, covered)


def _by_term(
    axis: Axis, name: str, pairs: Sequence[tuple[str, str | None, str | None]]
) -> Iterator[tuple[str, CodedColumn]]:
    for term in axis.leaves:
        split = [(key, _strength(a, term.id), _strength(b, term.id)) for key, a, b in pairs]
        yield term.id, _column(f"{name}={term.id}", split, None)


def _strength(cell: str | None, term: str) -> str | None:
    """The strength of a term in a cell such as `term:strength; term:strength`, `yes` if the axis has no strengths."""
    if not cell:
        return None
    given = {tag.term: tag.strength for tag in parse_cell(cell)}
    return (given[term] or "yes") if term in given else NA
