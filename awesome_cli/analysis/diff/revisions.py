"""The states of a survey that are compared: two git revisions, without a checkout, or its cutoff and today."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResults
from awesome_cli.analysis.diff.comparison import ClaimMove, CorpusDiff, changed_cells, changed_terms, compare, counts
from awesome_cli.errors import UsageError
from awesome_cli.files.git import GitTree
from awesome_cli.files.tree import FileTree, WorkingTree
from awesome_cli.model.codings import Correction
from awesome_cli.model.records import Paper
from awesome_cli.survey.corpus import GROUPS, Corpus
from awesome_cli.survey.loading import PARTS, RecordCache, load_corpus


def narrowed(diff: CorpusDiff, before: Corpus, after: Corpus, where: str) -> CorpusDiff:
    """The changes of records that match a query before or after; counts, terms and cells of the matching records.

    Claims are those whose answer changed because of such a record. An earlier taxonomy need not know the query's words:
    then no earlier record matches. Raises `UsageError` if the later one does not know them.
    """
    after.query(where)
    try:
        old = before.where(where, *GROUPS.values())
    except UsageError:
        old = replace(before, papers=(), exclusions=(), candidates=())
    new = after.where(where, *GROUPS.values())
    keys = {record.key for record in (*old.records, *new.records)}

    def kept(entries: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(e for e in entries if e.key in keys or getattr(e, "was", None) in keys)

    return replace(
        diff,
        where=where,
        added=kept(diff.added),
        removed=kept(diff.removed),
        moved=kept(diff.moved),
        edited=kept(diff.edited),
        retagged=kept(diff.retagged),
        counts=counts(old, new),
        terms=changed_terms(Pool(old), Pool(new)),
        cells=changed_cells(*(Pool(replace(a, exclusions=b.exclusions)) for a, b in ((old, before), (new, after)))),
        claims=tuple(claim for claim in diff.claims if not keys.isdisjoint(claim.keys)),
    )


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


@dataclass(frozen=True)
class SincePublished:
    """The published version's day, what differs from it, and what was corrected since then in which paper."""

    day: date
    diff: CorpusDiff
    corrections: tuple[tuple[Paper, Correction], ...]

    @property
    def turned(self) -> tuple[ClaimMove, ...]:
        """The published claims whose answer is another one."""
        return tuple(claim for claim in self.diff.claims if claim.before is not None)

    @property
    def made(self) -> tuple[ClaimMove, ...]:
        """The claims that were made since."""
        return tuple(claim for claim in self.diff.claims if claim.before is None)


def since_published(corpus: Corpus, checked: ClaimResults | None = None) -> SincePublished | None:
    """Return the changes since the cutoff; None without a cutoff and for the pool of a day before it."""
    day = corpus.taxonomy.survey.cutoff
    if day is None or (corpus.day is not None and corpus.day < day):
        return None
    names = (day.isoformat(), str(corpus.day or ""))
    pool = checked.pool if checked else Pool(corpus)
    then = pool.as_of(day)
    difference = compare(then.corpus, corpus, names, checked=checked, pools=(then, pool))
    corrections = ((paper, one) for paper in corpus.papers for one in paper.corrections if one.corrected_on > day)
    return SincePublished(day, difference, tuple(corrections))
