"""What the pages say is so: they are generated, or what they show is done, and their links lead somewhere."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import generated_tables
import pytest
from blocks import PLAYED, READ, blocks, play, steps, told
from browser import tab
from docs_pages import cli_page, commands, formats_page, rules_page
from pages import ADDRESS, anchors, links
from pointers import modules
from pydantic import ValidationError
from reference_pages import lists_page, schemas_page
from serving import Reply, Service
from stages import ATOM, place, program
from tiers import sampled

from awesome_cli.analysis import glossary
from awesome_cli.files import yaml_reading
from awesome_cli.model.audits import Audit
from awesome_cli.model.claims import Claims
from awesome_cli.model.manuscript import Manuscript
from awesome_cli.model.protocol import Protocol
from awesome_cli.model.records import KINDS
from awesome_cli.model.screenings import Screenings
from awesome_cli.model.searches import Searches, SearchRun
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.publish.schemas import SCHEMAS, schema_text
from awesome_cli.sources import SERVICES
from awesome_cli.traces.usage import Prices

GENERATED = {
    "cli.md": cli_page,
    "rules.md": rules_page,
    "formats.md": formats_page,
    "schemas.md": schemas_page,
    "reference.md": lists_page,
}


SHAPES = KINDS | {
    "audit": Audit,
    "claims": Claims,
    "protocol": Protocol,
    "taxonomy": Taxonomy,
    "manuscript": Manuscript,
}
SHAPES |= {"search": Searches, "run": SearchRun, "screenings": Screenings, "prices": Prices}
"""What reads a file of each kind."""
QUICK = [page for page in PLAYED if page.name == "screening.md"]
UNKNOWN = {"unknown": "a field that no file has"}


@pytest.mark.parametrize("name", GENERATED)
def test_generated_pages_are_current(name: str, repository: Path, updating: bool):
    path, text = repository / "docs" / name, GENERATED[name]()
    if updating:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "run: make golden"


def test_the_index_lists_the_decisions(repository: Path, updating: bool):
    pages = sorted((repository / "docs" / "decisions").glob("*.md"))
    titles = [page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ").partition(". ") for page in pages]
    rows = [(str(n), f"[{title}](decisions/{page.name})") for (n, _, title), page in zip(titles, pages, strict=True)]
    header = ("number", "decision")
    generated_tables.check(repository / "docs" / "index.md", "decisions", header, rows, update=updating)


def test_every_field_of_a_file_has_a_meaning():
    """Traces have their own page."""
    schemas = [json.loads(schema_text(kind, None)) for kind in SCHEMAS if kind != "trace"]
    shapes = [*schemas, *(shape for schema in schemas for shape in schema["$defs"].values())]
    fields = [(name, field) for shape in shapes for name, field in shape.get("properties", {}).items()]
    assert fields
    assert [name for name, field in fields if not field.get("description")] == []


def test_every_environment_variable_is_on_the_page():
    read = {name for path in modules() for name in re.findall(r"\bAWESOME_[A-Z_]+\b", path.read_text(encoding="utf-8"))}
    listed = {name for names, _ in glossary.VARIABLES for name in names.split(", ")}
    assert read - {service.variable for service in SERVICES} == {n for n in listed if n.startswith("AWESOME_")}


@pytest.mark.parametrize(("name", "command"), sorted(commands().items()))
def test_every_command_has_help_with_an_example(name: str, command):
    assert command.help
    assert f"awesome {name}" in command.help, f"the help of {name!r} has no example"
    for parameter in command.params:
        assert getattr(parameter, "help", None), f"{name}: {parameter.name} has no help"


def test_every_block_is_run_or_says_why_not(repository: Path):
    """Languages that no shell reads are data: a page says what becomes of them."""
    own = {page: told(page, "run by") for page in READ}
    assert [test for test in own.values() if test and not (repository / test).is_file()] == []
    assert [block.place for page in READ if not own[page] for block in blocks(page) if not block.checked] == []


@pytest.mark.parametrize("page", sampled(PLAYED, *QUICK), ids=lambda page: page.name)
def test_a_page_does_what_it_shows(page: Path, tmp_path: Path, service: Service, repository: Path):
    """Where it is to be done, the page says itself; arXiv is asked on loopback."""
    service.routes["/arxiv"] = Reply(ATOM)
    play(steps(page), place(page, tmp_path), program(page, tmp_path))


def test_examples_have_the_shape_of_their_files():
    """A part of a file lacks fields; what it has must be as its schema says."""
    shaped = [block for page in READ for block in blocks(page) if block.note.startswith("valid: ")]
    assert shaped
    for block in shaped:
        with pytest.raises(ValidationError) as told:
            SHAPES[block.note.removeprefix("valid: ")].model_validate(
                yaml_reading.read(block.text.encode())[0] | UNKNOWN
            )
        assert [e for e in told.value.errors() if e["type"] != "missing" and e["loc"] != ("unknown",)] == [], (
            block.place
        )


@pytest.mark.parametrize("page", READ, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path):
    """A relative link leads to a file and, if it names one, to a heading; any other is an https address."""
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            assert ADDRESS.fullmatch(link), f"{page.name}: {link}"
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), f"{page.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{page.name}: {link}"


def test_the_index_names_every_page(repository: Path):
    index = repository / "docs" / "index.md"
    named = {(index.parent / link).resolve() for link in links(index) if link.endswith(".md")}
    beside = {repository / name for name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")}
    assert named == {*(repository / "docs").rglob("*.md"), *beside} - {index}


@pytest.fixture(scope="module")
def manual(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built manual; any warning is an error."""
    pytest.importorskip("sphinx", reason="the group docs is not installed")
    folder = tmp_path_factory.mktemp("manual")
    words = ["-q", "-W", "--keep-going", "-c", "docs", "-d", str(folder / "trees"), ".", str(folder / "pages")]
    command = [sys.executable, "-m", "sphinx", *words]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "pages"


@pytest.mark.slow
def test_the_manual_asks_nothing_of_others_and_names_no_machine(manual: Path, repository: Path):
    pages = list(manual.rglob("*.html"))
    assert pages
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert re.findall(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?//[^"]*', text) == [], page
        assert str(repository) not in text, page


def test_the_manual_is_searched_without_a_network_also_on_a_phone(manual: Path, chromium: Any):
    with tab(chromium, viewport={"width": 390, "height": 900}) as opened:
        opened.page.goto(f"{(manual / 'search.html').as_uri()}?q=near-miss")
        opened.page.wait_for_selector("#search-results li a")
        assert "The ideas" in opened.text("#search-results")
        opened.open(manual / "docs" / "schemas.html")
        assert opened.page.evaluate("document.documentElement.scrollWidth") == 390
        assert [url for url in opened.requests if not url.startswith("file:")] == []
