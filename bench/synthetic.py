"""A survey of any size: the shipped vocabulary, claims and audits, papers and exclusions, the same for a seed."""

import random
import shutil
from pathlib import Path

from awesome_cli.files.tree import WorkingTree
from awesome_cli.model.records import Exclusion, Link, Paper, to_text
from awesome_cli.survey.loading import load_corpus

ROOT = Path(__file__).parent.parent
WORDS = [
    "agents",
    "learn",
    "credit",
    "from",
    "shared",
    "rewards",
    "while",
    "a",
    "planner",
    "spawns",
    "delegates",
    "aggregates",
    "verifies",
    "and",
    "stops",
    "long",
    "horizon",
    "search",
    "under",
    "budgets",
    "with",
    "message",
    "level",
    "counterfactual",
    "estimates",
    "over",
    "orchestration",
    "traces",
]


def write_survey(root: Path, papers: int, exclusions: int, seed: int = 0) -> None:
    """Write `papers` and `exclusions` records below `root`, each a variation of a shipped one, with parts and history.

    The first variation of a record has its key, so that taxonomy, claims and audits name what is there.
    """
    chance = random.Random(seed)
    shutil.rmtree(root, ignore_errors=True)
    for folder in ("corpus", "exclusions"):
        (root / folder).mkdir(parents=True)
    for name in ("taxonomy.yaml", "claims.yaml", "protocol.yaml", "README.md"):
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, root / name)
    shutil.copytree(ROOT / "audits", root / "audits")
    shipped = load_corpus(WorkingTree(ROOT))
    axes = list(shipped.taxonomy.by_id)
    for i in range(papers):
        again, place = divmod(i, len(shipped.papers))
        paper = _paper(shipped.papers[place], i, chance)
        if not again:
            paper = paper.model_copy(update={"key": shipped.papers[place].key})
        (root / paper.path).write_text(to_text(paper, axes), encoding="utf-8")
    for i in range(exclusions):
        again, place = divmod(i, len(shipped.exclusions))
        exclusion = _exclusion(shipped.exclusions[place], i, chance)
        if not again:
            exclusion = exclusion.model_copy(update={"key": shipped.exclusions[place].key})
        (root / exclusion.path).write_text(to_text(exclusion, axes), encoding="utf-8")


def _title(chance: random.Random, i: int) -> str:
    return f"{' '.join(chance.sample(WORDS, 7)).capitalize()} {i}"


def _arxiv(i: int) -> str:
    return f"{15 + i // 1_000_000 % 80:02}{1 + i // 90_000 % 12:02}.{i % 90_000 + 1:05}"


def _paper(model: Paper, i: int, chance: random.Random) -> Paper:
    citation = model.citation.model_copy(update={"key": f"cite{i}"}) if model.citation else None
    identifiers = type(model.identifiers)(arxiv=_arxiv(i))
    links = (Link(label="Paper", url=f"https://arxiv.org/abs/{_arxiv(i)}"),)
    changes = {
        "key": f"p{i:06}",
        "title": _title(chance, i),
        "authors": (f"Author{chance.randrange(5000)}, A.", f"Author{chance.randrange(5000)}, B."),
        "identifiers": identifiers,
        "links": links,
        "citation": citation,
        "order": i,
        "versions": (),
    }
    return model.model_copy(update=changes)


def _exclusion(model: Exclusion, i: int, chance: random.Random) -> Exclusion:
    identifiers = type(model.identifiers)(arxiv=_arxiv(1_000_000 + i))
    changes = {"key": f"x{i:06}", "title": _title(chance, i), "identifiers": identifiers, "url": None}
    return model.model_copy(update=changes)
