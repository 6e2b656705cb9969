"""The front page: the finding first, for any survey, with figures that its records give."""

import re
import shutil
from collections.abc import Callable
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from browser import Tab
from builders import COFFEE
from claiming import state_claims
from sites import built, survey

from awesome_cli.publish.plots.card import PATH
from awesome_cli.publish.site import pages
from awesome_cli.survey.corpus import Corpus

QUESTION = re.compile(r'<li><a href="map\.html#([^"]+)">(.*?)</a>\s*<span class="answer">(.*?)</span>', re.DOTALL)


def index(root: Path) -> str:
    return next(str(page.content) for page in pages(survey(root), root) if page.path == "index.html")


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html.partition("<main")[2])).split())


def test_the_first_view_says_what_was_found_and_who_contests_it(root: Path):
    said = words(index(state_claims(root)))
    assert "What the survey found Nobody measures sourness; disputed: 0 to 1 paper, depending on" in said
    assert "1 paper if the objections of grade weak or above to Pressing matters are right." in said
    assert "4 papers retained 2 records screened out" in said
    bars = re.findall(r"<tbody class=\"led\">.*?</tbody>", index(root), re.DOTALL)
    assert [words(f"<main {bar}") for bar in bars] == ["Sour papers with any taste, measured 0 0 to 1"]


def test_without_claims_the_gaps_lead_and_without_both_the_papers(root: Path):
    said = words(index(root))
    assert re.search(r"In \d+ of \d+ cells of “Device by beans” no paper counts\.", said)
    shutil.rmtree(root / "exclusions")
    shutil.rmtree(root / "candidates")
    for path in sorted((root / "corpus").iterdir())[1:]:
        path.unlink()
    taxonomy = root / "taxonomy.yaml"
    text = re.sub(
        r"^maps:\n(- .*\n)+|^readme: .*\n|^artifact:\n(  .*\n)+", "", taxonomy.read_text(), flags=re.MULTILINE
    )
    taxonomy.write_text(re.sub(r"(?s)^axes:.*^stages:.*^grades: .*?\n.*\Z", ONE_TERM, text, flags=re.MULTILINE))
    (paper,) = (root / "corpus").iterdir()
    paper.write_text("title: Only\nauthors: [Bean, Ada]\nyear: 2020\nadded: 2026-01-10\ntags: {device: press}\n")
    said = words(index(root))
    assert "What the survey found 1 paper, coded by Device." in said
    assert "1 paper retained" in said
    assert "Questions" not in said


ONE_TERM = """\
sparse: {at_most: 0}
axes:
- id: device
  label: Device
  question: With what?
  kind: one
  terms:
  - {id: press, label: Press, definition: A plunger.}
"""


def test_questions_lead_to_cells_and_say_their_figure(shipped: Corpus, repository: Path):
    """Each figure is counted anew by the query that the link stands for."""
    found = QUESTION.findall(index(repository))
    assert len(found) == 3
    assert len({view.partition("&cell=")[0] for view, _, _ in found}) == 3
    for view, _, answer in found:
        asked = {name: value for name, (value,) in parse_qs(unescape(view)).items()}
        row, _, column = asked["cell"].partition(",")
        axis = shipped.taxonomy.by_id[asked["rows"]]
        query = f"{axis.id}={row}" + (f":{axis.gap_strength}" if axis.gap_strength else "") + ":main"
        if "columns" in asked:
            other = shipped.taxonomy.by_id[asked["columns"]]
            query += f" {other.id}={column}" + (f":{other.gap_strength}" if other.gap_strength else "") + ":main"
        n = len(shipped.select(query))
        assert answer.startswith(f"{n} paper" if n else "No paper of this pool"), view


def test_what_changed_lately_is_short_and_leads_to_its_day(site: Path):
    page = (site / "index.html").read_text(encoding="utf-8")
    days = re.findall(r'<li><a href="changes\.html#d([\d-]+)">', page)
    assert days == sorted(days, reverse=True)
    changes = (site / "changes.html").read_text(encoding="utf-8")
    assert 0 < len(days) <= 3
    assert all(f'<h2 id="d{day}">' in changes for day in days)
    for line in re.findall(r"</time></a> (.*)", page.partition('id="lately"')[2]):
        assert f"<p>{line[:1].upper()}{line[1:]}.</p>" in changes
        assert all(re.fullmatch(r"\d+ [a-z]+ [a-z]+( or [a-z]+| out)?", part) for part in line.split(", ")), line


def test_the_card_is_linked_where_it_can_be(tmp_path: Path):
    shutil.copytree(COFFEE, tmp_path / "survey")
    out = built(tmp_path / "survey", tmp_path / "site")
    assert (out / PATH).read_bytes().startswith(b"\x89PNG")
    for base in (None, "https://example.org/coffee"):
        made = {page.path: page for page in pages(survey(tmp_path / "survey"), tmp_path / "survey", base=base)}
        assert (f'content="{base}/{PATH}"' in str(made["index.html"].content)) is (base is not None)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_for_everybody(
    site: Path, revised: Path, hostile: Path, open_tab: Callable[..., Tab], axe: str, scheme: str
):
    """axe, the width of a small phone, and the picture of the map as one link to it."""
    tab = open_tab(site / "index.html", color_scheme=scheme, viewport={"width": 360, "height": 740})
    for folder in (site, revised, hostile):
        tab.page.goto((folder / "index.html").as_uri())
        assert tab.settle().page.evaluate("document.documentElement.scrollWidth") <= 360
        tab.page.evaluate(axe)
        found = tab.page.evaluate(
            "axe.run({preload: false}).then((r) => r.violations.map((v) => [v.id, v.nodes[0].html]))"
        )
        assert found == []
    tab.page.locator(".mini td").first.click(force=True)
    tab.page.wait_for_url("**/map.html**")
