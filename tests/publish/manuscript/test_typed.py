"""Numbers typed by hand: those of the survey are found, and equal numbers of something else are left alone.

tests/data/typed/sentences.json has sentences of papers on the shipped survey, written without knowledge of the checker:
`planted` ones type a number of paper.yaml, `other` ones have figures of the papers themselves, some of them equal.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from builders import DATA

from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.model.manuscript import Manuscript
from awesome_cli.publish.manuscript.answers import Answers, answers, statistics_of
from awesome_cli.publish.manuscript.document import read
from awesome_cli.publish.manuscript.typed import typed
from awesome_cli.survey.corpus import Corpus

SENTENCES = json.loads((DATA / "typed" / "sentences.json").read_text())


@pytest.fixture(scope="module")
def answered(shipped: Corpus, repository: Path) -> Answers:
    entries = yaml.safe_load((DATA / "typed" / "paper.yaml").read_text())
    return answers(replace(shipped, manuscript=Manuscript.model_validate(entries)), repository)


def fixes(sentences: list[str], answered: Answers, folder: Path) -> list[list[str]]:
    """The fixes for the numbers in each sentence; each is a paragraph of a document."""
    (folder / "main.tex").write_text("\n\n".join(sentences))
    found = typed(read(folder / "main.tex", folder), answered, statistics_of(Pool(answered.corpus)))
    by_line = [(place.line, number.fix) for place, _, number in found]
    return [[fix for line, fix in by_line if line == 2 * i + 1] for i in range(len(sentences))]


def test_planted_numbers_are_found_with_their_macro(answered: Answers, tmp_path: Path):
    names, sentences = zip(*SENTENCES["planted"], strict=True)
    found = zip(names, fixes(list(sentences), answered, tmp_path), strict=True)
    assert [name for name, some in found if not any(f"{{{name}}}" in fix for fix in some)] == []


def test_few_other_numbers_are_taken_for_those_of_the_survey(answered: Answers, tmp_path: Path):
    assert sum(map(bool, fixes(SENTENCES["other"], answered, tmp_path))) <= 2


def test_a_number_without_a_name_is_found_by_the_label_of_its_term(answered: Answers, tmp_path: Path):
    n = statistics_of(Pool(answered.corpus))["counts"]["category"]["industry"]
    texts = [f"The pool has {n} papers on {topic}." for topic in ("industry systems", "something else")]
    named, other = fixes(texts, answered, tmp_path)
    assert "{statistic: counts.category.industry}" in named[0]
    assert other == []
