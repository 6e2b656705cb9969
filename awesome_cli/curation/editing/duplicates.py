"""`link` and `dedupe`: find records of one work, and link, merge or separate them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awesome_cli.curation.editing import find, find_work
from awesome_cli.curation.editing.naming import claims, references
from awesome_cli.errors import RefusedError, UsageError
from awesome_cli.files import canonical
from awesome_cli.files.tree import FileTree
from awesome_cli.model.fields import RECORD_FIELDS
from awesome_cli.model.records import Candidate, Paper, Version, to_document
from awesome_cli.reports.progress import watched
from awesome_cli.reports.report import Block, Report, Section, Table, Text
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.duplicates import Index, Match, SameWork, grouped, manifestations, sketched
from awesome_cli.survey.saving import Plan, delete, edit
from awesome_cli.text.numbers import counted


def link(tree: FileTree, corpus: Corpus, key: str, other: str) -> Plan:
    """Mark `key` as a version of `other` (`version_of`); both stay. Raises `RefusedError` for a cycle."""
    record, main = find_work(corpus, key), find(corpus, other)
    if record.key == main.key:
        raise UsageError(f"{record.key} cannot be a version of itself")
    seen = main
    while (above := getattr(seen, "version_of", None)) is not None and above in corpus.by_key:
        seen = corpus.by_key[above]
        if seen.key in {record.key, main.key}:
            raise RefusedError(f"{main.key} is already a version of {record.key}", hint=f"awesome show {main.key}")
    apart = tuple(name for name in record.distinct_from if name != main.key)
    linked = record.model_copy(update={"version_of": main.key, "distinct_from": apart})
    return Plan(edit(tree, record, linked, tuple(corpus.taxonomy.by_id)))


def distinct(tree: FileTree, corpus: Corpus, key: str, other: str) -> Plan:
    """Mark two records as different works; the mark is stored in the record `key`."""
    record, apart = find(corpus, key), find(corpus, other)
    if record.key == apart.key:
        raise UsageError(f"{record.key} cannot be distinct from itself")
    if apart.key in record.distinct_from or record.key in apart.distinct_from:
        return Plan((), (f"{record.key} and {apart.key} are already marked as different works",))
    marked = record.model_copy(update={"distinct_from": (*record.distinct_from, apart.key)})
    return Plan(edit(tree, record, marked, tuple(corpus.taxonomy.by_id)))


def merge(tree: FileTree, corpus: Corpus, key: str, other: str) -> Plan:
    """Merge the record `key` into `other`, whose values stay.

    Values that `other` lacks are copied. `key` becomes an alias, and its publication becomes an entry of `versions`.
    Values that differ, or that `other` cannot have, are stored under `extra.merged`.
    Raises `UsageError` unless both are papers or candidates.
    """
    gone, main = find_work(corpus, key), find_work(corpus, other)
    if gone.key == main.key:
        raise UsageError(f"{gone.key} cannot be merged into itself")
    axes = tuple(corpus.taxonomy.by_id)
    changes = edit(tree, main, absorbed(main, gone), axes)
    moved = tuple(c for c in references(tree, corpus, gone.key, main.key) if c.path not in {main.path, gone.path})
    return Plan((*changes, *moved, *claims(tree, gone.key, main.key), delete(tree, gone)))


def absorbed(main: Paper | Candidate, gone: Paper | Candidate) -> Paper | Candidate:
    """Return `main` with the values of `gone` that it lacks."""
    document, other = to_document(main), to_document(gone)
    rest = {name: value for name, value in other.items() if name not in LISTED and document.get(name) != value}
    conflicts: dict[str, Any] = {}
    for name, value in rest.items():
        mine = document.get(name)
        # Values that only a candidate can have, such as its proposal, go to `extra` of a paper.
        if mine is None and name in type(main).model_fields:
            document[name] = value
        elif isinstance(mine, dict) and isinstance(value, dict):
            document[name] = {**value, **mine}
            lost = {field: text for field, text in value.items() if field in mine and mine[field] != text}
            conflicts |= {name: lost} if lost else {}
        else:
            conflicts[name] = value
    for name in LISTED:
        document[name] = [*document.get(name, ()), *(v for v in other.get(name, ()) if v not in document.get(name, ()))]
    document["aliases"] = list(dict.fromkeys([*document["aliases"], gone.key]))
    document["distinct_from"] = [name for name in document["distinct_from"] if name not in {main.key, gone.key}]
    if document.get("version_of") in {gone.key, main.key}:
        del document["version_of"]
    if (version := manifestation(gone)) != manifestation(main):
        document["versions"] = [*document["versions"], version]
    if conflicts:
        extra = document.get("extra", {})
        merged = {**extra.get("merged", {}), gone.key: canonical.texts(conflicts)}
        document["extra"] = {**extra, "merged": merged}
    return type(main).model_validate({"key": main.key, **document})


LISTED = tuple(field.attribute for field in RECORD_FIELDS if field.joined)
"""List fields that a merge concatenates."""


def manifestation(record: Paper | Candidate) -> Version:
    """Return the publication of a record as an entry of another record's `versions`."""
    return Version(
        title=record.title,
        year=record.year,
        venue=record.venue,
        identifiers=record.identifiers,
        url=record.address,
        citation=record.citation,
    )


def with_version(record: Paper, version: Paper | Candidate) -> Paper:
    """Add the publication of `version` to the versions of a record, for a work that occurs twice in an import."""
    entry = manifestation(version)
    entry = entry.model_copy(update={"title": None if entry.title == record.title else entry.title})
    return record if entry in record.versions else record.model_copy(update={"versions": (*record.versions, entry)})


KINDS = ("any", "same", "version", "wrong_link")
WORDS: Mapping[str, str] = {
    "same": "same work",
    "version": "version of the same work",
    "wrong_link": "same identifier, other title",
    "near": "alike, but two works",
}
Entries = Sequence[tuple[str, Mapping[str, Any]]]
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Works with several records, and pairs of records, best first.

    Compared with a file, all matches are pairs, and `a` is the file's entry. `near` shows all pairs.
    """

    groups: tuple[SameWork, ...]
    found: tuple[Match, ...]
    compared: str
    near: bool = False

    @property
    def pairs(self) -> tuple[Match, ...]:
        """The pairs to show."""
        return tuple(match for match in self.found if self.near or match.kind != "near")

    def kinds(self) -> Counter[str]:
        """Count the links of works and the pairs by kind."""
        return Counter(match.kind for match in (*(link for group in self.groups for link in group.links), *self.found))

    def counts_for(self, kind: str | None) -> bool:
        """True if records match in this way; `any` means all kinds except `near`."""
        return any(name != "near" and kind in {"any", name} for name in self.kinds())

    def to_report(self) -> Report:
        """Report each record of a work with the record that it matches, then the pairs: kind, score and reasons."""
        kinds = self.kinds()
        left = 0 if self.near else kinds.pop("near", 0)
        summary = ", ".join(f"{n} {WORDS[kind]}" for kind, n in kinds.items()) or "no duplicates"
        if self.groups:
            total = sum(len(group.keys) for group in self.groups)
            summary = f"{total} of them are {counted(len(self.groups), 'work')}; matches: {summary}"
        columns = ("work", "record", "kind", "score", "like", "because")
        rows = list(self._rows())
        shown = [(n, key, WORDS.get(kind), None if x is None else f"{x:.2f}", *rest) for n, key, kind, x, *rest in rows]
        blocks: list[Block] = [Table.of(columns, shown)] if rows else []
        blocks.append(Text(f"{self.compared}: {summary}", "warn" if rows else "good"))
        if left:
            what = "pair looks alike but is" if left == 1 else "pairs look alike but are"
            blocks.append(Text(f"{left} {what} two works; to list them: awesome dedupe --near", "muted"))
        if self.groups:
            decide = "Decide with: awesome dedupe --link RECORD LIKE, --merge RECORD LIKE, or --distinct RECORD LIKE"
            blocks.append(Text(decide, "muted"))
        if kinds["wrong_link"]:
            blocks.append(Text("Correct a wrong identifier with: awesome set KEY identifiers.SCHEME=ID", "muted"))
        works = [{"records": list(g.keys), "links": [link.to_json() for link in g.links]} for g in self.groups]
        return Report(
            schema="awesome/dedupe/2",
            data={"works": works, "pairs": [match.to_json() for match in self.pairs]},
            sections=(Section(None, tuple(blocks)),),
            rows=Table.of(columns, rows),
        )

    def _rows(self) -> Iterator[tuple[int | None, str, str, float | None, str, str]]:
        """Yield the number of the work, the record, and its match with another one: kind, score, record, reasons."""
        for n, group in enumerate(self.groups, 1):
            yield n, group.keys[0], "", None, "", ""
            yield from ((n, *_told(link)) for link in group.links)
        yield from ((None, *_told(match)) for match in self.pairs)


def _told(match: Match) -> tuple[str, str, float, str, str]:
    return match.a, match.kind, round(match.score, 3), match.b, "; ".join(match.because)


def duplicates(corpus: Corpus, entries: Entries | None = None, *, near: bool = False) -> Duplicates:
    """Group papers, exclusions and candidates into works, or find pairs of a file's entries and these records.

    With `near`, similar pairs of different works are shown, too.
    """
    records = f"{len(corpus.records)} records"
    if entries is None:
        works = grouped(manifestations(record) for record in watched(corpus.records, "comparing records"))
        return Duplicates(works.groups(), works.pairs(), records, near)
    index = Index.of(corpus)
    named = (sketched(key, fields) for key, fields in watched(entries, "comparing entries"))
    pairs = tuple(match for work in named for match in index.look_up(work))
    return Duplicates((), pairs, f"{len(entries)} entries against {records}", near)


DECISIONS = {"link": link, "merge": merge, "distinct": distinct}


def decide(pairs: Mapping[str, Pair | None]) -> Callable[[FileTree, Corpus], Plan] | None:
    """Return a function that plans the requested decision, or None; raises `UsageError` for several decisions."""
    wanted = [(pair, DECISIONS[name]) for name, pair in pairs.items() if pair is not None]
    if len(wanted) > 1:
        raise UsageError("--link, --merge and --distinct cannot be combined", hint="give only one of these options")
    if not wanted:
        return None
    (a, b), verb = wanted[0]
    return lambda tree, corpus: verb(tree, corpus, a, b)
