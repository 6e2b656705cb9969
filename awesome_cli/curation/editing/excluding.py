"""`exclude` and `remove`: screen out a record and preserve its values, or delete the record."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from awesome_cli.curation.editing import find, naming
from awesome_cli.curation.editing.fields import check_words
from awesome_cli.curation.editing.tagging import TagRequest, read_requests
from awesome_cli.errors import RefusedError, UsageError
from awesome_cli.files import canonical
from awesome_cli.files.tree import FileTree
from awesome_cli.model.audits import Audit
from awesome_cli.model.codings import NearMiss
from awesome_cli.model.records import (
    AnyRecord,
    AnyWork,
    Candidate,
    Exclusion,
    Paper,
    Screening,
    Work,
    to_document,
    to_text,
)
from awesome_cli.survey import keys
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.loading import load_folder
from awesome_cli.survey.saving import Change, Plan, add_exclusion, create, delete, reread
from awesome_cli.text.known import unknown


@dataclass(frozen=True, slots=True)
class ScreeningDecision:
    """A decision to screen out a work: stage and reason, a note, and near-misses."""

    screening: Screening
    note: str | None = None
    near_miss: tuple[NearMiss, ...] = ()


def near_misses(requests: Sequence[TagRequest], because: str | None = None) -> tuple[NearMiss, ...]:
    """Turn requests (`axis=term:strength`) into near-misses with the reason `because`."""
    for request in requests:
        if request.term is None:
            raise UsageError(f"a near-miss on {request.axis.id} needs a term", hint=f"write {request.axis.id}=TERM")
    return tuple(
        NearMiss(axis=request.axis.id, term=request.term or "", strength=request.strength, because=because)
        for request in requests
    )


def exclude(tree: FileTree, corpus: Corpus, key: str, decision: ScreeningDecision) -> Plan:
    """Move a paper or candidate to the exclusions; the exclusion stores the whole record under `paper`.

    Comments of the paper's file move with it. Raises `RefusedError` for an exclusion.
    """
    record = find(corpus, key)
    if isinstance(record, Exclusion):
        raise RefusedError(f"{record.path} is already excluded", hint=f"awesome show {record.key}")
    axes = tuple(corpus.taxonomy.by_id)
    exclusion = excluded(record, decision, axes)
    check_words(exclusion, corpus.taxonomy)
    made = create(tree, exclusion, axes)
    return Plan((_with_text(made, exclusion, tree.read(record.path) or b"", record, axes), delete(tree, record)))


def exclude_new(tree: FileTree, corpus: Corpus, fields: Mapping[str, Any], decision: ScreeningDecision) -> Plan:
    """Screen out a work that has no record in the survey.

    `fields` are a record's fields, as an importer returns them. Raises `UsageError` without a title, `KnownError` for
    a work that has a record.
    """
    title = str(fields.get("title") or "")
    if not title:
        raise UsageError("an exclusion needs a title", hint="give the title with --title")
    links = [link["url"] for link in fields.get("links") or () if link.get("url")]
    document = {name: fields[name] for name in Exclusion.model_fields if fields.get(name)}
    document |= {"title": title, "url": fields.get("url") or next(iter(links), None)}
    key = keys.exclusion_id(title, document.get("authors", ()), document.get("year"), keys.Names.of(corpus), document)
    decided = {"screening": decision.screening, "note": decision.note, "near_miss": decision.near_miss}
    exclusion = Exclusion.model_validate({"key": key, **document, **decided})
    check_words(exclusion, corpus.taxonomy)
    return Plan((add_exclusion(tree, exclusion, corpus),))


def excluded(record: AnyWork, decision: ScreeningDecision, axes: Sequence[str] = ()) -> Exclusion:
    """Return a paper or candidate as an exclusion; a candidate's proposal is stored under `extra`."""
    document = to_document(record, axes)
    screening = decision.screening
    extra: dict[str, Any] = {}
    if isinstance(record, Candidate):
        proposed = {name: document.pop(name) for name in PROPOSAL if name in document}
        discovery = {name: getattr(record.found, name, None) for name in ("source", "query_family")}
        screening = screening.model_copy(
            update={name: getattr(screening, name) or discovery[name] for name in discovery}
        )
        extra = {"candidate": canonical.texts(proposed)}
    shared = {name: getattr(record, name) for name in Exclusion.model_fields if name in Work.model_fields}
    values = {
        "url": record.address,
        "screening": screening,
        "note": decision.note,
        "near_miss": decision.near_miss,
        "paper": canonical.texts(document),
        "extra": extra,
    }
    return Exclusion.model_validate(shared | values)


NEWLINE = "\n"
PROPOSAL = tuple(name for name in Candidate.model_fields if name not in Work.model_fields)
"""Fields that only candidates have."""


def _with_text(made: Change, exclusion: Exclusion, data: bytes, record: AnyRecord, axes: Sequence[str]) -> Change:
    """Return the exclusion's file with the paper's text indented under `paper:`, which preserves its comments."""
    if isinstance(record, Candidate) or data == to_text(record, axes).encode() or data[:3] in {b"---", b"\xef\xbb\xbf"}:
        return made
    lines = data.decode().splitlines(keepends=True)
    inner = "".join(f"  {line}" if line.strip() else line for line in lines)
    bare = exclusion.model_copy(update={"paper": {}, "extra": {}})
    tail = canonical.dump({"extra": exclusion.extra}) if exclusion.extra else ""
    after = f"{to_text(bare)}paper:\n{inner.removesuffix(NEWLINE)}\n{tail}".encode()
    moved = reread(exclusion, after)
    same = isinstance(moved, Exclusion) and Paper.model_validate({"key": record.key, **moved.paper}) == record
    return Change(made.path, None, after) if same else made


def remove(tree: FileTree, corpus: Corpus, key: str, *, force: bool = False) -> Plan:
    """Delete a record's file; without `force`, raise `RefusedError` if another file refers to it."""
    damaged = {} if key in corpus.by_key else {f.path: tree.read(f.path) for f in corpus.findings if f.key == key}
    changes = tuple(Change(path, data, None) for path, data in damaged.items() if data is not None)
    names: tuple[str, ...] = (key,)
    if not changes:
        record = find(corpus, key)
        changes, names = (delete(tree, record),), (record.key, *record.aliases)
    holders = [] if force else list(_holders(tree, corpus, names))
    if holders:
        hint = "remove those references first, or add --force"
        verb = "refers" if len(holders) == 1 else "refer"
        raise RefusedError(f"{', '.join(holders)} {verb} to {names[0]}", hint=hint)
    return Plan(changes)


def _holders(tree: FileTree, corpus: Corpus, names: Sequence[str]) -> Iterator[str]:
    for other in corpus.records:
        if {*names} & {*other.distinct_from, getattr(other, "version_of", None)} and other.key != names[0]:
            yield other.path
    # The files that a renaming would change refer to the record.
    for name in sorted(names):
        beside = (*naming.claims(tree, name, f"{name}-"), *naming.screened(tree, name, f"{name}-"))
        yield from dict.fromkeys(change.path for change in beside)
    for audit in load_folder(tree, Audit)[0]:
        if {*names} & {coding.key for coding in audit.codings}:
            yield audit.path


def is_known(corpus: Corpus, work: str) -> bool:
    """True if a key or reference names a record, also an unreadable one."""
    return work in corpus.by_key or work in corpus.unread or bool(corpus.named(work))


def screen_out(
    tree: FileTree,
    corpus: Corpus,
    *,
    work: str,
    decision: ScreeningDecision,
    near_miss: Sequence[str],
    because: str | None,
    fetch: Callable[[str], Mapping[str, Any]],
) -> Plan:
    """Move a work to the exclusions if it has a record, else screen it out with the fields returned by `fetch`.

    `work` is a key or a reference, `near_miss` lists texts such as `axis=term:strength`, `because` is the reason.
    Raises `UsageError` for unknown words and for a `work` that is neither a key nor a reference.
    """
    decision = replace(decision, near_miss=near_misses(read_requests(near_miss, corpus.taxonomy), because))
    if is_known(corpus, work):
        return exclude(tree, corpus, work, decision)
    try:
        fields = fetch(work)
    except UsageError as error:
        raise UsageError(unknown(work, corpus.by_key, "record or reference"), hint=error.hint) from None
    return exclude_new(tree, corpus, fields, decision)
