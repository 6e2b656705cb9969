"""Candidates of the coffee survey that wait for screening."""

from pathlib import Path

from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.records import Candidate, to_text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus

ABSTRACT = "The press makes it bitter. A panel of tasters compares pressed and dripped coffee."
WORDS = ("grinding", "roasting", "milling", "filtering", "tasting", "storing")


def candidate(key: str, **fields: object) -> Candidate:
    """A candidate to be considered, with an abstract."""
    given = {"title": f"On {key}", "authors": ["Doe, Jane"], "year": 2024, "extra": {"abstract": ABSTRACT}, **fields}
    return Candidate.model_validate({"key": key, "proposal": "consider", **given})


def put(root: Path, *found: Candidate) -> None:
    """Write candidates to a survey."""
    for one in found:
        (root / one.path).write_text(to_text(one))


def with_candidates(root: Path, n: int = 5) -> Path:
    """The survey with so many candidates: `c0` appeared last. The one that it had is screened already."""
    put(root, loaded(root).by_key["salt2026"].model_copy(update={"passed": ("abstract",)}))
    put(
        root,
        *(candidate(f"c{i}", title=f"On {WORDS[i % 6]}, part {i}", first_public=f"20{20 - i}-01-01") for i in range(n)),
    )
    return root


def loaded(root: Path) -> Corpus:
    """The survey with all that stands beside its records."""
    return load_corpus(WorkingTree(root), candidates=True, evidence=True)
