"""The page of papers and that of exclusions: words, facets, what is beside the pool, the selection, the address."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Tab
from playwright.sync_api import expect

from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.readings import read_as, reading_of

Open = Callable[..., Tab]
BUDGET = 200_000
"""Bytes that a page may load of the shipped survey before anybody asks for anything."""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE = """(rules) => axe.run({runOnly: rules, preload: false}).then((found) =>
  found.violations.map((v) => [v.id, v.nodes.slice(0, 3).map((node) => String(node.target))]))"""


def count(tab: Tab, text: str) -> None:
    expect(tab.page.locator("#count")).to_have_text(text)


def found(tab: Tab, corpus: Corpus, query: str) -> None:
    """The page shows as many papers as a query finds."""
    count(tab, f"{len(corpus.select(query))} of {len(corpus.papers)} papers")


def facet(tab: Tab, label: str, term: str) -> str:
    """A choice of a facet, as its words and its number."""
    return " ".join(
        tab.text(f"#facets details:has(> summary:text-is('{label}')) li:has(span:text-is('{term}'))").split()
    )


def choose(tab: Tab, label: str, term: str) -> None:
    tab.page.click(f"#facets details:has(> summary:text-is('{label}')) label:has(span:text-is('{term}'))")


def of_axis(corpus: Corpus, axis: str, term: str) -> tuple[str, str]:
    """The labels under which the page has an axis and one of its terms."""
    named = corpus.taxonomy.by_id[axis].by_id[term]
    return corpus.taxonomy.by_id[axis].label, " ".join(filter(None, (named.code, named.label)))


def test_words_find_papers(site: Path, contested: Corpus, open_tab: Open):
    tab = open_tab(site / "papers.html")
    tab.page.fill("#q", "counterfactual")
    one = len(contested.select("text~counterfactual"))
    count(tab, f"{one} of 84 papers")
    assert tab.text("#note") == ""
    # Each word must be there, in any form and up to a typing error.
    tab.page.fill("#q", "counterfactual credit assignmnts")
    expect(tab.page.locator("#count")).not_to_have_text(f"{one} of 84 papers")
    assert 0 < tab.page.locator("#rows tr").count() < one
    tab.page.fill("#q", "AutoGen: Enabling")
    expect(tab.page.locator("#beside")).to_contain_text("Screened out: AutoGen")
    tab.page.click("#beside a:has-text('AutoGen')")
    tab.page.wait_for_url("**/exclusions.html#E*")
    assert "AutoGen" in tab.text("tr:target")


def test_identifiers_and_compounds_find_papers(site: Path, contested: Corpus, open_tab: Open):
    tab = open_tab(site / "papers.html")
    paper = next(paper for paper in contested.papers if paper.identifiers.arxiv)
    for name in (paper.identifiers.arxiv, paper.key):
        tab.page.fill("#q", str(name))
        expect(tab.page.locator(f"#rows tr[data-key='{paper.key}']")).to_have_count(1)
    tab.page.fill("#q", "multiagents")
    selected = contested.select("text~multiagents")
    written = {paper.key for paper in contested.papers if "multi-agent" in paper.title.casefold()}
    assert written <= {paper.key for paper in selected}
    found(tab, contested, "text~multiagents")


def test_a_query_in_the_box_gets_its_command(site: Path, contested: Corpus, open_tab: Open):
    tab = open_tab(site / "papers.html")
    tab.page.fill("#q", "author=Zhang")
    expect(tab.page.locator("#note")).to_contain_text("searches for words")
    assert tab.text("#typed") == "awesome list --where 'author~Zhang'"
    found(tab, contested, "text~Zhang")
    tab.page.fill("#q", "Zhang")
    expect(tab.page.locator("#note")).to_have_text("")
    tab.page.click("#search summary")
    assert tab.text("#command") == "awesome list --where 'text~Zhang'"


def test_exclusions_have_facets_and_words(site: Path, contested: Corpus, open_tab: Open):
    tab = open_tab(site / "exclusions.html")
    tab.page.select_option("[name=near_miss]", "yes")
    near = [record for record in contested.exclusions if record.near_miss]
    count(tab, f"{len(near)} of {len(contested.exclusions)} records")
    tab.page.select_option("[name=stage]", near[0].screening.stage)
    expect(tab.page.locator("#chips button")).to_have_count(2)
    assert near[0].title in tab.text("#rows")
    assert tab.page.text_content("#command") == (
        f"awesome list --kind exclusion --where 'stage={near[0].screening.stage} near_miss=yes'"
    )


def test_an_empty_result_says_what_to_drop(site: Path, contested: Corpus, open_tab: Open):
    tab = open_tab((site / "papers.html").as_uri() + "#q=counterfactual+zebrafish&is.rl=yes")
    n = len(contested.select("rl=yes text~counterfactual"))
    expect(tab.page.locator("#chips")).to_contain_text(f"Without “zebrafish”: {n} papers")
    assert not tab.page.is_visible("#rows")
    tab.page.click("#chips button:has-text('zebrafish')")
    count(tab, f"{n} of 84 papers")
    assert tab.page.input_value("#q") == "counterfactual"
    tab.page.goto((site / "papers.html").as_uri() + "#is.rl=nonsense&is.nothing=x")
    count(tab, "84 papers")
    expect(tab.page.locator("#note")).to_contain_text("unknown term of the axis RL status")
    expect(tab.page.locator("#note")).to_contain_text("unknown axis in this link: “nothing”")


def test_facets_say_how_many_papers_would_remain(site: Path, contested: Corpus, open_tab: Open):
    tab = open_tab(site / "papers.html")
    shared, agent = of_axis(contested, "reward_family", "shared"), of_axis(contested, "credit_unit", "agent")
    hybrid = of_axis(contested, "reward_family", "hybrid")
    assert facet(tab, *shared).endswith(f" {len(contested.select('reward_family=shared'))}")
    choose(tab, *shared)
    both = len(contested.select("reward_family=shared credit_unit=agent"))
    expect(tab.page.locator("#chips button")).to_have_count(1)
    assert facet(tab, *agent).endswith(f" {both}")
    # Another term of the axis adds papers, so its number is that without the first one.
    assert facet(tab, *hybrid).endswith(f" {len(contested.select('reward_family=hybrid'))}")
    choose(tab, *agent)
    count(tab, f"{both} of 84 papers")
    choose(tab, *hybrid)
    several = len(contested.select("reward_family=shared,hybrid credit_unit=agent"))
    count(tab, f"{several} of 84 papers")
    tab.page.select_option(f"select[aria-label='{agent[0]}: strength']", "explicit")
    explicit = len(contested.select("reward_family=shared,hybrid credit_unit=agent:explicit"))
    count(tab, f"{explicit} of 84 papers")
    assert "is.credit_unit=agent:explicit" in tab.page.url
    tab.page.go_back()
    count(tab, f"{several} of 84 papers")
    tab.page.go_back()
    count(tab, f"{both} of 84 papers")
    tab.page.go_forward()
    count(tab, f"{several} of 84 papers")
    again = open_tab(tab.page.url)
    count(again, f"{several} of 84 papers")
    assert again.text("#rows") == tab.text("#rows")


def test_years_venues_authors_and_contests_narrow(site: Path, contested: Corpus, open_tab: Open):
    tab = open_tab(site / "papers.html")
    author = max(
        {name for paper in contested.papers for name in paper.authors if name != "others"},
        key=lambda name: (sum(name in paper.authors for paper in contested.papers), name),
    )
    tab.page.click("#facets summary:text-is('Author')")
    tab.page.fill("input[aria-label='Find in author']", author)
    tab.page.click(f"#facets label:has(span:text-is('{author}'))")
    found(tab, contested, f'author="{author}"')
    tab.page.click("#chips button")
    count(tab, "84 papers")
    tab.page.select_option("#facets .range select >> nth=0", "2026")
    found(tab, contested, "year>=2026")
    tab.page.click("#facets label:has(span:text-is('Not contested'))")
    found(tab, contested, "year>=2026 contested=no")
    tab.page.click("#facets summary:text-is('Venue')")
    venue = next(paper.venue for paper in contested.select("year>=2026 contested=no") if paper.venue)
    tab.page.click(f"#facets label:has(span:text-is('{venue}'))")
    found(tab, contested, f'year>=2026 contested=no venue="{venue}"')


def test_counts_follow_a_reading(site: Path, contested: Corpus, open_tab: Open):
    strict = read_as(contested, reading_of(contested.taxonomy, "strict", "weak"))
    agent = of_axis(contested, "credit_unit", "agent")
    tab = open_tab((site / "papers.html").as_uri() + "#reading=strict&grade=weak&is.credit_unit=agent")
    found(tab, strict, "credit_unit=agent")
    assert facet(tab, *agent).endswith(f" {len(strict.select('credit_unit=agent'))}")
    tab.page.click("#chips button:has-text('reading')")
    found(tab, contested, "credit_unit=agent")


def test_sorting_and_citing_a_selection(site: Path, contested: Corpus, open_tab: Open):
    tab = open_tab(site / "papers.html")
    tab.page.click("button[data-sort=title]")
    expect(tab.page.locator("th:has(button[data-sort=title])")).to_have_attribute("aria-sort", "ascending")
    expect(tab.page.locator("#rows tr")).to_have_count(84)
    titles = [title.casefold() for title in tab.page.locator("#rows th > a").all_inner_texts()]
    assert titles[0] < titles[40] < titles[-1]
    for box in tab.page.locator("#rows .pick input").all()[:3]:
        box.check()
    assert "3 papers selected" in tab.text("#tray")
    with tab.page.expect_download() as saved:
        tab.page.click("#tray button[data-form=csv]")
    rows = list(csv.DictReader(io.StringIO(Path(saved.value.path()).read_text(encoding="utf-8"))))
    assert len(rows) == 3
    tab.page.check("#all")
    assert "84 papers selected" in tab.text("#tray")
    tab.page.click("#clear")
    assert not tab.page.is_checked("#all")
    assert not tab.page.is_visible("#tray")
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    cite = tab.page.locator("#rows .act button").nth(1)
    cite.click()
    expect(cite).to_have_text("Copied")
    copied = tab.page.evaluate("navigator.clipboard.readText()")
    assert (copied[0], copied.count("\n@")) == ("@", 0)
    assert not tab.page.is_visible("#tray"), "a citation selects nothing"
    for n in range(1, 4):
        tab.page.check(f"#rows .pick input >> nth={n}")
    tab.page.click("#copy")
    expect(tab.page.locator("#picked")).to_have_text("3 papers copied as BibTeX")
    assert tab.page.evaluate("navigator.clipboard.readText()").count("\n@") == 2
    tab.page.click("#link")
    tab.page.wait_for_selector("#link:has-text('Copied')")
    assert tab.page.evaluate("navigator.clipboard.readText()").endswith("papers.html#sort=title")
    tab.page.click("#rows th a >> nth=1")
    tab.page.wait_for_selector(".paper")
    tab.page.go_back()
    expect(tab.page.locator("#picked")).to_have_text("3 papers selected")
    assert tab.page.locator("#rows input:checked").count() == 3
    tab.page.emulate_media(media="print")
    tab.page.set_viewport_size({"width": 673, "height": 900})
    assert tab.page.evaluate("getComputedStyle(document.querySelector('#rows tr')).display") == "table-row"
    assert not tab.page.is_visible("#rows .act >> nth=0")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 673


def test_the_papers_are_near_for_a_keyboard(site: Path, open_tab: Open):
    tab = open_tab(site / "papers.html")
    tab.page.focus("#skip")
    tab.press("Enter")
    for _ in range(10):
        tab.press("Tab")
        if tab.page.evaluate("document.activeElement.closest('#rows') !== null"):
            return
    pytest.fail("the first row is further than ten steps")


@pytest.mark.parametrize("page", ["papers.html", "exclusions.html"])
def test_rows_of_the_page_and_of_the_script_are_the_same(site: Path, open_tab: Open, page: str):
    written = open_tab((site / page).as_uri(), java_script_enabled=False)
    drawn = open_tab((site / page).as_uri() + "#page=1&sort=-x")
    drawn.page.evaluate("(page) => { location.hash = page === 'papers.html' ? 'sort=-year' : 'sort=key'; }", page)
    expect(drawn.page.locator("#rows tr")).to_have_count(written.page.locator("#rows tr").count())
    drawn.page.evaluate("document.querySelectorAll('#rows .act').forEach((one) => one.remove())")
    assert drawn.text("#rows").split() == written.text("#rows").split()
    hrefs = "Array.from(document.querySelectorAll('#rows a')).map((a) => a.href)"
    assert drawn.page.evaluate(hrefs) == written.page.locator("#rows a").evaluate_all("(all) => all.map((a) => a.href)")


def test_first_loads_are_small_and_nothing_but_titles_is_loaded_for_a_facet(
    site: Path, contested: Corpus, open_tab: Open
):
    for page in ("map.html", "papers.html"):
        tab = open_tab(site / page)
        assert sum(Path(url.removeprefix("file://")).stat().st_size for url in tab.requests) < BUDGET, page
    choose(tab, *of_axis(contested, "reward_family", "shared"))
    expect(tab.page.locator("#chips button")).to_have_count(1)
    assert {url.rsplit("/", 1)[-1] for url in tab.requests if "/data/" in url} == {"survey.js", "index.js", "names.js"}


@pytest.mark.parametrize(("scheme", "rules"), [("light", RULES), ("dark", ["color-contrast"])])
def test_states_of_the_page_are_accessible(site: Path, open_tab: Open, axe: str, scheme: str, rules: list[str]):
    phone = {"width": 390, "height": 844}
    tab = open_tab((site / "papers.html").as_uri() + "#q=counterfactual&is.rl=yes", color_scheme=scheme)
    tab.page.check("#rows .pick input >> nth=0")
    tab.page.click("#tray summary")
    small = open_tab((site / "papers.html").as_uri() + "#q=autogen", color_scheme=scheme, viewport=phone)
    small.page.click("#show-facets")
    small.page.click("#facets summary >> nth=3")
    expect(small.page.locator("#beside")).to_contain_text("Screened out: AutoGen")
    broken = open_tab((site / "exclusions.html").as_uri() + "#q=author%3Dnobody", color_scheme=scheme, viewport=phone)
    for each in (tab, small, broken):
        each.page.evaluate(axe)
        assert each.page.evaluate(AXE, rules) == []
        assert each.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
