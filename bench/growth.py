"""How the cost of commands grows: a whole process on 500, 2,000 and 8,000 records, and on traces of three sizes.

The floor of a row is what n log n makes of the two smaller sizes, and a quarter of a second for the noise of a machine.
Times are those of the processor; a command that writes is tried with `--dry-run` or in a folder of its own. Left out:
what asks the network (check-links, refresh), waits for a person (edit, site serve) or needs input made by a person or
by other programs (admit, audit import, trace import).
"""

import math
import shlex
import subprocess
import sys
from pathlib import Path

from bench.imports import bibliography
from bench.synthetic import write_survey
from bench.timing import AWESOME, ROOT, Row, process
from bench.traces import trace

WORK = Path(__file__).parent / ".work"
SIZES = (500, 2_000, 8_000)
TRACES = (5_000, 20_000, 80_000)
NOISE = 0.25
TARGET = 1.3
KEY = "agentdojo2024"
COMMANDS = f"""
add one.bib --kind candidate --dry-run --no-input
audit list
audit report
audit sample --n 20
changelog HEAD~1..HEAD
claims check
dedupe
diff HEAD~1 HEAD
evidence
exclude {KEY} --stage abstract --reason single_agent_scope --dry-run
explain V002
export artifact --out {{out}}/artifact
export bibtex
export csljson
export csv
export json
export ris
flow
fmt --check
gaps
gaps --by category,credit_unit
import works.bib --kind candidate --dry-run
init {{out}}/new --dry-run
init {{out}}/listed --input works.bib --dry-run
link {KEY} --version-of agent-lightning --dry-run
list
list --kind exclusion
list --where text~credit --sort year
plot gaps years flow --out {{out}}/plots
readmit E001 --dry-run
recover --dry-run
remove {KEY} --force --dry-run
rename {KEY} another2024 --dry-run
render --check
schema paper
sensitivity
set --where year>=2024 note=new --dry-run
show {KEY}
site build --out {{out}}/site
stats
stats --by venue
status
tag --where year>=2024 rl=yes --dry-run
taxonomy deprecate scenario=web --use general --dry-run
taxonomy merge scenario=general,web --into general --dry-run
taxonomy migrate --dry-run
taxonomy rename scenario=general common --dry-run
taxonomy split scenario=general one:One two:Two --dry-run
taxonomy usage
validate
"""
OF_TRACES = """
check {file}
check {file} --no-replay
diff {file} {file}
export chrome {file}
metrics {file}
replay {file}
show {file}
"""


def survey(size: int) -> Path:
    """A survey of so many records, half of them papers, with two commits and a bibliography of its size."""
    root = WORK / f"growth{size}"
    write_survey(root, size // 2, size - size // 2)
    for name, works in (("works", size), ("one", 1)):
        (root / f"{name}.bib").write_text(bibliography(works), encoding="utf-8")
    git = ["git", "-c", "user.name=Bench", "-c", "user.email=bench@example.org"]
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    for number, record in enumerate(sorted((root / "corpus").glob("*.yaml"))):
        if number % 2:
            record.rename(record.with_suffix(".later"))
    for message in ("First", "Second"):
        subprocess.run(["git", "add", "-A"], cwd=root, check=True)
        subprocess.run([*git, "commit", "-qm", message], cwd=root, check=True)
        for record in (root / "corpus").glob("*.later"):
            record.rename(record.with_suffix(".yaml"))
    return root


def row(name: str, sizes: tuple[int, ...], seconds: list[float]) -> Row:
    """The largest time against what n log n makes of the smaller ones."""
    small, middle, large = (n * math.log(n) for n in sizes)
    grown = max(seconds[1] - seconds[0], 0) * (large - small) / (middle - small)
    return Row(f"{name}, {sizes[-1]:,}", seconds[2], seconds[0] + grown + NOISE, TARGET)


def timed(words: str, root: Path) -> float:
    """The processor's seconds of a command in a survey."""
    out = root / ".out"
    out.mkdir(exist_ok=True)
    return process([*AWESOME, *shlex.split(words.format(out=out))], root)


def run() -> list[Row]:
    """Rows of measurements."""
    roots = [survey(size) for size in SIZES]
    rows = []
    for line in COMMANDS.strip().splitlines():
        rows.append(row(line.format(out="…"), SIZES, [timed(line, root) for root in roots]))
        print(rows[-1].line(), file=sys.stderr, flush=True)
    files = []
    for size in TRACES:
        files.append(WORK / f"trace{size}.json")
        files[-1].write_bytes(trace(size))
    for line in OF_TRACES.strip().splitlines():
        seconds = [process([*AWESOME, "trace", *shlex.split(line.format(file=file))], ROOT) for file in files]
        rows.append(row(f"trace {line.format(file='…')}", TRACES, seconds))
    return rows
