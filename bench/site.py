"""The site: what its pages weigh, what building 5,000 papers takes, how soon their pages answer in a real browser."""

import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish.site import pages
from awesome_cli.publish.site.page import write_pages
from awesome_cli.survey.loading import load_corpus
from bench.synthetic import write_survey
from bench.timing import AWESOME, ROOT, Row, process

sys.path.insert(0, str(ROOT / "tests"))
PAPERS, EXCLUSIONS = 5_000, 1_000
KB = 1_000
SHIPPED, LARGE, BUILT, AGAIN, INTERACTIVE, SEARCHED = 200.0, 400.0, 20.0, 2.0, 1.0, 0.1
"""Limits: a first load in kB, shipped and of 5,000 papers; building, once more, a page and a search in seconds."""
PART = re.compile(r'(?:src|href)="([^"#:]+\.(?:js|css|svg))"')
READY = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd / 1000"
SEARCH = """() => new Promise((done) => { const start = performance.now();
const found = document.querySelector('#count');
new MutationObserver(() => done((performance.now() - start) / 1000)).observe(found, {childList: true, subtree: true});
document.querySelector('#q').value = 'counterfactual credit'; document.querySelector('#search').requestSubmit(); })"""
PAUSE = 500
"""Milliseconds after which a person asks something of an open page."""
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
        write_survey(home / "survey", PAPERS, EXCLUSIONS)
        command = [*AWESOME, "-C", str(home / "survey"), "site", "build", "--out", str(home / "large")]
        built, again = process(command), process(command)
        start = time.process_time()
        load_corpus(WorkingTree(home / "survey"), candidates=True, evidence=True)
        load = time.process_time() - start
        build(ROOT, home / "shipped")
        return [
            *_weights("the shipped corpus", home / "shipped", SHIPPED),
            *_weights(f"{PAPERS} papers", home / "large", LARGE),
            Row(f"site build, {PAPERS} papers", built, BUILT, 1.0),
            Row(f"site build, {PAPERS} papers, against loading them", built, load, 9.0),
            Row(f"site build, {PAPERS} papers, nothing changed", again, AGAIN, 1.0),
            *_in_browser(home / "large"),
        ]


def _weights(name: str, site: Path, limit: float) -> Iterator[Row]:
    """Yield the bytes of a page of each kind and of the files that it names; of a folder's pages, the largest."""
    folders = {path.parent for path in site.glob("*/*.html")}
    largest = (max(folder.glob("*.html"), key=lambda path: path.stat().st_size) for folder in folders)
    for page in sorted({*site.glob("*.html"), *largest}):
        parts = {page, *((page.parent / part).resolve() for part in PART.findall(page.read_text(encoding="utf-8")))}
        weight = sum(part.stat().st_size for part in parts) / KB
        yield Row(f"first load of {page.relative_to(site)}, {name}", weight, limit, 1.0, "kB")


def _in_browser(site: Path) -> list[Row]:
    import browser

    executable = next(filter(None, map(shutil.which, browser.NAMES)), None)
    if executable is None:
        return []
    from playwright.sync_api import sync_playwright

    rows = []
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=executable, args=list(browser.FLAGS))
        for name, act, limit in (("map.html", FILTER, INTERACTIVE), ("papers.html", SEARCH, SEARCHED)):
            ready, answer = [], []
            for _ in range(5):
                page = chromium.new_page()
                page.goto((site / name).as_uri())
                ready.append(page.evaluate(READY))
                page.wait_for_timeout(PAUSE)
                answer.append(page.evaluate(act))
                page.close()
            rows.append(Row(f"{name} with {PAPERS} papers, interactive", sorted(ready)[2], INTERACTIVE, 1.0))
            rows.append(Row(f"{name} with {PAPERS} papers, answer", sorted(answer)[2], limit, 1.0))
        chromium.close()
    return rows
