"""The page of claims: a line each, its answer in every reading, and what changed since the published version."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path

from browser import Tab
from builders import COFFEE, CONTESTED
from claiming import claiming, make_claim, state_claims
from running import Result
from sites import survey

from awesome_cli.analysis.claims.evaluation import every_reading
from awesome_cli.analysis.claims.results import check
from awesome_cli.publish.site.claims_pages import claims_pages
from awesome_cli.publish.site.page import Frame
from awesome_cli.survey.corpus import Corpus

Open = Callable[..., Tab]
WCAG = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
ANSWERS = """() => Object.fromEntries(Array.from(document.querySelectorAll('.claim'), (line) =>
  [line.querySelector('.more').id, line.querySelector('summary .answer').textContent.trim()]))"""
AXE = "(rules) => axe.run({runOnly: rules, preload: false}).then((found) => found.violations.map((v) => [v.id, v.nodes.slice(0, 3).map((n) => String(n.target))]))"


def plain(markup: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", re.sub("</?time>", "", markup))).split())


def page_of(corpus: Corpus) -> str:
    frame = Frame.of(corpus, COFFEE, (), None)
    return next(str(page.content) for page in claims_pages(frame) if page.path == "claims.html")


def test_figures_are_those_of_the_command(site: Path, repository: Path, contested: Corpus, run: Callable[..., Result]):
    titles = contested.short_titles
    page = (site / "claims.html").read_text(encoding="utf-8")
    lines = {re.search(r'class="more" id="([^"]+)"', part)[1]: part for part in page.split('<li class="claim"')[1:]}  # type: ignore[index]
    told = run("claims", "check", "--as-of", CONTESTED, "--format", "json", root=repository, code=None).json["data"][
        "claims"
    ]
    made = [claim for claim in told if claim["status"] != "not_yet"]
    assert [claim["id"] for claim in made if not claim["revised"]] == [*lines][: len(lines)]
    for claim in made:
        line = lines[claim["id"]]
        assert f'">{claim["status"]}</span>' in line.partition("</summary>")[0]
        rows = re.findall(r"<tr><td>(.*?)</td><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td></tr>", line)
        # The figures of a revised claim stand on its own page.
        for (asked, found, _, holds), outcome in zip(rows, () if claim["revised"] else claim["outcomes"], strict=True):
            assert unescape(asked).endswith(
                f"<summary>As written</summary><code>{outcome['expected']}</code></details>"
            )
            observed = re.sub(r"[\w-]+", lambda name: titles.get(name[0], name[0]), outcome["observed"])
            assert plain(found).replace(" ,", ",").startswith(observed)
            assert holds == ("yes" if outcome["holds"] else "no")
    counts = dict(re.findall(r'data-status="(\w+)">(\d+)</strong>', page.partition("</p>\n<div")[0]))
    assert {status: int(n) for status, n in counts.items() if n != "0"} == Counter(claim["status"] for claim in made)
    message = json.loads((site / "badge.json").read_text(encoding="utf-8"))["message"]
    assert message in plain(page)
    front = plain((site / "index.html").read_text(encoding="utf-8"))
    assert message in front


def test_answers_in_every_reading(site: Path, contested: Corpus, open_tab: Open):
    tab = open_tab(site / "claims.html")
    coded = tab.page.evaluate(ANSWERS)
    assert coded == {one.claim.id: one.status.value for one in check(contested).results}
    for reading in every_reading(contested)[::3]:
        tab.page.select_option("[name=reading]", reading.side.value)
        tab.page.select_option("[name=grade]", reading.grade)
        expected = {one.claim.id: one.status.value for one in check(contested, reading=reading).results}
        assert tab.page.evaluate(ANSWERS) == expected, reading
        assert f"reading={reading.side}&grade={reading.grade}" in tab.page.url
        turned = [name for name, answer in expected.items() if (answer == "fails") != (coded[name] == "fails")]
        links = tab.page.locator("#turns a")
        assert [
            href.removeprefix("#") for href in links.evaluate_all("all => all.map((a) => a.getAttribute('href'))")
        ] == turned
        assert int(tab.text("#tally [data-status=fails]")) == [*expected.values()].count("fails")
    tab.page.go_back()
    tab.settle()
    assert tab.page.input_value("[name=reading]") == "generous"
    tab.page.select_option("[name=reading]", "")
    assert tab.page.evaluate(ANSWERS) == coded
    assert tab.page.is_hidden("#turns")


def test_a_link_opens_its_claim_and_keeps_the_reading(site: Path, contested: Corpus, open_tab: Open, axe: str):
    name = next(one.claim.id for one in check(contested).results if one.fails_in)
    grade = contested.taxonomy.grades[0].id
    address = f"{(site / 'claims.html').as_uri()}#{name}&reading=strict&grade={grade}"
    for scheme, size in (("light", (1280, 900)), ("dark", (390, 844))):
        tab = open_tab(address, color_scheme=scheme, viewport={"width": size[0], "height": size[1]})
        details = tab.page.locator(f"details:has(> #{name})")
        assert details.get_attribute("open") is not None
        assert tab.page.locator(".claim details[open]").count() == 1
        assert tab.page.input_value("[name=reading]") == "strict"
        assert "claim" in tab.text("#turns")
        assert "as coded" in tab.text(f"#{name} caption >> nth=0")
        other = tab.page.locator(f".claim:not(:has(#{name})) summary").first
        other.click()
        opened = other.evaluate("(node) => node.nextElementSibling.id")
        assert tab.page.url.endswith(f"#{opened}&reading=strict&grade={grade}")
        other.click()
        assert tab.page.url.endswith(f"#reading=strict&grade={grade}")
        tab.page.locator(f"#{name} a[href='#{name}']").click()
        assert tab.page.url.endswith(f"#{name}&reading=strict&grade={grade}")
        assert tab.page.input_value("[name=reading]") == "strict"
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= size[0]
        tab.page.evaluate(axe)
        assert tab.page.evaluate(AXE, WCAG) == []


def test_without_scripts_everything_is_there(site: Path, open_tab: Open):
    tab = open_tab(site / "claims.html", java_script_enabled=False)
    first = tab.page.locator(".claim").first
    first.locator("summary").first.click()
    assert first.locator("td").first.is_visible()
    assert tab.page.is_hidden("#reading")


def test_on_paper_a_claim_is_a_line(site: Path, open_tab: Open):
    tab = open_tab(site / "claims.html")
    tab.page.emulate_media(media="print")
    assert tab.page.is_hidden("#reading")
    heights = "() => Array.from(document.querySelectorAll('.claim'), (line) => line.getBoundingClientRect().height)"
    assert max(tab.page.evaluate(heights)) < 300


def test_what_contests_a_claim_and_what_would_end_it_is_named(root: Path):
    text = page_of(survey(state_claims(root)))
    line = next(part for part in text.split('<li class="claim">') if 'id="sour-unmeasured"' in part)
    assert "Contested codings: " in line
    assert re.search(r"</a> \(\w+\)", line.partition('class="touching"')[2])
    assert 'href="papers/aero2020.html"' in line.partition('class="touching"')[2]
    assert "strict, from" in line or "generous, from" in line
    assert "No figure changes in any of the 4 readings." in text


def test_papers_are_named_by_title_and_queries_are_folded():
    claim = make_claim({"count": "key=aero2020", "equals": 1}, {"ids": "device=press", "equals": ["aero2020"]})
    told = claim.model_copy(update={"statement": "Only aero2020 presses."})
    main = page_of(claiming(told)).partition("<main")[2]
    assert "<summary>As written</summary><code>papers with key=aero2020: exactly 1</code></details>" in main
    assert "aero2020" not in plain(re.sub("<code>.*?</code>", "", main))
    assert "Only Pressing matters presses." in plain(main)


def test_a_survey_without_grades_has_no_readings(tmp_path: Path):
    corpus = claiming(make_claim({"count": "device=cold", "at_most": 3}, name="cold"))
    bare = replace(corpus, taxonomy=corpus.taxonomy.model_copy(update={"grades": ()}))
    text = page_of(bare)
    assert "readings of contested codings" not in text
    assert "With the challengers" not in text
    assert "papers with device “Cold brew”" in text or "Papers with device “Cold brew”" in text


def test_changes_since_the_published_version(revised: Path, site: Path):
    text = plain((revised / "changes.html").read_text(encoding="utf-8").partition('id="published"')[2])
    assert "describes the pool of 2026-03-01" in text
    assert "Claims with a new status: 1; claims added: 1" in text
    assert "Nobody measures sourness. holds revised" in text
    assert "Taste: T1" not in text.partition("Recoded")[0]
    assert "Pressing matters Bitter, measured; Sour, tasted" in text
    # Only the values of corrected fields were published.
    assert "Cell As of 2026-03-01 Today Changed Taste: T2 Sour gap sparse by the rule" in text
    assert text.count("Published") == text.count("Paper Field Published Today") == 1
    assert 'href="changes.html#published"' in (revised / "claims.html").read_text(encoding="utf-8")
