"""Coding: a table of 20 and of 2,000 new codings, and decisions in `awesome code` at a terminal."""

import csv
from pathlib import Path

from bench._sitting import begun
from bench.synthetic import write_survey
from bench.timing import AWESOME, Row, process

WORK = Path(__file__).parent / ".work"
PAPERS = 1_000
LIMITS = {20: 1.5, 2_000: 5.0}
DECISION = 0.15
"""Seconds, as the limits of the tables."""


def uncoded(root: Path) -> tuple[str, str]:
    """Write a survey with two axes on which its papers are not coded, and return the axes."""
    write_survey(root, PAPERS, 0)
    axes = ("scenario", "orchestration_form")
    for path in (root / "corpus").iterdir():
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(x for x in lines if not x.strip().startswith(tuple(f"{axis}:" for axis in axes))))
    return axes


def tables() -> list[Row]:
    """Processor seconds of `tag --table`, against the limits; each row of the table codes an axis of a paper."""
    root = WORK / "uncoded"
    terms = dict(zip(uncoded(root), ("coding", "centralized"), strict=True))
    table = root / "codings.csv"
    words = [word for axis in terms for word in ("--axis", axis)]
    process([*AWESOME, "export", "codings", *words, "--out", str(table)], root)
    with table.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    found = []
    for n, limit in LIMITS.items():
        part = root / f"codings{n}.csv"
        with part.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, header)
            writer.writeheader()
            for row in rows[:n]:
                cells = dict(zip(header, row, strict=True))
                writer.writerow({**cells, "term": terms[cells["axis"]]})
        taken = process([*AWESOME, "tag", "--table", str(part), "--not-revised"], root)
        found.append(Row(f"tag --table, {n:,} codings in {PAPERS:,} papers, against {limit} s", taken, limit, 1))
    return found


def run() -> list[Row]:
    """Rows of measurements."""
    rows, root = tables(), WORK / "uncoded"
    axis, _ = uncoded(root)
    person = begun(root, "code", "--axis", axis, "--who", "ana")
    person.until("No decisions yet")
    slowest = max(person.press("1", f"{n} decided by ana") for n in range(1, 21))
    person.end()
    return [*rows, Row(f"code: slowest of 20 decisions, against {DECISION} s of the clock", slowest, DECISION, 1)]
