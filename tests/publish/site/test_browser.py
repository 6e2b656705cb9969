"""The site as people use it: in a real browser, from a disk and from a server."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import Tab
from sites import PICTURES

from awesome_cli.publish.site.server import open_server

Open = Callable[..., Tab]
MAIN = ("index.html", "map.html", "papers.html", "papers/puppeteer.html", "terms.html", "terms/sub_decision.stop.html")
MAIN += ("exclusions.html", "claims.html", "flow.html", "changes.html", "traces.html", "data.html")
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def cell(row: str, column: str) -> str:
    return f'#map button[data-row="{row}"][data-column="{column}"]'


# What passes is counted in the page: it names every node, and would be slow to carry over.
AXE = """(rules) => axe.run({runOnly: rules, preload: false}).then((found) => [
  found.violations.map((v) => [v.id, v.nodes.slice(0, 3).map((node) => String(node.target))]), found.passes.length])"""
# Days that could break at the end of a line, closed details included; code is not prose.
BROKEN = """() => Array.from(document.querySelectorAll('main, footer')).flatMap((part) => {
  const found = [], closed = Array.from(part.querySelectorAll('details:not([open])'));
  closed.forEach((one) => { one.open = true; });
  for (const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT); walk.nextNode();) {
    const { data, parentElement } = walk.currentNode;
    if (parentElement.closest('pre, code, svg, option')) continue;
    for (const day of data.matchAll(/\\d{4}-\\d\\d-\\d\\d/g)) {
      const range = new Range();
      range.setStart(walk.currentNode, day.index);
      range.setEnd(walk.currentNode, day.index + 10);
      const lines = new Set(Array.from(range.getClientRects(), (box) => box.top)).size;
      if (lines > 1 || getComputedStyle(parentElement).whiteSpace !== 'nowrap') found.push(data);
    }
  }
  closed.forEach((one) => { one.open = false; });
  return found;
})"""
# Long tables are narrowed by a query: axe looks at every node, and the rows are alike.
VIEWS = {
    "map.html": ("", "#rows=reward_family&columns=credit_unit&cell=shared,message"),
    "papers.html": ("#contested=strong", "#q=author%3Dnobody"),
    "exclusions.html": ("#near_miss=yes",),
}


def of_each_kind(site: Path) -> list[str]:
    """The pages of a site, of a folder's pages the smallest that is near the middle."""
    found = [path.name for path in sorted(site.glob("*.html"))]
    for folder in sorted({path.parent for path in site.glob("*/*.html")}):
        pages = sorted(folder.glob("*.html"), key=lambda path: path.stat().st_size)
        found.append(f"{folder.name}/{pages[len(pages) // 2].name}")
    return found


@pytest.mark.parametrize("half", [0, 1])
def test_every_kind_of_page_is_accessible_and_fits(site: Path, revised: Path, open_tab: Open, axe: str, half: int):
    """In both themes, on a phone and on a screen; no page is wider than its window.

    Every second page, so that two workers share them.
    """
    pages = [site / page for page in of_each_kind(site)] + [revised / "claims" / "sour-unmeasured.html"]
    # A colour on its way to that of the other theme is none of ours.
    tab, wrong = open_tab(site / "index.html", reduced_motion="reduce"), []
    for address in [page.as_uri() + view for page in pages for view in VIEWS.get(page.name, ("",))][half::2]:
        tab.page.goto("about:blank")
        tab.page.goto(address)
        tab.page.evaluate(axe)
        for width in (320, 375, 768, 1024, 1185, 1280):
            tab.page.set_viewport_size({"width": width, "height": 900})
            taken = tab.settle().page.evaluate("document.documentElement.scrollWidth")
            wrong += [(address, width, taken)] if taken > width else []
            broken = tab.page.evaluate(BROKEN) if width == 375 else []
            wrong += [(address, broken)] if broken else []
            # Only colours differ between the themes.
            for scheme, rules in (("light", WCAG), ("dark", ["color-contrast"])) if width in {375, 1280} else ():
                tab.page.emulate_media(color_scheme=scheme)
                told, passed = tab.settle().page.evaluate(AXE, rules)
                wrong += [(address, width, scheme, told)] if told or not passed else []
    assert wrong == []


def test_pictures_of_the_main_pages_are_kept(site: Path, open_tab: Open):
    PICTURES.mkdir(parents=True, exist_ok=True)
    tab = open_tab(site / "map.html")
    for name, width, height, scheme in (("desktop", 1360, 900, "light"), ("phone", 390, 844, "dark")):
        tab.page.set_viewport_size({"width": width, "height": height})
        tab.page.emulate_media(color_scheme=scheme)
        for page in MAIN:
            tab.page.goto((site / page).as_uri())
            target = PICTURES / f"{page.replace('/', '-').removesuffix('.html')}-{name}.png"
            tab.settle().page.screenshot(path=str(target))
            assert target.stat().st_size > 5000
    tab.page.emulate_media(color_scheme="light", media="print")
    tab.page.goto((site / "take-part.html").as_uri())
    assert tab.page.locator("#propose-text").is_hidden(), "paper has what is open, or marked for it"
    tab.page.evaluate("document.querySelectorAll('details').forEach(one => one.classList.add('print'))")
    assert tab.page.locator("#propose-text").is_visible()
    tab.page.emulate_media(media="screen")
    tab.page.goto((site / "map.html").as_uri())
    tab.page.pdf(path=str(PICTURES / "index-print.pdf"), format="A4")
    assert (PICTURES / "index-print.pdf").stat().st_size > 5000


@pytest.mark.smoke
def test_hostile_records_stay_text(hostile: Path, open_tab: Open):
    tab = open_tab(hostile / "map.html")
    own = tab.page.evaluate("document.scripts.length")
    for page in (
        "map.html",
        "papers.html#page=1",
        "papers/hostile.html",
        "terms/device.drip.html",
        "exclusions.html#page=1",
    ):
        tab.page.goto((hostile / "x").as_uri()[:-1] + page)
        tab.settle()
        assert tab.page.locator("main img, main script, main style, main b, main i").count() == 0
        bad = "Array.from(document.querySelectorAll('[href],[src]')).filter((e) => /^(javascript|data):/i.test(e.href || e.src)).length"
        assert tab.page.evaluate(bad) == 0
    assert own > 0
    tab.page.goto((hostile / "papers" / "hostile.html").as_uri())
    assert "<img src=x onerror=alert(1)>" in tab.text("h1")
    assert "{{ 7 * 7 }}" in tab.text("main")


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    """The address of the site on a server that runs until the tabs are closed."""
    server = open_server(site, 0, site.parent)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


def test_from_a_server(served: str, open_tab: Open):
    tab = open_tab(f"{served}map.html")
    tab.page.click(cell("stop", "trained"))
    assert "No paper" in tab.settle().text("#panel")
    assert all(url.startswith(served) for url in tab.requests)
    # Tools that rate pages ask for it from inside of the page.
    assert tab.page.evaluate("fetch('robots.txt').then((answer) => answer.ok)")


def test_the_flow_is_numbers_on_a_phone_and_a_picture_that_fits_elsewhere(site: Path, open_tab: Open):
    tab = open_tab(site / "flow.html", viewport={"width": 390, "height": 844})
    assert tab.page.locator(".drawing").is_hidden()
    assert tab.page.locator("table.cards").first.is_visible()
    tab.page.set_viewport_size({"width": 640, "height": 844})
    drawn = tab.page.locator(".drawing svg").bounding_box()
    assert drawn is not None
    assert drawn["x"] + drawn["width"] <= 640
    assert drawn["height"] < drawn["width"] * 1.5


@pytest.mark.parametrize("name", ["flow.html", "flow.svg"])
def test_the_flow_is_dark_on_a_dark_screen(site: Path, open_tab: Open, name: str):
    paper = {}
    for scheme in ("light", "dark"):
        tab = open_tab(site / name, color_scheme=scheme)
        paper[scheme] = tab.page.evaluate("getComputedStyle(document.querySelector('svg .paper')).fill")
    assert paper["light"] == "rgb(255, 255, 255)"
    assert max(int(part) for part in paper["dark"][4:-1].split(",")) < 64
