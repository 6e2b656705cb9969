"""Between pool and exclusions: `exclude`, `readmit`, `admit`, `remove`; nothing that was known is dropped."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from awesome_cli import canonical, keys
from awesome_cli.coding import NearMiss, Tag
from awesome_cli.corpus import Corpus
from awesome_cli.dedupe import Index
from awesome_cli.editing import find
from awesome_cli.editing.fields import check_words
from awesome_cli.editing.tagging import Wish
from awesome_cli.errors import RefusedError, UsageError
from awesome_cli.records import (
    AnyRecord,
    AnyWork,
    Candidate,
    Exclusion,
    Link,
    Paper,
    Readmission,
    Screening,
    to_document,
    to_text,
)
from awesome_cli.saving import Change, Plan, add_exclusion, create, delete, reread
from awesome_cli.tree import FileTree


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a work is screened out: stage, coded reason, the day, a sentence, and what it came near to."""

    stage: str
    reason: str
    on: date
    note: str | None = None
    near_miss: tuple[NearMiss, ...] = ()
    source: str | None = None
    query_family: str | None = None

    @property
    def screening(self) -> Screening:
        """The verdict as it stands in an exclusion."""
        return Screening(
            source=self.source, query_family=self.query_family, stage=self.stage, reason=self.reason, on=self.on
        )


def near_misses(wishes: Sequence[Wish], because: str | None = None) -> tuple[NearMiss, ...]:
    """`axis=term:strength` as near-misses; `because` is said of each."""
    for wish in wishes:
        if wish.term is None:
            raise UsageError(f"a near-miss on {wish.axis.id} needs a term", hint=f"write {wish.axis.id}=TERM")
    return tuple(
        NearMiss(axis=wish.axis.id, term=wish.term or "", strength=wish.strength, because=because) for wish in wishes
    )


def exclude(tree: FileTree, corpus: Corpus, key: str, verdict: Verdict) -> Plan:
    """Move a paper or candidate to the exclusions; the exclusion keeps the whole record under `paper`.

    Comments of the paper's file move with it. Raises `RefusedError` for an exclusion.
    """
    record = find(corpus, key)
    if isinstance(record, Exclusion):
        raise RefusedError(f"{record.path} is excluded already", hint=f"awesome show {record.key}")
    axes = tuple(corpus.taxonomy.by_id)
    exclusion = excluded(record, verdict, axes)
    check_words(exclusion, corpus.taxonomy)
    made = create(tree, exclusion, axes)
    return Plan((_with_text(made, exclusion, tree.read(record.path) or b"", record, axes), delete(tree, record)))


def exclude_new(tree: FileTree, corpus: Corpus, fields: Mapping[str, Any], verdict: Verdict) -> Plan:
    """Screen out a work that is in the survey neither as a paper nor as an exclusion.

    `fields` are those of a record, as an importer hands them over. Raises `UsageError` without a title, `KnownError`
    for a work that is known.
    """
    title = str(fields.get("title") or "")
    if not title:
        raise UsageError("an exclusion needs a title", hint="give it with --title")
    links = [link["url"] for link in fields.get("links") or () if link.get("url")]
    document = {name: fields[name] for name in ("authors", "year", "identifiers", "extra") if fields.get(name)}
    document |= {"title": title, "url": fields.get("url") or next(iter(links), None)}
    key = keys.exclusion_id(title, document.get("authors", ()), document.get("year"))
    exclusion = Exclusion.model_validate(
        {
            "key": key,
            **document,
            "screening": verdict.screening,
            "note": verdict.note,
            "near_miss": verdict.near_miss,
        }
    )
    check_words(exclusion, corpus.taxonomy)
    return Plan((add_exclusion(tree, exclusion, Index.of(corpus), tuple(corpus.taxonomy.by_id)),))


def excluded(record: AnyWork, verdict: Verdict, axes: Sequence[str] = ()) -> Exclusion:
    """A paper or candidate as the exclusion it becomes; what a candidate's proposal said stands under `extra`."""
    document = to_document(record, axes)
    screening = verdict.screening
    extra: dict[str, Any] = {}
    if isinstance(record, Candidate):
        proposed = {name: document.pop(name) for name in PROPOSAL if name in document}
        found = record.found.source if record.found else None
        screening = screening.model_copy(update={"source": screening.source or found})
        extra = {"candidate": canonical.texts(proposed)}
    return Exclusion(
        key=record.key,
        title=record.title,
        authors=record.authors,
        year=record.year,
        identifiers=record.identifiers,
        url=record.address,
        screening=screening,
        note=verdict.note,
        near_miss=verdict.near_miss,
        aliases=record.aliases,
        distinct_from=record.distinct_from,
        paper=canonical.texts(document),
        extra=extra,
    )


NEWLINE = "\n"
PROPOSAL = ("proposal", "stage", "reason", "confidence", "found")
"""Fields that a candidate has beyond a paper's."""


def _with_text(made: Change, exclusion: Exclusion, data: bytes, record: AnyRecord, axes: Sequence[str]) -> Change:
    """The exclusion's file with the paper's own text indented under `paper:`, so that its comments move with it."""
    if isinstance(record, Candidate) or data == to_text(record, axes).encode() or data[:3] in {b"---", b"\xef\xbb\xbf"}:
        return made
    lines = data.decode().splitlines(keepends=True)
    inner = "".join(f"  {line}" if line.strip() else line for line in lines)
    bare = exclusion.model_copy(update={"paper": {}, "extra": {}})
    tail = canonical.dump({"extra": exclusion.extra}) if exclusion.extra else ""
    after = f"{to_text(bare)}paper:\n{inner.removesuffix(NEWLINE)}\n{tail}".encode()
    moved = reread(exclusion, after)
    kept = isinstance(moved, Exclusion) and Paper.model_validate({"key": record.key, **moved.paper}) == record
    return Change(made.path, None, after) if kept else made


def readmit(tree: FileTree, corpus: Corpus, key: str, *, on: date, new_key: str | None = None) -> Plan:
    """Make an exclusion a paper (again): what it kept of a former paper comes back, near-misses become tags.

    A paper that was excluded the same day comes back as it was, byte by byte where nobody touched it; later the
    paper remembers the exclusion (`readmitted`), so that as-of can go back.
    """
    exclusion = find(corpus, key)
    if not isinstance(exclusion, Exclusion):
        raise RefusedError(f"{exclusion.path} is not an exclusion", hint=f"awesome show {exclusion.key}")
    paper = readmitted(exclusion, on=on, key=new_key or _paper_key(corpus, exclusion), corpus=corpus)
    axes = tuple(corpus.taxonomy.by_id)
    made = create(tree, paper, axes)
    data = tree.read(exclusion.path) or b""
    remarks = tuple(f"{paper.key}: {what}" for what in missing(paper, corpus))
    if data != to_text(exclusion, axes).encode():
        made = _own_text(made, paper, data)
    return Plan((made, delete(tree, exclusion)), remarks)


def _paper_key(corpus: Corpus, exclusion: Exclusion) -> str:
    if exclusion.paper and exclusion.key == exclusion.key.lower():
        return exclusion.key
    taken = corpus.by_key.keys() - {exclusion.key}
    return keys.paper_key(exclusion.title, exclusion.authors, exclusion.year, taken)


def readmitted(exclusion: Exclusion, *, on: date, key: str, corpus: Corpus) -> Paper:
    """The paper that an exclusion becomes."""
    document: dict[str, Any] = dict(exclusion.paper)
    undone = bool(document.get("added")) and exclusion.screening.on == on
    if not document:
        document = {
            name: value
            for name, value in to_document(exclusion).items()
            if name in {"title", "authors", "year", "identifiers", "note", "distinct_from", "extra"}
        }
        document["links"] = [Link(label="Paper", url=exclusion.url)] if exclusion.url else []
        document["tags"] = _tags(exclusion, corpus)
    document.setdefault("added", on)
    aliases = [*exclusion.aliases, *([exclusion.key] if exclusion.key != key else [])]
    document["aliases"] = list(dict.fromkeys([*document.get("aliases", ()), *aliases]))
    if not undone:
        rest = to_document(exclusion)
        document["readmitted"] = Readmission(on=on, id=exclusion.key, exclusion=canonical.texts(rest))
    return Paper.model_validate({"key": key, **document})


def _tags(exclusion: Exclusion, corpus: Corpus) -> dict[str, tuple[Tag, ...]]:
    """Near-misses as the tags that they announce."""
    tags: dict[str, tuple[Tag, ...]] = {}
    for near in exclusion.near_miss:
        if near.axis in corpus.taxonomy.by_id:
            tag = Tag(term=near.term, strength=near.strength, evidence=near.because)
            tags[near.axis] = (*tags.get(near.axis, ()), tag)
    return tags


def _own_text(made: Change, paper: Paper, data: bytes) -> Change:
    """The paper's file as its author wrote it, where the exclusion still holds that text and it says the same."""
    before, found, inner = data.decode(errors="replace").partition("\npaper:\n")
    lines = []
    for line in inner.splitlines(keepends=True):
        if line.strip() and not line.startswith("  "):
            break
        lines.append(line[2:] if line.strip() else line)
    text = "".join(lines).encode()
    return Change(made.path, None, text) if found and before and reread(paper, text) == paper else made


Complete = Callable[[Candidate, Sequence[str]], Candidate]
"""Asks a person for what a candidate lacks, given as words such as `no year` or `no axis`."""


def admit(tree: FileTree, corpus: Corpus, key: str, *, on: date, complete: Complete | None = None) -> Plan:
    """Make a candidate a paper, added on the day `on`; `complete` may fill in what it lacks.

    Raises `UsageError` naming what is missing: an axis that the taxonomy requires, or a field of every paper.
    """
    candidate = find(corpus, key)
    if not isinstance(candidate, Candidate):
        kind = type(candidate).__name__.lower()
        raise RefusedError(
            f"{candidate.path} is no candidate but a record already ({kind})", hint=f"awesome show {key}"
        )
    paper = admitted(candidate, on=on)
    if complete is not None and (lacking := missing(paper, corpus)):
        paper = admitted(complete(candidate, lacking), on=on)
    if lacking := missing(paper, corpus):
        hint = f"awesome tag {candidate.key} AXIS=TERM, awesome set {candidate.key} FIELD=VALUE, then admit again"
        raise UsageError(f"{candidate.key} cannot be admitted yet: {'; '.join(lacking)}", hint=hint)
    axes = tuple(corpus.taxonomy.by_id)
    return Plan((create(tree, paper, axes), delete(tree, candidate)))


def admitted(candidate: Candidate, *, on: date) -> Paper:
    """The paper that a candidate becomes; how it was found stays in its provenance and under `extra`."""
    document = to_document(candidate)
    found = {name: document.pop(name) for name in PROPOSAL if name in document}
    found.pop("proposal", None)
    if found:
        document["extra"] = {**document.get("extra", {}), "candidate": canonical.texts(found)}
    return Paper.model_validate({"key": candidate.key, **document, "added": on})


def missing(paper: Paper, corpus: Corpus) -> tuple[str, ...]:
    """What a paper lacks to be complete: authors, a year, and a term on every axis required for it."""
    lacking = [f"no {name}" for name in ("authors", "year") if not getattr(paper, name)]
    for axis in corpus.taxonomy.axes:
        needed = axis.required_for is not None and corpus.query(axis.required_for).matches(paper)
        if needed and not paper.tags_on(axis.id) and axis.id not in paper.not_coded:
            lacking.append(f"no {axis.id}")
    return tuple(lacking)


def remove(tree: FileTree, corpus: Corpus, key: str) -> Plan:
    """Delete a record's file; raises `RefusedError` while another record refers to it."""
    record = find(corpus, key)
    names = {record.key, *record.aliases}
    others: list[AnyRecord] = [*corpus.papers, *corpus.exclusions, *corpus.candidates]
    holders = [
        r.key for r in others if names & {*r.distinct_from, getattr(r, "version_of", None)} and r.key != record.key
    ]
    if holders:
        raise RefusedError(f"{record.key} is named by {', '.join(holders)}", hint="remove those references first")
    return Plan((delete(tree, record),))
