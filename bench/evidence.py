"""Evidence: claims, differences and sensitivity on the shipped corpus, and how all of it grows with the records."""

from dataclasses import replace
from pathlib import Path

from awesome_cli.analysis.claims.results import check
from awesome_cli.analysis.claims.sensitivity import endangered, sensitivity, to_report
from awesome_cli.analysis.diff.comparison import compare
from awesome_cli.analysis.flow import flow
from awesome_cli.files.tree import WorkingTree
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_corpus
from bench.synthetic import write_survey
from bench.timing import ROOT, Row, against_bare, best, process

WORK = Path(__file__).parent / ".work"
SIZES = {1_000: (100, 900), 10_000: (1_000, 9_000)}
RUNS = 5
EXTRA_SECOND = 1.0


def large(papers: int, exclusions: int) -> Corpus:
    """A synthetic survey with the shipped claims and audits."""
    root = WORK / f"evidence{papers + exclusions}"
    write_survey(root, papers, exclusions)
    return load_corpus(WorkingTree(root), evidence=True)


def other(corpus: Corpus) -> Corpus:
    """The same survey after an edit of every tenth paper."""
    papers = [paper.model_copy(update={"note": "x"}) if i % 10 else paper for i, paper in enumerate(corpus.papers)]
    return replace(corpus, papers=tuple(papers))


def run() -> list[Row]:
    """Rows of measurements."""
    commands = {
        "claims": (["claims", "check"], 2.5),
        "diff": (["diff", "HEAD~1"], 2.5),
        "sensitivity": (["sensitivity"], 3.0),
    }
    claims, diff, perturbed = against_bare(commands, runs=RUNS)
    bare = claims.floor
    archive = min(process(["git", "archive", "--format=tar", "HEAD"]) for _ in range(3))
    n = len(sensitivity(load_corpus(WorkingTree(ROOT), candidates=True, evidence=True)).perturbed)
    rows = [
        replace(claims, name="claims check, shipped corpus, against bare Typer"),
        Row("diff HEAD~1 against 2.5 x bare Typer and a git archive", diff.measured, 2.5 * bare + archive, 1.0),
        Row(
            f"sensitivity ({n} changes) against 3 x bare Typer and 1 s",
            perturbed.measured,
            3 * bare + EXTRA_SECOND,
            1.0,
        ),
    ]
    costs: dict[str, dict[int, float]] = {}
    for size, (papers, exclusions) in SIZES.items():
        corpus = large(papers, exclusions)
        edited = other(corpus)
        subjects = {
            "claims": lambda corpus=corpus: endangered(check(corpus)),
            "diff": lambda corpus=corpus, edited=edited: compare(corpus, edited, ("a", "b")),
            "sensitivity": lambda corpus=corpus: to_report(sensitivity(corpus)),
            "flow": lambda corpus=corpus: flow(corpus),
        }
        for name, subject in subjects.items():
            costs.setdefault(name, {})[size] = best(subject, 2) / size
    for name, cost in costs.items():
        small, big = (cost[size] * 1e6 for size in SIZES)
        rows.append(Row(f"{name}: cost per record at 10,000 against 1,000", big, small, 1.5, "µs"))
    return rows
