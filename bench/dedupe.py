"""Finding duplicates: quality on labelled pairs and on sets of citations, time on surveys up to 100,000 records.

The pairs have no licence that lets this repository hold them. `python -m bench dedupe --pairs DIR` names a folder with
files of the ER-Magellan benchmark, such as `Structured_DBLP-ACM_valid.txt`; every .txt file in it is measured, and
without it quality is not. DBLP-ACM has a conference paper and its journal article as two works, the other sets as one.
"""

import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import log
from pathlib import Path

from awesome_cli.survey.duplicates import Index, Manifestation, compare, grouped
from awesome_cli.survey.duplicates.groups import Grouping
from awesome_cli.text.names import inverted
from bench._citations import Cited, citations, works
from bench.timing import Row, best

LIMITS = {100_000: 15}
"""Seconds of the processor."""
Pair = tuple[Manifestation, Manifestation, bool]
FIELD = re.compile(r"COL (\w+) VAL(.*?)(?=COL \w+ VAL|$)")

ONE_WORK = frozenset(["same", "version"])
TARGETS: dict[str, tuple[float, frozenset[str]]] = {
    "Dirty": (0.1, frozenset(["same"])),
    "DBLP-ACM": (0.02, frozenset(["same"])),
    "": (0.1, ONE_WORK),
}
"""By a part of a file's name, what may lack to F1 of 1, and which kinds count as a duplicate there."""


def work(key: str, text: str) -> Manifestation:
    """One side of a labelled pair: `COL title VAL … COL authors VAL a , b COL venue VAL … COL year VAL …`."""
    fields = {name: value.strip() for name, value in FIELD.findall(text.strip())}
    authors = tuple(name.strip() for name in fields.get("authors", "").split(" , ") if name.strip())
    year = fields.get("year", "").partition(".")[0]
    return Manifestation(
        key, fields.get("title", ""), authors, int(year) if year.isdigit() else None, fields.get("venue") or None
    )


def labelled(path: Path) -> Iterator[Pair]:
    """The pairs of a file, with whether they are one record."""
    for line in path.read_text(encoding="utf-8").splitlines():
        left, right, label = line.split("\t")
        # A record that stands in several pairs has one key, its own text.
        yield work(f"a: {left}", left), work(f"b: {right}", right), label == "1"


def scores(hits: int, said: int, true: int) -> tuple[float, float, float]:
    """Precision, recall and F1."""
    return hits / said, hits / true, 2 * hits / (said + true)


def quality(pairs: Iterable[Pair], kinds: frozenset[str] = frozenset(["same"])) -> tuple[float, float, float]:
    """Precision, recall and F1 of `compare` finding a match of one of the kinds, over labelled pairs."""
    hits = wrong = missed = 0
    for a, b, same in pairs:
        match = compare(a, b)
        said = match is not None and match.kind in kinds
        hits += said and same
        wrong += said and not same
        missed += same and not said
    return scores(hits, hits + wrong, hits + missed)


def quality_of_groups(cited: Sequence[tuple[int, Manifestation]]) -> tuple[float, float, float]:
    """Precision, recall and F1 of all pairs of citations that are in one group, given each with its work."""
    grouping = grouped([work] for _, work in cited)
    said = [grouping.top(work.key) for _, work in cited]
    true = [number for number, _ in cited]
    together = [_pairs(labels) for labels in (zip(said, true, strict=True), said, true)]
    return scores(*together)


def _pairs(labels: Iterable[object]) -> int:
    return sum(n * (n - 1) // 2 for n in Counter(labels).values())


def quality_in_groups(pairs: Iterable[Pair], kinds: frozenset[str]) -> tuple[float, float, float]:
    """Precision, recall and F1 over labelled pairs, if links of these kinds group all their records in one survey."""
    pairs, joined = list(pairs), Grouping()
    for link in grouped([work] for work in {work.key: work for a, b, _ in pairs for work in (a, b)}.values()).links:
        if link.kind in kinds:
            joined.join(link)
    said = [(joined.top(a.key) == joined.top(b.key), same) for a, b, same in pairs]
    return scores(sum(x and y for x, y in said), sum(x for x, _ in said), sum(y for _, y in said))


def found_by_index(pairs: Iterable[Pair], kinds: frozenset[str] = frozenset(["same"])) -> float:
    """The share of the pairs that `compare` matches as one of the kinds which the index finds without comparing all.

    The index holds the right side of every pair, each record once.
    """
    pairs = list(pairs)
    said = [(a, b) for a, b, _ in pairs if (match := compare(a, b)) and match.kind in kinds]
    index = Index()
    for other in {b.key: b for _, b, _ in pairs}.values():
        index.file(other)
    return sum(any(match.b == b.key for match in index.look_up(a)) for a, b in said) / len(said)


def survey(n: int) -> list[Manifestation]:
    """Works with titles from a vocabulary with few common and many rare words; one in twenty is a copy with a slip."""
    chance = random.Random(n)
    syllables = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu"]
    vocabulary = ["".join(chance.choice(syllables) for _ in range(chance.randint(2, 5))) for _ in range(20_000)]
    weights = [1 / (rank + 10) for rank in range(len(vocabulary))]
    titles = chance.choices(vocabulary, weights, k=n * 8)
    works: list[Manifestation] = []
    for i in range(n):
        words = titles[i * 8 : i * 8 + 8]
        year = 2000 + i % 20
        authors = (f"{chance.choice(vocabulary)}, A", f"{chance.choice(vocabulary)}, B")
        if i % 20 == 19:
            other = works[chance.randrange(i)]
            words, authors, year = [*other.title.split()[:-1], words[0]], other.authors, other.year or year
        key = f"w{i}"
        works.append(Manifestation(key, " ".join(words), authors, year, "Proc", apart=(key,)))
    return works


def seconds(n: int) -> float:
    """Processor time to group n works; titles are folded within it."""
    made = survey(n)
    return best(lambda: grouped([entry] for entry in made), 1)


def run(pairs: Path | None = None, sizes: tuple[int, ...] = (10_000, 100_000)) -> list[Row]:
    """Quality per labelled file in the folder `pairs`, as what is lacking to 1; then the time per size.

    The time stands beside n log n from the size before. Below some 10,000 records the buckets of words still fill and a
    lookup costs more with each; from there it does not.
    """
    rows: list[Row] = []
    if pairs is None:
        print("quality on labelled pairs is not measured: name their folder with --pairs", file=sys.stderr)
    for path in sorted(pairs.glob("*.txt")) if pairs else ():
        rows += measured(path)
    rows += cited(pairs)
    before: float | None = None
    for n in sizes:
        spent = seconds(n)
        cost = spent / (n * log(n))
        rows.append(Row(f"{n:,} records, n log n from the size before", spent, (before or cost) * n * log(n), 1.5))
        before = cost
        if n in LIMITS:
            rows.append(Row(f"{n:,} records, against {LIMITS[n]} s", spent, LIMITS[n], 1))
    return rows


def cited(pairs: Path | None) -> Iterator[Row]:
    """What sets of citations lack to F1 of 1: of the works in tests/data, and of the labelled works."""
    sets = [(f"1,295 citations, set {seed}", works(), 1_295, seed) for seed in (1, 2, 3)]
    for path in sorted(pairs.glob("*ACM_train.txt")) if pairs else ():
        base = {a.title.casefold(): a for a, _, _ in labelled(path) if a.authors}.values()
        known = [Cited(a.title, tuple(map(inverted, a.authors)), a.year, a.venue or "") for a in base]
        sets.append(("20,000 citations", known, 20_000, 4))
    for name, known, n, seed in sets:
        precision, recall, f1 = quality_of_groups(citations(known, n, seed))
        of = len(known)
        yield Row(f"{name} of {of:,} works: 1 - F1 (P {precision:.3f}, R {recall:.3f})", 1 - f1, 0.15, 1, "")


def measured(path: Path) -> Iterator[Row]:
    """What one labelled file lacks to F1 of 1, with and without versions, and the pairs that the index misses."""
    known = list(labelled(path))
    name = path.stem.removeprefix("Structured_")
    limit, kinds = next(target for part, target in TARGETS.items() if part in path.stem)
    for counted in (frozenset(["same"]), ONE_WORK):
        for how, asked in (("", quality), (", grouped", quality_in_groups)):
            precision, recall, f1 = asked(known, counted)
            what = f"{name}, {' + '.join(sorted(counted))}{how}: 1 - F1 (P {precision:.4f}, R {recall:.4f})"
            yield Row(what, 1 - f1, limit if counted == kinds else 1, 1, "")
    yield Row(f"{name}: pairs that the index does not reach", 1 - found_by_index(known, ONE_WORK), 0.01, 1, "")
