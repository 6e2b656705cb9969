"""Surveys in which something else stands where a file or a folder is expected: every command ends, and stays inside."""

import os
import shlex
import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from builders import COFFEE_ANSWER, COFFEE_PROTOCOL, EXAMPLES
from docs_pages import commands
from running import invoke
from tiers import sampled
from verb_table import commit, grow, shortest

SECONDS = 30
"""How long a command may take; what waits for a pipe takes for ever."""
SECRET = "quicksilver"
READING = """
audit code drip2021 --with cat --texts texts --dry-run
audit sample --n 2
dedupe --against entries.bib
diff
export bibtex
export bibtex --out papers.bib
export artifact --out figures
export screening --out figures
flow --format svg --out flow.svg
help
list --kind candidate
plot gaps --out figures
refresh --offline --dry-run
render --check
schema paper
screen simulate labelled.csv --order random --plot recall.svg
site build --dry-run
search --explain
trace check traces
trace export otel traces/rich-v2.json --out spans.json
trace import traces --out imported.json
trace metrics traces --out rows.csv
trace rows traces --out decisions.csv
trace show traces/rich-v2.json --html run.html
"""
"""What reads besides the table of verbs: mostly into files that a person names."""
WRITING = """
render
paper build
plot --readme
site build
add --set title="Cold drip" --set year=2026 --tag device=cold
admit salt2026
audit code drip2021 --with "cat answer.json" --name third --texts texts --out answers.jsonl
audit import sheet.csv --blind
changelog HEAD~1..HEAD --atom feed.xml
edit drip2021
exclude aero2020 --stage abstract --reason tea
fmt
import entries.bib --report report.json
issue apply sent.md
link drip2021 --version-of siphon2019
readmit X1
refresh drip2021 --offline
screen --apply
search --offline
set drip2021 year=2022
tag drip2021 beans=arabica
taxonomy deprecate device=siphon --use press
taxonomy merge taste=sour,sweet --into sweet
taxonomy migrate
taxonomy rename beans=arabica typica
taxonomy split device=drip kettle cone
template copy readme/papers.md.j2
init --upgrade
rename drip2021 drops2021
remove soup2022
recover --dry-run
recover --undo
init .
"""
TABLE = [f"{line.format(traces='traces')} --offline --format json" for line in shortest()]
COMMANDS = [*TABLE, *filter(None, (READING + WRITING).splitlines())]
NEVER_ENDS = {"site serve"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Path:
    """A survey under git that has every kind of file, all of them as they should be."""
    root = tmp_path_factory.mktemp("whole") / "coffee"
    grow(root)
    (root / "protocol.yaml").write_text(COFFEE_PROTOCOL)
    (root / "answer.json").write_text(COFFEE_ANSWER)
    (root / "traces").mkdir()
    for name in ("minimal-v1.json", "rich-v2.json", "violations-v2.json"):
        shutil.copy(EXAMPLES / name, root / "traces")
    shutil.copytree(repository / "templates" / "readme", root / "templates" / "readme")
    shutil.copytree(repository / "templates" / "site" / "assets", root / "templates" / "site" / "assets")
    invoke("render", root=root)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        invoke("plot", "--readme", root=root)
        invoke("site", "build", root=root)
    commit(root, "A protocol, traces, a site")
    return root


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder outside of the survey, with files of all names that a survey has."""
    folder = tmp_path / "outside"
    (folder / "deep").mkdir(parents=True)
    record = f"title: {SECRET}\nadded: 2026-01-01\n"
    texts = {
        "drip2021.yaml": record,
        "secret.yaml": record,
        "pages.txt": "index.html\n",
        "index.html": SECRET,
        "plan.json": "{}",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder


@dataclass(frozen=True)
class Fault:
    """What stands at a path of a survey."""

    name: str
    make: Callable[[Path], None]

    def put(self, root: Path) -> None:
        """Put it in the place of what is there."""
        path = root / self.name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        self.make(path)


def pipe(name: str) -> Fault:
    """A pipe that nobody writes to."""
    return Fault(name, os.mkfifo)


def link(name: str, target: str) -> Fault:
    """A link, `target` relative to the folder in which the survey lies."""
    up = "../" * (name.count("/") + 1)
    return Fault(name, lambda path: path.symlink_to(target if target.startswith("/") else up + target))


def text(name: str, content: str) -> Fault:
    """A file."""
    return Fault(name, lambda path: path.write_text(content) and None)


def folder(name: str) -> Fault:
    """A folder in place of a file."""
    return Fault(name, lambda path: path.mkdir())


def large(name: str) -> Fault:
    """A file larger than the memory: a hole."""

    def make(path: Path) -> None:
        with path.open("wb") as file:
            file.truncate(1 << 40)

    return Fault(name, make)


ZERO = "/dev/zero"
STRANGE = "../outside/secret.yaml\n/etc/none\nout/secret.yaml\na\0b\na\0/b\n.\n\npapers\n" + "x" * 5000 + "\n"
# Faults that do not hide each other share a survey.
NAMED: dict[str, tuple[Fault, ...]] = {
    "the records are a file": (text("corpus", "x"), link("docs/pictures/gaps-light.svg", "outside/gone.svg")),
    "the records are a pipe": (pipe("corpus"), link("docs", "outside")),
    "the records lead out": (link("corpus", "outside"), link("templates", "outside")),
    "the records lead to themselves": (link("corpus", "coffee/corpus"), pipe("templates/site/assets/map.js")),
    "other folders": (link("exclusions", "outside"), text("candidates", "x"), link("audits", "outside")),
    "single records": (
        pipe("corpus/pipe2020.yaml"),
        folder("corpus/folder2020.yaml"),
        link("corpus/drip2021.yaml", "outside/drip2021.yaml"),
        link("corpus/zero2020.yaml", ZERO),
        link("corpus/circle2020.yaml", "coffee/corpus/circle2020.yaml"),
        link("corpus/config2020.yaml", "coffee/.git/config"),
        large("exclusions/large2020.yaml"),
    ),
    "the taxonomy is a folder": (folder("taxonomy.yaml"),),
    "the taxonomy is a pipe": (pipe("taxonomy.yaml"),),
    "the taxonomy leads out": (link("taxonomy.yaml", "outside/secret.yaml"),),
    "the claims are a device": (link("claims.yaml", ZERO), pipe("protocol.yaml"), pipe("audits/second.yaml")),
    "the claims are a folder": (folder("claims.yaml"), link("protocol.yaml", "outside/secret.yaml")),
    "the README is a pipe": (pipe("README.md"),),
    "the README is a folder": (folder("README.md"), pipe("templates/readme/papers.md.j2")),
    "the README leads out": (link("README.md", "outside/secret.yaml"),),
    "the README leads nowhere": (link("README.md", "outside/gone"),),
    "the statistics lead out": (link("statistics.json", "outside/secret.yaml"), pipe("traces/rich-v2.json")),
    "the statistics lead to a new file": (link("statistics.json", "outside/gone.json"), link("traces", "outside")),
    "the statistics lead into .git": (link("statistics.json", "coffee/.git/config"), pipe("traces/agent-run.jsonl")),
    "the statistics are a pipe": (pipe("statistics.json"), link("traces/rich-v2.json", "outside/secret.yaml")),
    "the pictures lead out": (link("docs/pictures", "outside"),),
    "a template is a pipe": (pipe("templates/readme/papers.md.j2"),),
    "a template leads out": (link("templates/readme/papers.md.j2", "outside/secret.yaml"),),
    "a script of the site leads out": (link("templates/site/assets/map.js", "outside/secret.yaml"),),
}
"""What `validate` names."""
REFUSED: dict[str, tuple[Fault, ...]] = {
    "the log of the vocabulary leads out": (link("migrations.yaml", "outside/secret.yaml"), link("_site", "outside")),
    "the site leads to the records": (text("corpus/pages.txt", "drip2021.yaml\n"), link("_site", "coffee/corpus")),
    "an open plan leads out": (link(".awesome/plan", "outside"),),
    "an open plan is a pipe": (pipe(".awesome/plan/plan.json"),),
    "the site is a pipe": (pipe("_site"), link(".awesome/lock", "outside/secret.yaml")),
    "a page leads out": (link("_site/index.html", "outside/index.html"), link(".awesome", "outside")),
    "a page leads to a record": (
        link("_site/index.html", "coffee/corpus/drip2021.yaml"),
        link(".awesome/edit-drip2021.yaml", "outside/secret.yaml"),
    ),
    "a page is a pipe": (pipe("_site/index.html"), pipe(".awesome/edit-drip2021.yaml")),
    "a folder of pages leads out": (link("_site/assets", "outside"), folder(".awesome/lock")),
    "the list of pages leads out": (link("_site/pages.txt", "outside/gone.txt"),),
    "the list of pages is a pipe": (pipe("_site/pages.txt"),),
    "the list of pages has strange lines": (text("_site/pages.txt", STRANGE), link("_site/out", "outside")),
    "what a person names leads out": (
        link("papers.bib", "outside/secret.yaml"),
        link("figures", "outside"),
        link("entries.bib", "outside/secret.yaml"),
        link("texts", "outside"),
        *(
            link(name, f"outside/gone-{name}")
            for name in ("feed.xml", "run.html", "rows.csv", "report.json", "recall.svg")
        ),
    ),
    "what a person names is a pipe": (
        pipe("papers.bib"),
        pipe("entries.bib"),
        pipe("labelled.csv"),
        pipe("texts/drip2021.txt"),
    ),
}
"""What the commands refuse that would read or write it."""


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    """What is in a folder: when each thing was changed, and its bytes."""
    found = sorted(path for path in folder.rglob("*"))
    return {str(p): (p.lstat().st_mtime_ns, p.read_bytes() if p.is_file() else b"") for p in (folder, *found)}


class TooLongError(BaseException):
    """A command did not end in time."""


@pytest.fixture
def in_time() -> Iterator[Callable[[], int]]:
    """Begin to count the seconds of a command."""

    def too_long(*_: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, too_long)
    yield lambda: signal.alarm(SECONDS)
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def test_every_command_is_tried():
    assert {
        name for name in commands() if not any(f"{line} ".startswith(f"{name} ") for line in COMMANDS)
    } == NEVER_ENDS


@pytest.mark.parametrize("name", sampled(NAMED | REFUSED, "a page leads out"))
def test_every_command_ends_and_stays_inside(
    name: str, whole: Path, outside: Path, in_time: Callable[[], int], monkeypatch: pytest.MonkeyPatch
):
    root = outside.parent / "coffee"
    shutil.copytree(whole, root)
    for fault in (NAMED | REFUSED)[name]:
        fault.put(root)
    before = state(outside)
    monkeypatch.chdir(root)
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.delenv("VISUAL", raising=False)
    found = invoke("validate", "--format", "json", root=root, code=None).json["findings"]
    named = {finding["path"] for finding in found}
    for fault in NAMED.get(name, ()):
        assert any(f"{path}/".startswith(f"{fault.name}/") for path in named), (fault.name, named)
    for line in COMMANDS:
        in_time()
        done = invoke(*shlex.split(line), root=root, code=None)
        signal.alarm(0)
        assert done.code in range(5), (line, done)
        assert "bug:" not in done.err, (line, done.err)
        assert "Traceback" not in done.err, (line, done.err)
        assert SECRET not in done.out, (line, done.out)
        assert state(outside) == before, line
    kept = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink() and "large" not in path.name]
    assert [str(path) for path in kept if SECRET.encode() in path.read_bytes()] == []
