"""How many codings have what beside them: main codings and parts apart, and the population named."""

from datetime import date
from pathlib import Path

import pytest
from builders import make_corpus, make_paper

from awesome_cli.analysis.evidence import coverage_report as report
from awesome_cli.errors import UsageError
from awesome_cli.output import Format, to_text

CORPUS = make_corpus(
    make_paper(
        "a2020",
        year=2020,
        tags={
            "device": [
                {"term": "press", "evidence": "It is pressed.", "source": "arxiv:2001.00010 §2"},
                {"term": "cold", "part": True, "evidence": "Chilled.", "source": "arxiv:2001.00010"},
            ],
            "taste": [{"term": "sour", "strength": "tasted", "quote": "It was sour.", "contested": {"grade": "weak", "because": "No."}}],
        },
    ),
    make_paper("b2021", year=2021, tags={"device": "drip"}),
)  # fmt: skip


def test_main_codings_and_parts_are_counted_apart():
    found = report(CORPUS).data
    none = {"evidence": 0, "source": 0, "locator": 0, "quote": 0, "contested": 0}
    assert found["population"] == "4 codings of 2 papers of the pool"
    assert found["axes"] == [
        {"axis": "device", "role": "main", "codings": 2, **none, "evidence": 1, "source": 1, "locator": 1},
        {"axis": "device", "role": "part", "codings": 1, **none, "evidence": 1, "source": 1},
        {"axis": "taste", "role": "main", "codings": 1, **none, "quote": 1, "contested": 1},
    ]
    assert found["all"] == {"codings": 4, "evidence": 2, "source": 2, "locator": 1, "quote": 1, "contested": 1}


@pytest.mark.parametrize(
    ("missing", "lacking"),
    [
        ("evidence", ["taste=sour:tasted", "device=drip"]),
        ("source", ["taste=sour:tasted", "device=drip"]),
        ("locator", ["device=cold:part", "taste=sour:tasted", "device=drip"]),
        ("quote", ["device=press", "device=cold:part", "device=drip"]),
    ],
)
def test_codings_without_it_are_listed(missing: str, lacking: list[str]):
    codings = report(CORPUS, missing=missing).data["codings"]
    assert isinstance(codings, list)
    assert {f"{c['axis']}={c['tag']}" for c in codings} == set(lacking)


def test_the_population_is_named():
    assert report(CORPUS, axes=["device"]).data["population"] == "3 codings on device of 2 papers of the pool"
    some = report(CORPUS, where="year=2020", missing="locator")
    assert "2 of 3 codings of 1 of the 2 papers of the pool have no locator." in to_text(some, Format.TEXT)
    as_of = report(CORPUS.as_of(date(2026, 2, 1)))
    assert as_of.data["population"] == "4 codings of 2 papers of the pool as of 2026-02-01"
    assert report(CORPUS, where="year=1999").data["axes"] == []


def test_names_that_do_not_exist():
    with pytest.raises(UsageError, match="did you mean 'device'"):
        report(CORPUS, axes=["devise"])
    with pytest.raises(UsageError, match="did you mean 'quote'"):
        report(CORPUS, missing="qoute")


def test_before_a_revision_the_old_evidence_counts(run, root: Path):
    words = ["tag", "drip2021", "taste=bitter:tasted", "--source", "arxiv:1 p. 3", "--quote", "Bitter.", "--revised"]
    run(*words, root=root)

    def counts(*options: str) -> tuple[int, int]:
        data = run("evidence", "--by", "taste", *options, "-f", "json", root=root).json["data"]
        return data["all"]["quote"], data["all"]["locator"]

    assert counts() == (1, 1)
    assert counts("--as-of", "2026-05-01") == (0, 0)


def test_what_a_reader_sees(run, root: Path, golden):
    golden("cli/evidence.txt", run("evidence", root=root).out)
    golden("cli/evidence-missing.txt", run("evidence", "--missing", "locator", "--by", "taste", root=root).out)
