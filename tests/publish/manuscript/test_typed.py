"""Numbers typed by hand: those of the survey are found, and equal numbers of something else are left alone.

tests/data/typed/sentences.json has sentences of papers on the shipped survey, written without knowledge of the checker:
`planted` ones type a number of a paper.yaml; `other` ones have figures of the papers themselves, some of them equal.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from builders import DATA

from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.model.manuscript import Manuscript
from awesome_cli.publish.manuscript.answers import PaperAnswers, answers, statistics_of
from awesome_cli.publish.manuscript.document import read
from awesome_cli.publish.manuscript.typed import typed
from awesome_cli.survey.corpus import Corpus

SETS = json.loads((DATA / "typed" / "sentences.json").read_text())


def answered(shipped: Corpus, repository: Path, paper: str) -> PaperAnswers:
    entries = yaml.safe_load((DATA / "typed" / paper).read_text())
    return answers(replace(shipped, manuscript=Manuscript.model_validate(entries)), repository)


def fixes(sentences: list[str], answered: PaperAnswers, folder: Path) -> list[list[str]]:
    """The fixes for the numbers in each sentence; each is a paragraph of a document."""
    (folder / "main.tex").write_text("\n\n".join(sentences))
    found = typed(read(folder / "main.tex", folder), answered, statistics_of(Pool(answered.corpus)))
    by_line = [(place.line, number.fix) for place, _, number in found]
    return [[fix for line, fix in by_line if line == 2 * i + 1] for i in range(len(sentences))]


@pytest.mark.parametrize("sentences", SETS)
def test_typed_numbers_are_told_from_others(sentences: Any, shipped: Corpus, repository: Path, tmp_path: Path):
    """A planted number counts as found if its own macro is named, or that of another number of equal value."""
    got = answered(shipped, repository, sentences["paper"])
    values: dict[str, set[str]] = {}
    for name, number in got.numbers.items():
        values.setdefault(number.text, set()).add(name)
    names, texts = zip(*sentences["planted"], strict=True)
    found = zip(names, fixes(list(texts), got, tmp_path), strict=True)
    missed = [n for n, some in found if not any(f"{{{m}}}" in fix for fix in some for m in values[got.numbers[n].text])]
    assert len(missed) <= sentences["missed"], missed
    assert sum(map(bool, fixes(sentences["other"], got, tmp_path))) <= 2


def test_a_number_without_a_name_is_found_by_the_label_of_its_term(shipped: Corpus, repository: Path, tmp_path: Path):
    got = answered(shipped, repository, "first.yaml")
    n = statistics_of(Pool(got.corpus))["counts"]["category"]["industry"]
    texts = [f"The pool has {n} papers on {topic}." for topic in ("industry systems", "something else")]
    named, other = fixes(texts, got, tmp_path)
    assert "{statistic: counts.category.industry}" in named[0]
    assert other == []
