"""The corpus as one value: keys, days in the past, unknown tags."""

from datetime import date

import pytest
from builders import coffee, make_corpus, make_paper

from awesome_cli.errors import UsageError
from awesome_cli.survey.corpus import as_of


def test_as_of_takes_later_records_away():
    past = coffee().as_of(date(2026, 3, 1))
    assert [p.key for p in past.papers] == ["aero2020", "drip2021", "siphon2019"]
    assert [e.key for e in past.exclusions] == ["X1"]
    assert past.candidates == ()


@pytest.mark.parametrize(("day", "year"), [(date(2026, 3, 31), 2018), (date(2026, 4, 1), 2019)])
def test_as_of_undoes_later_corrections(day: date, year: int):
    assert as_of(coffee().get("siphon2019"), day).year == year  # type: ignore[type-var]


def test_as_of_goes_back_through_several_revisions():
    paper = make_paper(
        tags={"device": "cold"},
        history=[
            {"on": "2026-02-01", "field": "tags.device", "was": "drip"},
            {"on": "2026-03-01", "field": "tags.device", "was": "press"},
        ],
    )

    def device(day: date) -> str:
        return as_of(paper, day).tags_on("device")[0].term

    assert [device(date(2026, m, 15)) for m in (1, 2, 3)] == ["drip", "press", "cold"]


def test_a_value_that_did_not_exist_is_taken_away():
    paper = make_paper(
        identifiers={"arxiv": "2503.09501"}, corrections=[{"field": "identifiers.arxiv", "corrected_on": "2026-05-05"}]
    )
    assert as_of(paper, date(2026, 5, 4)).identifiers.arxiv is None


def test_withdrawn_papers_leave_on_their_day():
    corpus = make_corpus(make_paper(withdrawn="2026-02-01"))
    assert [len(corpus.as_of(date(2026, m, 1)).papers) for m in (1, 2)] == [1, 0]


def test_get_finds_former_keys_and_names_the_nearest():
    corpus = make_corpus(make_paper("new2020", aliases="old2020"))
    assert corpus.get("old2020").key == "new2020"
    with pytest.raises(UsageError, match="did you mean 'new2020'"):
        corpus.get("new202")


def test_unknown_tags_are_left_out_with_a_remark():
    corpus = make_corpus(make_paper(tags={"device": "drip", "shape": "round", "taste": [{"term": "hot"}]}))
    known, warnings = corpus.with_known_tags()
    assert known.papers[0].tags.keys() == {"device"}
    assert [warning.split(": ")[1] for warning in warnings] == [
        "the unknown tag shape=round is ignored",
        "the unknown tag taste=hot is ignored",
    ]
