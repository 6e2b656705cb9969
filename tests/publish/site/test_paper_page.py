"""The page of a paper: its facts, its codings and what contests would change, and citing it from the site."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from browser import Tab
from builders import COFFEE, coffee, make_corpus, make_paper
from claiming import state_claims
from sites import built

from awesome_cli.analysis.claims.sensitivity import sensitivity
from awesome_cli.analysis.gaps.cells import gap_map
from awesome_cli.analysis.gaps.rereading import rereadings
from awesome_cli.analysis.likeness import nearest
from awesome_cli.formats import bibtex, export_format
from awesome_cli.publish.site.papers import SIZE, bibliography, citation_pages, leads, names_of
from awesome_cli.survey.corpus import Corpus

Open = Callable[..., Tab]
CLIPBOARD = ["clipboard-read", "clipboard-write"]


def saved(tab: Tab, button: str) -> tuple[str, str]:
    """The name and the text of the file that a button saves."""
    with tab.page.expect_download() as waiting:
        tab.page.click(button)
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_text(encoding="utf-8")


def test_following_a_paper_and_copying_its_bibtex(site: Path, open_tab: Open):
    tab = open_tab((site / "map.html").as_uri() + "#rows=sub_decision&columns=&cell=stop,designed")
    tab.page.context.grant_permissions(CLIPBOARD)
    tab.page.click("text=Multi-Agent Collaboration via Evolving Orchestration")
    tab.page.wait_for_url("**/papers/puppeteer.html")
    tab.page.click("text=Copy BibTeX")
    tab.page.wait_for_selector("button:has-text('Copied')")
    copied = tab.page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("@inproceedings{puppeteer2025,")
    assert tab.page.get_attribute('meta[name="citation_title"]', "content") == (
        "Multi-Agent Collaboration via Evolving Orchestration"
    )


def test_papers_are_saved_and_copied_as_the_exporters_write_them(site: Path, contested: Corpus, open_tab: Open):
    paper = next(paper for paper in contested.papers if paper.key == "puppeteer")
    alone = replace(contested, papers=(paper,))
    tab = open_tab(site / "papers" / "puppeteer.html")
    tab.page.context.grant_permissions(CLIPBOARD)
    assert saved(tab, "[aria-label='Save as BibTeX']") == (
        "puppeteer.bib", bibtex.write(alone, cited=True),
    )  # fmt: skip
    assert saved(tab, "[aria-label='Save as RIS']") == ("puppeteer.ris", export_format("ris").write(alone))
    whole = str(export_format("csv").write(contested)).splitlines(keepends=True)
    _, table = saved(tab, "[aria-label='Save as CSV']")
    header, row = table.splitlines(keepends=True)
    assert header == whole[0]
    assert row in whole
    asked = "(ns) => awesome.cite.text(ns.map((n) => ({ n })), 'bibtex')"
    both = tab.page.evaluate(asked, [3, 0])
    entries = list(bibliography(contested).values())
    assert both == f"{entries[3]}\n{entries[0]}"
    tab.page.emulate_media(media="print")
    assert not tab.page.is_visible("#cite")
    assert not tab.page.is_visible("text='Dispute this coding' >> nth=0")
    tab.page.evaluate("document.querySelector('#bibtex').closest('details').open = true")
    assert tab.page.evaluate("getComputedStyle(document.querySelector('#bibtex')).whiteSpace") == "pre-wrap"


def test_shards_hold_every_paper_once_and_in_order(repository: Path):
    first = make_paper("p0", title='A "quoted" title', summary="Two\nlines", authors=["Bean, Ada", "others"])
    corpus = make_corpus(first, *(make_paper(f"p{n}") for n in range(1, SIZE + 3)))
    references, table = (str(export_format(form).write(corpus)) for form in ("ris", "csv"))
    pages = list(citation_pages(bibliography(corpus).values(), references, table))
    assert [page.path for page in pages] == ["data/cite-0.js", "data/cite-1.js"]
    shards = []
    for number, page in enumerate(pages):
        found = re.search(rf"awesome\.citations\[{number}\] = JSON\.parse\('(.*)'\);", str(page.content))
        assert found is not None
        shards.append(json.loads(re.sub(r"\\(['\\])", r"\1", found[1])))
    entries = [entry for shard in shards for entry in shard["entries"]]
    assert len(shards[0]["entries"]) == SIZE
    assert shards[0]["header"] + "".join(entry["csv"] for entry in entries) == table
    assert "\n".join(entry["ris"] for entry in entries) == references
    assert [re.findall(r"@\w+\{(.*),", entry["bibtex"]) for entry in entries] == [[p.key] for p in corpus.papers]
    script = (repository / "templates/site/assets/cite.js").read_text(encoding="utf-8")
    assert f"const SIZE = {SIZE};" in script


def test_links_say_where_they_lead():
    paper = make_paper(
        identifiers={"arxiv": "2001.00010", "doi": "10.1000/coffee.1"},
        links=[
            {"label": "Paper", "url": "https://arxiv.org/abs/2001.00010"},
            {"label": "Code", "url": "https://github.com/a/b"},
            {"label": "Project", "url": "https://www.example.org/x"},
            {"label": "PDF", "url": "https://openreview.net/pdf?id=abcDEF123"},
            {"label": "Odd", "url": "javascript:alert(1)"},
            {"label": "Broken", "url": "http://[x"},
        ],
    )
    assert leads(paper) == [
        ("arXiv: abstract page", "https://arxiv.org/abs/2001.00010"),
        ("arXiv: PDF", "https://arxiv.org/pdf/2001.00010"),
        ("Code at GitHub", "https://github.com/a/b"),
        ("Project at example.org", "https://www.example.org/x"),
        ("OpenReview: PDF", "https://openreview.net/pdf?id=abcDEF123"),
        ("Odd", "javascript:alert(1)"),
        ("Broken", "http://[x"),
        ("DOI: publisher's page", "https://doi.org/10.1000/coffee.1"),
    ]
    assert names_of(paper) == [("arXiv", "2001.00010"), ("DOI", "10.1000/coffee.1")]


def test_a_contest_says_what_it_would_change_and_alike_papers_what_they_share(tmp_path: Path, root: Path):
    page = (built(state_claims(root), tmp_path / "site") / "papers" / "aero2020.html").read_text(encoding="utf-8")
    text = " ".join(re.sub(r"<[^>]+>", " ", page.partition("<main")[2]).split())
    assert "If this objection is right, 1 claim and 2 cells of the map would change" in text
    assert "The coding would be T1 Bitter, measured; T2 Sour, measured." in text
    assert "Claim “ Nobody measures sourness. ” would fail : 1 (as coded: 0)." in text
    assert "Cell T2 Sour : gap → sparse , 0 → 1 paper ." in text
    assert 'href="../map.html#rows=taste&amp;columns=&amp;cell=sour,measured"' in page
    (near,) = nearest(coffee())["aero2020"][:1]
    assert f"Dripping slowly Pour · 2021 {round(100 * near.score)} % similar Taste: T1 Bitter, measured" in text


def test_evidence_against_a_coding_is_marked_wherever_the_coding_is_shown(run, root: Path, tmp_path: Path):
    words = ["taste=bitter", "--evidence", "Nothing was measured.", "--direction", "against"]
    run("tag", "drip2021", *words, root=root)
    run("render", root=root)
    assert "bitter (evidence against)" in (root / "README.md").read_text(encoding="utf-8")
    site = built(root, tmp_path / "site")
    page = (site / "papers" / "drip2021.html").read_text(encoding="utf-8")
    assert '<span class="strength">confidence medium, evidence against</span> Nothing was measured.' in page
    assert "measured, evidence against</li>" in (site / "papers.html").read_text(encoding="utf-8")
    assert '"mark":"evidence against"' in (site / "data/index.js").read_text(encoding="utf-8")


def test_every_contest_of_the_survey_stands_on_its_paper_s_page(site: Path, contested: Corpus):
    found, alike = rereadings(gap_map(contested), sensitivity(contested)), nearest(contested)
    for paper in contested.papers:
        page = (site / "papers" / f"{paper.key}.html").read_text(encoding="utf-8")
        asked = [one for one in found.get(paper.key, ()) if one.codings is not None]
        told = re.findall(r"If this objection is right, (?:(\d+) claim)?(?:s? and )?(?:(\d+) cell)?", page)
        assert sorted((int(a or 0), int(b or 0)) for a, b in told) == sorted(
            (len(one.claims), len(one.cells)) for one in asked
        )
        main = page.partition('<h2 id="near">')[2].partition("</section>")[0]
        assert re.findall(r'<li><a href="([^"]+)\.html">', main) == [near.key for near in alike[paper.key]]


def test_a_coding_is_disputed_with_a_text_to_copy(revised: Path, open_tab: Open):
    tab = open_tab(revised / "take-part.html")
    assert "### Disputed paper\n\nKEY\n" in tab.page.text_content("#dispute-text")
    tab.page.context.grant_permissions(CLIPBOARD)
    for coding in ("beans=arabica", "device=press"):
        tab.open(revised / "papers" / "aero2020.html")
        tab.page.click(f"a[href$='coding={coding}']")
        tab.page.click("button[data-copy=dispute-text]")
        tab.page.wait_for_selector("button:has-text('Copied')")
        copied = tab.page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith(
            f"# Disputed coding: How Coffee Is Brewed\n\n### Disputed paper\n\naero2020\n\n### Disputed coding\n\n{coding}\n"
        )


def test_a_coding_is_disputed_by_mail(tmp_path: Path, open_tab: Open):
    shutil.copytree(COFFEE, tmp_path / "survey")
    words = tmp_path / "survey" / "taxonomy.yaml"
    words.write_text(words.read_text().replace("  short: coffee\n", "  short: coffee\n  contact: ada@example.org\n"))
    tab = open_tab(built(tmp_path / "survey", tmp_path / "site") / "papers" / "aero2020.html")
    tab.page.click("text=Dispute this coding >> nth=0")
    body = unquote(tab.page.get_attribute("#dispute a[href^='mailto:']", "href")).partition("&body=")[2]
    assert body.startswith("### Disputed paper\r\n\r\naero2020\r\n\r\n### Disputed coding\r\n\r\ntaste=bitter\r\n")


def test_a_coding_is_disputed_in_the_form_of_its_host(tmp_path: Path, open_tab: Open):
    shutil.copytree(COFFEE, tmp_path / "survey")
    words = tmp_path / "survey" / "taxonomy.yaml"
    words.write_text(
        words.read_text().replace("  short: coffee\n", "  short: coffee\n  repository: https://github.com/a/b\n")
    )
    tab = open_tab(built(tmp_path / "survey", tmp_path / "site") / "papers" / "aero2020.html")
    asked = tab.page.locator("a:has-text('Dispute this coding')").first.get_attribute("href")
    assert asked == "https://github.com/a/b/issues/new?template=coding.yml&form-key=aero2020&form-coding=taste%3Dbitter"
    assert tab.page.locator("#dispute-text").count() == 0


@pytest.mark.parametrize("script", [True, False])
def test_facts_stand_beside_the_codings_where_there_is_room(site: Path, open_tab: Open, script: bool):
    tab = open_tab(site / "papers" / "puppeteer.html", java_script_enabled=script)
    for width, beside in ((390, False), (768, False), (1280, True), (1440, True)):
        tab.page.set_viewport_size({"width": width, "height": 900})
        facts, account = (tab.page.locator(name).bounding_box() for name in (".paper > aside", ".account"))
        assert (facts["x"] >= account["x"] + account["width"]) is beside
        assert (facts["y"] + facts["height"] <= account["y"]) is not beside
    assert tab.page.locator("text=Copy BibTeX").is_visible() is script
    assert "@inproceedings{puppeteer2025," in tab.page.text_content("#bibtex")
