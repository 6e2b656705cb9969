"""The table of commands that answer, the survey that they are asked on, and their answers."""

import shlex
import shutil
from collections.abc import Iterable
from contextlib import chdir
from enum import EnumMeta
from functools import cache
from pathlib import Path
from typing import get_args

from builders import COFFEE, COFFEE_RUN, COFFEE_SEARCH, COFFEE_SHEET, SENT_FORM
from claiming import state_claims
from docs_pages import commands
from running import Result, invoke, run_git

SAME = """
add --set title="Cold drip" --set year=2026 --tag device=cold --dry-run
add --set title="Cold drip" --set year=2026 --tag device=cold --diff
admit salt2026 --diff
audit import sheet.csv --blind --dry-run
audit
audit list
dedupe
evidence
evidence --by taste --where year>=2020
evidence --missing quote
evidence check --texts texts
exclude aero2020 --stage abstract --reason tea --diff
explain V002
explain query
explain stages
explain T
explain near-miss
explain taste
explain sour
explain grams
explain tea
explain strong
explain gap
flow
flow --level stage
fmt --check
import entries.bib --dry-run
issue apply sent.md --dry-run
link drip2021 --version-of aero2020 --dry-run
check-links siphon2019
list --where key=nothing
readmit X1 --dry-run
recover --dry-run
remove soup2022 --dry-run
rename drip2021 drops2021 --dry-run
search --explain
search --log
set drip2021 year=2022 --dry-run
stats
stats --by taste
stats --by device --by year,beans --where year>=2020
stats --by venue
tag drip2021 beans=arabica --dry-run
tag drip2021 beans=arabica --diff
tag --where device=drip beans=arabica --dry-run
taxonomy deprecate device=siphon --use press --dry-run
taxonomy merge taste=sour,sweet --into sweet --dry-run
taxonomy migrate --dry-run
taxonomy rename taste=sour acid --dry-run
taxonomy split beans=arabica typica bourbon --dry-run
template list
trace check {traces}/rich-v2.json
trace check {traces}/violations-v2.json
trace diff {traces}/rich-v2.json {traces}/violations-v2.json
trace metrics {traces}/rich-v2.json
trace metrics {traces}/rich-v2.json {traces}/minimal-v1.json
trace replay {traces}/rich-v2.json
trace rows {traces}/rich-v2.json
trace show {traces}/rich-v2.json
validate
"""
MORE = """
audit code --with true --n 2 --dry-run
audit report
audit screening
search --check
code --who ana
screen --who ana --order date
screen simulate labelled.csv --seeds 1
changelog HEAD~1..HEAD
changelog HEAD~1..HEAD --where device=drip
claims check
claims check --reading generous
claims show sour-unmeasured
claims show no-cold
diff HEAD~1 HEAD
gaps bitter
gaps sour
gaps taste=sour --where year>=2020
gaps taste=umami
diff HEAD~1 HEAD --where device=drip
gaps
gaps --all
gaps taste
gaps --by beans,taste
gaps --measure grams
list
list --kind exclusion
list --kind candidate
list --where stage=full_text
list --columns key,grams,taste --sort=-grams
paper check paper/main.tex
refresh drip2021
refresh drip2021 --abstracts
sensitivity
sensitivity --where device=drip
show aero2020
show siphon2019
show X1
show salt2026
status
taxonomy show
taxonomy show taste
taxonomy usage
taxonomy usage taste=sour
watch
watch --offline --since 2026-01-01
"""
"""Their JSON has whole records, or the records that the text counts."""
OTHERS = {"mermaid", "svg", "github", "sarif", "errorformat"}
LINES = tuple(line for line in (SAME + MORE).splitlines() if line)
QUICK = tuple(line for line in LINES if line != "watch")
"""What asks no address of the records, which may be waited for."""


@cache
def formats() -> dict[str, set[str]]:
    """The formats of every command that answers in JSON, by its words."""
    options = ((name, one) for name, command in commands().items() for one in command.params if "--format" in one.opts)
    kinds = ((name, option.type_descriptor.annotation) for name, option in options)
    found = {
        name: {form.value for form in kind} if isinstance(kind, EnumMeta) else {*get_args(kind)} for name, kind in kinds
    }
    return {name: forms for name, forms in found.items() if "json" in forms}


def command_of(line: str) -> str:
    """The command of a line of the table, as its words."""
    return max((name for name in formats() if f"{line} ".startswith(f"{name} ")), key=len)


def shortest() -> list[str]:
    """The shortest line of the table for each command."""
    return [min((line for line in LINES if command_of(line) == name), key=len) for name in formats()]


def ask(line: str, root: Path, traces: Path, forms: Iterable[str], *options: str) -> dict[str, Result]:
    """The answers to a line in some formats, with global options, typed in the survey; `traces` is where its traces lie."""
    words = [*options, *shlex.split(line.format(traces=traces))]
    with chdir(root):
        return {form: invoke(*words, "--format", form, root=root, code=None) for form in forms}


def commit(root: Path, message: str) -> None:
    """Commit all files."""
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", message]):
        run_git(root, *words)


def grow(root: Path) -> None:
    """Make a coffee survey with two commits, claims, a search, screenings, an audit, a quote, and files to read."""
    shutil.copytree(COFFEE, root)
    commit(root, "The survey")
    state_claims(root)
    new = "@article{new, title={On foam and crema}, author={Li, Bo}, year={2020}}\n"
    screening = (
        "who: {}\nblind: true\ndecisions:\n"
        '- {{key: salt2026, verdict: exclude, "on": 2026-05-02, stage: abstract, reason: {}}}\n'
    )
    texts = {
        "search.yaml": COFFEE_SEARCH,
        "searches/2026-04-01-100000.yaml": COFFEE_RUN,
        "screenings/ana.yaml": screening.format("ana", "tea"),
        "screenings/bo.yaml": screening.format("bo", "opinion"),
        "sheet.csv": COFFEE_SHEET,
        "sent.md": SENT_FORM,
        "labelled.csv": "title,included\nFoam,1\nCrema,1\nTea,0\nMilk,0\n",
        "entries.bib": f"{new}{new}@article{{none, year={{2020}}}}\n",
        "paper.yaml": "numbers: {papers: {statistic: totals.retained}}\nlists: {sour: {where: taste=sour}}\n",
        "paper/main.tex": "The 4 papers~\\cite{drip2021} are sour~\\surveycites{sour}. \\surveynumber{paper}\n",
        "texts/drip2021.txt": "Here water runs through it rather slowly.",
    }
    for name, text in texts.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    invoke("audit", "import", root / "sheet.csv", "--name", "second", "--on", "2026-04-01", "--blind", root=root)
    invoke("tag", "drip2021", "device=drip", "--quote", "Water runs through it slowly.", root=root)
    commit(root, "Claims, an audit, a quote")
