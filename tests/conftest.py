"""Words that all tests share."""

import os
import shutil
import signal
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from browser import launched, required
from builders import COFFEE, CONTESTED, PUBLISHED, REPOSITORY
from running import Result, invoke, run_git
from serving import PROXIES, Service, serving

from awesome_cli.cli.main import tune
from awesome_cli.files.tree import WorkingTree
from awesome_cli.files.writing import HIDDEN
from awesome_cli.sources import SERVICES, openalex
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus
from awesome_cli.system import network

HERE = Path(__file__).parent
tune()  # as the command does
BUILDING = {"wheel", "registry"}
"""Modules whose importers build the wheel."""
# `make test` draws the same few examples each time, so that it fails for the code alone and within minutes. `make test-slow`
# draws many others each time: it is the one that finds new faults. Neither limits the time of an example, which
# depends on the machine.
hypothesis.settings.register_profile("short", max_examples=20, derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("long", max_examples=1000, deadline=None)
hypothesis.settings.load_profile("short")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite golden files and generated pages")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark each test by its fixtures: it reads the shipped survey, is slow, or rewrites generated files.

    A test in a browser or with a tool from npm is slow unless it carries `smoke`.
    """
    if config.getoption("--update-golden"):
        items[:] = [item for item in items if "updating" in getattr(item, "fixturenames", ())]
    for item in items:
        asked = set(getattr(item, "fixturenames", ()))
        if "repository" in asked:
            item.add_marker("survey")
        if any(getattr(one, "__module__", "") in BUILDING for one in vars(item.module).values()):
            item.add_marker("source")
        if asked & {"chromium", "axe", "validator", "awesome_lint"} and not item.get_closest_marker("smoke"):
            item.add_marker("slow")
    # The browser's driver keeps an event loop running, in which no prompt can be tested: what needs it comes last.
    # What runs for minutes comes first, so that no worker is left alone with it at the end.
    items.sort(key=lambda item: ("chromium" in getattr(item, "fixturenames", ())) - ("long" in item.keywords))


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing is read from or written to the cache of the user."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWESOME_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where nothing may be skipped, a skip is a failure that says why."""
    report = yield
    if report.skipped and os.environ.get("REQUIRE_ALL"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and REQUIRE_ALL is set: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def repository() -> Path:
    """The checkout: the shipped survey and the code. What asks for it carries the marker `survey`."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shipped(repository: Path) -> Corpus:
    """The shipped survey as it is today: what a test says of it must hold for any state of it."""
    return load_corpus(WorkingTree(repository), candidates=True, evidence=True)


@pytest.fixture(scope="session")
def published(shipped: Corpus) -> Corpus:
    """The shipped survey as of the day of the published figures; it has no candidates."""
    return shipped.as_of(PUBLISHED)


@pytest.fixture(scope="session")
def contested(shipped: Corpus) -> Corpus:
    """The shipped survey as of the day when the published codings of stopping had been contested."""
    return shipped.as_of(CONTESTED)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A running browser, one for all tests of a session; each tab has a context of its own."""
    with launched(required()) as browser:
        yield browser


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the coffee survey, to be changed at will."""
    target = tmp_path / "coffee"
    shutil.copytree(COFFEE, target, ignore=shutil.ignore_patterns(HIDDEN))
    return target


@pytest.fixture
def git() -> Callable[..., str]:
    """Run git in a folder; real git, without the user's settings."""
    return run_git


@pytest.fixture
def git_root(root: Path, git: Callable[..., str]) -> Path:
    """The coffee survey under git, with one commit."""
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "The survey")
    return root


@pytest.fixture
def run() -> Callable[..., Result]:
    """Run the command line; a wrong exit code fails with everything that was printed."""
    return invoke


@pytest.fixture(scope="session")
def updating(request: pytest.FixtureRequest) -> bool:
    """Whether what is generated is rewritten; `make golden` runs the tests that ask for it, and no others."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture
def golden(updating: bool) -> Callable[[str, str], None]:
    """Compare with a file under tests/golden; --update-golden rewrites it."""

    def compare(name: str, actual: str) -> None:
        path = HERE / "golden" / name
        if updating:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(actual, encoding="utf-8")
        expected = path.read_text(encoding="utf-8") if path.is_file() else ""
        assert actual == expected, f"{name} differs; after reading the difference run: make golden"

    return compare


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Processes started by the test end at SIGINT, also where the suite runs in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A server on loopback, trusted and asked without delay, with a folder for each service; the cache is the test's own."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWESOME_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("AWESOME_HTTP_DELAY", "0")
    monkeypatch.setattr(network, "SLOW_HOSTS", {})
    with serving() as running:
        monkeypatch.setenv("AWESOME_TRUSTED", running.url)
        for known in filter(lambda known: known.variable, SERVICES):
            monkeypatch.setenv(known.variable, f"{running.url}/{known.variable.split('_')[1].lower()}")
        monkeypatch.setenv(openalex.VARIABLE, f"{running.url}/openalex")
        yield running
