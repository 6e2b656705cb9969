"""`awesome watch`: what it says of candidates, sources, registries and links, and that it writes nothing."""

import json
from pathlib import Path

import pytest
from claiming import state_claims
from crema import FEED, RECORD, WORK
from serving import Reply

from awesome_cli.survey.corpus import Corpus

DAY = "1773100800"  # 2026-03-10
COLD = """\
title: "Cold | @ada #1 <b>brew</b>"
year: 2026
tags:
  device:
  - {term: cold, confidence: low, contested: {"on": 2026-03-01, grade: strong, because: It was warm.}}
proposal: retain
found: {"on": 2026-03-09, how: later, source: arXiv}
first_public: "2026-03-08"
"""
UNCODED = """\
title: A siphon of glass
identifiers: {doi: 10.5555/siphon}
proposal: consider
found: {"on": 2026-03-04, how: later, source: arXiv}
extra: {abstract: Vapour moves the water in a siphon; see the measured sourness.}
"""
OLD = 'title: On chairs\nproposal: exclude\nfound: {"on": 2026-03-03}\n'
RUN = """\
asked:
- {search: foam, source: crossref, query: foam, sent: x, at: 2026-03-09T10:00:00Z, state: failed, error: HTTP 503}
- {search: foam, source: arxiv, query: foam, sent: x, at: 2026-03-09T10:00:00Z, state: done, hits: 0}
"""


@pytest.fixture
def living(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three new candidates and one old one, a claim that one of them would end, a search that failed."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", DAY)
    state_claims(root)
    for name, text in {"cold2026": COLD, "siphon2026": UNCODED, "chairs": OLD}.items():
        (root / "candidates" / f"{name}.yaml").write_text(text)
    (root / "search.yaml").write_text("searches:\n- {id: foam, query: foam}\n")
    (root / "searches").mkdir()
    (root / "searches" / "2026-03-09-100000.yaml").write_text(RUN)
    return root


def files(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_offline_it_says_what_it_left_out_and_writes_nothing(run, living: Path, golden):
    before = files(living)
    done = run("--offline", "watch", "--format", "md", root=living)
    assert "Not checked offline" in done.out
    assert files(living) == before
    golden("watch.md", done.out)
    golden("watch.txt", run("--offline", "watch", root=living).out)


def test_every_number_has_its_population(run, living: Path):
    found = run("--offline", "watch", "--format", "json", root=living).json
    assert found["schema"] == "awesome/watch/1"
    assert found["data"]["population"] == {
        "papers": 4, "candidates": 4, "coded": 2, "not_coded": 2, "new": 2, "undated": 1, "claims": 3,
        "claims_that_hold": 2, "candidates_that_end": 1, "claims_that_one_ends": 1, "candidates_that_weaken": 0,
        "claims_that_one_weakens": 0,
    }  # fmt: skip
    (danger,) = found["data"]["dangers"]
    assert (danger["candidate"], danger["claim"], danger["effect"]) == ("cold2026", "no-cold", "ends")
    assert (danger["value_today"], danger["value_with_it"], danger["margin_today"], danger["margin_with_it"]) == (
        0,
        1,
        0,
        -1,
    )
    assert danger["codings"] == [{"coding": "device=cold", "confidence": "low", "contested": "strong"}]


def test_guess_has_its_words_and_is_in_no_record(run, living: Path):
    guesses = {
        one["candidate"]: one
        for one in run("--offline", "watch", "--format", "json", root=living).json["data"]["guesses"]
    }
    assert set(guesses) == {"siphon2026", "chairs"}
    cells = {one["axis"]: one for one in guesses["siphon2026"]["guess"]}
    assert (cells["device"]["term"], "siphon" in cells["device"]["words"]) == ("siphon", True)
    assert guesses["siphon2026"]["nearest"][0]["key"] == "siphon2019"
    assert guesses["chairs"]["guess"] == []
    assert "tags" not in (living / "candidates" / "siphon2026.yaml").read_text()


@pytest.mark.parametrize(
    ("since", "new"),
    [([], ["cold2026", "siphon2026"]), (["--since", "2026-03-05"], ["cold2026"]), (["--since", "2026-03-10"], [])],
)
def test_new_ones_are_those_of_the_week_or_since_a_day(run, living: Path, since: list[str], new: list[str]):
    found = run("--offline", "watch", *since, "--format", "json", root=living).json["data"]["new"]
    assert [one["key"] for one in found] == new


def test_titles_cannot_mention_or_break_the_page(run, living: Path):
    shown = run("--offline", "watch", "--format", "md", root=living).out
    assert "@ada" not in shown
    assert "<b>" not in shown.replace("\\<b\\>", "")


def test_registries_and_links_are_asked(run, living: Path, service, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    for folder in ("corpus", "exclusions"):
        for path in (living / folder).iterdir():
            path.unlink()
    links = f"links:\n- {{label: Code, url: {service.url}/gone}}\n- {{label: Code, url: {service.url}/login}}\n"
    (living / "corpus" / "crema.yaml").write_text(RECORD + (links if "links:" not in RECORD else ""))
    retracted = {**WORK, "updated-by": [{"type": "retraction"}]}
    service.routes |= {
        "/arxiv": Reply(FEED.format(more="").encode()),
        "/crossref/works/10.1000%2Fx": Reply(json.dumps({"message": retracted}).encode()),
        "/gone": Reply(status=410),
        "/login": Reply(status=401),
    }
    before = files(living)
    shown = run("watch", "--format", "md", root=living).out
    assert "crema: venue: arXiv → Journal of Foam (doi:10.1000/x)" in shown
    assert "crema: retracted according to doi:10.1000/x" in shown
    assert "1 of 1 records would be updated" in shown
    assert files(living) == before
    data = run("watch", "--format", "json", root=living).json["data"]
    assert data["refresh"]["retraction"] == {"crema": "retracted"}
    assert {link["state"] for link in data["links"]["links"]} >= {"dead", "blocked"}


@pytest.mark.slow
def test_registry_that_fails_is_named_and_the_rest_is_told(run, living: Path, service):
    service.fallback = Reply(status=503)
    done = run("watch", "--format", "json", root=living, code=4)
    assert len(done.json["data"]["refresh"]["failed"]) == 4
    assert done.json["data"]["dangers"]
    assert "4 records could not be looked up" in done.err


def test_known_retraction_is_told_offline(run, living: Path):
    paper = living / "corpus" / "drip2021.yaml"
    paper.write_text(
        paper.read_text() + "retraction: {status: concern, source: doi:10.1000/coffee.2, 'on': 2026-03-01}\n"
    )
    found = run("--offline", "watch", "--format", "json", root=living).json["data"]["retracted"]
    assert found == [{"key": "drip2021", "status": "concern", "source": "doi:10.1000/coffee.2", "on": "2026-03-01"}]


@pytest.mark.slow
def test_shipped_survey_is_watched_in_time_and_fits_an_issue(run, repository: Path, shipped: Corpus):
    done = run("--offline", "watch", "--since", "2099-01-01", "--format", "md", root=repository)
    assert len(done.out) < 65_536
    n = run("--offline", "watch", "--format", "json", root=repository).json["data"]["population"]
    assert n["coded"] + n["not_coded"] == n["candidates"] == len(shipped.candidates)


def test_the_address_of_a_new_candidate_stands_in_every_form(run, living: Path):
    for form in ("text", "csv", "json", "md"):
        assert "https://doi.org/10.5555/siphon" in run("--offline", "watch", "--format", form, root=living).out, form
