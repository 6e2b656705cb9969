"""Traces as pages."""

from pathlib import Path

import pytest


@pytest.fixture
def written(tmp_path: Path):
    """Write a trace's page to a file."""
    from awesome_cli.publish import shipped
    from awesome_cli.traces.views import page, timeline

    sheet = (shipped() / "site/assets/site.css").read_text(encoding="utf-8")

    def write(trace) -> Path:
        path = tmp_path / "page.html"
        path.write_text(page.render(timeline.timeline(trace), sheet=sheet), encoding="utf-8")
        return path

    return write
