"""Screening by relevance: how early it finds what is relevant, its processor time, and 100,000 candidates.

The labelled sets are not part of this repository: `python -m bench screening --data FILE LABELCOLUMN` names one, as
often as wanted. Each is replayed from one relevant and one irrelevant paper with several seeds, and stands beside the
plain model: scikit-learn's TF-IDF of words and pairs and a linear support vector machine with the settings that
ASReview 2.2 has as its default (C 0.11, weights 9.8 to 1), fitted after every label, from the same papers. Measured
beside it on the same sets, ASReview itself has the same loss and work saved, in 1.9 times the processor time.
"""

import json
import random
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from awesome_cli.analysis.ranking import Ranker, features, order
from awesome_cli.analysis.screening.simulation import LabelledSet, labelled, measures, replays, starting_papers
from awesome_cli.analysis.screening.stopping import RUN, HypergeometricRule, Progress, run_advice
from awesome_cli.formats.reading import InputFile, without_axes
from bench._sitting import sat
from bench.timing import AWESOME, ROOT, Row, process

SEEDS = range(10)
SLACK = 0.02
SIZE = 100_000
LABELS = (10, 100, 1_000, 4_999)
SECOND, GIGABYTES = 1.0, 2e9
WORK = Path(__file__).parent / ".work"
CANDIDATE = """title: {title}
authors: ["Doe, Jane", "Roe, Richard"]
year: {year}
first_public: {year}-{month:02}
identifiers: {{doi: 10.5555/bench.{i}}}
proposal: consider
found: {{"on": 2026-05-04, how: later, by: search, source: openalex}}
extra:
  abstract: {abstract}
"""
READ = """from pathlib import Path
from awesome_cli.cli.main import tune
from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.loading import load_corpus
tune()
load_corpus(WorkingTree(Path.cwd()), candidates=True, evidence=True)"""


def plain(given: LabelledSet, seed: int) -> list[bool]:
    """The labels in the order in which the plain model reads the papers."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.svm import LinearSVC

    texts = [record.text for record in given.records]
    matrix = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, max_df=0.95).fit_transform(texts)
    y = np.array(given.labels)
    at = list(starting_papers(given.labels, (1, 1), seed))
    while y[at].sum() != y.sum():
        relevant = y[at]
        weights = np.where(relevant, 1, relevant.sum() / (9.8 * (~relevant).sum()))
        model = LinearSVC(C=0.11, random_state=seed).fit(
            matrix[at], relevant, sample_weight=weights * len(at) / weights.sum()
        )
        scores = matrix @ model.coef_[0]
        scores[at] = -np.inf
        at.append(int(np.argmax(scores)))
    return [*y[at[2:]].tolist(), *[False] * (len(y) - len(at))]


def stopped(name: str, runs: Sequence[Sequence[bool]]) -> None:
    """Print how much is read until each stopping rule stops, and the recall then."""
    plain = ("a run of 50 alone", lambda now: now.run >= RUN)
    run = ("run of irrelevant papers", lambda now: run_advice(now).stop)
    rules = [(f"recall {t}, confidence {c}", HypergeometricRule(t, c).stops) for t in (0.95, 0.9) for c in (0.95, 0.8)]
    for rule, stops in (*rules, run, plain):
        ends = [first_stop(stops, labels) for labels in runs]
        read = sum(end / len(labels) for end, labels in zip(ends, runs, strict=True)) / len(runs)
        recall = [sum(labels[:end]) / sum(labels) for end, labels in zip(ends, runs, strict=True)]
        low, mean = sum(share < 0.95 for share in recall), sum(recall) / len(recall)
        print(f"{name}: {rule}: {read:.0%} read, recall {mean:.3f}, below 0.95 in {low} runs", file=sys.stderr)


def first_stop(stops: Callable[[Progress], bool], labels: Sequence[bool]) -> int:
    """The number of papers read when a rule stops."""
    now, last = Progress(len(labels)), 0
    for n, relevant in enumerate(labels, 1):
        last = n if relevant else last
        now = Progress(now.total, n, now.found + relevant, n - last)
        if stops(now):
            break
    return now.seen


def replayed(path: Path, label: str) -> list[Row]:
    """Loss, work saved and time on a labelled set, beside the plain model."""
    given = labelled(InputFile(path.name, path.read_bytes()), without_axes([f"{label}=decision"]))
    start = time.process_time()
    ours = [replay.labels for replay in replays(given, [order("relevance", seed) for seed in SEEDS], (1, 1))]
    between = time.process_time()
    floor = [plain(given, seed) for seed in SEEDS]
    spent, cost = between - start, time.process_time() - between
    lost, least = (sum(measures(labels).loss for labels in runs) / len(SEEDS) for runs in (ours, floor))
    saved, most = (sum(measures(labels).work_saved for labels in runs) / len(SEEDS) for runs in (ours, floor))
    name = f"{path.stem} {label}"
    stopped(name, ours)
    return [
        Row(f"{name}: loss, against the plain model's and {SLACK}", lost, least + SLACK, 1, ""),
        Row(f"{name}: 1 - work saved at 95 %, the same", 1 - saved, 1 - most + SLACK, 1, ""),
        Row(f"{name}: {len(SEEDS)} replays, against the plain model", spent, cost, 0.4),
    ]


def texts(n: int) -> list[str]:
    """Titles and abstracts of 110 to 210 words: few common and many rare words, two in five after a usual one."""
    import numpy as np

    chance, letters = np.random.default_rng(n), random.Random(n)
    syllables = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu"]
    words = ["".join(letters.choice(syllables) for _ in range(letters.randint(2, 5))) for _ in range(60_000)]
    often = np.cumsum(1 / (np.arange(len(words)) + 3))
    lengths = chance.integers(110, 210, n)
    drawn = np.searchsorted(often, chance.random(lengths.sum()) * often[-1])
    usual = (drawn * 31 + chance.integers(0, 5, len(drawn)) * 977) % len(words)
    drawn[1:] = np.where(chance.random(len(drawn) - 1) < 0.4, usual[:-1], drawn[1:])
    ends = np.cumsum(lengths)
    all_words = [words[i] for i in drawn.tolist()]
    parts = (all_words[end - length : end] for end, length in zip(ends.tolist(), lengths.tolist(), strict=True))
    return [f"{' '.join(part[:12])}\n{' '.join(part[12:])}" for part in parts]


def large(n: int = SIZE) -> dict[str, Any]:
    """Seconds of the clock for the features and for a decision with a fit at several numbers of labels; peak bytes."""
    candidates = texts(n)
    common = candidates[0].split()[0]
    start = time.perf_counter()
    ranker = Ranker(candidates, order("relevance"))
    found: dict[str, Any] = {"features": time.perf_counter() - start, "decisions": {}}
    for i in range(max(LABELS) + 1):
        if i in LABELS:
            start = time.perf_counter()
            ranker.label(n - 1 - i, relevant=True)
            ranker.next()
            found["decisions"][i] = time.perf_counter() - start
        else:
            ranker.label(n - 1 - i, common in candidates[n - 1 - i])
    return {**found, "bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}


def against_words(n: int = 10_000) -> Row:
    """Time for the features, against scikit-learn's TF-IDF of words alone, once over the texts."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    given = tuple(texts(n))
    start = time.process_time()
    features(given)
    between = time.process_time()
    TfidfVectorizer(sublinear_tf=True).fit_transform(given)
    name = f"features of {n:,} texts, against TF-IDF of words alone"
    return Row(name, between - start, time.process_time() - between, 1.5)


def write_candidates(root: Path, n: int) -> None:
    """A new survey with so many candidates that wait for screening."""
    shutil.rmtree(root, ignore_errors=True)
    process([*AWESOME, "init", str(root)])
    (root / "candidates").mkdir(exist_ok=True)
    for i, text in enumerate(texts(n)):
        title, _, abstract = text.partition("\n")
        record = CANDIDATE.format(title=title, abstract=abstract, i=i, year=2010 + i % 16, month=1 + i % 12)
        (root / "candidates" / f"c{i}.yaml").write_text(record, encoding="utf-8")


def sittings(n: int) -> list[Row]:
    """`awesome screen` at a terminal: from a key to the next card, memory, a sitting's processor time."""
    root = WORK / f"candidates{n}"
    write_candidates(root, n)
    floor = process([sys.executable, "-c", READ], root)
    rows = []
    for by, times in (("relevance", 3.0), ("date", 1.5), ("random", 1.5)):
        found, name = sat(root, by), f"queue of {n:,} by {by}"
        print(f"{name}: {found['start']:.0f} s of the clock to the first card", file=sys.stderr)
        rows += [
            Row(f"{name}: a sitting, against reading the records", found["processor"], floor, times),
            Row(f"{name}: slowest decision, against 1 s", found["decision"], SECOND, 1),
            Row(f"{name}: slowest undo, against 1 s", found["undo"], SECOND, 1),
            Row(f"{name}: peak memory, against 2 GB", found["bytes"] / 1e9, GIGABYTES / 1e9, 1, "GB"),
        ]
    return rows


def run(data: Sequence[tuple[str, str]], queue: int) -> list[Row]:
    """Rows of measurements; `data` are files with the column of their labels, `queue` the candidates that wait."""
    if not data:
        print("loss and work saved are not measured: name labelled sets with --data FILE LABELCOLUMN", file=sys.stderr)
    rows = [row for path, label in data for row in replayed(Path(path), label)]
    program = "import json; from bench.screening import large; print(json.dumps(large()))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    print(f"features of {SIZE:,} candidates, once: {found['features']:.1f} s of the clock", file=sys.stderr)
    return [
        *rows,
        against_words(),
        *(
            Row(f"{SIZE:,} candidates: decision after {int(labels):,} labels, against 1 s", seconds, SECOND, 1)
            for labels, seconds in found["decisions"].items()
        ),
        Row(f"{SIZE:,} candidates: peak memory, against 2 GB", found["bytes"] / 1e9, GIGABYTES / 1e9, 1, "GB"),
        *sittings(queue),
    ]
