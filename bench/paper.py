"""A paper on the shipped survey: `paper build` and `paper check` against `stats`."""

import shutil
from pathlib import Path

from awesome_cli.files.tree import PARTS
from bench.timing import AWESOME, ROOT, Row, process

WORK = Path(__file__).parent / ".work"
PAPER = """\
as_of: 2026-11-23
numbers:
  retained: {statistic: totals.retained}
  first: {statistic: totals.retained, as_of: 2026-04-28}
  stop: {count: "sub_decision=stop:joint:main"}
  strict: {count: "sub_decision=stop:joint:main", reading: strict}
  share: {share: "rl=yes"}
  trained: {claim: stop-trained}
tables:
  decisions: {report: gaps, by: sub_decision}
  crossed: {report: stats, by: "reward_family,credit_unit"}
  stop: {report: list, where: "sub_decision=stop:joint:main"}
  claims: {report: claims}
lists:
  explicit: {where: "sub_decision=stop:explicit:main"}
"""
TEXT = "We read \\surveynumber{retained} papers and 84 papers~\\surveycites{explicit}: \\surveyclaim{stop-trained}.\n\n"


def run() -> list[Row]:
    """Rows of measurements."""
    root = WORK / "paper"
    shutil.rmtree(root, ignore_errors=True)
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, root / part)
        elif (ROOT / part).is_file():
            root.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / part, root / part)
    (root / "paper.yaml").write_text(PAPER, encoding="utf-8")
    (root / "paper").mkdir()
    (root / "paper" / "main.tex").write_text(TEXT * 200, encoding="utf-8")
    commands = {name: [*AWESOME, *name.split()] for name in ("stats", "paper build", "paper check")}
    runs = [{name: process(command, root) for name, command in commands.items()} for _ in range(5)]
    stats, build, check = (sorted(taken[name] for taken in runs)[2] for name in commands)
    return [
        Row("paper build, 6 numbers, 4 tables, all claims, against stats", build, stats, 2.0),
        Row("paper check of 200 paragraphs against stats", check, stats, 3.0),
    ]
