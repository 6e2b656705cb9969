"""A real Chromium for pages: Debian's package, driven over its own protocol, without a network of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from needs import program

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def required() -> str:
    """The path of a Chromium; where there is none the test is skipped, or fails under REQUIRE_ALL=1."""
    return program("chromium", *NAMES)


@dataclass
class Tab:
    """A page, with everything that it asked for and complained about."""

    page: Any
    requests: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)

    def open(self, path: Path) -> "Tab":
        """Load a local file and wait until it is drawn."""
        self.page.goto(path.as_uri())
        return self.settle()

    def settle(self) -> "Tab":
        """Wait until what was asked for is on the screen."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return self

    def press(self, *keys: str) -> "Tab":
        for key in keys:
            self.page.keyboard.press(key)
        return self.settle()

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))


@contextmanager
def launched(executable: str) -> Iterator[Any]:
    """A browser with a profile of its own, gone afterwards."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def tab(browser: Any, **options: Any) -> Iterator[Tab]:
    """A tab that shares nothing with other tabs; `options` are Playwright's for a context."""
    context = browser.new_context(**options)
    page = context.new_page()
    opened = Tab(page)
    page.on("request", lambda request: opened.requests.append(request.url))
    page.on("console", lambda message: opened.console.append(message.text))
    page.on("pageerror", lambda error: opened.console.append(str(error)))
    try:
        yield opened
    finally:
        context.close()
