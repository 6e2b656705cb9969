"""How a finding changed: a small survey whose claim about sour coffee was revised, and the shipped one."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from claiming import revised_survey, successions
from running import Result

from awesome_cli.analysis.claims.succession import Succession
from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish import readme
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

RECODED = date(2026, 11, 21)
Run = Callable[..., Result]


@pytest.fixture
def survey(root: Path) -> Path:
    return revised_survey(root)


def loaded(root: Path) -> Corpus:
    return load_corpus(WorkingTree(root), candidates=True, evidence=True)


def test_codings_then_and_now_with_second_coders_and_what_was_read(survey: Path):
    ((change,),) = (one.terms for one in successions(loaded(survey)))
    assert (change.axis.id, change.term.id) == ("taste", "sour")
    assert change.before is not None
    assert (change.before.gap_strength, change.axis.gap_strength) == ("measured", "tasted")
    assert [rule.because for rule in change.rules] == ["A panel counts."]
    kept, gone = change.codings
    assert (kept.paper.key, str(kept.then), str(kept.now)) == ("aero2020", "sour:tasted", "sour:measured")
    assert kept.now is not None
    assert kept.now.contested is not None
    assert [(cell.value, cell.blind) for cell in kept.seconds] == [("measured", False)]
    assert kept.read == ("code",)
    assert (gone.paper.key, str(gone.then), gone.now, gone.because) == ("drip2021", "sour:mentioned", None, "No panel.")
    assert [(cell.value, cell.blind) for cell in gone.seconds] == [("NA", True)]
    assert [(label, cell.n) for label, _, cell in change.readings] == [
        ("as of 2026-03-01", 2),
        ("as coded", 1),
        ("strict reading from grade weak", 1),
        ("generous reading from grade weak", 1),
    ]
    (second,) = change.seconds
    assert second.alone == (("siphon2019", "tasted"),)
    # One of the papers was not coded blind: no kappa.
    assert [(row.column, row.agree, row.n, row.kappa) for row in second.rows if row.cells == "all cells"] == [
        ("taste=sour", 2, 3, None),
        ("taste=*", 13, 15, None),
    ]


def test_a_paper_read_in_full_for_another_coding(survey: Path):
    path = survey / "corpus" / "aero2020.yaml"
    path.write_text(
        path.read_text().replace(
            "by chromatography.,", "by chromatography., source: 'arxiv:2001.00010 (full text read)',"
        )
    )
    ((change,),) = (one.terms for one in successions(loaded(survey)))
    assert change.codings[0].read == ("full text", "code")
    assert change.codings[1].read == ()


def test_the_report_and_its_json(survey: Path, run: Run, golden: Callable[[str, str], None]):
    golden("cli/claims-account.txt", run("claims", "show", "sour-unmeasured", root=survey).out)
    data = run("claims", "show", "sour-unmeasured", "--format", "json", root=survey).json["data"]["succession"]
    assert data["account"] == ["The first paragraph has two lines.", "The second has one."]
    (term,) = data["terms"]
    assert term["strengths_then"].keys() == term["strengths"].keys()
    assert [rule["because"] for rule in term["rules"]] == ["A panel counts."]
    assert [reading["reading"] for reading in term["readings"]][:2] == ["as of 2026-03-01", "as coded"]
    kept, gone = term["codings"]
    assert (kept["then"]["strength"], kept["now"]["strength"], gone["now"]) == ("tasted", "measured", None)
    assert kept["now"]["contested"]["as"] == {"strength": "tasted"}
    assert term["second_codings"][0]["second_alone"] == [{"key": "siphon2019", "value": "tasted"}]


def test_a_claim_that_stands_has_no_succession(survey: Path, run: Run):
    assert "succession" not in run("claims", "show", "sour-measured", "--format", "json", root=survey).json["data"]
    then = run("claims", "show", "sour-unmeasured", "--as-of", "2026-05-09", "--format", "json", root=survey)
    assert "succession" not in then.json["data"]
    assert successions(loaded(survey).as_of(date(2026, 5, 9))) == ()


def test_the_readme_names_the_command_and_the_page(survey: Path):
    island = "<!-- awesome:begin claims -->\n<!-- awesome:end claims -->\n"
    page = readme.render(island, loaded(survey), survey)
    _, _, section = page.partition("### Why sour-unmeasured was revised\n")
    assert "`awesome claims show sour-unmeasured`" in section


@pytest.fixture(scope="module")
def stopping(shipped: Corpus) -> Succession:
    """The revised claim on stopping as of the day on which the codings were read again."""
    (found,) = (one for one in successions(shipped.as_of(RECODED)) if one.result.claim.id == "stop-untrained")
    return found


def test_what_the_account_of_stopping_says_stands_in_the_records(stopping: Succession):
    (change,) = stopping.terms
    codings = {one.paper.key: one for one in change.codings}
    now = {key: str(one.now) for key, one in codings.items()}
    assert {key for key, coded in now.items() if coded == "stop:explicit"} == {"puppeteer", "marsrl"}
    assert sum(str(one.then) == "stop:designed" for one in codings.values()) == 11
    assert not any(str(one.then) == "stop:trained" for one in codings.values())
    readings = {label.partition(" reading")[0]: cell for label, _, cell in change.readings}
    assert (readings["strict"].covering, len(readings["generous"].covering)) == ((), 6)
    added = {"dr-mas", "context-folding", "rema2025", "wideseek-r1-2026"}
    assert set(readings["generous"].covering) == {"puppeteer", "marsrl", *added}
    # What was read.
    coded = {key: one.read for key, one in codings.items() if one.now}
    assert {key for key, read in coded.items() if "full text" in read} == {"marsrl", "sirius2025"}
    assert {key for key, read in coded.items() if "code" not in read} == {"marsrl"}
    assert "secondary" in coded["puppeteer"]
    assert not any(read == ("abstract",) for read in coded.values())
    # Second readers.
    (second,) = change.seconds
    given = {key: one.seconds[0].value for key, one in codings.items()}
    assert {key for key, value in given.items() if value == "explicit"} == {"puppeteer", "marsrl", "context-folding"}
    assert {key for key, value in second.alone if value == "joint"} == {"lamo2026", "openai-codex", "paramanager"}
    removed = {key for key, one in codings.items() if one.now is None}
    assert len(removed) == 2
    assert {given[key] for key in removed} == {"designed"}
    rows = {(row.n, row.agree): row for row in second.rows if row.column == "sub_decision=*"}
    assert rows[48, 40].kappa == pytest.approx(0.71, abs=0.005)
    assert (160, 88) in rows
    assert len(second.audit.codings) == 32
    assert all(one.seconds[0].blind for one in codings.values())


def test_the_account_of_stopping_has_both_cases(stopping: Succession):
    opening = [paragraph.partition(".")[0] for paragraph in stopping.result.claim.paragraphs]
    for case in ("The case for the published statement", "The case against it", "What was read", "The rules"):
        assert case in opening
    assert any(
        text.startswith("The first reader states, and the survey does not claim")
        for text in stopping.result.claim.paragraphs
    )
