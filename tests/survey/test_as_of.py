"""The pool of a day stays what it was, whatever is added, screened out, re-admitted or coded anew later."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
DAY = "2026-05-04"
PARTS = ("corpus", "exclusions", "candidates", "audits")
ANSWERS = (
    ("stats", "--as-of", DAY),
    ("gaps", "--as-of", DAY),
    ("claims", "check", "--as-of", DAY),
    ("flow", "--as-of", DAY),
    ("sensitivity", "--as-of", DAY),
    ("audit", "report", "--as-of", DAY),
)


@pytest.fixture
def survey(tmp_path: Path, repository: Path) -> Path:
    """A copy of the shipped survey, to be changed at will."""
    root = tmp_path / "survey"
    for part in PARTS:
        shutil.copytree(repository / part, root / part)
    for name in ("taxonomy.yaml", "claims.yaml"):
        shutil.copy(repository / name, root / name)
    return root


def test_the_pool_of_a_day_outlives_every_later_change(survey: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1798761600")  # 2027-01-01
    before = [run(*words, "--format", "json", root=survey).out for words in ANSWERS]
    run("tag", "guideline-seg2025", "verified=no", root=survey)
    run("admit", "guideline-seg2025", root=survey)
    run("exclude", "puppeteer", "--stage", "full_text", "--reason", "background_not_used", root=survey)
    run("readmit", "E032", "--key", "routellm", root=survey)
    run("tag", "halo", "credit_unit=orchestrator:signal", "--revised", "--by", "second reader", root=survey)
    assert [run(*words, "--format", "json", root=survey).out for words in ANSWERS] == before
    now = run("stats", "--format", "json", root=survey).json["data"]["totals"]
    assert now == {"retained": 85, "excluded": 32, "audited": 117}


def test_an_admitted_candidate_ends_the_claim_and_is_named(survey: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1798761600")
    run("tag", "guideline-seg2025", "verified=no", root=survey)
    run("admit", "guideline-seg2025", root=survey)
    shown = run("claims", "check", root=survey, code=1).out
    assert "stop-untrained fails" in shown
    assert "since 2027-01-01, with guideline-seg2025" in shown
    assert run("claims", "check", "--as-of", "2026-12-31", root=survey).code == 0
