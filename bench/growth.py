"""How the cost of commands grows with records, with mistakes, and with the events of traces.

Surveys have 150, 400 and 1,000 records; or 300 records and 200, 700 and 2,000 mistakes with which records can be read.
With others, most commands refuse; `validate` also runs on each kind of mistake alone. The floor of a row is what
n log n makes of the two smaller sizes, and a quarter of a second for the noise of a machine. Times are those of the
processor, without the imports of the program and without answers kept from an earlier command; a command that writes
is tried with `--dry-run` or in a folder of its own. Left out: what asks the network (check-links, refresh, watch,
search without `--log`), waits for a person (edit, screen and code without `--format`, site serve), runs another
program (audit code), needs input made by a person or by other programs (admit, audit import, audit screening, issue
apply, trace import), or reads no record (help, template copy).
"""

import math
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from awesome_cli.survey.kept import FOLDER
from bench.imports import bibliography
from bench.paper import PAPER, TEXT
from bench.synthetic import write_survey
from bench.timing import AWESOME, ROOT, Row, forked, process
from bench.traces import trace

WORK = Path(__file__).parent / ".work"
SIZES = (150, 400, 1_000)
MISTAKEN_RECORDS = 300
NUMBERS = (200, 700, 2_000)
"""Of mistakes."""
TRACES = (2_000, 7_000, 20_000)
NOISE = 0.25
TARGET = 1.2
MISTAKEN = (0, 1, 3, 4)
"""The exit codes of commands on surveys with mistakes."""
KEY = "agentdojo2024"
COMMANDS = f"""
add one.bib --kind candidate --dry-run --no-input
audit list
audit report
audit sample --n 20
changelog HEAD~1..HEAD
claims check
claims show stop-trained
code --who ana --axis scenario --format json
dedupe
diff HEAD~1 HEAD
evidence
exclude {KEY} --stage abstract --reason single_agent_scope --dry-run
explain V002
export artifact --out {{out}}/artifact
export bibtex
export codings --axis scenario
export csljson
export csv
export json
export ris
export screening --out {{out}}/screening
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
paper build
paper check
plot gaps years flow --out {{out}}/plots
readmit E001 --dry-run
recover --dry-run
remove {KEY} --force --dry-run
rename {KEY} another2024 --dry-run
render --check
schema paper
screen --who ana --order date --format json
screen --who ana --order relevance --format json
search --log
sensitivity
set --where year>=2024 note=new --dry-run
show {KEY}
site build --out {{out}}/site
stats
stats --by venue
status
tag --where year>=2024 rl=yes --dry-run
tag --table codings.csv --not-revised --dry-run
taxonomy deprecate scenario=web --use general --dry-run
taxonomy merge scenario=general,web --into general --dry-run
taxonomy migrate --dry-run
taxonomy rename scenario=general common --dry-run
taxonomy show
taxonomy split scenario=general one:One two:Two --dry-run
taxonomy usage
template list
validate
"""
OF_TRACES = """
check {file}
check {file} --no-replay
diff {file} {file}
export chrome {file}
export otel {file}
metrics {file}
replay {file}
rows {file}
show {file}
"""


def survey(size: int, root: Path) -> Path:
    """A survey of so many records, half of them papers, with two commits, a bibliography, candidates and a paper."""
    write_survey(root, size // 2, size - size // 2)
    works = bibliography(size)
    texts = {"works": works, "one": "@" + works.rpartition("\n@")[2], "few": bibliography(size // 10)}
    for name, text in texts.items():
        (root / f"{name}.bib").write_text(text, encoding="utf-8")
    process([*AWESOME, "import", "few.bib", "--kind", "candidate"], root)
    (root / "paper").mkdir()
    (root / "paper" / "main.tex").write_text(TEXT * (size // 10), encoding="utf-8")
    (root / "paper.yaml").write_text(PAPER, encoding="utf-8")
    process([*AWESOME, "export", "codings", "--axis", "scenario", "--out", "codings.csv"], root)
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


def terms(root: Path, n: int) -> None:
    """Unknown terms in one record."""
    record = max((root / "corpus").iterdir())
    known = re.sub(r"(?m)^tags:\n(?:[ -].*\n)+", "", record.read_text(encoding="utf-8"))
    listed = ", ".join(f"t{i}" for i in range(n))
    record.write_text(f"{known}tags:\n  category: [{listed}]\n", encoding="utf-8")


def links(root: Path, n: int) -> None:
    """Links to addresses that are none, in one record."""
    record = sorted((root / "corpus").iterdir())[-2]
    listed = "".join(f"- {{label: a, url: 'xx:{i}'}}\n" for i in range(n))
    text = record.read_text(encoding="utf-8")
    record.write_text(re.sub(r"(?m)^links:\n", lambda _: f"links:\n{listed}", text), encoding="utf-8")


def titles(root: Path, n: int) -> None:
    """Papers of one title."""
    for i in range(n):
        (root / "corpus" / f"same{i}.yaml").write_text("title: The title of many papers\nadded: 2025-01-01\n")


def claims(root: Path, n: int) -> None:
    """Claims with queries of unknown fields."""
    entry = "- {{id: c{}, statement: x, as_of: 2025-01-01, expect: [{{count: 'nope=1', at_most: 3}}]}}\n"
    (root / "claims.yaml").write_text("claims:\n" + "".join(map(entry.format, range(n))))


def fields(root: Path, n: int) -> None:
    """Unknown fields in one record."""
    with sorted((root / "corpus").iterdir())[-3].open("a", encoding="utf-8") as record:
        record.writelines(f"wrong{i}: x\n" for i in range(n))


def files(root: Path, n: int) -> None:
    """Records that are not YAML."""
    for i in range(n):
        (root / "corpus" / f"unreadable{i}.yaml").write_text("title: [\n")


def decisions(root: Path, n: int) -> None:
    """Wrong lines in one file of decisions."""
    (root / "screenings").mkdir()
    lines = "".join(f"- {{key: k{i}, at: x, verdict: no}}\n" for i in range(n))
    (root / "screenings" / "ana.yaml").write_text(f"decisions:\n{lines}")


def near_misses(root: Path, n: int) -> None:
    """One near-miss many times, in one record."""
    with min((root / "exclusions").iterdir()).open("a", encoding="utf-8") as record:
        record.write("near_miss:\n" + "- {axis: rl, term: partial}\n" * n)


def names(root: Path, n: int) -> None:
    """Fields in one record, of which the last is given many times."""
    listed = "".join(f"  name{min(i, n)}: x\n" for i in range(2 * n))
    with max((root / "exclusions").iterdir()).open("a", encoding="utf-8") as record:
        record.write(f"extra:\n{listed}")


READABLE = {"unknown terms": terms, "links": links, "equal titles": titles, "near-misses": near_misses}
UNREADABLE = {
    "claims": claims,
    "unknown fields": fields,
    "repeated fields": names,
    "unreadable files": files,
    "decisions": decisions,
}
MISTAKES = {**READABLE, **UNREADABLE}


def with_mistakes(name: str, base: Path, kinds: Sequence[str]) -> list[Path]:
    """Copies of a survey with mistakes of some kinds, as many of each."""
    roots = []
    for n in NUMBERS:
        root = WORK / f"{name}{n}"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(base, root)
        for kind in kinds:
            MISTAKES[kind](root, n // len(kinds))
        roots.append(root)
    return roots


def row(name: str, sizes: tuple[int, ...], seconds: list[float]) -> Row:
    """The largest time against what n log n makes of the smaller ones."""
    small, middle, large = (n * math.log(n) for n in sizes)
    grown = max(seconds[1] - seconds[0], 0) * (large - small) / (middle - small)
    return Row(f"{name}, {sizes[-1]:,}", seconds[2], seconds[0] + grown + NOISE, TARGET)


def timed(words: str, root: Path, codes: Sequence[int]) -> float:
    """The processor's seconds of a command in a survey."""
    out = root / ".out"
    for made in (out, root / FOLDER):
        shutil.rmtree(made, ignore_errors=True)
    out.mkdir()
    return forked(shlex.split(words.format(out=out)), root, codes)


def rows(name: str, sizes: tuple[int, ...], roots: Sequence[Path], commands: str = COMMANDS) -> Iterator[Row]:
    """Rows of commands in surveys of three sizes."""
    codes = MISTAKEN if sizes is NUMBERS else (0, 1, 4)
    for line in commands.strip().splitlines():
        seconds = [timed(line, root, codes) for root in roots]
        title = f"{line.format(out='…')}: {name}"
        found = row(title, sizes, seconds)
        if found.ratio > found.target:  # once more, since a busy machine may slow any of them
            again = [timed(line, root, codes) for root in roots]
            found = row(title, sizes, list(map(min, seconds, again)))
        yield found


def run() -> Iterator[Row]:
    """Rows of measurements."""
    yield from rows("records", SIZES, [survey(size, WORK / f"growth{size}") for size in SIZES])
    base = survey(MISTAKEN_RECORDS, WORK / "growth")
    yield from rows("readable mistakes", NUMBERS, with_mistakes("readable", base, [*READABLE]))
    yield from rows(
        "all mistakes", NUMBERS, with_mistakes("mistakes", base, [*MISTAKES]), "validate\nstatus\nlist\nfmt --check"
    )
    for kind in MISTAKES:
        yield from rows(kind, NUMBERS, with_mistakes("kind", base, [kind]), "validate")
    paths = []
    for size in TRACES:
        paths.append(WORK / f"trace{size}.json")
        paths[-1].write_bytes(trace(size))
    for line in OF_TRACES.strip().splitlines():
        seconds = [forked(["trace", *shlex.split(line.format(file=path))], ROOT) for path in paths]
        yield row(f"trace {line.format(file='…')}", TRACES, seconds)
