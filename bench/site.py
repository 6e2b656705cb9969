"""The site: the weight of its first page, and how soon pages of 5,000 papers answer in a real browser."""

import sys
import tempfile
from pathlib import Path

from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish.site import pages
from awesome_cli.publish.site.page import write_pages
from awesome_cli.survey.loading import load_corpus
from bench.synthetic import write_survey
from bench.timing import ROOT, Row, best

sys.path.insert(0, str(ROOT / "tests"))
PAPERS, EXCLUSIONS = 5_000, 1_000
KILOBYTE = 1_000
FIRST_PAGE, INTERACTIVE = 300.0, 1.0
PARTS = ("index.html", "assets/site.css", "assets/icon.svg", "data/survey.js", "data/papers.js")
PARTS += tuple(f"assets/{name}.js" for name in ("gaps", "criteria", "query", "view", "panel", "map"))
READY = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd / 1000"
SEARCH = """() => { const start = performance.now(); const box = document.querySelector('#q');
box.value = 'text~"counterfactual credit" year>=2025'; document.querySelector('#search').requestSubmit();
return (performance.now() - start) / 1000; }"""
FILTER = """() => { const start = performance.now(); const field = document.querySelector('[name=contested]');
field.value = 'yes'; field.dispatchEvent(new Event('change', {bubbles: true}));
return (performance.now() - start) / 1000; }"""


def build(root: Path, out: Path) -> None:
    """Load a survey and write its site."""
    write_pages(pages(load_corpus(WorkingTree(root), candidates=True, evidence=True), root), out)


def run() -> list[Row]:
    """Rows of measurements; those in a browser are missing where there is none."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        build(ROOT, home / "shipped")
        weight = sum((home / "shipped" / part).stat().st_size for part in PARTS) / KILOBYTE
        rows = [Row("first page of the shipped corpus", weight, FIRST_PAGE, 1.0, "kB")]
        write_survey(home / "survey", PAPERS, EXCLUSIONS)
        load = best(lambda: load_corpus(WorkingTree(home / "survey"), candidates=True, evidence=True), runs=1)
        whole = best(lambda: build(home / "survey", home / "large"), runs=1)
        rows.append(Row(f"site build, {PAPERS} papers, against loading them", whole, load, 30.0))
        return [*rows, *_in_browser(home / "large")]


def _in_browser(site: Path) -> list[Row]:
    import browser

    executable = browser.find()
    if executable is None:
        return []
    from playwright.sync_api import sync_playwright

    rows = []
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=executable, args=list(browser.FLAGS))
        for name, act in (("index.html", FILTER), ("papers.html", SEARCH)):
            ready, answer = [], []
            for _ in range(5):
                page = chromium.new_page()
                page.goto((site / name).as_uri())
                ready.append(page.evaluate(READY))
                answer.append(page.evaluate(act))
                page.close()
            rows.append(Row(f"{name} with {PAPERS} papers, interactive", sorted(ready)[2], INTERACTIVE, 1.0))
            rows.append(Row(f"{name} with {PAPERS} papers, answer", sorted(answer)[2], INTERACTIVE, 1.0))
        chromium.close()
    return rows
