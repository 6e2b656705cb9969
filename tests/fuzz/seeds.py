"""What the fuzzer begins with: for each target its folder of `seeds/`, and files that other tests read."""

from collections.abc import Mapping
from pathlib import Path

from tests.builders import COFFEE, DATA, EXAMPLES

SEEDS = Path(__file__).parent / "seeds"
LARGEST = 12_500
"""Bytes of the largest input: larger ones would be tried too rarely."""
INPUTS, RUNS = DATA / "inputs", DATA / "traces"
SHARED: Mapping[str, tuple[tuple[Path, str], ...]] = {
    **{folder: ((COFFEE / folder, "*.yaml"),) for folder in ("corpus", "exclusions", "candidates")},
    "taxonomy": ((COFFEE, "taxonomy.yaml"), (DATA / "bread", "taxonomy.yaml")),
    "edits": ((COFFEE, "**/*.yaml"),),
    "import": ((INPUTS, "*/*"),),
    "answer-crossref": ((INPUTS / "crossref", "*"),),
    "answer-datacite": ((INPUTS / "datacite", "*"),),
    "answer-arxiv": ((INPUTS / "arxiv", "*"),),
    "search-arxiv": ((INPUTS / "arxiv", "id_[12]*"),),
    "answer-acl": ((INPUTS / "bibtex", "*"),),
    "traces": ((RUNS, "*/*v[12].json*"), (EXAMPLES, "*.json")),
    "run": ((RUNS, "**/*.*"),),
    "texts": ((INPUTS / "bibtex", "*"),),
}


def seeds(name: str) -> list[bytes]:
    """The bytes that a target begins with; without any, an empty text."""
    shared = SHARED.get(name, SHARED.get(name.partition("-")[0], ()))
    paths = [*SEEDS.glob(f"{name}/*"), *(path for folder, pattern in shared for path in folder.glob(pattern))]
    found = (path.read_bytes() for path in sorted(paths) if path.is_file() and path.stat().st_size <= LARGEST)
    return list(found) or [b""]
