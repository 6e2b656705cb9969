"""What a log of searches and decisions of screening leave to do."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from builders import coffee, make_corpus

from awesome_cli.analysis.audit.screening import blind_ones
from awesome_cli.analysis.watching import by_relevance, conflicts, due, found_since, included, unanswered
from awesome_cli.model.records import Candidate
from awesome_cli.model.screenings import Screenings
from awesome_cli.model.searches import SavedSearch, SearchRun
from awesome_cli.survey.corpus import Corpus

DAY = date(2026, 3, 10)


def run(key: str, *asked: tuple[str, str, str]) -> SearchRun:
    """A run of `(search, source, state)`; its key is the day."""
    at = f"{key}T10:00:00Z"
    each = [{"search": a, "source": b, "state": c, "sent": "x", "query": "q", "at": at} for a, b, c in asked]
    return SearchRun.model_validate({"key": key, "asked": each})


def survey(*runs: SearchRun, sources: Any = ("arxiv", "crossref")) -> Corpus:
    searches = (SavedSearch(id="foam", query="foam", sources=sources), SavedSearch(id="milk", query="milk"))
    return replace(make_corpus(), searches=searches, runs=runs)


def test_last_answer_of_a_source_counts():
    corpus = survey(
        run("2026-03-02", ("foam", "arxiv", "done"), ("foam", "crossref", "failed")),
        run("2026-03-01", ("foam", "arxiv", "failed"), ("foam", "crossref", "done")),
        run("2026-03-03", ("gone", "arxiv", "failed"), ("milk", "openalex", "partly")),
    )
    found = [(one.search, one.source, one.state) for one in unanswered(corpus, DAY)]
    assert found == [("foam", "crossref", "failed"), ("milk", "openalex", "partly")]


@pytest.mark.parametrize(
    ("days", "found"),
    [
        ([], ["foam", "milk"]),
        (["2026-03-04"], ["milk"]),
        (["2026-03-03"], ["foam", "milk"]),
    ],
)
def test_search_is_due_after_a_week(days: list[str], found: list[str]):
    runs = [run(day, ("foam", "arxiv", "done"), ("foam", "crossref", "failed")) for day in days]
    assert [search.id for search in due(survey(*runs), DAY)] == found


def test_search_is_due_while_a_source_was_never_asked():
    assert [one.id for one in due(survey(run("2026-03-09", ("foam", "arxiv", "done"))), DAY)] == ["foam", "milk"]


def candidate(key: str, **fields: Any) -> Candidate:
    return Candidate.model_validate({"key": key, "title": key, "proposal": "consider", **fields})


def person(who: str, *, blind: bool = True, **verdicts: str) -> Screenings:
    each = [
        {"key": key, "verdict": word, "on": "2026-03-01"} for key, all_ in verdicts.items() for word in all_.split()
    ]
    return Screenings.model_validate({"key": who, "who": who, "blind": blind, "decisions": each})


def test_people_who_decide_differently_are_in_conflict_until_it_is_settled_or_the_candidate_gone():
    ada = person("ada", both="include", changed="exclude include", split="include", gone="include", done="include")
    bo = person("bo", both="include", changed="include", split="exclude", gone="exclude", done="exclude")
    found = tuple(map(candidate, ("both", "changed", "split", "done")))
    corpus = replace(make_corpus(), candidates=found, screenings=(ada, bo, person("cy", blind=False, done="exclude")))
    assert conflicts(corpus) == ("split",)
    assert conflicts(replace(corpus, screenings=(ada,))) == ()


def test_three_people_are_in_conflict_where_one_of_them_differs():
    ada, bo = person("ada", a="include", b="include"), person("bo", a="include", c="exclude")
    cy = person("cy", a="exclude", b="include", c="exclude", d="include")
    corpus = replace(make_corpus(), candidates=tuple(map(candidate, "abcd")), screenings=(ada, bo, cy))
    assert conflicts(corpus) == ("a",)
    assert [one.key for one in blind_ones(corpus).agreed] == ["b", "c"]
    assert blind_ones(corpus).conflicts[0].lines == ("ada: include", "bo: include", "cy: exclude")


def test_included_ones_passed_a_stage():
    passed = candidate("yes", proposal="retain", passed=["abstract"])
    corpus = replace(make_corpus(), candidates=(candidate("no", proposal="retain"), passed, candidate("maybe")))
    assert included(corpus) == (passed,)


def test_new_ones_are_those_found_on_a_day_or_later():
    days = {"old": "2026-03-01", "new": "2026-03-03", "newer": "2026-03-05"}
    found = tuple(candidate(key, found={"on": day}) for key, day in days.items())
    corpus = replace(make_corpus(), candidates=(*found, candidate("undated")))
    assert [one.key for one in found_since(corpus, date(2026, 3, 3))] == ["newer", "new"]


def test_the_candidates_most_like_the_papers_come_first():
    found = tuple(
        candidate(key, extra={"abstract": text}) for key, text in {"a": "Chairs.", "b": "Slowly dripping."}.items()
    )
    assert [each.key for each in by_relevance(coffee(), found)] == ["b", "a"]
