"""The part of a difference that concerns some records."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.diff.changed_terms import changed_terms
from awesome_cli.analysis.diff.comparison import CorpusDiff, changed_cells
from awesome_cli.errors import UsageError
from awesome_cli.survey.corpus import GROUPS, Corpus


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
        counts={name: (len(getattr(old, name)), len(getattr(new, name))) for name in GROUPS.values()},
        terms=changed_terms(Pool(old), Pool(new)),
        cells=changed_cells(*(Pool(replace(a, exclusions=b.exclusions)) for a, b in ((old, before), (new, after)))),
        claims=tuple(claim for claim in diff.claims if not keys.isdisjoint(claim.keys)),
    )
