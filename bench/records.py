"""Records: commands on the shipped survey against a bare Typer command, validation of large surveys against reading."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import yaml

from awesome_cli.files.tree import WorkingTree
from awesome_cli.rules.checking import check
from awesome_cli.survey.kept import FOLDER
from bench.synthetic import write_survey
from bench.timing import AWESOME, ROOT, Row, against_bare, best, peak_bytes, process

WORK = Path(__file__).parent / ".work"
SIZES = {1_000: (100, 900), 10_000: (1_000, 9_000)}
LARGE = 5_000, 1_000
"""Papers and exclusions of the survey that is validated after a change of one record."""
CHANGED = 3.0
"""Seconds of the processor."""
MEGABYTES = 250
RUNS = 5


def read_and_compose(root: Path) -> None:
    """The floor of validation: read every file and build its node tree with the C loader."""
    tree = WorkingTree(root)
    for folder in ("corpus", "exclusions"):
        for path in tree.list(folder):
            yaml.compose((root / path).read_bytes().decode(), Loader=yaml.CSafeLoader)


def cold(root: Path) -> float:
    """Processor seconds of validation without answers kept from an earlier run."""
    shutil.rmtree(root / FOLDER, ignore_errors=True)
    return best(lambda: check(WorkingTree(root)), 1)


def shipped() -> Iterator[Row]:
    """Commands on the shipped survey: before any answer is kept, then with the answers of the run before."""
    first = {"validate": (["validate"], 1.9), "status": (["status"], 3.0)}
    for row in against_bare(first, runs=RUNS, before=lambda: shutil.rmtree(ROOT / FOLDER, ignore_errors=True)):
        yield replace(row, name=f"{row.name}, shipped survey, first run")
    again = {
        "validate": (["validate"], 1.4),
        "gaps": (["gaps"], 2.0),
        "list": (["list"], 2.0),
        "render --check": (["render", "--check"], 2.0),
        "stats": (["stats"], 5.0),
    }
    for row in against_bare(again, runs=RUNS):
        yield replace(row, name=f"{row.name}, shipped survey, later run")


def changed() -> Iterator[Row]:
    """Validation of a large survey: the first time, and after a change of one record."""
    root = WORK / "survey6000"
    write_survey(root, *LARGE)
    name = f"validate {LARGE[0]:,} papers and {LARGE[1]:,} exclusions"
    yield Row(f"{name} against read and compose", cold(root), best(lambda: read_and_compose(root), 1), 2.5)
    process([*AWESOME, "validate"], root)
    record = max((root / "corpus").iterdir())
    record.write_text(record.read_text(encoding="utf-8").replace("title: ", "title: A", 1), encoding="utf-8")
    yield Row(f"{name}, one changed since, against 3 s", process([*AWESOME, "validate"], root), CHANGED, 1)


def run() -> Iterator[Row]:
    """Rows of measurements."""
    yield from shipped()
    yield from changed()
    per_record: dict[int, float] = {}
    for size, (papers, exclusions) in SIZES.items():
        root = WORK / f"survey{size}"
        write_survey(root, papers, exclusions)
        floor = best(lambda root=root: read_and_compose(root), 2)  # type: ignore[misc]
        taken = min(cold(root), cold(root))
        per_record[size] = taken / size
        yield Row(f"validate {size:,} records against read and compose", taken, floor, 2.5)
    small, large = (cost * 1e3 for cost in per_record.values())
    yield Row(f"cost per record at {size:,} against {next(iter(SIZES)):,}", large, small, 1.15, "ms")
    shutil.rmtree(root / FOLDER)
    memory = peak_bytes([*AWESOME, "validate"], root)
    yield Row(f"peak memory of validate, {size:,} records", memory / 1e6, MEGABYTES, 1.0, "MB")
