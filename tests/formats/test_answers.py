"""Saved answers of services, and JSON of other programs."""

import json
from typing import Any

import pytest
from builders import COFFEE
from hypothesis import given
from hypothesis import strategies as st

from awesome_cli.files.tree import WorkingTree
from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.people import authors_of
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.model.drafts import Batch
from awesome_cli.survey.loading import read_taxonomy

TAXONOMY = read_taxonomy(WorkingTree(COFFEE))[0]

OPENALEX = {
    "id": "https://openalex.org/W1",
    "doi": "https://doi.org/10.1000/tea",
    "display_name": "On <i>Tea</i>",
    "publication_year": None,
    "publication_date": "2020-03-01",
    "type": "article",
    "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/123"},
    "authorships": [
        {"author": {"display_name": "Ada Bean"}, "institutions": [{"display_name": "Tea House"}]},
        {"author": {"display_name": None}, "raw_author_name": "Ludwig van Rye"},
    ],
    "primary_location": {"landing_page_url": "https://doi.org/10.1000/tea", "source": {"display_name": "Tea", "type": "journal"}},
    "biblio": {"volume": "4", "issue": "2", "first_page": "1", "last_page": "9"},
    "abstract_inverted_index": {"We": [0], "brew.": [1]},
    "keywords": [{"display_name": "water"}],
    "cited_by_count": 3,
}  # fmt: skip
SEMANTIC_SCHOLAR = {
    "paperId": "1",
    "externalIds": {"DOI": "10.1000/tea", "ArXiv": "2001.00010", "DBLP": "x"},
    "title": "On Tea",
    "venue": "",
    "year": 2020,
    "journal": {"name": "Tea", "pages": "1 - 9", "volume": "4"},
    "authors": [{"authorId": None, "name": "Ada Bean"}, {"authorId": "2", "name": "Ludwig van Rye"}],
    "publicationTypes": None,
    "openAccessPdf": {"url": "https://example.org/tea.pdf"},
}
UNPAYWALL = {
    "doi": "10.1000/tea",
    "title": "On Tea",
    "genre": "journal-article",
    "year": 2020,
    "journal_name": "Tea",
    "z_authors": [{"given": "Ada", "family": "Bean"}, {"raw_author_name": "Ludwig van Rye"}],
    "oa_locations": [],
}


def load(value: Any, **options: Any) -> Batch:
    return read([InputFile("x.json", json.dumps(value).encode())], ReadingOptions(TAXONOMY, **options))


@pytest.mark.parametrize(
    "work", [OPENALEX, SEMANTIC_SCHOLAR, UNPAYWALL], ids=["openalex", "semanticscholar", "unpaywall"]
)
@pytest.mark.parametrize(
    "wrap",
    [
        lambda work: work,
        lambda work: [work],
        lambda work: {"meta": {"count": 1}, "results": [work], "group_by": []},
        lambda work: {"total": 1, "next": 2, "data": [work]},
        lambda work: {"results": [{"response": work, "score": 1}]},
        lambda work: {"offset": 0, "data": [{"contexts": [], "citingPaper": work}]},
    ],
)  # fmt: skip
def test_works_of_services(work, wrap):
    (draft,) = load(wrap(work)).drafts
    assert (draft.title, draft.fields["authors"]) == ("On Tea", ("Bean, Ada", "van Rye, Ludwig"))
    assert (draft.fields["year"], draft.fields["venue"]) == (2020, "Tea")
    assert draft.fields["identifiers"]["doi"] == "10.1000/tea"
    assert draft.fields["links"][0] == {"label": "Paper", "url": "https://doi.org/10.1000/tea"}
    assert draft.fields["citation"]["type"] == "article"


def test_further_values_of_services():
    openalex, scholar = (load(work).drafts[0] for work in (OPENALEX, SEMANTIC_SCHOLAR))
    assert openalex.fields["identifiers"] == {"doi": "10.1000/tea", "other": "PMID:123"}
    assert openalex.fields["citation"] == {
        "type": "article",
        "container": "Tea",
        "volume": "4",
        "number": "2",
        "pages": "1--9",
    }
    assert openalex.fields["affiliation"] == "Tea House"
    assert openalex.fields["extra"] == {"abstract": "We brew.", "cited_by_count": 3}
    assert openalex.keywords == ("water",)
    assert scholar.fields["identifiers"] == {"doi": "10.1000/tea", "arxiv": "2001.00010"}
    assert scholar.fields["citation"] == {"type": "article", "container": "Tea", "volume": "4", "pages": "1 - 9"}
    assert scholar.fields["links"][1] == {"label": "PDF", "url": "https://example.org/tea.pdf"}
    assert scholar.fields["extra"]["externalIds"]["DBLP"] == "x"


def test_names_without_mappings_and_fields_of_other_programs():
    (draft,) = load({"paperId": "1", "title": "T", "authors": ["Ada Bean", None, "Rye, Bo"]}).drafts
    assert draft.fields["authors"] == ("Bean, Ada", "Rye, Bo")
    (draft,) = load({"title": "T", "authors": ["Ada Bean"], "year": 2020, "open_access": True}).drafts
    assert (draft.fields["authors"], draft.fields["year"]) == (("Bean, Ada",), 2020)


def test_a_conference_of_openalex():
    source = {"display_name": "Tea Days", "type": "conference"}
    (draft,) = load({**OPENALEX, "primary_location": {"source": source}}).drafts
    assert draft.fields["citation"]["type"] == "inproceedings"


def test_nulls_and_works_without_a_title():
    batch = load([SEMANTIC_SCHOLAR, None, {"paperId": "2", "title": None}])
    assert [draft.title for draft in batch.drafts] == ["On Tea"]
    assert [failure.message for failure in batch.failures] == [
        "the entry is null: the service has no record of this work",
        "the record has no title",
    ]


WEIRD = {"title": "On Tea", "who": "Ada Bean", "when": 2020}


def test_json_that_is_not_understood_fails_with_the_fix():
    batch = load([WEIRD, {"title": "On Salt", "who": "Bo Rye"}, {"title": "On Bread", "year": 2020}])
    assert batch.drafts == ()
    (failure,) = batch.failures
    assert str(failure) == (
        "x.json: 2 of 3 works have neither authors nor a year, but values without a field: when, who; specify the fields "
        "with --column 'when=authors', or keep a value as it is: --column 'when=extra.when'"
    )


@pytest.mark.parametrize("columns", [{"who": "authors"}, {"when": "year"}, {"who": "extra.who"}])
def test_named_columns_are_not_judged(columns):
    batch = load(WEIRD, columns=columns)
    assert ([draft.title for draft in batch.drafts], batch.failures) == (["On Tea"], ())


@pytest.mark.parametrize(
    "value",
    [
        [{"title": "On Tea"}],
        [{"title": "On Tea", "year": 2024}],
        [{"title": "On Tea", "taste": "sour", "code": "https://example.org/code", "abstract": "We brew."}],
        [{"title": "On Tea", "who": "Ada"}, {"title": "On Salt", "year": 2020}],
        {"title": "On Tea", "type": "article", "authors": ["Ada Bean"], "year": 2020, "mood": "good"},
    ],
)
def test_json_that_is_understood(value):
    batch = load(value)
    assert (batch.drafts[0].title, batch.failures) == ("On Tea", ())


def test_authors_and_types_of_plain_json():
    (draft,) = load(
        {"title": "T", "type": "book", "authors": [{"name": "Ada Bean"}, {"literal": "Tea Club"}], "year": 1}
    ).drafts
    assert (draft.fields["authors"], draft.fields["citation"]) == (("Bean, Ada", "Tea Club"), {"type": "book"})


def test_a_mapping_is_kept_in_extra():
    journal = {"name": "Tea", "volume": 4}
    (draft,) = load({"title": "On Tea", "year": 2020, "journal": journal, "authors": [{"x": 1}]}).drafts
    assert draft.fields == {"title": "On Tea", "year": 2020, "extra": {"journal": journal, "authors": [{"x": 1}]}}


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from(["On Tea", "2020", "10.1000/x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "title", "a", "url"]), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
NAMES = st.sampled_from(
    ["title", "authors", "author", "year", "venue", "journal", "url", "links", "doi", "keywords", "abstract", "summary", "note",
     "id", "pages", "type", "issued", "container-title", "paperId", "externalIds", "authorships", "primary_location", "titles",
     "creators", "descriptions", "subjects", "publisher", "z_authors", "decision", "reason", "taste", "tldr", "biblio", "other"]
)  # fmt: skip
REPR = ("{'", "['", "None", "True", "False", "[[")


def texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for part in value.values() for text in texts(part)]
    if isinstance(value, list | tuple):
        return [text for part in value for text in texts(part)]
    return [value] if isinstance(value, str) else []


@given(st.lists(st.dictionaries(NAMES, NESTED, max_size=8), min_size=1, max_size=3))
def test_no_python_literal_enters_a_record(entries):
    for entry in entries:
        entry["title"] = entry.get("title") or "On Tea"
    batch = load(entries, columns={"other": "extra.other"} if any("other" in entry for entry in entries) else {})
    for draft in batch.drafts:
        written = [*texts(draft.fields), *draft.keywords, *draft.tags, draft.key or "", draft.decision]
        assert not [text for text in written if any(mark in text for mark in REPR)]


@pytest.mark.parametrize(
    "authors",
    [
        [{"first": "Ada", "last": "Bean"}, {"name": "Bo Li"}],
        [{"name": {"first": "Ada", "last": "Bean"}}, "Bo Li"],
        [{"forename": "Ada", "surname": "Bean"}, {"given_name": "Bo", "family_name": "Li"}],
        "['Ada Bean', 'Bo Li']",
    ],
)
def test_authors_in_other_shapes_are_whole(authors: object):
    assert tuple(authors_of(authors)) == ("Bean, Ada", "Li, Bo")
