"""The page of the candidates."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Tab
from builders import COFFEE
from claiming import state_claims
from playwright.sync_api import expect
from sites import built

from awesome_cli.publish.site.candidates import FIRST

SOUR = """\
title: "<b>Sour</b> measured"
authors: [Salz, Sam, "Bean, Ada"]
year: 2026
identifiers: {arxiv: "2601.00001"}
tags:
  device: drip
  taste:
  - {term: sour, strength: measured, evidence: "pH <3", confidence: high}
proposal: consider
found: {"on": 2026-02-01, how: missed, source: a friend}
note: Read it.
"""
PLAIN = "title: Plain {n}\nauthors: [Salz, Sam]\nyear: {year}\nproposal: exclude\nstage: abstract\nreason: tea\n"


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a coffee survey with claims and more candidates than the page shows at first."""
    folder = tmp_path_factory.mktemp("candidates")
    root = shutil.copytree(COFFEE, folder / "survey")
    state_claims(root)
    (root / "candidates" / "sour2026.yaml").write_text(SOUR)
    for n in range(100):
        (root / "candidates" / f"plain{n}.yaml").write_text(PLAIN.format(n=n, year=1900 + n))
    return built(root, folder / "site")


def test_each_candidate_says_why_it_is_there_and_what_it_would_end(waiting: Path):
    page = (waiting / "candidates.html").read_text(encoding="utf-8")
    first, _, _ = page.partition('<li id="salt2026">')
    assert '<li id="sour2026"><h2><a href="https://arxiv.org/abs/2601.00001" rel="noopener">&lt;b&gt;Sour' in first
    assert "Salz et al., 2026" in first
    assert "Missed by the search: a friend, <time>2026-02-01</time>" in first
    assert "<p>Read it.</p>" in first
    assert (
        '<strong>Would overturn</strong> <a href="claims.html#sour-unmeasured" title="Nobody measures sourness.">'
        "<code>sour-unmeasured</code></a>" in first
    )
    assert "today 0 papers; with it 1 paper" in first
    assert "Sour, measured (confidence high)" in first
    assert "pH &lt;3" in first
    assert "Proposed: exclude (tea)" in page
    assert page.count('<li id="') == FIRST
    assert f"this page lists {FIRST} of 102 candidates" in page
    assert "2 of 102 have provisional codings. Retained alone, 1 of these would overturn or weaken a claim" in page
    assert "candidates.html" in (waiting / "exclusions.html").read_text(encoding="utf-8")


def test_they_are_filtered_ordered_and_addressed(waiting: Path, open_tab: Callable[..., Tab], axe: str):
    rows = "#rows > li"
    tab = open_tab(waiting / "candidates.html", viewport={"width": 360, "height": 740})
    before = tab.page.inner_html(f"{rows}#sour2026")
    assert tab.page.locator(rows).count() == FIRST
    tab.page.click("#more")
    expect(tab.page.locator(rows)).to_have_count(2 * FIRST)
    # What the script draws is what stands in the page.
    plain = "(html) => { const node = document.createElement('li'); node.innerHTML = html; return node.textContent.replace(/\\s+/g, ''); }"
    drawn = tab.page.inner_html(f"{rows}#sour2026")
    assert tab.page.evaluate(plain, drawn) == tab.page.evaluate(plain, before)
    assert tab.page.locator("#rows b").count() == 0
    tab.page.select_option("[name=touches]", "end")
    expect(tab.page.locator("#count")).to_have_text("1 of 102 candidates")
    # The command line has no filter by claims.
    assert not tab.page.is_visible("#search summary")
    assert tab.page.url.endswith("#touches=end")
    tab.page.select_option("[name=touches]", "")
    tab.page.fill("#q", "PLAIN 1999")
    expect(tab.page.locator(rows)).to_have_count(1)
    assert tab.page.text_content("#command") == "awesome list --kind candidate --where 'text~PLAIN text~1999'"
    tab.page.fill("#q", "")
    tab.page.select_option("[name=sort]", "first")
    expect(tab.page.locator(rows).first).to_have_attribute("id", re.compile("salt2026|sour2026"))
    tab.page.goto((waiting / "candidates.html").as_uri() + "#plain99")
    tab.page.reload()
    expect(tab.page.locator("#plain99")).to_have_count(1)
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 360
    for scheme in ("light", "dark"):
        tab.page.emulate_media(color_scheme=scheme)
        tab.page.evaluate(axe)
        assert tab.page.evaluate("axe.run({preload: false}).then((r) => r.violations.map((v) => v.id))") == []


def test_without_scripts_they_are_listed(waiting: Path, open_tab: Callable[..., Tab]):
    tab = open_tab(waiting / "candidates.html", java_script_enabled=False)
    assert tab.page.locator("#rows > li").count() == FIRST
    assert not tab.page.is_visible("#search")


def test_a_survey_without_candidates_has_no_such_page(site: Path):
    assert not (site / "candidates.html").exists()
