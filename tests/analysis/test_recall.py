"""Relative recall: saved searches are compared with titles and abstracts, as the requests that are sent promise."""

from dataclasses import replace

import pytest
from builders import make_corpus, make_paper
from hypothesis import given
from searches import TEXTS, TREES

from awesome_cli.analysis.recall import ALL, SHOWN, Retrieval, retrievals, to_report, too_narrow
from awesome_cli.model.records import Candidate
from awesome_cli.model.searches import SavedSearch
from awesome_cli.output import Format, to_text
from awesome_cli.query.searching import Search, needs_a_word

TITLE = make_paper("title2020", title="Pressing coffee")
ABSTRACT = make_paper("abstract2020", title="A study", extra={"abstract": "Coffee is pressed with hot water."})
TEA = make_paper("tea2020", title="Tea", extra={"abstract": "Leaves are pressed."})
SNOW = make_paper("snow2020", title="Snow")


def saved(query: str, name: str = "pressing", **fields: object) -> SavedSearch:
    return SavedSearch.model_validate({"id": name, "query": query, **fields})


def by_key(*searches: SavedSearch, papers=(TITLE, ABSTRACT, TEA, SNOW)) -> dict[str, Retrieval]:
    return {work.work.key: work for work in retrievals(make_corpus(*papers), searches)}


def test_a_work_without_the_words_is_missed_or_unknown_without_an_abstract():
    works = by_key(saved("press* AND (coffee OR espresso)"))
    assert {key: work.state for key, work in works.items()} == {
        "title2020": "found", "abstract2020": "found", "tea2020": "missed", "snow2020": "unknown",
    }  # fmt: skip
    assert list(map(str, works["tea2020"].unmet)) == ["coffee OR espresso"]


def test_the_nearest_search_has_the_smallest_share_of_unmet_conditions():
    foam, leaves = saved("foam AND milk", "foam"), saved("press* AND leaves AND coffee AND milk", "leaves")
    tea = by_key(foam, leaves)["tea2020"]
    assert (tea.nearest, list(map(str, tea.unmet))) == ("leaves", ["coffee", "milk"])
    assert by_key(leaves, saved("leaves AND pressed AND ice", "ice"))["tea2020"].nearest == "ice"


def test_abstracts_do_not_count_where_no_source_compares_them():
    words = "press* AND coffee"
    assert by_key(saved(words, sources=["crossref"]))["abstract2020"].searches == ()
    assert by_key(saved(words, sources=["crossref", "arxiv"]))["abstract2020"].searches == ("pressing",)
    assert by_key(saved(words))["abstract2020"].searches == ("pressing",)


def test_a_search_finds_what_it_returned_and_an_invalid_one_nothing():
    fields = {"title": "Ice", "proposal": "retain", "found": {"search": "around"}}
    ice = Candidate.model_validate({"key": "ice2026", **fields})
    left = ice.model_copy(update={"key": "left2026", "proposal": "consider"})
    corpus = replace(make_corpus(), candidates=(ice, left))
    searches = [SavedSearch(id="around", citing="key=tea2020"), saved("ice AND AND")]
    (work,) = retrievals(corpus, searches)
    assert (work.work.key, work.searches) == ("ice2026", ("around",))
    (work,) = retrievals(corpus, searches[1:])
    assert (work.state, work.nearest) == ("unknown", None)


def test_a_report_names_searches_that_are_not_valid():
    report = to_report((), (saved("(", "torn"), saved("coffee", "sound")))
    assert "Not compared, because the query is not valid: torn;" in " ".join(to_text(report, Format.TEXT).split())


def test_only_searches_that_miss_a_whole_text_are_too_narrow():
    corpus = replace(make_corpus(TITLE, ABSTRACT, SNOW), searches=(saved("press* AND coffee"),))
    assert too_narrow(corpus) == ()
    assert too_narrow(replace(corpus, papers=(*corpus.papers, TEA))) == ("pressing",)
    assert too_narrow(replace(corpus, abstracts={"snow2020": "It is cold."})) == ("pressing",)


@given(TREES.filter(needs_a_word), TEXTS, TEXTS)
def test_a_search_finds_a_work_if_and_only_if_no_condition_is_unmet(tree, title, abstract):
    search = Search("", tree)
    unmet = search.unmet(title, abstract)
    assert search.matches(title, abstract) == (unmet == ())
    assert all(not Search("", part).matches(title, abstract) for part in unmet)


@pytest.mark.parametrize("papers", [(), (TITLE,), (TITLE, SNOW, TEA)])
def test_the_counts_of_a_report_add_up(papers):
    searches = [saved("press* AND coffee"), saved("snow", "cold")]
    data = to_report(tuple(by_key(*searches, papers=papers).values()), searches).data
    assert sum(data["counts"].values()) == len(data["works"]) == len(papers)
    found = {work["key"]: work["found_by"] for work in data["works"]}
    for search in data["searches"]:
        assert search["found"] == sum(search["search"] in names for names in found.values())


def report_text(*searches: SavedSearch, papers) -> str:
    report = to_report(tuple(by_key(*searches, papers=papers).values()), searches)
    return " ".join(to_text(report, Format.TEXT).split())


def test_recall_is_a_share_of_the_works_with_a_known_abstract():
    text = report_text(saved("press* AND coffee"), papers=(TITLE, ABSTRACT, TEA, SNOW))
    assert "4 retained works: 2 found, 1 missed, 1 unknown." in text
    assert "works with a known abstract: 1 of 2 (50 %)." in text
    assert "%" not in report_text(saved("press* AND coffee"), papers=(TITLE, SNOW))


def test_a_citation_search_without_a_run_makes_works_unknown():
    text = report_text(SavedSearch(id="around", citing="key=tea2020"), papers=(ABSTRACT, TEA))
    assert "2 retained works: 0 found, 0 missed, 2 unknown." in text
    assert "%" not in text


def test_the_table_has_the_first_missed_works_and_the_first_word_of_each_condition():
    papers = [make_paper(f"tea{n}", title="Tea", extra={"abstract": "Leaves."}) for n in range(SHOWN + 2)]
    text = report_text(saved("(coffee OR espresso) AND milk"), papers=(*papers, SNOW))
    assert text.count("coffee …, milk") == SHOWN
    assert f"2 more: {ALL}" in text
    assert "snow2020" not in text
