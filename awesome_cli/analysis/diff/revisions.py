"""Load the states to compare: two Git revisions (without a checkout), or the cutoff and today."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResults
from awesome_cli.analysis.diff.comparison import ClaimMove, CorpusDiff, changed_cells, changed_terms, compare, counts
from awesome_cli.errors import UsageError
from awesome_cli.files.git import GitTree
from awesome_cli.files.tree import PARTS, FileTree, WorkingTree
from awesome_cli.model.codings import Correction
from awesome_cli.model.records import Paper
from awesome_cli.survey.corpus import GROUPS, Corpus
from awesome_cli.survey.loading import RecordCache, load_corpus


def narrowed(diff: CorpusDiff, before: Corpus, after: Corpus, where: str) -> CorpusDiff:
    """Restrict a difference to the records that match a query before or after.

    Claims remain if a matching record changed their answer. If the earlier taxonomy does not have the query's terms, no
    earlier record matches. Raises `UsageError` if the later one does not have them.
    """
    after.query(where)
    try:
        old = before.where(where, *GROUPS.values())
    except UsageError:
        old = replace(before, papers=(), exclusions=(), candidates=())
    new = after.where(where, *GROUPS.values())
    keys = {record.key for record in (*old.records, *new.records)}

    matching: dict[str, Any] = {
        name: tuple(e for e in getattr(diff, name) if e.key in keys or getattr(e, "was", None) in keys)
        for name in ("added", "removed", "moved", "edited", "retagged")
    }
    return replace(
        diff,
        where=where,
        **matching,
        counts=counts(old, new),
        terms=changed_terms(Pool(old), Pool(new)),
        cells=changed_cells(*(Pool(replace(a, exclusions=b.exclusions)) for a, b in ((old, before), (new, after)))),
        claims=tuple(claim for claim in diff.claims if not keys.isdisjoint(claim.keys)),
    )


HERE = "the working tree"
Sound = Callable[[Corpus], Corpus]
"""Return the corpus if it is valid; raise `SurveyError` otherwise."""


def between(root: Path, before: str, after: str | None, *, sound: Sound, where: str | None = None) -> CorpusDiff:
    """Compare a revision with another one, or with the working tree; `where` restricts the records.

    `sound` validates the later state. Unreadable files of the earlier state are listed in the result. Raises `GitError`
    for an unknown revision and `SurveyError` if one of the states is not valid.
    """
    known: RecordCache = {}
    later: FileTree = GitTree(root, after, PARTS) if after else WorkingTree(root)
    trees: tuple[FileTree, FileTree] = (GitTree(root, before, PARTS), later)
    first, second = (load_corpus(tree, candidates=True, evidence=True, known=known) for tree in trees)
    names = (before, after or HERE)
    (old, gone), (new, left) = first.with_known_tags(), sound(second).with_known_tags()
    warnings = [*(f"{names[0]}: {warning}" for warning in gone), *(f"{names[1]}: {warning}" for warning in left)]
    difference = compare(old, new, names, warnings=tuple(warnings))
    return difference if where is None else narrowed(difference, old, new, where)


@dataclass(frozen=True)
class SincePublished:
    """Changes since the published version: its day, the difference, and corrections with their papers."""

    day: date
    diff: CorpusDiff
    corrections: tuple[tuple[Paper, Correction], ...]

    @property
    def turned(self) -> tuple[ClaimMove, ...]:
        """Earlier claims whose answer changed."""
        return tuple(claim for claim in self.diff.claims if claim.before is not None)

    @property
    def made(self) -> tuple[ClaimMove, ...]:
        """Claims made since."""
        return tuple(claim for claim in self.diff.claims if claim.before is None)


def since_published(corpus: Corpus, checked: ClaimResults | None = None) -> SincePublished | None:
    """Return the changes since the cutoff; None without a cutoff or for a pool before it."""
    day = corpus.taxonomy.survey.cutoff
    if day is None or (corpus.day is not None and corpus.day < day):
        return None
    names = (day.isoformat(), str(corpus.day or ""))
    pool = checked.pool if checked else Pool(corpus)
    then = pool.as_of(day)
    difference = compare(then.corpus, corpus, names, checked=checked, pools=(then, pool))
    corrections = ((paper, c) for paper in corpus.papers for c in paper.corrections if c.corrected_on > day)
    return SincePublished(day, difference, tuple(corrections))
