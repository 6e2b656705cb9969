"""The search box of every page: what it finds, how it is used, and that it stays small and harmless."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from browser import Tab
from builders import COFFEE, EXAMPLES, make_corpus, make_paper
from claiming import revised_survey
from playwright.sync_api import expect
from sites import built, survey

from awesome_cli.publish.site import find
from awesome_cli.publish.site.find import find_page
from awesome_cli.publish.site.page import Frame

Open = Callable[..., Tab]
LATER = """\
title: "MultiBrew: Multi-Agent Policies for a Crème of Analyses"
authors: ["Bean, Ada"]
year: 2025
identifiers: {arxiv: "2501.00007", doi: 10.1000/crema.7}
citation: {key: bean2025multi}
aliases: [brew-old]
versions:
- {identifiers: {doi: 10.1000/proceedings.8}, venue: Journal of Coffee, year: 2026}
added: 2026-01-10
tags: {device: drip}
"""
SIGNS = """\
title: "強化学習: GPT4 in 3D, a Hero of Straße without Bias or Agent-Based Analysis"
authors: ["Lovelace, Augusta Ada", others]
year: 2025
identifiers: {arxiv: "2501.00009"}
added: 2026-01-10
tags: {device: drip}
"""
PAPER = "papers/multibrew.html"


@pytest.fixture(scope="module")
def findable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a coffee survey with claims, a trace, and a paper with every kind of name."""
    root = tmp_path_factory.mktemp("findable") / "survey"
    shutil.copytree(COFFEE, root)
    revised_survey(root)
    (root / "corpus" / "multibrew.yaml").write_text(LATER, encoding="utf-8")
    (root / "corpus" / "signs.yaml").write_text(SIGNS, encoding="utf-8")
    (root / "traces").mkdir()
    shutil.copy(EXAMPLES / "minimal-v1.json", root / "traces")
    return built(root, root.parent / "site")


def searched(tab: Tab, text: str) -> list[str]:
    """Type into the search box of an open page; return the addresses of the matches."""
    if not tab.page.is_visible("#finder"):
        tab.press("/")
    tab.page.fill("#finder input", text)
    expect(tab.page.locator("#finds a").last).to_contain_text(f"“{text}”")
    home = tab.page.url.partition("/site/")[0] + "/site/"
    return [
        unquote(href.removeprefix(home))
        for href in tab.page.locator("#finds a").evaluate_all("(all) => all.map((link) => link.href)")
    ]


def test_names_and_words_lead_to_records_terms_and_claims(findable: Path, open_tab: Open):
    tab = open_tab(findable / "index.html")
    names = (
        "multibrew",
        "MultiBrew",
        "bean2025multi",
        "brew-old",
        "2501.00007",
        "arXiv:2501.00007v2",
        "10.1000/Crema.7",
    )
    pages = ("https://arxiv.org/pdf/2501.00007v3", "doi: 10.1000/proceedings.8", "https://doi.org/10.1000/crema.7")
    words = ("multiagent", "multi agent policy", "CREME", "MULTI-AGENTS", "analysis", "agent pol")
    firsts = dict.fromkeys((*names, *pages, *words), PAPER)
    firsts |= {"drip": "terms/device.drip.html", "D2": "terms/device.drip.html", "umami": "terms/taste.umami.html"}
    firsts |= {"sour-unmeasured": "claims.html#sour-unmeasured", "nobody": "claims.html#sour-unmeasured"}
    firsts |= {"TEA-1": "exclusions.html#X1", "why I": "exclusions.html#X2", "salt2026": "candidates.html#salt2026"}
    firsts |= {
        "https://www.example.org/like": "exclusions.html#X2",
        "Taste": "terms.html#taste",
        "ada bean": "authors/bean-ada.html",
    }
    assert {text: searched(tab, text)[0] for text in firsts} == firsts
    # Neither a part of a number nor the middle of a word is a match.
    for text in ("2501.0000", "501.00007", "12501.00007", "gent", "zebrafish"):
        assert [address for address in searched(tab, text) if address == PAPER] == (
            [PAPER] if text == "2501.0000" else []
        )
    assert tab.text("#finder [role=status]") == "No matches in titles and names"


def test_the_box_and_the_table_take_the_same_spellings(findable: Path, open_tab: Open):
    tab, corpus = open_tab(findable / "index.html"), survey(findable.parent / "survey")
    spellings = ("学習", "gpt-4", "3-d", "heroes", "biases", "strasse", "STRASSE", "agentbased", "analyses")
    for text in (*spellings, "lovelace", "ada gpt4"):
        tab.open(findable / "papers.html")
        assert "papers/signs.html" in searched(tab, text)
        tab.press("ArrowUp", "Enter")
        expect(tab.page.locator("#q")).to_have_value(text)
        expect(tab.page.locator("#rows a[href='papers/signs.html']")).to_be_visible()
        pattern = " ".join(f'text~"{word}"' for word in text.split())
        assert "signs" in [paper.key for paper in corpus.select(pattern)], text


def test_the_box_is_used_by_keyboard_alone(findable: Path, open_tab: Open):
    for page in (
        "papers.html",
        PAPER,
        "terms/taste.sour.html",
        "claims/sour-unmeasured.html",
        "traces/minimal-v1.minimal-1.html",
    ):
        tab = open_tab(findable / page)
        box = tab.page.locator("#finder input")
        tab.press("/")
        tab.page.keyboard.type("pressed oranges? /")
        expect(box).to_have_value("pressed oranges? /")
        # The box has the focus and its text until it is closed; then the page goes on where it was.
        tab.press("Escape")
        expect(box).not_to_be_visible()
        tab.press("/")
        tab.page.keyboard.type("a")
        expect(box).to_have_value("a")
        options = tab.page.locator("#finds [role=option]")
        expect(options.first).to_have_attribute("aria-selected", "true")
        tab.press("ArrowDown", "ArrowDown", "ArrowUp")
        chosen = tab.page.locator("#finds [aria-selected=true]")
        expect(chosen).to_have_id("finds-1")
        expect(box).to_have_attribute("aria-activedescendant", "finds-1")
        expect(box).to_have_attribute("aria-expanded", "true")
        assert 2 < options.count() <= 11
        tab.press("ArrowUp", "ArrowUp")
        expect(chosen).to_contain_text("All papers with “a”")
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_url("**/papers.html#q=a")
        expect(tab.page.locator("#q")).to_have_value("a")
        expect(tab.page.locator("#finder")).not_to_be_visible()


def test_a_slash_in_a_text_stays_there(findable: Path, open_tab: Open):
    tab = open_tab(findable / "papers.html")
    tab.page.focus("#q")
    tab.press("/")
    assert (tab.page.input_value("#q"), tab.page.is_visible("#finder")) == ("/", False)
    tab.page.focus("#rows .pick input")
    tab.press("/")
    expect(tab.page.locator("#finder input")).to_be_focused()
    tab.page.click("#finder button")
    expect(tab.page.locator("#rows .pick input >> nth=0")).to_be_focused()


def test_nothing_is_loaded_before_the_box_has_the_focus(findable: Path, open_tab: Open):
    tab = open_tab(findable / "terms.html")
    wanted = {"find.css", "finder.js"}
    assert not wanted & {url.rsplit("/", 1)[-1] for url in tab.requests}
    assert not [url for url in tab.requests if "/data/" in url]
    tab.page.click("#find")
    assert searched(tab, "sour")[0] == "terms/taste.sour.html"
    assert wanted < {url.rsplit("/", 1)[-1] for url in tab.requests}
    tab.press("Escape", "/")
    assert len([url for url in tab.requests if url.endswith("/data/find.js")]) == 1
    silent = open_tab(findable / "terms.html", java_script_enabled=False)
    assert not silent.page.is_visible("#find")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_open_box_is_accessible_and_the_header_no_higher(findable: Path, open_tab: Open, axe: str, scheme: str):
    tab = open_tab(findable / "index.html", color_scheme=scheme, viewport={"width": 375, "height": 667})
    height = "document.querySelector('.top').offsetHeight"
    with_button = tab.page.evaluate(height)
    searched(tab, "coffee")
    tab.page.evaluate(axe)
    for width in (375, 1280, 320):
        tab.page.set_viewport_size({"width": width, "height": 667})
        assert (
            tab.page.evaluate("axe.run('#finder', {preload: false}).then((found) => found.violations.map((v) => v.id))")
            == []
        )
        assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert tab.page.evaluate(
            "document.querySelector('#finder').scrollWidth <= document.querySelector('#finder').clientWidth"
        )
    tab.page.set_viewport_size({"width": 375, "height": 667})
    tab.page.evaluate("document.querySelector('#find').remove()")
    assert tab.page.evaluate(height) >= with_button


def test_hostile_titles_are_text(hostile: Path, open_tab: Open):
    tab = open_tab(hostile / "papers" / "hostile.html")
    searched(tab, "onerror alert")
    assert "<img src=x onerror=alert(1)> </script>" in tab.text("#finds a >> nth=0")
    assert tab.page.locator("#finds img, #finds script, #finds b").count() == 0


def test_long_lists_are_searched_on_their_own_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    corpus = make_corpus(make_paper("a2020"), make_paper("b2020"))
    frame = Frame.of(replace(corpus, claims_file=None), tmp_path, (), None)
    monkeypatch.setattr(find, "PER_KIND", 1)
    text = str(find_page(frame, ()).content)
    assert ("papers/*.html" in text, "terms.html#*" in text) == (False, len(corpus.taxonomy.axes) == 1)
