"""Words that all tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import Service, serving

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A server on loopback that is trusted and asked without delay; the cache is the test's own."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWESOME_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("AWESOME_HTTP_DELAY", "0")
    with serving() as running:
        monkeypatch.setenv("AWESOME_TRUSTED", running.url)
        yield running
