"""A warm process that forks the command line, and a survey on which every command has something to do."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import grown
from crema import FEED, WORK
from forking import Driver
from serving import Reply, serving

from awesome_cli.sources import SERVICES


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """The warm process; registries on loopback know one work."""
    scratch = tmp_path_factory.mktemp("driver")
    with serving() as service:
        service.routes["/arxiv"] = Reply(FEED.format(more="").encode())
        for name in "xy":
            work = {**WORK, "DOI": f"10.1000/{name}", **({"title": ["Grinding by hand"]} if name == "y" else {})}
            service.routes[f"/crossref/works/10.1000%2F{name}"] = Reply(json.dumps({"message": work}).encode())
        variables = (known.variable for known in SERVICES if known.variable)
        environment = {name: f"{service.url}/{name.split('_')[1].lower()}" for name in variables}
        environment |= {
            "AWESOME_CACHE_DIR": str(scratch / "cache"),
            "AWESOME_HTTP_DELAY": "0",
            "AWESOME_TRUSTED": service.url,
            "EDITOR": "sed -i s/Pressing/Press/",
            "HOME": str(scratch),
            "SOURCE_DATE_EPOCH": "1790000000",
        }
        made = Driver(scratch, environment)
        yield made
        made.close()


@pytest.fixture(scope="session")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that each try copies: files to read, and a survey in `survey`."""
    folder = tmp_path_factory.mktemp("case")
    grown(folder)
    return folder
