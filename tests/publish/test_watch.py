"""`awesome watch`: what it says of candidates, sources, registries and links, and that it writes nothing."""

import json
from pathlib import Path

import pytest
from claiming import state_claims
from crema import FEED, RECORD, WORK
from serving import Reply, Service

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
        "claims_that_several_end": 0,
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


def test_the_heading_counts_claims_and_not_their_candidates(run, living: Path):
    (living / "candidates" / "ice2026.yaml").write_text(COLD.replace("Cold |", "Ice |"))
    shown = run("--offline", "watch", root=living).out
    assert "Claims that a single candidate would overturn (1)" in shown
    assert shown.count("no-cold: ") == 2


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
    assert "crema: arXiv → Journal of Foam (doi:10.1000/x)" in shown
    assert "- Retracted, withdrawn or in doubt: crema (retracted according to doi:10.1000/x)\n" in shown
    assert "awesome refresh crema --apply" in shown
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
    assert found == [
        {
            "key": "drip2021", "status": "concern", "source": "doi:10.1000/coffee.2", "on": "2026-03-01",
            "handled": None, "stored": True, "fail_without_it": [], "counted_by": [],
        }
    ]  # fmt: skip


@pytest.mark.slow
def test_shipped_survey_is_watched_in_time_and_fits_an_issue(run, repository: Path, shipped: Corpus):
    done = run("--offline", "watch", "--since", "2099-01-01", "--format", "md", root=repository)
    assert len(done.out) < 65_536
    n = run("--offline", "watch", "--format", "json", root=repository).json["data"]["population"]
    assert n["coded"] + n["not_coded"] == n["candidates"] == len(shipped.candidates)


def test_the_address_of_a_new_candidate_stands_in_every_form(run, living: Path):
    for form in ("text", "csv", "json", "md"):
        words = ["watch", *(["--all"] if form == "text" else []), "--format", form]
        assert "https://doi.org/10.5555/siphon" in run("--offline", *words, root=living).out, form


MONTH_CLAIMS = """\
claims:
- {id: no-cold, statement: Nobody studies cold brew., expect: [{count: device=cold, at_most: 0}], as_of: 2026-03-01}
- {id: bitter, statement: A paper measures bitterness., expect: [{count: "taste=bitter:measured", at_least: 1}], as_of: 2026-03-01}
- {id: siphons, statement: Two papers study siphons., expect: [{count: device=siphon, at_most: 2}], as_of: 2026-03-01}
- {id: presses, statement: Papers study presses., expect: [{count: device=press, at_least: 1}], as_of: 2026-03-01}
"""
MONTH_RUN = "asked:\n- {search: foam, source: crossref, query: foam, sent: x, at: 2026-09-20T10:00:00Z, state: failed, error: HTTP 503}\n"


RETRACTED: dict[str, object] = {"updated-by": [{"type": "retraction"}]}
PUBLISHED: dict[str, object] = {"container-title": ["Journal of Cups"], "issued": {"date-parts": [[2024]]}}
BITTER = "drip, taste: {term: bitter, strength: measured}"


def register(
    root: Path, service: Service, n: int, *, venue: str = "Cups", device: str = "drip", links: str = "", **work: object
):
    """Write the n-th paper, and what Crossref says of it."""
    text = f'title: Coffee of kind {n}\nauthors: ["Bean, Ada"]\nyear: 2024\nvenue: {venue}\nidentifiers: {{doi: 10.1000/{n}}}\n'
    text += f"links: [{links}]\n" if links else ""
    (root / "corpus" / f"kind{n}.yaml").write_text(f"{text}added: 2025-01-01\ntags: {{device: {device}}}\n")
    bean = [{"family": "Bean", "given": "Ada"}]
    message = {"DOI": f"10.1000/{n}", "title": [f"Coffee of kind {n}"], "author": bean, **work}
    service.routes[f"/crossref/works/10.1000%2F{n}"] = Reply(json.dumps({"message": message}).encode())


def add_candidate(root: Path, n: int, device: str = ""):
    text = f"title: {'Tea' if n % 3 else 'Foam'} {n}\nproposal: {'retain' if device else 'consider'}\n"
    text += f'found: {{"on": 2026-09-20, how: later, source: crossref, search: {"milk" if n > 29 else "foam"}}}\n'
    text += f"tags: {{device: {device}}}\n" if device else ""
    (root / "candidates" / f"new{n}.yaml").write_text(text)


@pytest.fixture
def month(living: Path, service: Service, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A month with a retraction, a withdrawal, a publication, three dead links, forty candidates and no doi.org."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    monkeypatch.setenv("https_proxy", service.url)  # which refuses to connect to any host
    for path in [path for folder in ("corpus", "exclusions", "candidates") for path in (living / folder).iterdir()]:
        path.unlink()
    (living / "claims.yaml").write_text(MONTH_CLAIMS)
    (living / "searches" / "2026-09-20-100000.yaml").write_text(MONTH_RUN)
    register(living, service, 0, device=BITTER, **RETRACTED)
    register(living, service, 1, venue="arXiv", **PUBLISHED)
    for n in (2, 3, 4):
        register(living, service, n, links=f"{{label: Paper, url: {service.url}/gone}}")
    register(living, service, 5, title=["Koffee of kind 5"])
    for n in (6, 7, 8, 9):
        register(living, service, n)
    (living / "corpus" / "crema.yaml").write_text(RECORD)
    withdrawn = FEED.replace("<title>", "<title>This paper has been withdrawn: ")
    service.routes["/arxiv"] = Reply(withdrawn.replace("<arxiv:doi>10.1000/x</arxiv:doi>{more}", "").encode())
    service.routes["/gone"] = Reply(status=410)
    for n in range(40):
        add_candidate(living, n, {0: "cold", 1: "siphon", 2: "siphon", 3: "siphon"}.get(n, ""))
    return living


def test_a_months_report_begins_with_what_needs_a_decision(run, month: Path, service, golden):
    before = files(month)
    shown = run("watch", "--format", "md", root=month).out.replace(service.url, "http://127.0.0.1")
    lines = shown.splitlines()
    assert len(lines) <= 150
    for title, *names in [
        ("Retracted, withdrawn or in doubt", "kind0", "crema", "bitter"),
        ("Dead links to papers", "kind2", "kind3", "kind4"),
        ("Claims that a single candidate would overturn", "no-cold"),
        ("Claims that several candidates would overturn together", "siphons (3 of 4)"),
        ("Preprints that were published", "kind1"),
        ("Services and searches without a complete answer", "doi.org"),
    ]:
        (line,) = (line for line in lines[:20] if line.startswith(f"- {title}: "))
        assert all(name in line for name in names), line
    assert shown.count("doi.org") < 5, "one fault"
    assert "This paper has been withdrawn" not in shown
    assert "foam 30, milk 10" in shown
    listed = [line.partition(":")[0] for line in lines if "proposal: " in line]
    assert listed == [f"- new{n}" for n in (0, 12, 15, 18, 21, 24, 27, 3, 30, 33)], "ten, those on foam first"
    golden("watch-month.md", shown)
    golden("watch-month.txt", run("watch", root=month).out.replace(service.url, "http://127.0.0.1"))
    assert files(month) == before


@pytest.mark.slow
def test_the_longest_report_fits(run, month: Path, service: Service):
    links = f"{{label: Paper, url: {service.url}/gone}}, {{label: Code, url: {service.url}/gone?code}}"
    for n in range(10, 90):
        notice = {"updated-by": [{"type": "correction" if n % 2 else "retraction"}]}
        register(month, service, n, venue="arXiv", links=links, **PUBLISHED, **notice, title=[f"Another {n}"])
    for n in range(100, 130):
        add_candidate(month, n, "cold")
    assert 100 < len(run("watch", "--format", "md", root=month).out.splitlines()) <= 150
    assert len(run("watch", "--all", "--format", "md", root=month).out.splitlines()) > 300


def test_a_rejected_value_is_reported_no_more(run, month: Path):
    assert "kind5: title: Coffee of kind 5 → Koffee of kind 5" in run("watch", "--format", "md", root=month).out
    run("refresh", "kind5", "--reject", "title", root=month)
    assert "Koffee" not in run("watch", "--format", "md", root=month).out
