"""Finding duplicates: quality on the labelled pairs of DBLP and ACM, time on synthetic surveys up to 100,000 records.

The pairs have no licence that lets this repository hold them. `python -m bench dedupe --pairs DIR` names the folder
where `Structured_DBLP-ACM_train.txt` and `…_valid.txt` of the ER-Magellan benchmark lie; without it quality is not
measured.
"""

import random
import re
import sys
from collections.abc import Iterable, Iterator
from math import log
from pathlib import Path

from awesome_cli.survey.duplicates import Index, Manifestation, compare
from bench.timing import Row, best

Pair = tuple[Manifestation, Manifestation, bool]
FIELD = re.compile(r"COL (\w+) VAL(.*?)(?=COL \w+ VAL|$)")


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
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        left, right, label = line.split("\t")
        yield work(f"a{number}", left), work(f"b{number}", right), label == "1"


def quality(pairs: Iterable[Pair], kinds: frozenset[str] = frozenset(["same"])) -> tuple[float, float, float]:
    """Precision, recall and F1 of `compare` finding a match of one of the kinds, over labelled pairs."""
    hits = wrong = missed = 0
    for a, b, same in pairs:
        match = compare(a, b)
        said = match is not None and match.kind in kinds
        hits += said and same
        wrong += said and not same
        missed += same and not said
    precision, recall = hits / (hits + wrong), hits / (hits + missed)
    return precision, recall, 2 * precision * recall / (precision + recall)


def found_by_index(pairs: Iterable[Pair], kinds: frozenset[str] = frozenset(["same"])) -> float:
    """The share of the pairs that `compare` matches as one of the kinds which the index finds without comparing all."""
    said = [(a, b) for a, b, _ in pairs if (match := compare(a, b)) and match.kind in kinds]
    index = Index()
    for _, b in said:
        index.file(b)
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
        works.append(Manifestation(key, " ".join(words), authors, year, "Proc", apart=frozenset([key])))
    return works


def seconds(n: int) -> float:
    """Processor time to file n works and find all pairs among them; titles are folded within it."""
    works = survey(n)

    def pairs() -> None:
        index = Index()
        for entry in works:
            index.file(entry)
        index.pairs()

    return best(pairs, 1)


def run(pairs: Path | None = None, sizes: tuple[int, ...] = (10_000, 30_000, 100_000)) -> list[Row]:
    """Quality per labelled file in the folder `pairs`, as what is lacking to 1; then the time per size.

    The time stands beside n log n from the size before. Below some 10,000 records the buckets of words still fill and a
    lookup costs more with each; from there it does not.
    """
    rows: list[Row] = []
    if pairs is None:
        print("quality on labelled pairs is not measured: name their folder with --pairs", file=sys.stderr)
    for name in ("train", "valid") if pairs else ():
        known = list(labelled(pairs / f"Structured_DBLP-ACM_{name}.txt"))
        precision, recall, f1 = quality(known)
        rows.append(Row(f"{name}: 1 - F1 (precision {precision:.4f}, recall {recall:.4f})", 1 - f1, 0.03, 1, ""))
        rows.append(Row(f"{name}: pairs that the index does not reach", 1 - found_by_index(known), 0.01, 1, ""))
    before: float | None = None
    for n in sizes:
        spent = min(seconds(n) for _ in range(3))
        cost = spent / (n * log(n))
        rows.append(Row(f"{n:,} records, n log n from the size before", spent, (before or cost) * n * log(n), 1.5))
        before = cost
    return rows
