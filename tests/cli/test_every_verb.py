"""Every line of the table of verbs says the same in every format, and no word is lost at a terminal of any width.

tests/cli/test_doors.py asks the same table of a hostile survey, tests/cli/test_faulty_files.py of broken ones.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from answers import ANSWERS, Answer, Words, broken, faults
from builders import EXAMPLES
from pylatexenc.latexwalker import LatexWalker
from running import Result, terminal
from terminals import ESCAPE, cut, unreadable, words
from tiers import sampled
from verb_table import LINES, MORE, OTHERS, QUICK, ask, command_of, formats

from awesome_cli.survey.corpus import Corpus

WIDTHS = (60, 80, 120)
NAMED = {"validate", "stats", "gaps", "list", "status"}
"""Commands whose JSON has a schema of their own name."""
FACTUAL = {"flow", "validate", "trace check {traces}/violations-v2.json"}
"""Lines whose answers have findings or boxes."""


def test_the_table_has_every_command_that_answers():
    assert {command_of(line) for line in LINES} == formats().keys()


@pytest.fixture(scope="module")
def known(survey: Path) -> Words:
    """What can be told of that survey."""
    return Words.of(survey)


@pytest.mark.parametrize("line", sampled(LINES, *QUICK))
def test_every_format_and_every_width_says_the_same(line: str, survey: Path, known: Words):
    command = command_of(line)
    said = ask(line, survey, EXAMPLES, (*ANSWERS, *sorted(formats()[command] & OTHERS)))
    codes = {done.code for done in said.values()}
    assert len(codes) == 1
    assert codes <= {0, 1, 4}
    answer = answer_of(said)
    assert [*broken(answer), *faults(answer, known, more=line in MORE.splitlines())] == []
    assert command not in NAMED or answer.document["schema"].startswith(f"awesome/{command}/")
    facts = facts_of(answer)
    assert facts or line not in FACTUAL
    for form in formats()[command] & OTHERS:
        assert [fact for fact in facts if not all(str(part) in said[form].out for part in fact)] == [], form
    narrow = {width: ask_at(width, line, survey) for width in WIDTHS}
    assert {width: done.code for width, done in narrow.items()} == dict.fromkeys(WIDTHS, *codes)
    assert {width: wrong for width, done in narrow.items() if (wrong := cut_of(line, done, width, said["text"]))} == {}


@pytest.mark.parametrize("line", sampled(LINES, *QUICK[::4]))
def test_every_answer_is_latex_without_errors(line: str, survey: Path):
    if "latex" in formats()[command_of(line)]:
        LatexWalker(ask(line, survey, EXAMPLES, ["latex"])["latex"].out, tolerant_parsing=False).get_latex_nodes()


def answer_of(said: Mapping[str, Result]) -> Answer:
    return Answer(**{form: said[form].out for form in ANSWERS})


def facts_of(answer: Answer) -> list[tuple[object, ...]]:
    """The findings and the boxes of an answer, each as texts that the formats of other programs have, too."""
    facts = [(finding["code"], finding["path"]) for finding in answer.document.get("findings", ())]
    return [*facts, *((box["n"],) for box in answer.document["data"].get("boxes", ()))]


def ask_at(width: int, line: str, root: Path) -> Result:
    """The answer at a terminal, without its colours, which are readable on white and on black."""
    with terminal(width):
        done = ask(line, root, EXAMPLES, ["text"], "--no-input")["text"]
    assert not unreadable(done.out)
    return Result(ESCAPE.sub("", done.out), done.err, done.code)


def cut_of(line: str, narrow: Result, width: int, wide: Result) -> object:
    """What a terminal cuts of an answer. A diff is code; the lanes of a trace and their legend are drawn to the width."""
    whole = set() if line.startswith("trace show") else words(wide.out + wide.err)
    return cut(narrow.out + narrow.err, width, whole, wide.out.splitlines() if "--diff" in line else ())


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
        said = ask(line, repository, EXAMPLES, ANSWERS)
        answer, codes = answer_of(said), {done.code for done in said.values()}
        found[line] = [*broken(answer), *faults(answer, shipped_words, more=True), *([codes] if len(codes) > 1 else [])]
    assert {line: faulty for line, faulty in found.items() if faulty} == {}
