"""Pages of authors and of venues: who has one, what stands on it, and how people come to it."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest
from browser import Tab
from builders import make_corpus, make_exclusion, make_paper

from awesome_cli.publish.site import groups
from awesome_cli.publish.site.groups import PAGES, authors, slugs, venues, view
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import RESERVED

Open = Callable[..., Tab]


def listed(page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8").partition("<main")[2]
    return re.findall(r'<li><a href="\.\./papers/([^"]+)\.html">', text)


@pytest.mark.slow
def test_every_author_of_several_records_has_a_page_with_all_papers(site: Path, contested: Corpus):
    counts = Counter(name for record in contested.records for name in {*record.authors} - {"others"})
    found = authors(contested)
    assert {*found.by_name} == {a for p in contested.papers for a in p.authors if counts[a] >= 2}
    assert found.by_name
    for name, group in found.by_name.items():
        assert sorted(listed(site / group.path)) == sorted(p.key for p in contested.papers if name in p.authors)
    places = venues(contested)
    assert {*places.by_name} == {v for v, n in Counter(p.venue for p in contested.papers).items() if n >= 2 and v}
    for name, group in places.by_name.items():
        assert sorted(listed(site / group.path)) == sorted(p.key for p in contested.papers if p.venue == name)


def test_pages_of_authors_say_how_many_lists_are_cut(site: Path, contested: Corpus):
    cut = sum("others" in paper.authors for paper in contested.papers)
    pages = [site / "authors.html", *(site / "authors").iterdir()]
    said = f"The records of {cut} of {len(contested.papers)} papers list only some of the authors"
    assert {said in page.read_text(encoding="utf-8") for page in pages} == {cut > 0}
    assert not any("list only some" in page.read_text(encoding="utf-8") for page in (site / "venues").iterdir())


def test_all_by_one_author_in_three_clicks(site: Path, contested: Corpus, open_tab: Open):
    name, group = max(authors(contested).by_name.items(), key=lambda pair: (len(pair[1].papers), pair[0]))
    tab = open_tab(site / "index.html", viewport={"width": 390, "height": 844})
    for link in ("Papers", "Authors", name):
        tab.page.get_by_role("link", name=link, exact=True).first.click()
    assert tab.settle().text("h1") == name
    assert tab.page.locator("ul.papers > li").count() >= len(group.papers)
    with tab.page.expect_download() as waiting:
        tab.page.click("button[data-cite=bibtex]")
    saved = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert saved.count("\n@") + 1 == len(group.papers)
    tab.page.locator("ul.papers > li > a").first.click()
    tab.page.wait_for_url("**/papers/*.html")
    tab.page.get_by_role("link", name=name, exact=True).click()
    assert tab.settle().text("h1") == name


def test_who_else_was_screened_out_stands_with_an_author():
    out = make_exclusion("X7", authors=["Bean, Ada"])
    corpus = make_corpus(make_paper("one", authors=["Bean, Ada", "et al."]), make_paper("two", authors=["others"]), out)
    found = authors(corpus)
    assert [*found.by_name] == ["Bean, Ada"]
    assert found.by_name["Bean, Ada"].exclusions == [out]
    assert found.address("others") is None
    assert found.address("Nobody") is None


def test_names_of_pages_are_safe_and_told_apart():
    names = [
        "Müller, Jörg",
        "Muller, Jorg",
        "../../x",
        "<script>",
        "con",
        "李, 雷",
        "韩, 梅梅",
        "",
        "a" * 300,
        "A b",
        "a-B",
    ]
    found = slugs(names)
    assert len({*found.values()}) == len(names)
    assert all(re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", slug) and len(slug) < 80 for slug in found.values())
    assert not RESERVED & {*found.values()}
    assert found["Müller, Jörg"] == "muller-jorg"
    assert slugs(names) == found


def test_where_there_are_too_many_the_table_of_papers_shows_a_name():
    names = [f"Author{n}, A." for n in range(PAGES + 1)]
    papers = [make_paper("one", authors=names), make_paper("two", authors=names)]
    found = authors(make_corpus(*papers, make_paper("three", authors=names[:1])))
    assert [*found.by_name] == names[:1]
    assert found.address(names[1]) == "papers.html#author=Author1%2C+A."
    assert unquote(view("author", "a&b=c")).endswith("a&b=c")
    assert groups.FEWEST <= 2


def test_hostile_names_stay_text(hostile: Path):
    for page in ("papers/hostile.html", "papers.html"):
        assert "<b>Bold</b>" not in (hostile / page).read_text(encoding="utf-8")
