"""A warm process that forks the command line, and a survey on which every command has something to do."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import grown
from forking import Driver
from serving import Reply, serving

from awesome_cli.sources import SERVICES

FEED = """<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom"
 xmlns="http://www.w3.org/2005/Atom"><opensearch:totalResults>1</opensearch:totalResults><entry>
<id>http://arxiv.org/abs/2301.00001v4</id><title>Crema: On Foam</title><updated>2024-01-01T00:00:00Z</updated>
<published>2023-01-01T00:00:00Z</published><author><name>Ada Bean</name></author><author><name>Bo Li</name></author>
<arxiv:doi>10.1000/x</arxiv:doi></entry></feed>"""
WORK = {"DOI": "10.1000/x", "title": ["Crema: On Foam"], "issued": {"date-parts": [[2024]]}, "type": "journal-article",
        "author": [{"family": "Bean", "given": "Ada"}, {"family": "Li", "given": "Bo"}],
        "container-title": ["Journal of Foam"]}  # fmt: skip


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """The warm process; registries on loopback know one work."""
    scratch = tmp_path_factory.mktemp("driver")
    with serving() as service:
        service.routes["/arxiv"] = Reply(FEED.encode())
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
