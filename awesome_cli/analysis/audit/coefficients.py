"""How far two coders agree, also beyond chance. A pair in which one value is missing is left out.

The formulas are short and stand here with their sources, because the packages that have them fit neither this
project's licence nor its other dependencies. Values are nominal: two values are the same or they are not.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

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
