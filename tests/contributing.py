"""What contributors do to a survey, with the commands that they type, whatever state the survey is in."""

from collections.abc import Callable
from pathlib import Path

from builders import PUBLISHED

from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.loading import load_corpus

TAGS = ("category=benchmark", "rl=yes", "reward_family=tool", "credit_unit=message:explicit", "scenario=general")
TAGS += ("orchestration_form=swarm", "tier=supporting", "evidence_level=preprint", "verified=no")
TAGS += ("made_for_teams=no", "benchmark_measures=outcome:full")
SEEN = ("--evidence", "Section 3 trains it.", "--source", "https://example.org/seen", "--confidence", "high")
LARGE = ("agents.value=5000", "agents.confidence=high", "agents.basis=ants", "agents.source=https://example.org/ants")


FIRST = ("Aardvarks Learn When to Stop", "Termites Vote on Every Tunnel", "Zebras Route Zeroes")
SECOND = ("Kettles without a Lid", "Moss Grows on Slow Pipelines", "A Lighthouse in the Desert")
"""Titles of a paper, a candidate and an exclusion, for a first and a second round of contributions."""


def key_of(title: str) -> str:
    return f"{title.partition(' ')[0].lower()}-new"


def work(title: str) -> list[str]:
    """The arguments of `awesome add` for a work that nobody knows, coded on every axis."""
    fields = (f"title={title}", "authors=Ant, Ada", "year=2026", "venue=Preprint")
    link = f"links=[{{label: Paper, url: 'https://example.org/{key_of(title)}'}}]"
    tags = [word for tag in TAGS for word in ("--tag", tag)]
    return [*(word for field in (*fields, link) for word in ("--set", field)), *tags, "--key", key_of(title)]


def old(root: Path, *queries: str) -> str:
    """A paper of the published pool that matches the first query that any matches."""
    corpus = load_corpus(WorkingTree(root))
    papers = [paper for paper in corpus.papers if paper.added <= PUBLISHED]
    return next(paper.key for query in queries for paper in corpus.query(query).select(papers))


def contribute(root: Path, awesome: Callable[..., object], titles: tuple[str, str, str] = FIRST) -> None:
    """Add a paper, an exclusion and a candidate, code one paper anew, exclude another.

    They are those of which claims, figures and tests speak: some of the survey's claims end.
    """
    paper, candidate, exclusion = titles
    awesome("add", *work(paper), root=root)
    awesome("tag", key_of(paper), "sub_decision=stop:explicit", *SEEN, root=root)
    awesome("set", key_of(paper), *(f"measures.{field}" for field in LARGE), root=root)
    awesome("add", "--kind", "candidate", *work(candidate), root=root)
    awesome("tag", key_of(candidate), "sub_decision=stop:explicit", *SEEN, root=root)
    awesome("set", key_of(candidate), "proposal=retain", "confidence=high", root=root)
    screened = ("--stage", "full_text", "--reason", "router_not_team", "--note", "Nothing is trained.")
    near = ("--near-miss", "sub_decision=stop:explicit", "--because", "It stops.")
    awesome("exclude", f"https://example.org/{key_of(exclusion)}", "--title", exclusion, *screened, *near, root=root)
    awesome("exclude", old(root, "category=industry rl=yes", "*"), *screened, root=root)
    recoded = old(root, "sub_decision=stop:designed contested=strong", "sub_decision!=NA")
    awesome("tag", recoded, "sub_decision=stop:evaluated", *SEEN, "--revised", "--who", "third reader", root=root)


def contest(root: Path) -> None:
    """Contest a coding by hand, beside a comment. A contest has no day: as of any, it is shown."""
    path = root / "corpus" / f"{old(root, 'sub_decision=stop:designed contested=no', '*')}.yaml"
    coding = "    strength: designed\n"
    contested = f"{coding}    contested: {{grade: weak, because: Seen otherwise.}} # by one reader\n"
    path.write_text(path.read_text(encoding="utf-8").replace(coding, contested, 1), encoding="utf-8")
