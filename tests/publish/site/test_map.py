"""The evidence-gap map in a real browser: cells, gaps by interest, readings, filters, keys, history."""

from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Tab
from builders import COFFEE, CONTESTED
from sites import built, survey

from awesome_cli.analysis.gaps.cells import gap_map
from awesome_cli.analysis.gaps.interest import interesting
from awesome_cli.model.taxonomy import tree
from awesome_cli.survey.corpus import Corpus, Side
from awesome_cli.survey.readings import read_as, reading_of

Open = Callable[..., Tab]
CODINGS = """(view) => awesome.readings.apply(awesome.papers, view).map((paper) => [paper.key,
  Object.entries(paper.tags).flatMap(([axis, tags]) => tags.map((tag) => [axis, tag.term, tag.strength || null,
    Boolean(tag.part), tag.grade || null]))])"""
INTEREST = """([rows, columns]) => {
  const shown = awesome.gaps.matrix(awesome.papers, rows, columns, null);
  return awesome.panel.interest(awesome.gaps.axisOf(rows), shown).map(({ row, column, weight, reason }) => [row, column, weight, reason]);
}"""


def cell(row: str, column: str) -> str:
    return f'#map button[data-row="{row}"][data-column="{column}"]'


def preset(rows: str, columns: str) -> str:
    return f'#presets label:has([value="{rows} {columns}"])'


def drawn(row: str, column: str) -> str:
    return f"#map td:has({cell(row, column).removeprefix('#map ')})"


@pytest.fixture(params=["contested", "coffee"])
def both(request: pytest.FixtureRequest, tmp_path: Path, site: Path, repository: Path) -> tuple[Corpus, Path]:
    """Each survey with its site, candidates and all."""
    if request.param == "contested":
        return survey(repository, CONTESTED), site
    return survey(COFFEE), built(COFFEE, tmp_path / "site")


def test_readings_gaps_by_interest_and_candidates_are_those_of_the_command_line(
    both: tuple[Corpus, Path], open_tab: Open
):
    corpus, folder = both
    tab = open_tab(folder / "map.html")
    maps = corpus.taxonomy.maps
    for pair in maps:
        want = [
            [
                one.row.id,
                one.column.id if one.column else one.rows.gap_strength or "any",
                list(one.weight),
                one.reason,
            ]
            for one in interesting(corpus, (pair,))
        ]
        assert tab.page.evaluate(INTEREST, [pair.rows, pair.columns]) == want, pair.name
    for side in Side:
        for grade in corpus.taxonomy.grade_rank:
            read = read_as(corpus, reading_of(corpus.taxonomy, side, grade))
            want = [
                [
                    paper.key,
                    [
                        [axis, tag.term, tag.strength, tag.part, tag.contested.grade if tag.contested else None]
                        for axis, tags in sorted(paper.tags.items())
                        for tag in tags
                    ],
                ]
                for paper in read.papers
            ]
            found = tab.page.evaluate(CODINGS, {"reading": side.value, "grade": grade})
            assert [[key, sorted(tags, key=lambda tag: tag[0])] for key, tags in found] == want, (side, grade)
    assert tab.page.evaluate("awesome.readings.apply(awesome.papers, {}) === awesome.papers")


def test_two_clicks_say_what_nobody_has_trained_for_stopping(site: Path, contested: Corpus, open_tab: Open):
    gaps = interesting(contested, (contested.taxonomy.maps[0],))
    objections = next(gap for gap in gaps if gap.row.id == "stop").changes["contested"]
    tab = open_tab(site / "map.html")
    assert "gap" in tab.text(drawn("stop", "trained"))
    name = tab.page.get_attribute(cell("stop", "trained"), "aria-label")
    assert name == "O5 Stop by trained: gap, 0 papers, 11 weaker"
    tab.page.click("#panel button[data-row=stop]")
    tab.page.wait_for_selector("#panel ul.papers")
    panel = tab.text("#panel")
    assert "No paper in this pool" in panel
    assert f"11 papers with weaker evidence. {len(objections)} objections, if right, each change this count." in panel
    grades = {grade.id: grade.label for grade in contested.taxonomy.grades}
    coded = [tag for paper in contested.papers for tag in paper.tags_on("sub_decision") if tag.term == "stop"]
    contests = [tag.contested for tag in coded if tag.contested]
    assert len(contests) == len(gap_map(contested).axes["sub_decision"]["stop"].contested) >= len(objections)
    for contest in contests:
        assert f"Contested ({grades[contest.grade]}, would be {contest.would_be})" in panel
    assert tab.page.locator("#panel ul.papers").first.locator("> li").count() == 11


def test_a_reading_and_a_selection_change_the_map_and_say_so(site: Path, contested: Corpus, open_tab: Open):
    tab = open_tab(site / "map.html")
    tab.page.click("details.filters summary")
    read = read_as(contested, reading_of(contested.taxonomy, "generous", "weak"))
    tab.page.select_option("[name=reading]", "generous")
    tab.page.select_option("[name=grade]", "weak")
    stop = gap_map(read).axes["sub_decision"]["stop"]
    assert tab.page.inner_text(drawn("stop", "trained") + " .n") == str(len(stop.covering))
    assert "--reading generous --grade weak" in tab.text("#command")
    assert tab.page.get_attribute("nav a:has-text('Papers')", "href") == "papers.html#reading=generous&grade=weak"
    tab.page.goto(tab.page.url + "&author=nobody&is.category=" + contested.taxonomy.by_id["category"].terms[0].id)
    assert "In this selection: 0 of 84 papers" in tab.settle().text("#chips")
    assert "in this selection" in str(tab.page.get_attribute(cell("stop", "trained"), "aria-label"))
    tab.page.click(cell("stop", "trained"))
    assert "No paper in this selection" in tab.settle().text("#panel")
    tab.page.click("#chips button:has-text('Author: nobody')")
    assert "author" not in tab.settle().page.url
    assert "is.category" in tab.page.url
    assert tab.page.evaluate("document.activeElement.closest('#chips') !== null")
    tab.page.click("#chips button:has-text('generous')")
    tab.page.click("#chips button")
    assert tab.settle().text("#chips") == ""
    assert "in this selection" not in tab.text("#map")
    assert tab.page.get_attribute("nav a:has-text('Papers')", "href") == "papers.html"


def test_back_and_forward_undo_deliberate_changes(site: Path, open_tab: Open):
    tab = open_tab(site / "map.html")
    tab.page.click("details.filters summary")
    tab.page.select_option("[name=least]", "designed")
    assert "minimum strength designed" in tab.text("#chips")
    tab.page.click(cell("stop", "designed"))
    tab.settle()
    tab.page.go_back()
    assert "What is missing" in tab.settle().text("#panel")
    assert tab.page.input_value("[name=least]") == "designed"
    tab.page.go_back()
    assert tab.settle().text("#chips") == ""
    tab.page.go_forward()
    tab.page.go_forward()
    assert "O5 Stop" in tab.settle().text("#panel-title")


def test_a_view_is_cited_by_its_address(site: Path, open_tab: Open):
    first = open_tab(site / "map.html")
    first.page.click(preset("reward_family", "credit_unit"))
    first.page.click("details.filters summary")
    first.page.select_option("[name=from]", "2026")
    first.page.fill("[name=q]", "counterfactual")
    first.page.press("[name=q]", "Enter")
    first.page.click(cell("shared", "message"))
    address = first.settle().page.url
    assert "rows=reward_family" in address
    assert "cell=shared,message" in address
    shown = first.text("#map"), first.text("#panel"), first.text("#command")
    assert "--where 'year>=2026 text~counterfactual'" in shown[2]
    first.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    first.page.click("#cite")
    first.page.wait_for_selector("#cite:has-text('Copied without an address')")
    cited = first.page.evaluate("navigator.clipboard.readText()")
    assert "Message; filters: from 2026, counterfactual [year>=2026 text~counterfactual]" in cited
    assert "file:" not in cited
    first.page.click("#link")
    first.page.wait_for_selector("#link:has-text('this machine only')")
    assert first.page.evaluate("navigator.clipboard.readText()") == address
    second = open_tab(address)
    assert (second.text("#map"), second.text("#panel"), second.text("#command")) == shown


def test_the_map_without_a_mouse(site: Path, open_tab: Open):
    tab = open_tab(site / "map.html")
    focused = "(({row, column}) => `${row},${column}`)(document.activeElement.dataset)"
    tab.press("Tab")
    assert tab.page.evaluate("document.activeElement.className") == "skip"
    tab.press("Enter", "Tab", "Tab", "Tab")
    assert tab.page.evaluate(focused) == "spawn,trained", "the third stop of the content"
    for keys, there in (
        (["Control+End"], "stop,any"),
        (["Home"], "stop,trained"),
        (["ArrowDown", "ArrowLeft", "ArrowRight"], "stop,trained"),
        (["ArrowUp", "End"], "aggregate,any"),
        (["Control+Home", "ArrowDown", "ArrowRight"], "delegate,designed"),
        (["Control+End", "Home", "Enter"], "stop,trained"),
    ):
        tab.press(*keys)
        assert tab.page.evaluate(focused) == there, keys
    assert "O5 Stop" in tab.text("#panel")
    assert tab.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    tab.page.wait_for_selector("#panel ul.papers")
    tab.page.focus("#panel ul.papers a")
    tab.press("Escape")
    assert tab.page.evaluate(focused) == "stop,trained"
    tab.press("Escape")
    assert tab.page.evaluate(focused) == "stop,trained"
    assert "What is missing" in tab.text("#panel")


def test_arrow_keys_lead_to_the_terms_of_rows_and_columns(site: Path, open_tab: Open):
    tab = open_tab((site / "map.html").as_uri() + "#rows=reward_family&columns=credit_unit")
    link = "document.activeElement.getAttribute('href')"
    tab.page.focus(cell("individual", "token"))
    tab.press("ArrowLeft")
    assert tab.page.evaluate(link) == "terms.html#reward_family.individual"
    tab.press("ArrowRight", "ArrowUp", "ArrowUp")
    assert tab.page.evaluate(link) == "terms.html#credit_unit.token"
    tab.press("ArrowUp", "ArrowLeft")
    assert tab.page.evaluate(link) == "terms.html#credit_unit.token"


def test_marks_differ_in_shape_where_colours_are_forced(site: Path, open_tab: Open):
    tab = open_tab(site / "map.html", forced_colors="active")
    fills = "(kind) => getComputedStyle(document.querySelector(`.legend ${kind}`)).backgroundColor"
    full, hollow = (tab.page.evaluate(fills, kind) for kind in (".dot:not(.weak)", ".dot.weak"))
    assert full == tab.page.evaluate("getComputedStyle(document.body).color")
    assert hollow == "rgba(0, 0, 0, 0)"
    chosen = "(at) => getComputedStyle(document.querySelectorAll('#presets label')[at]).backgroundColor"
    assert tab.page.evaluate(chosen, 0) != tab.page.evaluate(chosen, 1)


def test_on_a_phone_the_map_starts_on_the_first_screen_and_its_columns_scroll(site: Path, open_tab: Open):
    tab = open_tab(site / "map.html", viewport={"width": 375, "height": 667}, has_touch=True)
    box = "(selector) => document.querySelector(selector).getBoundingClientRect().toJSON()"
    assert tab.page.evaluate(box, "#map tbody tr")["bottom"] < 667
    assert (
        tab.page.evaluate("new Set(Array.from(document.querySelectorAll('.top nav li'), (li) => li.offsetTop)).size")
        == 1
    )
    assert tab.page.evaluate(box, "#map td:last-child")["left"] > 375
    tab.page.evaluate("document.querySelector('#map').scrollTo(9999, 0)")
    assert tab.settle().page.evaluate(box, "#map td:last-child")["right"] <= 375
    head = tab.page.evaluate(box, "#map tbody th")
    assert 0 <= head["left"] < 20
    covered = "([x, y]) => document.elementFromPoint(x, y).closest('th') !== null"
    assert tab.page.evaluate(covered, [head["right"] - 4, head["top"] + 20])
    last = open_tab(site / "data.html", viewport={"width": 375, "height": 667})
    assert last.page.evaluate(box, ".top nav [aria-current]")["right"] <= 375


def test_on_a_phone_the_panel_comes_after_the_tap_and_leads_back(site: Path, open_tab: Open):
    tab = open_tab(site / "map.html", viewport={"width": 390, "height": 844}, has_touch=True)
    top = "(id) => document.querySelector(id).getBoundingClientRect().top"
    tab.page.click(cell("stop", "trained"))
    assert abs(tab.settle().page.evaluate(top, "#panel")) < 100
    tab.page.click("#back")
    assert tab.settle().page.evaluate("document.activeElement.dataset.row") == "stop"
    linked = open_tab(tab.page.url, viewport={"width": 390, "height": 844})
    assert abs(linked.page.evaluate(top, "#panel")) < 100
    assert linked.page.evaluate("document.activeElement.id") == "panel"


def test_the_map_of_the_page_and_of_the_script_is_the_same(both: tuple[Corpus, Path], open_tab: Open):
    written = open_tab(both[1] / "map.html", java_script_enabled=False)
    drawn = open_tab(both[1] / "map.html")

    def cells(tab: Tab) -> list[str]:
        return [" ".join(text.split()) for text in tab.page.locator("#map table.map tr > *").all_inner_texts()]

    assert cells(drawn) == cells(written)
    marks = (
        "Array.from(document.querySelectorAll('#map .marks'), (node) => node.innerHTML.replaceAll('></circle>', '/>'))"
    )
    assert drawn.page.evaluate(marks) == [
        text.replace("></circle>", "/>")
        for text in written.page.locator("#map .marks").evaluate_all("(n) => n.map((m) => m.innerHTML)")
    ]
    assert written.page.locator("noscript table.map").count() == len(both[0].taxonomy.maps) - 1


def test_the_widest_ready_view_fits_a_laptop_and_fades_where_it_does_not(site: Path, open_tab: Open):
    tab = open_tab(site / "map.html", viewport={"width": 1280, "height": 900})
    tab.page.click(preset("reward_family", "credit_unit"))
    tab.settle()
    hidden = "(map => map.scrollWidth - map.clientWidth)(document.querySelector('#map'))"
    fade = "getComputedStyle(document.querySelector('#map')).getPropertyValue('--fade')"
    widths = "new Set(Array.from(document.querySelectorAll('#map td'), (td) => Math.round(td.getBoundingClientRect().width))).size"
    assert tab.page.evaluate(hidden) <= 0
    assert tab.page.evaluate(widths) == 1
    assert tab.page.evaluate(fade) == "0px"
    tab.page.set_viewport_size({"width": 700, "height": 900})
    tab.settle()
    assert tab.page.evaluate(hidden) > 0
    assert tab.page.evaluate(fade) != "0px"
    tab.page.evaluate("document.querySelector('#map').scrollTo(9999, 0)")
    tab.settle()
    assert tab.page.evaluate(fade) == "0px"


def test_parents_stand_before_their_children(site: Path, contested: Corpus, open_tab: Open):
    axis = contested.taxonomy.by_id["reward_family"]
    tab = open_tab((site / "map.html").as_uri() + "#rows=reward_family&columns=credit_unit")
    names = tab.page.locator("#map tbody th").all_inner_texts()
    assert [name.split(" ", 1)[-1] if term.code else name for name, term in zip(names, tree(axis), strict=True)] == [
        term.label for term in tree(axis)
    ]
    tab.page.click("details.filters summary")
    only_numbers = "getComputedStyle(document.querySelector('#map .state')).display"
    tab.page.select_option("[name=least]", contested.taxonomy.by_id["credit_unit"].strengths[-1].id)
    tab.page.click(cell("tool", "agent"))
    assert "No paper in this pool at strength" in tab.settle().text("#panel")
    assert "declared minimum" in tab.text(".cite")
    tab.page.check("[name=numbers]")
    assert tab.settle().page.evaluate(only_numbers) == "none"
