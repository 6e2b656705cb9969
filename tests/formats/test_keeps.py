"""What a format says that it keeps comes back: export, import into an empty survey with the same taxonomy, compare."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest
from builders import make_corpus, make_paper
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from awesome_cli.curation.intake import Settings, begin, take_in
from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import EXPORTED, ReadingOptions, export_format
from awesome_cli.formats.exporting import export, keeps, names_of
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.model.codings import on_axis
from awesome_cli.model.records import Paper
from awesome_cli.survey.corpus import Corpus

MAIN = {"artifact": {"tags.term"}}
"""What a format keeps of main codings only; `test_artifact` compares them."""
GIVEN = {"added", "citation.key", "citation.type", "citation.container", "venue", "links.url", "links.label"} | {
    "distinct_from"
}

"""What an import gives a record that does not bring it: a day, a citation key, the type `misc`, the venue of its
container and the other way round, a link of its address."""


def back(form: str, corpus: Corpus, root) -> list[Paper]:
    """The papers of an export after an import into an empty survey, in their order."""
    answer = export(form, corpus)
    texts = {export_format(form).file: answer} if isinstance(answer, str) else answer
    batch = read([InputFile(name, text.encode()) for name, text in texts.items()], ReadingOptions(corpus.taxonomy))
    assert batch.failures == ()
    asked = Settings(date(2026, 1, 2), ask=lambda *_: "add", on_duplicate="ask")
    done = take_in(begin(Corpus(corpus.taxonomy), WorkingTree(root), asked), batch.drafts)
    assert not done.failed
    return [taken.record for taken in done.taken if isinstance(taken.record, Paper)]


def part(value: Any, name: str) -> Any:
    """A part of a value, in the shape of the value."""
    if isinstance(value, Mapping):
        return {key: found for key, one in value.items() if (found := part(one, name)) is not None}
    if isinstance(value, tuple):
        return tuple(part(one, name) for one in value)
    return getattr(value, name, None)


def at(paper: Paper, name: str) -> Any:
    top, _, rest = name.partition(".")
    value = getattr(paper, top)
    return value if not rest else value.get(rest) if top == "extra" else part(value, rest)


def compare(form: str, papers: list[Paper], read_back: list[Paper]) -> None:
    kept = export_format(form).keeps
    assert len(papers) == len(read_back)
    for paper, again in zip(papers, read_back, strict=True):
        own = set(names_of(paper))
        for name in own - MAIN.get(form, set()):
            assert not keeps(kept, name) or at(again, name) == at(paper, name), (paper.key, name)
        assert {*names_of(again)} - own <= GIVEN | tagged(paper, again), paper.key


def tagged(paper: Paper, again: Paper) -> set[str]:
    """The field that holds nothing but the paper's tags, where a format has only keywords for them."""
    tags = {on_axis(axis, tag) for axis, given in paper.tags.items() for tag in given}
    return {"extra.keywords"} if {*again.extra.get("keywords", ())} <= tags else set()


@pytest.mark.parametrize("form", [form for form in EXPORTED if export_format(form).keeps])
def test_what_a_format_keeps_comes_back(form: str, shipped: Corpus, tmp_path):
    papers = list(shipped.papers)
    if form == "artifact":
        # Papers stand in their published order there, then those without; a position is the order of what is read.
        papers.sort(key=lambda paper: (paper.order is None, paper.order, paper.key))
        papers = [paper.model_copy(update={"order": place}) for place, paper in enumerate(papers, 1)]
    compare(form, papers, back(form, shipped, tmp_path))


WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs"), exclude_characters="\\&<"),
    min_size=1,
    max_size=8,
)
"""Words without what is LaTeX or HTML in a title."""
TEXTS = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
WORKS = st.fixed_dictionaries(
    {"title": TEXTS},
    optional={
        "authors": st.lists(st.from_regex(r"[A-Z][a-z]+( [A-Z][a-z]*)?(, [A-Z][a-z.]+( [A-Z][a-z.;]*)?)?", fullmatch=True), max_size=4, unique=True),
        "year": st.integers(1500, 2200),
        "venue": TEXTS,
        "note": TEXTS,
        "summary": TEXTS,
        "links": st.lists(
            st.fixed_dictionaries({"label": TEXTS, "url": st.from_regex(r"https://[a-z]{1,5}\.org/[a-z;:,?=]{0,6}", fullmatch=True)}),
            max_size=3,
            unique_by=lambda entry: entry["url"],
        ),
        "tags": st.fixed_dictionaries({}, optional={
            "device": st.sampled_from([["press"], ["press", {"term": "cold", "part": True}]]),
            "taste": st.sampled_from([[{"term": "sour", "strength": "tasted"}], [{"term": "umami", "strength": "measured", "part": True}, "sour"]]),
        }),
        "citation": st.fixed_dictionaries({"key": WORDS}, optional={"volume": TEXTS, "month": TEXTS, "note": TEXTS}),
        "extra": st.dictionaries(
            st.one_of(st.sampled_from(["abstract", "volume"]), st.from_regex(r"[a-z]{1,6}", fullmatch=True)), TEXTS, max_size=3
        ),
    },
)  # fmt: skip


@pytest.mark.parametrize("form", ["csv", "csljson", "json"])
@given(st.lists(WORKS, min_size=1, max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_record_holds_comes_back(form: str, tmp_path, works):
    for number, work in enumerate(works):
        # Two works of one citation key are told apart by an import.
        work["citation"] = {**work.get("citation", {}), "key": f"{number}{work.get('citation', {}).get('key', '')}"}
    corpus = make_corpus(*(make_paper(f"work{number}", **work) for number, work in enumerate(works)))
    papers = list(corpus.papers)
    found = {paper.title: paper for paper in papers}
    if len(found) == len(papers):
        compare(form, papers, back(form, corpus, tmp_path))
