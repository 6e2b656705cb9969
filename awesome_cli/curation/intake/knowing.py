"""Recognise imported works that a survey already has: matches, their certainty, and values that a record lacks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from awesome_cli.curation.intake.recording import own_key
from awesome_cli.model.codings import Tag, on_axis
from awesome_cli.model.drafts import STUB_NOTE, Draft
from awesome_cli.model.records import AnyRecord, Exclusion, Paper, Work, to_document
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.duplicates import Index, Match, manifestations
from awesome_cli.survey.duplicates.works import difference
from awesome_cli.text.folding import fold, spaced

EQUAL = "the two entries are equal"


@dataclass
class KnownWorks:
    """The records of a survey during an import: by key, by content, and in the index of duplicates.

    `new` maps keys of added records to their keys in the source.
    """

    index: Index = field(default_factory=lambda: Index(thorough=False))
    records: dict[str, AnyRecord] = field(default_factory=dict)
    equal: dict[int, str] = field(default_factory=dict)
    new: dict[str, str | None] = field(default_factory=dict)
    content: tuple[AnyRecord | None, tuple[Any, ...]] = None, ()

    @classmethod
    def of(cls, corpus: Corpus) -> "KnownWorks":
        """Index all records of a corpus; it should include its candidates."""
        known = cls()
        for record in corpus.records:
            known.put(record)
        return known

    def put(self, record: AnyRecord) -> None:
        """Add a record, or replace it by its new version."""
        self.records[record.key] = record
        self.index.add(record)
        self.equal.setdefault(hash(self._cached_content(record)), record.key)

    def add(self, record: AnyRecord, key: str | None) -> None:
        """Add a record of this import with its key in the source."""
        self.put(record)
        self.new[record.key] = key

    def close(self) -> None:
        """Free the index and the contents after the last lookup; in a large import they take a fourth of the memory."""
        self.index, self.equal = Index(), {}

    def find(self, record: AnyRecord, key: str | None) -> tuple[Match, ...]:
        """Return the matches of a record: certain ones first, `near` ones last."""
        matches = [self._weighed(record, match, key) for match in self.index.find(record)]
        same = self._equal(record)
        if same is not None:
            equal = self._twice(record, same, key)
            first = next((match for match in matches if match.b == same.key and match.certain), equal)
            matches = [first, *(match for match in matches if match.b != same.key)]
        matches.sort(key=lambda match: (not match.certain, match.kind == "near"))
        return tuple(matches)

    def _cached_content(self, record: AnyRecord) -> tuple[Any, ...]:
        """Return the content of a record; cached, since a record is looked up before it is added."""
        if self.content[0] is not record:
            self.content = record, _content(record)
        return self.content[1]

    def _equal(self, record: AnyRecord) -> AnyRecord | None:
        """Return the record with equal content, unless one of them is marked as a different work."""
        content = self._cached_content(record)
        other = self.records.get(self.equal.get(hash(content), ""))
        if other is None or _content(other) != content:
            return None
        apart = {*record.distinct_from, getattr(record, "version_of", None)}
        return None if other.key in apart or record.key in other.distinct_from else other

    def _twice(self, record: AnyRecord, same: AnyRecord, key: str | None) -> Match:
        """Return the match of equal records; uncertain if source keys differ, and authors or year are missing."""
        earlier = self.new.get(same.key)
        if key and earlier and key != earlier and not (record.authors and record.year):
            reasons = (EQUAL, f"without authors or year; keys in the source: {earlier!r} and {key!r}")
            return Match(record.key, same.key, "same", 1.0, reasons)
        return Match(record.key, same.key, "same", 1.0, (EQUAL,), certain=True)

    def _weighed(self, record: AnyRecord, match: Match, key: str | None) -> Match:
        known = self.records[match.b]
        if STUB_NOTE in (getattr(record, "note", None), known.note) and match.kind != "near":
            # A stub has no title that could differ.
            return replace(match, kind="same", because=match.because[:1], certain=True)
        if match.kind == "same" and not match.certain and key and (why := _called(record, match, known, key)):
            return replace(match, because=(*match.because, why), certain=True)
        return match


def _called(record: AnyRecord, match: Match, known: AnyRecord, key: str) -> str:
    """Return the reason why the source's key makes a match certain; empty if it does not."""
    citations = [getattr(version, "citation", None) for version in (known, *getattr(known, "versions", ()))]
    cited, *merged = (citation.key if citation else None for citation in citations)
    if key in {*known.aliases, *merged}:
        return f"{key!r} was merged into it"
    is_equal = match.because[0] == "the titles are equal" and not difference(to_document(record), to_document(known))
    return f"both have the key {key!r}" if key in {known.key, cited} and is_equal else ""


def _content(record: AnyRecord) -> tuple[Any, ...]:
    """Return the content of a record from its source, without the key and codings of the survey."""
    citation = getattr(record, "citation", None)
    return (
        fold(record.title),
        record.authors,
        record.year,
        getattr(record, "venue", None),
        record.identifiers.pairs(),
        getattr(record, "links", None) or getattr(record, "url", None),
        citation and tuple({**vars(citation), "key": None}.values()),
        repr(sorted((name, value) for name, value in record.extra.items() if name != "keywords")),
    )


def renamed(draft: Draft, record: AnyRecord) -> Iterator[str]:
    """Yield a warning if the source's key is in use by another record, or not a valid key.

    A number without a citation key is a row number, not a key.
    """
    valid_key = own_key(draft)
    is_name = draft.key and (not draft.key.isdigit() or (draft.fields.get("citation") or {}).get("key"))
    if is_name and record.key not in {valid_key, draft.key}:
        citation = getattr(record, "citation", None)
        cited = f", and {citation.key!r} in citations" if citation and citation.key != record.key else ""
        why = "is already in use" if valid_key else "is not a valid key"
        yield f"the file's key {draft.key!r} {why}; it is {record.key!r} here{cited}"


def remark(record: AnyRecord, match: Match, known: AnyRecord) -> str:
    """Return the remark on a match of an added record, with the command that resolves it."""
    reasons = "; ".join(match.because)
    if match.kind == "near":
        return f"looks like {known.key}, but is a different work ({reasons})"
    distinct = f"awesome dedupe --distinct {record.key} {known.key}"
    if match.kind == "wrong_link":
        other = f"{record.title!r} has the same identifier as {known.key}, {known.title!r} ({reasons})"
        return f"{other}; if it is wrong: awesome edit {record.key}; if both works share it: {distinct}"
    settle = f"if they are two works: {distinct}"
    if match.kind == "version":
        is_later = manifestations(known)[0].kind == "preprint" != manifestations(record)[0].kind
        version, main = (known, record) if is_later else (record, known)
        if not isinstance(version, Exclusion):
            settle = f"to link them: awesome link {version.key} --version-of {main.key}; {settle}"
        return f"looks like another version of {known.key} ({reasons}); {settle}"
    if not isinstance(record, Exclusion) and not isinstance(known, Exclusion):
        settle = f"if it is the same work: awesome dedupe --merge {record.key} {known.key}; {settle}"
    return f"looks like {known.key} ({reasons}); {settle}"


OWN = frozenset(["key", "added", "found", "proposal", "aliases", "distinct_from", "version_of", "on", "tags"])
"""Fields that the survey itself sets, and tags, which are compared separately."""
TAGS = "tags."


def left(record: AnyRecord, known: AnyRecord) -> tuple[str, ...]:
    """Return the names of values that a record has, and the known record, its versions and merged records lack.

    A tag is `tags.AXIS=TERM`.
    """
    documents = [_whole(known), *map(to_document, getattr(known, "versions", ()))]
    merged = known.extra.get("merged")
    documents += list(merged.values()) if isinstance(merged, dict) else []
    had = {pair for document in documents for pair in _values(document)}
    names = dict.fromkeys(name for name, value in _values(_whole(record)) if (name, value) not in had)
    return (*names, *_tags(record, known))


def _tags(record: AnyRecord, known: AnyRecord) -> Iterator[str]:
    mine, theirs = (entry.tags if isinstance(entry, Work) else {} for entry in (record, known))
    for axis, tags in mine.items():
        have = theirs.get(axis, ())
        yield from (TAGS + on_axis(axis, tag) for tag in tags if not any(_says(other, tag) for other in have))


def _says(other: Tag, tag: Tag) -> bool:
    return (other.term, other.part) == (tag.term, tag.part) and tag.strength in {None, other.strength}


def _whole(record: AnyRecord) -> dict[str, Any]:
    """Return the document of a record; for an exclusion, with the fields of its former paper."""
    document = to_document(record)
    if not isinstance(record, Exclusion):
        return document
    former = {**record.extra, **record.paper}
    extra = {name: value for name, value in former.items() if name not in Paper.model_fields}
    fields = {name: value for name, value in former.items() if name in Paper.model_fields}
    return {**fields, **document, "extra": {**extra, **former.get("extra", {})}, "paper": None}


def _values(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the name and the folded text of each value; each entry of a list is a value."""
    for name, value in document.items():
        if name in OWN or value is None:
            continue
        if isinstance(value, Mapping):
            yield from ((name if name == "links" else f"{name}.{inner}", text) for inner, text in _values(value))
            continue
        for entry in value if isinstance(value, list | tuple) else [value]:
            text = entry.get("url") if name == "links" and isinstance(entry, Mapping) else entry
            yield "links" if name == "url" else name, spaced(str(text)) or str(text)
