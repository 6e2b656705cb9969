"""Codings by table: what is exported and read back without a change changes nothing."""

from datetime import date

import pytest
from builders import coffee, make_paper
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.curation.editing.recoding import Revising
from awesome_cli.curation.editing.tables import recode
from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import codings, workbooks
from awesome_cli.formats.reading import InputFile
from awesome_cli.model.codings import Tag
from awesome_cli.model.records import Paper
from awesome_cli.survey.corpus import Corpus

TAXONOMY = coffee().taxonomy
NEVER = Revising(date(2026, 1, 1), lambda _: pytest.fail("nothing is revised"))
TEXTS = st.sampled_from(
    ["2-Jan", "007", "1e5", "=1+1", "'=1", "\ta", "a\n\nb", '["a"]', '"a"', "a;b", "NA", " a ", "#REF!", "a\r\nb"]
)
TEXTS |= st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=12)


@st.composite
def papers(draw: st.DrawFn) -> Paper:
    """A paper with any codings: also unknown terms and strengths, parts, and axes that wait."""
    tags: dict[str, list[Tag]] = {}
    for axis in TAXONOMY.axes:
        words = draw(st.lists(st.sampled_from([*axis.by_id, "gone", "a:b", "x; y"]), unique=True, max_size=3))
        tags[axis.id] = [
            Tag(
                term=word,
                strength=draw(st.sampled_from([None, *axis.strength_ids, "lost"])),
                part=draw(st.booleans()),
                direction=draw(st.sampled_from(["for", "against"])),
                **{name: draw(st.none() | TEXTS) for name in ("evidence", "quote", "source", "confidence")},
            )
            for word in words
        ]
    waiting = draw(st.lists(st.sampled_from(list(TAXONOMY.by_id)), unique=True))
    return make_paper(tags={axis: some for axis, some in tags.items() if some}, not_coded=waiting)


@given(papers(), st.booleans(), st.booleans(), st.sampled_from([".csv", ".tsv", ".xlsx"]))
def test_a_table_that_nobody_changed_changes_nothing(paper: Paper, wide: bool, labels: bool, ending: str):
    corpus = Corpus(TAXONOMY, (paper,))
    text = codings.write(corpus, ending, wide=wide, labels=labels)
    source = InputFile(f"codings{ending}", text if isinstance(text, bytes) else text.encode())
    plan = recode(WorkingTree("nowhere"), corpus, source, revising=NEVER)
    assert (plan.changes, plan.failed, plan.warnings) == ((), (), ())
