"""The table of commands: each says the same in every format, and no word is lost at a terminal of any width.

tests/cli/test_doors.py asks the same of a hostile survey.
"""

import json
import os
import shlex
import shutil
from collections.abc import Iterator, Mapping
from enum import EnumMeta
from pathlib import Path
from typing import get_args

import pytest
from answers import ANSWERS, Answer, Words, broken, faults
from builders import COFFEE, COFFEE_RUN, COFFEE_SEARCH, COFFEE_SHEET, EXAMPLES, SENT_FORM
from claiming import state_claims
from docs_pages import commands
from running import invoke, run_git
from serving import PROXIES, serving
from terminals import cut
from tiers import sampled

from awesome_cli.sources import SERVICES
from awesome_cli.survey.corpus import Corpus
from awesome_cli.system import network

SAME = """
add --set title="Cold drip" --set year=2026 --tag device=cold --dry-run
add --set title="Cold drip" --set year=2026 --tag device=cold --diff
admit salt2026 --diff
audit import sheet.csv --blind --dry-run
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
gaps bitter
gaps sour
gaps taste=sour --where year>=2020
gaps taste=umami
import entries.bib --dry-run
issue apply sent.md --dry-run
link drip2021 --version-of aero2020 --dry-run
links siphon2019
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
status
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
screen --who ana --order date
screen simulate labelled.csv --seeds 1
changelog HEAD~1..HEAD
changelog HEAD~1..HEAD --where device=drip
claims check
claims check --reading generous
claims show sour-unmeasured
claims show no-cold
diff HEAD~1 HEAD
diff HEAD~1 HEAD --where device=drip
gaps
gaps taste
gaps --by beans,taste
gaps --measure grams
list
list --kind exclusion
list --kind candidate
list --where stage=full_text
list --columns key,grams,taste --sort=-grams
refresh drip2021
sensitivity
sensitivity --where device=drip
show aero2020
show siphon2019
show X1
show salt2026
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


def formats() -> dict[str, set[str]]:
    """The formats of every command that answers in JSON, by its words."""
    options = ((name, one) for name, command in commands().items() for one in command.params if "--format" in one.opts)
    kinds = ((name, option.type_descriptor.annotation) for name, option in options)
    found = {
        name: {form.value for form in kind} if isinstance(kind, EnumMeta) else {*get_args(kind)} for name, kind in kinds
    }
    return {name: forms for name, forms in found.items() if "json" in forms}


def fitted() -> list[str]:
    """The first line of the table for each command whose answer is fitted to a terminal: no diff, drawing or dialogue."""
    found: dict[str, str] = {}
    for line in LINES:
        command = max((name for name in formats() if f"{line} ".startswith(f"{name} ")), key=len)
        if line in QUICK and not line.endswith("--diff") and not command.startswith(("screen", "trace show")):
            found.setdefault(command, line)
    return [*found.values()]


def ask(line: str, root: Path, forms: tuple[str, ...] = ANSWERS) -> tuple[Mapping[str, str], set[int]]:
    """What a command prints in some formats, and its exit codes."""
    words = shlex.split(line.format(traces=EXAMPLES).replace(">", "\\>"))
    done = {form: invoke(*words, "--format", form, root=root, code=None) for form in forms}
    return {form: one.out for form, one in done.items()}, {one.code for one in done.values()}


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A survey under git with claims, an audit, a quote and its text; services on loopback know nothing."""
    root = tmp_path_factory.mktemp("answers") / "coffee"
    shutil.copytree(COFFEE, root)
    with pytest.MonkeyPatch.context() as patch, serving() as running:
        for name in PROXIES:
            patch.delenv(name, raising=False)
        patch.chdir(root)
        patch.setenv("AWESOME_CACHE_DIR", str(root.parent / "cache"))
        patch.setenv("AWESOME_HTTP_DELAY", "0")
        patch.setattr(network, "SLOW_HOSTS", {})
        patch.setenv("AWESOME_TRUSTED", running.url)
        patch.setenv("SOURCE_DATE_EPOCH", "1790000000")
        for known in filter(lambda known: known.variable, SERVICES):
            patch.setenv(known.variable, running.url)
        commit(root, "The survey")
        grow(root)
        commit(root, "Claims, an audit, a quote")
        new = "@article{new, title={On foam and crema}, author={Li, Bo}, year={2020}}\n"
        (root / "entries.bib").write_text(f"{new}{new}@article{{none, year={{2020}}}}\n")
        yield root


def commit(root: Path, message: str) -> None:
    """Commit all files."""
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", message]):
        run_git(root, *words)


def grow(root: Path) -> None:
    """State claims, code some papers a second time, quote a paper and keep its text."""
    state_claims(root)
    (root / "search.yaml").write_text(COFFEE_SEARCH)
    (root / "searches").mkdir()
    (root / "searches" / "2026-04-01-100000.yaml").write_text(COFFEE_RUN)
    (root / "screenings").mkdir()
    for who, reason in (("ana", "tea"), ("bo", "opinion")):
        decision = f'{{key: salt2026, verdict: exclude, "on": 2026-05-02, stage: abstract, reason: {reason}}}'
        (root / "screenings" / f"{who}.yaml").write_text(f"who: {who}\nblind: true\ndecisions:\n- {decision}\n")
    (root / "sheet.csv").write_text(COFFEE_SHEET)
    (root / "sent.md").write_text(SENT_FORM)
    (root / "labelled.csv").write_text("title,included\nFoam,1\nCrema,1\nTea,0\nMilk,0\n")
    invoke("audit", "import", "sheet.csv", "--name", "second", "--on", "2026-04-01", "--blind", root=root)
    invoke("tag", "drip2021", "device=drip", "--quote", "Water runs through it slowly.", root=root)
    siphon = root / "corpus" / "siphon2019.yaml"
    siphon.write_text(
        siphon.read_text().replace("https://openreview.net/forum", f"{os.environ['AWESOME_TRUSTED']}/forum")
    )
    (root / "texts").mkdir()
    (root / "texts" / "drip2021.txt").write_text("Here water runs through it rather slowly.")


@pytest.fixture(scope="module")
def words(survey: Path) -> Words:
    """What can be told of that survey."""
    return Words.of(survey)


def test_every_command_that_answers_is_asked():
    asked = {command for command in formats() for line in LINES if f"{line} ".startswith(f"{command} ")}
    assert asked == formats().keys()


@pytest.mark.parametrize("line", sampled(LINES, *QUICK))
def test_all_formats_say_the_same(line: str, survey: Path, words: Words):
    said, codes = ask(line, survey)
    assert len(codes) == 1
    assert codes <= {0, 1, 4}
    answer = Answer(**said)
    assert [*broken(answer), *faults(answer, words, more=line in MORE.splitlines())] == []


@pytest.mark.parametrize("line", fitted())
def test_at_every_width_words_are_whole(line: str, survey: Path):
    assert cut(shlex.split(line.format(traces=EXAMPLES).replace(">", "\\>")), survey, 60, 80, 120) == {}


@pytest.mark.parametrize("command", [name for name, found in formats().items() if found & OTHERS])
def test_the_formats_of_other_programs_say_it_too(command: str, survey: Path):
    (survey / "corpus" / "wrong.yaml").write_text("title: Wrong\nadded: 2026-01-01\ntags: {device: pres}\n")
    line = f"{command} {{traces}}/violations-v2.json" if command.startswith("trace") else command
    forms = ("json", *sorted(formats()[command] & OTHERS))
    try:
        said, codes = ask(line, survey, forms)
    finally:
        (survey / "corpus" / "wrong.yaml").unlink()
    assert len(codes) == 1
    document = json.loads(said["json"])
    facts = [(f["code"], f["path"]) for f in document.get("findings", ())]
    facts += [(box["n"],) for box in document["data"].get("boxes", ())]
    assert facts
    for form in forms[1:]:
        assert [fact for fact in facts if not all(str(part) in said[form] for part in fact)] == [], form


def test_one_term_is_answered_with_that_term(survey: Path, run):
    asked = ("gaps", "sour", "--where", "year>=2020", "--format")
    data = run(*asked, "json", root=survey).json["data"]
    assert {axis: [*terms] for axis, terms in data["axes"].items()} == {"taste": ["sour"]}
    assert [coding["evidence"] for coding in data["codings"]] == ["A panel of nine.", None]
    assert data["where"] == "year>=2020"
    assert ", where year>=2020: " in run(*asked, "text", root=survey).out


@pytest.fixture(scope="module")
def shipped_words(repository: Path) -> Words:
    """What can be told of the shipped survey."""
    return Words.of(repository)


def shipped_questions(corpus: Corpus) -> Iterator[str]:
    """A few questions, with names from the survey itself."""
    axis = next(axis for axis in corpus.taxonomy.axes if axis.strengths)
    contested = next(paper for paper in corpus.papers for tag in paper.tags_on(axis.id) if tag.contested)
    yield from (
        "status",
        "stats",
        f"stats --by {axis.id}",
        f"stats --by {axis.id},year",
        "flow",
        "validate",
        "evidence",
    )
    yield f"gaps {axis.id}={contested.tags_on(axis.id)[0].term}"
    yield from (f"gaps {axis.id}", f"explain {axis.id}", f"explain {axis.id}={axis.terms[0].id}", "taxonomy show")
    yield from (f"show {contested.key}", f"show {corpus.exclusions[0].key}", "list", "claims check")
    yield from (f"audit report {audit.key}" for audit in corpus.audits if audit.blind is False)
    yield from [f"claims show {claim.id}" for claim in corpus.claims.claims if claim.revised][:1]


@pytest.mark.slow
def test_the_shipped_survey_is_told_alike(repository: Path, shipped: Corpus, shipped_words: Words):
    found = {}
    for line in shipped_questions(shipped):
        said, codes = ask(line, repository)
        answer = Answer(**said)
        found[line] = [*broken(answer), *faults(answer, shipped_words, more=True), *([codes] if len(codes) > 1 else [])]
    assert {line: faulty for line, faulty in found.items() if faulty} == {}
