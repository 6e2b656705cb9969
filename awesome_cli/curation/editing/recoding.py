"""`set` and `tag` on records in their files, with the history of revised codings."""

from collections.abc import Callable, Iterable, Iterator, Sequence
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
    """The day of a change, who made it, and whether the former codings go into the history.

    `decide` is given the names of those of which something is replaced or removed.
    """

    on: date
    decide: Callable[[str], bool]
    by: str | None = None


EditOne = Callable[[str], Plan]
"""The plan that changes the record of a key."""
Twins = Callable[[Corpus], Iterable[tuple[str, str]]]
"""What `validate` finds of records with one identifier, each as the path of a record and a message."""


def together(corpus: Corpus, where: str, kind: str, words: Sequence[str], edit_one: EditOne) -> Plan:
    """One plan for all records of a kind that match a query: all of them change, or an error says which cannot.

    Those that have it already are named as unchanged. Raises `UsageError` for a key among the words, and
    `RefusedError` where nothing matches.
    """
    if key := _key_among(words, corpus):
        raise UsageError(
            f"{key!r} is a record, and --where chooses records", hint="give a KEY or --where QUERY, not both"
        )
    found = corpus.query(where).select(getattr(corpus, GROUPS[kind]))
    if not found:
        raise RefusedError(f"no {kind} matches {where!r}", hint="see 'awesome list --where QUERY'")
    plans = {record.path: _one_of_many(edit_one, record.key) for record in found}
    return Plan(
        tuple(change for plan in plans.values() for change in plan.changes),
        tuple(warning for plan in plans.values() for warning in plan.warnings),
        unchanged=tuple(path for path, plan in plans.items() if not plan.changes),
    )


def alone(corpus: Corpus, key: str, words: Sequence[str]) -> str:
    """The key of the one record that changes; raises `UsageError` for another key among the words."""
    if other := _key_among(words, corpus):
        hint = f"for several records: --where 'key={key},{other}' in place of the keys"
        raise UsageError(f"{other!r} is a record, and one KEY stands first", hint=hint)
    return key


def _key_among(words: Sequence[str], corpus: Corpus) -> str | None:
    return next((word for word in words if word in corpus.by_key and not corpus.taxonomy.axes_with(word)), None)


def _one_of_many(edit_one: EditOne, key: str) -> Plan:
    """The plan for one of several records, empty if it lacks the tag that goes; an error names the record."""
    try:
        return edit_one(key)
    except NotTaggedError:
        return Plan(())
    except AwesomeError as error:
        raise type(error)(f"{key}: {error.message}; nothing was written", hint=error.hint) from None


def set_fields(
    tree: FileTree, corpus: Corpus, key: str, assignments: Sequence[str], revising: Revising | None = None
) -> Plan:
    """The plan that gives fields of a record new values."""
    record = find(corpus, key)
    after = assign(record, assignments, corpus.taxonomy)
    check_words(after, corpus.taxonomy, record)
    if not isinstance(record, Exclusion) and not isinstance(after, Exclusion):
        after = remembered(record, after, revising)
    return Plan(edit(tree, record, after, tuple(corpus.taxonomy.by_id)))


def without_twins(corpus: Corpus, plan: Plan, twins: Twins) -> Plan:
    """The plan; raises `RefusedError` where it gives a record an identifier that another one has."""
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
    return (getattr(record, "identifiers", None), *(one.identifiers for one in getattr(record, "versions", ())))


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
    """The plan that gives a work terms, or takes them away."""
    work = find_work(corpus, key)
    if remove and grounds.fields():
        raise UsageError("a tag that is removed takes no evidence", hint="leave out the options that give evidence")
    if remove:
        after = untag(work, read_removals(texts, work, corpus.taxonomy))
    else:
        after = tag(work, read_requests(texts, corpus.taxonomy), grounds, corpus.taxonomy)
    changes = edit(tree, work, remembered(work, after, revision), tuple(corpus.taxonomy.by_id))
    return Plan(changes, tuple(_newly_uncoded(work, after, corpus)))


def _newly_uncoded(before: AnyWork, after: AnyWork, corpus: Corpus) -> Iterator[str]:
    if isinstance(before, Paper) and isinstance(after, Paper):
        for axis in (axis for axis in uncoded(after, corpus) if before.tags_on(axis)):
            yield f"warning: {axis} is required for {after.key}: 'awesome validate' asks for a term"


def remembered(before: AnyWork, after: AnyWork, revising: Revising | None) -> AnyWork:
    """`after` with the old codings in its history, if `revising` decides so; a first coding is not a revision."""
    old, new = coding(before), coding(after)
    changed = [field for field in old if old[field] != new.get(field)]
    codings = (field for field in changed if field != "not_coded")  # that an axis waits is no coding
    lost = [field for field in codings if any(part not in _parts(new.get(field)) for part in _parts(old[field]))]
    if revising is None or not changed or not revising.decide(", ".join(lost)):
        return after
    return with_history(before, after, Revision(on=revising.on, field="tags", by=revising.by))


def _parts(value: object) -> Sequence[object]:
    """The tags of a coding, or the one value that it is."""
    return value if isinstance(value, list | tuple) else [value]
