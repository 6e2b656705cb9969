"""Records: commands on the shipped corpus against a bare Typer command, validation of large surveys against reading."""

import sys
from pathlib import Path

import yaml

from awesome_cli.files.tree import WorkingTree
from awesome_cli.rules.checking import check
from bench.synthetic import write_survey
from bench.timing import Row, against_bare, best, peak_bytes

WORK = Path(__file__).parent / ".work"
SIZES = {1_000: (100, 900), 10_000: (1_000, 9_000), 50_000: (5_000, 45_000)}
GIGABYTE = 1_000_000_000


def read_and_compose(root: Path) -> None:
    """The floor of validation: read every file and build its node tree with the C loader."""
    tree = WorkingTree(root)
    for folder in ("corpus", "exclusions"):
        for path in tree.list(folder):
            yaml.compose((root / path).read_bytes().decode(), Loader=yaml.CSafeLoader)


def run() -> list[Row]:
    """Rows of measurements."""
    rows = against_bare(
        {
            "validate, shipped corpus": (["validate"], 2.3),
            "gaps, shipped corpus": (["gaps"], 2.0),
            "list, shipped corpus": (["list"], 2.0),
            "render --check, shipped corpus": (["render", "--check"], 2.0),
            "stats, shipped corpus": (["stats"], 5.0),
        }
    )
    per_record: dict[int, float] = {}
    for size, (papers, exclusions) in SIZES.items():
        root = WORK / f"survey{size}"
        write_survey(root, papers, exclusions)
        floor = best(lambda root=root: read_and_compose(root), 2)  # type: ignore[misc]
        taken = best(lambda root=root: check(WorkingTree(root)), 2)  # type: ignore[misc]
        per_record[size] = taken / size
        rows.append(Row(f"validate {size:,} records against read and compose", taken, floor, 2.5))
    rows.append(
        Row(
            "cost per record at 50,000 against 1,000 (in ms)",
            per_record[50_000] * 1e3,
            per_record[1_000] * 1e3,
            1.15,
            "ms",
        )
    )
    memory = peak_bytes([sys.executable, "-m", "awesome_cli", "validate"], WORK / "survey50000")
    rows.append(Row("peak memory of validate, 50,000 records (in MB)", memory / 1e6, GIGABYTE / 1e6, 1.0, "MB"))
    return rows
