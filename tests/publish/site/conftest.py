"""Built sites and a browser that looks at them."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import browser
import packages
import pytest
from builders import COFFEE, CONTESTED
from claiming import revised_survey
from sites import built, hostile_survey


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    """The site of the shipped survey, as of the day when its published codings had been contested."""
    return built(repository, tmp_path_factory.mktemp("site"), CONTESTED)


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the hostile survey."""
    folder = tmp_path_factory.mktemp("hostile")
    return built(hostile_survey(folder / "survey"), folder / "site")


@pytest.fixture(scope="session")
def revised(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a coffee survey with a revised claim."""
    folder = tmp_path_factory.mktemp("revised")
    shutil.copytree(COFFEE, folder / "survey")
    return built(revised_survey(folder / "survey"), folder / "site")


@pytest.fixture
def open_tab(chromium: Any) -> Iterator[Callable[..., browser.Tab]]:
    """Open a page in a fresh context; at the end nothing may have complained or asked the network for anything."""
    tabs: list[browser.Tab] = []

    def start(address: str | Path, **context: object) -> browser.Tab:
        page = chromium.new_context(**context).new_page()
        page.set_default_timeout(10_000)
        tab = browser.Tab(page)
        tabs.append(tab)
        page.on("request", lambda request: tab.requests.append(request.url))
        page.on("console", lambda message: tab.console.append(message.text))
        page.on("pageerror", lambda error: tab.console.append(str(error)))
        page.goto(address.as_uri() if isinstance(address, Path) else address)
        # Without scripts nothing is drawn later, and waiting for a frame would take for ever.
        return tab if context.get("java_script_enabled") is False else tab.settle()

    yield start
    for tab in tabs:
        tab.page.context.close()
        assert tab.console == []
        assert [url for url in tab.requests if not url.startswith(("file:", "about:", "http://127.0.0.1:"))] == []


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core."""
    return (packages.installed("axe-core") / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def validator() -> Path:
    """The command of html-validate."""
    return packages.installed("html-validate") / "bin" / "html-validate.mjs"
