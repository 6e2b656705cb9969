"""A browser for pages; Debian's Chromium is installed where that is possible."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import launched, required


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A running Chromium; without one the test is skipped, or fails under REQUIRE_ALL=1."""
    with launched(required()) as browser:
        yield browser


@pytest.fixture
def written(tmp_path: Path):
    """Write a trace's page to a file."""
    from awesome_cli.traces.views import page, timeline

    def write(trace) -> Path:
        path = tmp_path / "page.html"
        path.write_text(page.render(timeline.timeline(trace)), encoding="utf-8")
        return path

    return write
