"""A real Chromium for pages: Debian's package, driven over its own protocol, without a network of its own."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


def find() -> str | None:
    """The path of a Chromium; as root on Debian it is installed where it is missing."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {"check": False, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": 600}
        subprocess.run(["apt-get", "update"], **quiet)
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", "chromium"], **quiet)
        found = shutil.which("chromium")
    return found


@dataclass
class Tab:
    """A page, with everything that it asked for and complained about."""

    page: Any
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

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
def tab(executable: str, profile: Path, **context: Any) -> Iterator[Tab]:
    """A tab in a browser with a new profile; `context` is what Playwright calls a context's options."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch_persistent_context(
            str(profile), executable_path=executable, args=list(FLAGS), **context
        )
        page = browser.new_page()
        opened = Tab(page)
        page.on("request", lambda request: opened.requests.append(request.url))
        page.on("console", lambda message: opened.complaints.append(message.text))
        page.on("pageerror", lambda error: opened.complaints.append(str(error)))
        try:
            yield opened
        finally:
            browser.close()
