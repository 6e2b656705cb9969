"""The survey on which the table of verbs is asked."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import PROXIES, serving
from verb_table import grow

from awesome_cli.sources import SERVICES
from awesome_cli.system import network


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The survey of the table of verbs; services on loopback know nothing."""
    root = tmp_path_factory.mktemp("answers") / "coffee"
    with pytest.MonkeyPatch.context() as patch, serving() as running:
        for name in PROXIES:
            patch.delenv(name, raising=False)
        patch.setenv("AWESOME_CACHE_DIR", str(root.parent / "cache"))
        patch.setenv("AWESOME_HTTP_DELAY", "0")
        patch.setattr(network, "SLOW_HOSTS", {})
        patch.setenv("AWESOME_TRUSTED", running.url)
        patch.setenv("SOURCE_DATE_EPOCH", "1790000000")
        for known in filter(lambda known: known.variable, SERVICES):
            patch.setenv(known.variable, running.url)
        grow(root)
        siphon = root / "corpus" / "siphon2019.yaml"
        siphon.write_text(siphon.read_text().replace("https://openreview.net/forum", f"{running.url}/forum"))
        yield root
