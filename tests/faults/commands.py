"""Every command that writes, with words that make it write, and the survey that they are tried on."""

import shutil
from pathlib import Path

from builders import COFFEE, COFFEE_ANSWER, COFFEE_SHEET, DATA, EXAMPLES, SENT_FORM
from claiming import state_claims
from crema import RECORD
from running import invoke, run_git

PLANS = r"""
add --set 'title=Slow steeping' --set year=2026 --set 'authors=Bean, Ada' --tag device=cold
add ../new.bib --on-duplicate link
import ../entries.bib
import ../entries.bib --kind exclusion --stage abstract --reason tea
import ../words.csv --column roast=beans --create-terms beans
issue apply ../sent.md --number 7 --who Ada
set aero2020 venue=Cups
set --where device=drip venue=Cups
tag --where device=drip beans=cold --revised --who Ada
edit aero2020
exclude drip2021 --stage full_text --reason opinion
exclude salt2026 --stage full_text --reason opinion
readmit X1
admit salt2026
remove soup2022 --force
rename drip2021 drops2021
link siphon2019 --version-of drip2021
dedupe --merge pressing2020 aero2020
dedupe --distinct aero2020 drip2021
dedupe --link pressing2020 aero2020
fmt
validate --fix
refresh crema --apply
refresh crema --reject venue
taxonomy rename taste=sour acid
taxonomy rename taste flavour
taxonomy merge taste=sour,sweet --into sweet
taxonomy merge taste=salty,umami --into savoury
taxonomy split taste=bitter harsh dark --assign dark=year>=2021
taxonomy deprecate device=drip --use press
taxonomy migrate
audit code drip2021 aero2020 --with 'cat ../answer.json' --name third --on 2026-04-01
audit import ../sheet.csv --name second --on 2026-04-01 --blind
template copy readme/papers.md.j2
screen --apply
"""
"""What changes records, vocabulary or audits: whole or not at all. All can be typed again without doing more."""
STARTS = """
init ../new --title New
init ../new --input ../entries.bib --title New
init --upgrade
"""
"""What writes the hidden files around a survey one by one, and then its records whole; the same command again ends it."""
MADE = r"""
import ../entries.bib --report ../report.json --dry-run
audit sample --n 2 --out ../new-sheet.csv
paper build
render
plot --readme
plot years gaps --out ../pictures
site build
site build --out ../new/site
export bibtex --out ../papers.bib
export artifact --out ../artifact
export screening --out ../screening
screen simulate ../labelled.csv --order random --plot ../recall.svg
export csv --out papers.csv
flow --format svg --out ../flow.svg
changelog HEAD~1..HEAD --atom ../changes.atom
trace import {atif} --out ../traces
trace export chrome {traces}/rich-v2.json --out ../spans.json
trace metrics {traces}/rich-v2.json --out ../rows.csv
trace rows {traces}/rich-v2.json --out ../decisions.csv
trace show {traces}/rich-v2.json --html ../trace.html
"""
"""What writes files that can be made again: each is old or new, and the same command again makes all."""
RECOVER = ("recover", "recover --undo")
PAGES = {"search"}
"""What writes whole page after page of what services answer: tests/cli/test_search.py kills it."""
SERVES = {"site serve"}
"""What runs until it is stopped, over a site that `site build` writes."""

ENTRIES = """\
@article{foam, title={On foam and crema}, author={Li, Bo}, year={2020}}
@article{ice, title={Ice in the glass}, author={Kim, Su}, year={2021}, doi={10.1000/ice}}
@article{moka, title={Under pressure at home}, author={Rossi, Ugo}, year={2018}}
"""
NEW = (
    "@misc{d, title={Dripping slowly}, author={Pour, Olga}, year={2021}, eprint={2101.00002}, archiveprefix={arXiv}}\n"
)
LOOSE = """\
title:   Loose grounds
authors: [Bean, Ada]   # sic
year: 2023
added: 2026-01-12
tags: {device: drip}
"""
PICTURES = "readme: {plots: [{name: years, kind: years}, {name: gaps, kind: gaps, rows: taste}], "


def grown(case: Path) -> Path:
    """A folder `case` with files to read and a survey under git on which every command above has something to do."""
    survey = case / "survey"
    shutil.copytree(COFFEE, survey)
    state_claims(survey)
    (survey / "paper.yaml").write_text(
        "numbers: {papers: {statistic: totals.retained}}\ntables: {taste: {report: gaps, by: taste}}\n"
    )
    words = survey / "taxonomy.yaml"
    words.write_text("format: 1\n" + words.read_text())
    words.write_text(words.read_text().replace("readme: {", PICTURES))
    (survey / "screenings").mkdir()
    for who in ("ana", "bo"):
        decision = '- {key: salt2026, verdict: include, "on": 2026-05-02, stage: abstract}\n'
        (survey / "screenings" / f"{who}.yaml").write_text(f"who: {who}\nblind: true\ndecisions:\n{decision}")
    corpus = survey / "corpus"
    old = (corpus / "siphon2019.yaml").read_text()
    invoke("taxonomy", "rename", "device=siphon", "vacuum", root=survey)
    late = old.replace("Siphons | and <pipes>", "A late siphon").replace("openreview", "other").replace("2019", "2017")
    (corpus / "siphon2019.yaml").write_text(old)
    (corpus / "late2017.yaml").write_text(late)
    (corpus / "loose2023.yaml").write_text(LOOSE)
    (corpus / "looser2023.yaml").write_text(LOOSE.replace("Loose", "Looser"))
    pressing = (
        (corpus / "aero2020.yaml").read_text().replace("2001.00010", "2002.00020").replace("coffee.1", "coffee.7")
    )
    (corpus / "pressing2020.yaml").write_text(pressing)
    (corpus / "crema.yaml").write_text(RECORD)
    for name, text in {"entries.bib": ENTRIES, "new.bib": NEW, "one.bib": ENTRIES.splitlines()[1], "sheet.csv": COFFEE_SHEET, "answer.json": COFFEE_ANSWER, "sent.md": SENT_FORM,
                       "labelled.csv": "title,included\nFoam,1\nCrema,1\nTea,0\nMilk,0\n",
                       "words.csv": "title,author,year,roast\nDark roasts,\"Li, Bo\",2020,liberica\n"}.items():  # fmt: skip
        (case / name).write_text(text)
    shutil.rmtree(survey / ".awesome")
    for line in ("init -q -b main --template=", "add -A", "commit -qm The_survey"):
        run_git(survey, *line.split())
    (corpus / "drip2021.yaml").write_text((corpus / "drip2021.yaml").read_text().replace("Drips.", "It drips."))
    run_git(survey, "commit", "-qam", "A summary")
    return survey


def lines(text: str) -> list[str]:
    """The commands of a table."""
    return [line.format(traces=EXAMPLES, atif=DATA / "traces" / "atif") for line in text.splitlines() if line]
