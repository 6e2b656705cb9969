"""What the fuzzer begins with: for each target its folder of `seeds/`, and files that other tests read."""

from collections.abc import Mapping
from pathlib import Path

from tests.builders import COFFEE, DATA, EXAMPLES

SEEDS = Path(__file__).parent / "seeds"
LARGEST = 25_000
"""Bytes of the largest input: larger ones would be tried too rarely."""
INPUTS, RUNS = DATA / "inputs", DATA / "traces"
LINED = frozenset({".bib", ".csv", ".jsonl", ".md", ".nbib", ".ris", ".tsv"})
"""Endings of files of which the first lines are a file, too."""
SHARED: Mapping[str, tuple[tuple[Path, str], ...]] = {
    **{folder: ((COFFEE / folder, "*.yaml"),) for folder in ("corpus", "exclusions", "candidates")},
    "taxonomy": ((COFFEE, "taxonomy.yaml"), (DATA / "bread", "taxonomy.yaml")),
    "edits": ((COFFEE, "**/*.yaml"),),
    "import": ((DATA, "[!rt]*/*.*"), (INPUTS, "*/*")),
    "answer-crossref": ((INPUTS / "crossref", "*"),),
    "answer-datacite": ((INPUTS / "datacite", "*"),),
    "answer-arxiv": ((INPUTS / "arxiv", "*"),),
    "search-arxiv": ((INPUTS / "arxiv", "id_[12]*"),),
    "answer-acl": ((INPUTS / "bibtex", "*"),),
    "traces": ((RUNS, "*/*v[12].json*"), (EXAMPLES, "*.json")),
    "run": ((RUNS, "**/*.*"), (DATA / "runs", "**/*.json*")),
    "texts": ((INPUTS / "bibtex", "*"), (DATA / "markdown", "*")),
    "islands": ((DATA / "markdown", "*.md"), (COFFEE, "*.md")),
}


def seeds(name: str) -> list[bytes]:
    """The bytes that a target begins with; without any, an empty text."""
    shared = SHARED.get(name, SHARED.get(name.partition("-")[0], ()))
    paths = [*SEEDS.glob(f"{name}/*"), *(path for folder, pattern in shared for path in folder.glob(pattern))]
    paths = [path for path in sorted(paths) if path.is_file() and (path.parent.parent == SEEDS or is_read(path, name))]
    return [data for path in paths if (data := start(path))] or [b""]


def is_read(path: Path, name: str) -> bool:
    """True if a file is in the format of a target; also if the target has no format of its own."""
    # Imported later, since coverage is measured from the first import.
    from awesome_cli.formats import IMPORTED, import_formats
    from awesome_cli.traces.importers import FORMATS
    from awesome_cli.traces.importers.log_file import LogFile

    kind, _, form = name.partition("-")
    if kind == "import" and form in IMPORTED:
        return path.suffix[1:] in import_formats()[form].endings
    return kind != "run" or form not in FORMATS or FORMATS[form].detect(LogFile(path))


def start(path: Path) -> bytes:
    """Return a file, or the lines at its start if it is too large; nothing for a large file without lines."""
    data = path.read_bytes()
    if len(data) <= LARGEST:
        return data
    return data[: data.rfind(b"\n", 0, LARGEST) + 1] if path.suffix in LINED else b""
