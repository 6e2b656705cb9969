"""`set` and `tag` on records in their files, with the history of revised codings."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from awesome_cli.curation.editing import find, find_work
from awesome_cli.curation.editing.admitting import uncoded
from awesome_cli.curation.editing.fields import assign, check_words
from awesome_cli.curation.editing.tagging import (
    Grounds,
    NotTaggedError,
    coding,
    read_removals,
    read_requests,
    tag,
    untag,
    with_history,
)
from awesome_cli.errors import AwesomeError, RefusedError, UsageError
from awesome_cli.files.tree import FileTree
from awesome_cli.model.codings import Revision
from awesome_cli.model.records import AnyRecord, AnyWork, Exclusion, Paper
from awesome_cli.survey.corpus import GROUPS, Corpus
from awesome_cli.survey.loading import load_record
from awesome_cli.survey.saving import Plan, edit


@dataclass(frozen=True, slots=True)
class Revising:
    """The day and author of a change, and whether former codings are added to the history.

    `decide` is called with the names of codings that are replaced or removed.
    """

    on: date
    decide: Callable[[str], bool]
    by: str | None = None


EditOne = Callable[[str], Plan]
"""A function that returns the plan for the record with a key."""
Twins = Callable[[Corpus], Iterable[tuple[str, str]]]
"""A function that yields `(path, message)` for records that share an identifier, as `validate` does."""


def together(corpus: Corpus, where: str, kind: str, words: Sequence[str], edit_one: EditOne) -> Plan:
    """Return one plan for all records of a kind that match a query; if one record cannot be changed, raise its error.

    Records that need no change are listed as unchanged. Raises `UsageError` for a key among the words, `RefusedError`
    if no record matches.
    """
    if key := _key_among(words, corpus):
        raise UsageError(
            f"a key ({key!r}) cannot be combined with --where", hint="give a KEY or --where QUERY, not both"
        )
    matches = corpus.query(where).select(getattr(corpus, GROUPS[kind]))
    if not matches:
        raise RefusedError(f"no {kind} matches {where!r}", hint="see 'awesome list --where QUERY'")
    plans = {record.path: _one_of_many(edit_one, record.key) for record in matches}
    return Plan(
        tuple(change for plan in plans.values() for change in plan.changes),
        tuple(warning for plan in plans.values() for warning in plan.warnings),
        unchanged=tuple(path for path, plan in plans.items() if not plan.changes),
    )


def alone(corpus: Corpus, key: str, words: Sequence[str]) -> str:
    """Return the key of the record to change; raises `UsageError` for another key among the words."""
    if other := _key_among(words, corpus):
        hint = f"for several records: --where 'key={key},{other}' in place of the keys"
        raise UsageError(f"expected one KEY, got a second one: {other!r}", hint=hint)
    return key


def _key_among(words: Sequence[str], corpus: Corpus) -> str | None:
    return next((word for word in words if word in corpus.by_key and not corpus.taxonomy.axes_with(word)), None)


def _one_of_many(edit_one: EditOne, key: str) -> Plan:
    """Return the plan for one of several records, empty if it lacks the tag to remove; errors name the record."""
    try:
        return edit_one(key)
    except NotTaggedError:
        return Plan(())
    except AwesomeError as error:
        raise type(error)(f"{key}: {error.message}; nothing was written", hint=error.hint) from None


def set_fields(
    tree: FileTree, corpus: Corpus, key: str, assignments: Sequence[str], revising: Revising | None = None
) -> Plan:
    """Return the plan that assigns values to fields of a record."""
    record = find(corpus, key)
    after = assign(record, assignments, corpus.taxonomy)
    check_words(after, corpus.taxonomy, record)
    if not isinstance(record, Exclusion) and not isinstance(after, Exclusion):
        after = remembered(record, after, revising)
    return Plan(edit(tree, record, after, tuple(corpus.taxonomy.by_id)))


def without_twins(corpus: Corpus, plan: Plan, twins: Twins) -> Plan:
    """Return the plan; raises `RefusedError` if it gives a record the identifier of another record."""
    old = {record.path: record for record in corpus.records}
    new = {c.path: load_record(type(old[c.path]), old[c.path].key, c.path, c.after or b"")[0] for c in plan.changes}
    if all(_named(record) == _named(old[path]) for path, record in new.items()):
        return plan
    groups: dict[str, Any] = {
        name: tuple(new.get(record.path) or record for record in getattr(corpus, name)) for name in GROUPS.values()
    }
    known = set(twins(corpus))
    for path, message in twins(replace(corpus, **groups)):
        if (path, message) not in known:
            way = "correct the identifier; if the records are one work, see 'awesome dedupe --help'"
            raise RefusedError(f"{path}: {message}; nothing was written", hint=way)
    return plan


def _named(record: AnyRecord | None) -> tuple[object, ...]:
    return (getattr(record, "identifiers", None), *(v.identifiers for v in getattr(record, "versions", ())))


def retag(
    tree: FileTree,
    corpus: Corpus,
    key: str,
    texts: Sequence[str],
    *,
    grounds: Grounds,
    remove: bool = False,
    revision: Revising | None = None,
) -> Plan:
    """Return the plan that adds tags to a work or removes them."""
    work = find_work(corpus, key)
    if remove and grounds.fields():
        raise UsageError("--remove cannot be combined with evidence", hint="omit the options for evidence")
    if remove:
        after = untag(work, read_removals(texts, work, corpus.taxonomy))
    else:
        after = tag(work, read_requests(texts, corpus.taxonomy), grounds, corpus.taxonomy)
    changes = edit(tree, work, remembered(work, after, revision), tuple(corpus.taxonomy.by_id))
    lacking = uncoded(after, corpus) if isinstance(after, Paper) else ()
    warning = f"is required for {after.key}: 'awesome validate' asks for a term"
    return Plan(changes, tuple(f"warning: {axis} {warning}" for axis in lacking if work.tags_on(axis)))


def remembered(before: AnyWork, after: AnyWork, revising: Revising | None) -> AnyWork:
    """Return `after` with the old codings in its history if `revising` decides so; a first coding is not a revision."""
    old, new = coding(before), coding(after)
    changed = [field for field in old if old[field] != new.get(field)]
    codings = (field for field in changed if field != "not_coded")  # `not_coded` is not a coding
    lost = [field for field in codings if any(part not in _parts(new.get(field)) for part in _parts(old[field]))]
    if revising is None or not changed or not revising.decide(", ".join(lost)):
        return after
    return with_history(before, after, Revision(on=revising.on, field="tags", by=revising.by))


def _parts(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else [value]
