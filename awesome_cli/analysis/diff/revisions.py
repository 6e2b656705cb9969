"""Compare two git revisions of a survey, without a checkout."""

from collections.abc import Callable
from pathlib import Path

from awesome_cli.analysis.diff.comparison import CorpusDiff, compare
from awesome_cli.analysis.diff.narrowing import narrowed
from awesome_cli.files.git import GitTree
from awesome_cli.files.tree import FileTree, WorkingTree
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import PARTS, RecordCache, load_corpus

HERE = "the working tree"
Sound = Callable[[Corpus], Corpus]
"""Hands back a corpus that analyses can rely on, and raises `SurveyError` for any other."""


def between(root: Path, before: str, after: str | None, *, sound: Sound, where: str | None = None) -> CorpusDiff:
    """What changed from one revision to another one, or to the working tree; with a query, in the records that match.

    The later state must be `sound`. Files of the earlier state that cannot be read are named in the result. Raises
    `GitError` for an unknown revision and `SurveyError` where one of the states cannot be used.
    """
    known: RecordCache = {}
    later: FileTree = GitTree(root, after, PARTS) if after else WorkingTree(root)
    trees: tuple[FileTree, FileTree] = (GitTree(root, before, PARTS), later)
    first, second = (load_corpus(tree, candidates=True, evidence=True, known=known) for tree in trees)
    names = (before, after or HERE)
    (old, gone), (new, left) = first.with_known_tags(), sound(second).with_known_tags()
    warnings = [*(f"{names[0]}: {warning}" for warning in gone), *(f"{names[1]}: {warning}" for warning in left)]
    found = compare(old, new, names, warnings=tuple(warnings))
    return found if where is None else narrowed(found, old, new, where)
