"""The formats as people get them."""

import json
from pkgutil import iter_modules

import bibtexparser
import pytest
from builders import TESTS

from awesome_cli import formats
from awesome_cli.errors import UsageError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import EXPORTED, IMPORTED, export_format, import_formats
from awesome_cli.formats.exporting import export, select
from awesome_cli.model.records import Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus


def files(form: str, corpus: Corpus) -> dict[str, str]:
    """The files of an export by name."""
    name, answer = export_format(form).file, export(form, corpus)
    return {name: answer} if isinstance(answer, str) else {f"{name}{file}": text for file, text in answer.items()}


@pytest.fixture(scope="module")
def bread() -> Corpus:
    return load_corpus(WorkingTree(TESTS / "data" / "bread"))


@pytest.mark.parametrize("form", EXPORTED)
def test_a_format_is_its_golden_files(bread, form, golden):
    for name, text in files(form, bread).items():
        golden(f"export/{name}", text)


def test_every_format_is_in_the_tables():
    shared = {"answers", "cells", "decisions", "entries", "exporting", "extras", "options", "people", "reading"}
    shared |= {"columns", "refused", "rows", "spreadsheets", "tagged", "workbooks"}
    assert {module.name for module in iter_modules(formats.__path__)} - shared == {*EXPORTED, *IMPORTED}
    written = [export_format(form).file for form in EXPORTED]
    endings = [ending for form in import_formats().values() for ending in form.endings]
    assert len(set(written)) == len(written)
    assert len(set(endings)) == len(endings)


def test_the_artifact_needs_a_layout(bread):
    plain = bread.taxonomy.model_copy(update={"artifact": None})
    with pytest.raises(UsageError, match="does not define 'artifact'"):
        export("artifact", Corpus(plain))


def test_an_unknown_format_names_the_nearest(bread):
    with pytest.raises(UsageError, match="did you mean 'bibtex'"):
        export("bibtx", bread)


@pytest.mark.parametrize("form", EXPORTED)
def test_an_empty_selection_is_a_valid_file(bread, form):
    nothing = select(bread, "year=1900")
    assert (nothing.papers, nothing.exclusions) == ((), ())
    for name, text in files(form, nothing).items():
        assert not [record.title for record in bread.records if record.title in text]
        if name.endswith(".json"):
            assert json.loads(text) in ([], {"schema": "awesome/papers/1", "data": {"papers": [], "exclusions": []}})
        else:
            assert len(text.splitlines()) == name.endswith(".csv")


def test_a_query_selects_papers_and_exclusions(bread):
    assert [paper.key for paper in select(bread, "dough=rye").papers] == ["baguette2021"]
    assert [exclusion.key for exclusion in select(bread, "reason=stale").exclusions] == ["toast"]


def test_bibtex_of_the_shipped_corpus_is_read_back_whole(shipped):
    library = bibtexparser.parse_string(export("bibtex", shipped))
    assert not library.failed_blocks
    assert len(library.entries) == len(shipped.papers)
    assert {entry.key for entry in library.entries} == {paper.citation.key for paper in shipped.papers}


def test_json_has_every_field(shipped):
    data = json.loads(export("json", shipped))["data"]
    for document, paper in zip(data["papers"], shipped.papers, strict=True):
        assert Paper.model_validate(document) == paper
