"""Two states of a survey by the names of their git revisions, without a checkout."""

from pathlib import Path

from awesome_cli.analysis.diff import CorpusDiff, compare
from awesome_cli.loading import PARTS, Known, load_corpus
from awesome_cli.tree import FileTree, GitTree, WorkingTree

HERE = "the working tree"


def between(root: Path, before: str, after: str | None) -> CorpusDiff:
    """What changed from a revision to another, or to the working tree.

    Raises `GitError` for an unknown revision and `SurveyError` where one of the states has no usable taxonomy.
    """
    known: Known = {}
    later: FileTree = GitTree(root, after, PARTS) if after else WorkingTree(root)
    trees: tuple[FileTree, FileTree] = (GitTree(root, before, PARTS), later)
    first, second = (load_corpus(tree, candidates=True, evidence=True, known=known) for tree in trees)
    return compare(first.with_known_tags()[0], second.with_known_tags()[0], (before, after or HERE))
