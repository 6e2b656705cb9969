"""The fifteen tasks of test_tasks.py by keyboard alone, each in at most twelve keys from the front page."""

import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from browser import Tab
from playwright.sync_api import expect

Open = Callable[..., Tab]


@dataclass
class Typist:
    """A reader on the front page who may press twelve keys; `/` and letters use the search box."""

    tab: Tab
    left: int = 12

    def press(self, *keys: str) -> "Typist":
        self.left -= len(keys)
        assert self.left >= 0, "a thirteenth key"
        self.tab.press(*keys)
        return self

    def search(self, text: str) -> "Typist":
        """Search, and go to the first match."""
        self.press("/")
        self.tab.page.wait_for_selector("#finds", state="attached")
        self.press(*text)
        with self.tab.page.expect_navigation():
            self.leave()
        self.tab.settle()
        return self

    def leave(self) -> None:
        """Press Enter where nothing of the page can be asked afterwards."""
        self.left -= 1
        assert self.left >= 0, "a thirteenth key"
        self.tab.page.keyboard.press("Enter")

    def skip(self) -> "Typist":
        """Go to the content."""
        return self.press("Tab", "Enter")

    def tabs_to(self, selector: str) -> "Typist":
        """Press Tab until an element has the focus."""
        while not self.tab.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            self.press("Tab")
        return self

    def sees(self, selector: str, *texts: str) -> None:
        for text in texts:
            expect(self.tab.page.locator(selector).first).to_contain_text(text)

    def copied(self) -> str:
        return str(self.tab.page.evaluate("navigator.clipboard.readText()"))


@pytest.fixture
def typist(site: Path, open_tab: Open) -> Callable[[], Typist]:
    """A reader without a mouse, who comes to the front page."""
    tab = open_tab(site / "index.html", accept_downloads=True)
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    def come() -> Typist:
        tab.page.goto("about:blank")
        tab.page.goto((site / "index.html").as_uri())
        return Typist(tab.settle())

    return come


@pytest.mark.slow
def test_maps_and_claims_by_keyboard(typist: Callable[[], Typist]):
    who = typist().search("map").skip().press("Tab", "Tab", "Tab", "Control+End", "Enter")
    who.sees("#panel", "Stop", "Contested")
    rewards = typist().search("map").skip().press("Tab", "ArrowRight", "Tab", "Tab", "Enter")
    rewards.sees("#panel", "Shared team reward", "Token")
    shared = typist().search("ma").skip().tabs_to("#link").press("Enter")
    assert "map.html" in shared.copied()
    strict = typist().search("cla").skip().tabs_to("[name=reading]").press("ArrowDown")
    strict.sees("#turns", "strict")
    sure = typist().skip().tabs_to(".certainty a[href*='reading=']")
    with sure.tab.page.expect_navigation():
        sure.leave()
    sure.tab.settle()
    sure.sees(".claim details[open] table.read", "as coded")
    disputed = typist().search("stop")
    disputed.sees("main", "Contested")
    rewards = typist().search("o3")
    rewards.sees("main", "Communicate", "trained")
    assert rewards.tab.page.locator("main a[href*='papers/']").count() >= 2


def test_records_and_files_by_keyboard(typist: Callable[[], Typist], site: Path):
    cited = typist().search("data").skip().tabs_to("a[href$='papers.bib']")
    with cited.tab.page.expect_navigation():
        cited.leave()
    assert cited.tab.text("body").count("\n@") >= 2
    data = typist().search("data").skip().tabs_to("a[href$='.zip']")
    with data.tab.page.expect_download() as download:
        data.leave()
    assert zipfile.is_zipfile(download.value.path())
    name = re.findall(r'authors/[^"]+">([^<,]+)', (site / "authors.html").read_text(encoding="utf-8"))[0]
    author = typist().search(name)
    author.sees("h1", name)
    assert author.tab.page.locator("main a[href*='papers/']").count() >= 2
    screened = typist().search("exc")
    assert screened.tab.page.locator("#rows tr").count() > 10
    changed = typist().search("cha")
    assert changed.tab.page.locator("main time").count() > 3
    proposed = typist().search("take").skip().tabs_to("[data-copy=propose-text]").press("Enter")
    assert "###" in proposed.copied()
    objected = typist().search("take").skip().tabs_to("[data-copy=dispute-text]").press("Enter")
    assert "Disputed coding" in objected.copied()
    shortest = min((path.stem for path in (site / "papers").glob("*.html")), key=len)
    citation = typist().search(shortest).skip().tabs_to("[data-copy=bibtex]").press("Enter")
    assert citation.copied().startswith("@")
