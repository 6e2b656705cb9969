"""Fifteen things that readers come for: each at most three clicks from the front page, and nothing typed."""

import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from browser import Tab
from playwright.sync_api import expect

Open = Callable[..., Tab]
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@dataclass
class Reader:
    """Somebody on the front page, with three clicks to go."""

    tab: Tab
    left: int = 3

    def click(self, selector: str, **more: object) -> None:
        """Click the first that is seen."""
        self.left -= 1
        assert self.left >= 0, "a fourth click"
        self.tab.page.locator(selector).locator("visible=true").first.click(**more)
        self.tab.settle()

    def choose(self, selector: str, label: str) -> None:
        """Open a list and choose: two clicks."""
        self.left -= 2
        assert self.left >= 0, "a fourth click"
        self.tab.page.select_option(selector, label=label)
        self.tab.settle()

    def sees(self, selector: str, *texts: str) -> None:
        for text in texts:
            expect(self.tab.page.locator(selector)).to_contain_text(text)


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def reader(request: pytest.FixtureRequest, site: Path, open_tab: Open) -> Callable[[], Reader]:
    """A reader with a small or a large window, who comes to the front page."""
    tab = open_tab(site / "index.html", viewport=request.param, accept_downloads=True)
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    def come() -> Reader:
        tab.page.goto("about:blank")
        tab.page.goto((site / "index.html").as_uri())
        return Reader(tab.settle())

    return come


def test_the_map_tells_who_and_who_contests(reader: Callable[[], Reader]):
    who = reader()
    who.click(".mini tr:has-text('Stop') td:first-of-type a")
    who.sees("#panel", "Stop", "Contested")
    rewards = reader()
    rewards.click("nav a:has-text('Map')")
    rewards.click("#presets label:has([value='reward_family credit_unit'])")
    rewards.click('#map [data-row="debate"][data-column="agent"]')
    rewards.sees("#panel", "Debate reward", "Agent")


def test_papers_are_cited_and_found_by_author(reader: Callable[[], Reader], site: Path):
    cited = reader()
    cited.click(".mini tr:has-text('Communicate') td:first-of-type a")
    cited.click("#panel a:has-text('papers in the list')")
    with cited.tab.page.expect_download() as saved:
        cited.click("#export :text('BibTeX')")
    assert Path(saved.value.path()).read_text(encoding="utf-8").count("\n@") >= 2
    author = reader()
    author.click("nav a:has-text('Papers')")
    author.click("nav a:has-text('Authors')")
    name = author.tab.page.locator("main a[href^='authors/']").first
    written = name.inner_text()
    author.click("main a[href^='authors/']")
    author.sees("h1", written)
    assert author.tab.page.locator("main a[href*='papers/']").count() >= 2


def test_what_was_screened_out_what_changed_and_what_holds(reader: Callable[[], Reader]):
    screened = reader()
    screened.click("nav a:has-text('Screening')")
    screened.click("nav a:has-text('Exclusions')")
    assert screened.tab.page.locator("#rows tr").count() > 10
    strict = reader()
    strict.click("nav a:has-text('Claims')")
    strict.choose("#reading [name=reading]", "strict: weaker or gone")
    strict.sees("#turns", "strict")
    changed = reader()
    changed.click("nav a:has-text('Changes')")
    assert changed.tab.page.locator("main time").count() > 3


def test_what_is_disputed_how_sure_it_is_and_which_paper_rewards_a_decision(reader: Callable[[], Reader]):
    disputed = reader()
    disputed.click("nav a:has-text('Claims')")
    disputed.click(".claim:has(.touching :text('Contested codings')) summary")
    disputed.click(".claim details[open] summary:has-text('Contested codings')")
    disputed.sees(".claim details[open] details[open] li:has(a[href^='papers/']) >> nth=0", "reading)", ": ")
    sure = reader()
    sure.click("nav a:has-text('Claims')")
    sure.click(".claim:has(.touching :text('Contested codings')) summary")
    sure.sees(".claim details[open] table.read", "as coded", "strict", "generous")
    rewards = reader()
    rewards.click("nav a:has-text('Map')")
    rewards.click('#map [data-row="communicate"][data-column="trained"]')
    title = rewards.tab.page.locator("#panel ul.papers a").first.inner_text()
    rewards.click("#panel ul.papers a")
    rewards.sees("h1", title)


def test_an_objection_and_a_citation_begin_at_the_paper(reader: Callable[[], Reader]):
    for target in ("a:has-text('Dispute this coding')", "button:has-text('Copy BibTeX')"):
        known = reader()
        known.click("nav a:has-text('Papers')")
        known.click("#rows tr a[href^='papers/']")
        known.click(target)
        if target.startswith("a"):
            known.sees("section#dispute", "Dispute a coding")
        else:
            assert known.tab.page.evaluate("navigator.clipboard.readText()").startswith("@")


def test_a_view_is_shared_the_data_taken_and_a_paper_proposed(reader: Callable[[], Reader], site: Path):
    shared = reader()
    shared.click("nav a:has-text('Papers')")
    shared.click("#link")
    assert shared.tab.page.evaluate("navigator.clipboard.readText()").endswith("papers.html")
    data = reader()
    data.click("nav a:has-text('Data')")
    with data.tab.page.expect_download() as saved:
        data.click("main a[href$='.zip']")
    with zipfile.ZipFile(saved.value.path()) as archive:
        name = next(name for name in archive.namelist() if name.endswith("corpus.json"))
        assert json.loads(archive.read(name))["data"]["papers"]
    proposed = reader()
    proposed.click("footer a:has-text('Propose a paper')")
    proposed.sees("main", "Propose a paper")
    proposed.click("button[data-copy=propose-text]")
    assert "###" in proposed.tab.page.evaluate("navigator.clipboard.readText()")
