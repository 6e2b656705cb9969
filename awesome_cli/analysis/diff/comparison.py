"""Compare two states of a survey: records, renamed vocabulary, counts of papers, cells of the gap map, claims."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import Any, TypeVar

from awesome_cli.analysis.claims.pool import Pool
from awesome_cli.analysis.claims.results import ClaimResult, ClaimResults, ClaimStatus, judged
from awesome_cli.analysis.gaps.cells import gap_map
from awesome_cli.analysis.gaps.states import GAP, UNKNOWN
from awesome_cli.errors import SurveyError
from awesome_cli.model.appearance import About
from awesome_cli.model.claims import Claim
from awesome_cli.model.codings import PART, Tag, on_axis
from awesome_cli.model.records import KINDS, AnyRecord, AnyWork, Exclusion, Work, to_document
from awesome_cli.model.taxonomy import NA, Axis, Taxonomy
from awesome_cli.reports.answer import SurveyAnswer
from awesome_cli.reports.progress import watched
from awesome_cli.survey.corpus import GROUPS, Corpus

QUERY = re.compile(r"([^\s=]+)=([^\s:]+)")
NOT_CODED = "not coded yet"
CODINGS = ("tags", "not_coded")
W = TypeVar("W", bound=Work)


@dataclass(frozen=True, slots=True)
class Renames:
    """New ids of axes by former id, and of terms by former axis and term."""

    axes: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def axis(self, name: str) -> str:
        """Return the later id of an axis."""
        return self.axes.get(name, name)

    def term(self, axis: str, term: str) -> str:
        """Return the later id of a term."""
        return self.terms.get((axis, term), term)

    def work(self, work: W) -> W:
        """Return a work with the later ids in its codings."""
        tags = {
            self.axis(axis): tuple(tag.model_copy(update={"term": self.term(axis, tag.term)}) for tag in coded)
            for axis, coded in work.tags.items()
        }
        return work.model_copy(update={"tags": tags, "not_coded": tuple(map(self.axis, work.not_coded))})

    def query(self, name: str) -> str:
        """Replace each `axis=term` in a text by its later ids."""
        return QUERY.sub(lambda match: on_axis(self.axis(match[1]), self.term(match[1], match[2])), name)

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Return `(was, now)` of each renamed axis and term, as written in queries."""
        terms = ((on_axis(axis, term), on_axis(self.axis(axis), now)) for (axis, term), now in self.terms.items())
        return (*self.axes.items(), *terms)


def renames(before: Taxonomy, after: Taxonomy) -> Renames:
    """Return the renamed axes and terms; a term merged from several counts as new."""
    axes = {name: axis.id for axis in after.axes if (name := _former(axis, before, after))}
    was = {new: old for old, new in axes.items()}
    terms = {
        (old.id, former): now
        for axis in after.axes
        if (old := before.by_id.get(was.get(axis.id, axis.id)))
        for former, now in _renamed_terms(old, axis)
    }
    return Renames(axes, terms)


def newly_retired(before: Taxonomy, after: Taxonomy) -> dict[str, str]:
    """Return a sentence on each term retired between two taxonomies, by `axis=term`."""
    names = renames(before, after)
    in_use = {
        names.query(on_axis(axis.id, term.id)) for axis in before.axes for term in axis.terms if not term.deprecated
    }
    terms = ((axis, term, on_axis(axis.id, term.id)) for axis in after.axes for term in axis.terms if term.deprecated)
    return {name: axis.retirement(term.id) or "" for axis, term, name in terms if name in in_use}


def _former(axis: Axis, before: Taxonomy, after: Taxonomy) -> str | None:
    if axis.id in before.by_id:
        return None
    return next((name for name in axis.former if name in before.by_id and name not in after.by_id), None)


def _renamed_terms(old: Axis, new: Axis) -> Iterator[tuple[str, str]]:
    for term in new.terms:
        former = [name for name in term.former if name in old.by_id and name not in new.by_id]
        if len(former) == 1 and term.id not in old.by_id:
            yield former[0], term.id


def renamed_records(
    old: Mapping[str, AnyRecord], new: Mapping[str, AnyRecord], unread: Collection[str]
) -> dict[str, str]:
    """Return later keys of records by former keys: from their aliases, else from an equal work of the same kind."""
    renamed = {alias: key for key, record in new.items() for alias in record.aliases if alias in old}
    came = {_work(new[key]): key for key in new if key not in old and key not in {*renamed.values(), *unread}}
    gone = (key for key in old if key not in new and key not in renamed)
    return renamed | {key: came.pop(_work(old[key])) for key in gone if _work(old[key]) in came}


def _work(record: AnyRecord) -> tuple[object, ...]:
    return record.KIND, record.title, record.authors, record.year, record.identifiers.pairs()


@dataclass(frozen=True, slots=True)
class ClaimAnswer:
    """The status of a claim and its records; `ended` describes its revision or withdrawal."""

    status: str | None = None
    keys: tuple[str, ...] = ()
    ended: str = ""


def answers(pool: Pool) -> dict[str, ClaimAnswer]:
    """Return the answers by id of claims made by the day of the pool; `unanswerable` if one cannot be evaluated."""
    corpus = pool.corpus
    due = [claim for claim in corpus.claims.claims if claim.is_due(corpus.day)]
    return {claim.id: _answer(claim, pool) for claim in watched(due, "checking claims")}


def _answer(claim: Claim, pool: Pool) -> ClaimAnswer:
    try:
        return answer_of(judged(claim, pool, because=False))
    except SurveyError:
        return ClaimAnswer("unanswerable")


def answer_of(result: ClaimResult) -> ClaimAnswer:
    """Convert the result of a claim to its answer."""
    if result.ended is not None:
        return ClaimAnswer(result.status.value, result.records, result.life)
    return ClaimAnswer(result.status.value, result.keys)


def changed_terms(before: Pool, after: Pool) -> dict[str, tuple[int, int]]:
    """Return the number of papers before and after by term, strength or part, where it differs."""
    names = renames(before.corpus.taxonomy, after.corpus.taxonomy)
    old: Counter[str] = Counter()
    for name, n in before.of_records("terms", _terms).items():
        old[names.query(name)] += n
    new = after.of_records("terms", _terms)
    pairs = {name: (old.get(name, 0), new.get(name, 0)) for name in sorted({*old, *new})}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _terms(corpus: Corpus) -> Mapping[str, int]:
    """Count the papers by main coding, by main coding of each strength, and by part."""
    return Counter(
        name
        for paper in corpus.papers
        for axis, tags in paper.tags.items()
        for name in {name for tag in tags for name in _queries(axis, tag)}
    )


def _queries(axis: str, tag: Tag) -> Iterator[str]:
    yield on_axis(axis, f"{tag.term}:{PART}" if tag.part else tag.term)
    if tag.strength is not None and not tag.part:
        yield on_axis(axis, f"{tag.term}:={tag.strength}")


ENDED = {ClaimStatus.REVISED.value, ClaimStatus.WITHDRAWN.value}
CHANGED_SIDES = {"opened", "closed"}


@dataclass(frozen=True, slots=True)
class RecordMove:
    """A record that was added, removed, renamed or changed in kind; `was` is its former key or kind."""

    key: str
    kind: str
    title: str
    was: str | None = None
    codings: tuple[tuple[str, Tag], ...] = ()

    @property
    def is_renamed(self) -> bool:
        """True if its key changed, False if its kind did."""
        return self.was is not None and self.was not in KINDS


@dataclass(frozen=True, slots=True)
class Retagged:
    """Tags of a record on an axis before and after, as in queries (`term:strength`), or `not coded yet`."""

    key: str
    kind: str
    axis: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edited:
    """Changed fields of a record, except tags; with a correction `corrected`, or `completed` if they were empty."""

    key: str
    kind: str
    fields: tuple[str, ...]
    corrected: tuple[str, ...]
    completed: tuple[str, ...]
    edited: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.key}: {', '.join(self.fields)}"


@dataclass(frozen=True, slots=True)
class CellMove:
    """A cell whose state changed (None: no such cell): it `opened` if it became a gap, and `closed` if papers fill one.

    `causes` has `rule` if the earlier records have another state under the later taxonomy, and `records` if the later
    records change that state.
    """

    cell: str
    before: str | None
    after: str | None
    causes: tuple[str, ...] = ()

    @property
    def move(self) -> str:
        """`opened`, `closed` or `changed`."""
        if self.after == GAP.value:
            return "opened"
        return "closed" if self.before == GAP.value and self.after != UNKNOWN.value else "changed"

    @property
    def by(self) -> str:
        """The causes as text: `by the rule`, `by the records`, or both; empty without causes."""
        return f"by the {' and the '.join(self.causes)}" if self.causes else ""

    def __str__(self) -> str:
        words = f"{self.cell} {self.move}: {self.before or 'no cell'} becomes {self.after or 'no cell'}"
        return ", ".join(filter(None, (words, self.by)))


@dataclass(frozen=True, slots=True)
class ClaimMove:
    """A claim whose status changed (None: not stated); it `flips` if it fails only before or only after.

    A claim that was revised or withdrawn does not flip: `ended` describes that, and `keys` are the records behind it.
    """

    claim: str
    statement: str
    before: str | None
    after: str | None
    keys: tuple[str, ...]
    ended: str = ""

    @property
    def flips(self) -> bool:
        comparable = None not in (self.before, self.after) and not {self.before, self.after} & ENDED
        return comparable and (self.before == "fails") != (self.after == "fails")

    def __str__(self) -> str:
        after = self.ended or self.after or "removed"
        return f"{self.claim}: " + (f"{self.before} becomes {after}" if self.before else f"new claim ({after})")

    def to_json(self) -> dict[str, object]:
        data = asdict(self)
        return {"id": data.pop("claim"), **data, "flips": self.flips, "ended": self.ended or None}


@dataclass(frozen=True)
class CorpusDiff(SurveyAnswer):
    """The difference of two states; `survey` describes the later one.

    `counts` and `terms` are `(before, after)`, `terms` by query and only if different. `unreadable` are files of the
    earlier state that could not be read: their records count neither as added nor as removed. `renamed` are pairs
    `(was, now)` of axes and terms; other changes use the later ids. `retired` are sentences by term. `where` is the
    query that selects records [None: all].
    """

    survey: About
    names: tuple[str, str]
    added: tuple[RecordMove, ...]
    removed: tuple[RecordMove, ...]
    moved: tuple[RecordMove, ...]
    edited: tuple[Edited, ...]
    retagged: tuple[Retagged, ...]
    counts: Mapping[str, tuple[int, int]]
    terms: Mapping[str, tuple[int, int]]
    cells: tuple[CellMove, ...]
    claims: tuple[ClaimMove, ...]
    unreadable: tuple[str, ...]
    warnings: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...] = ()
    retired: Mapping[str, str] = field(default_factory=dict)
    where: str | None = None

    def __repr__(self) -> str:
        parts = ("added", "removed", "moved", "edited", "retagged", "cells", "claims")
        return f"CorpusDiff({', '.join(f'{part}={len(getattr(self, part))}' for part in parts)})"

    @property
    def flipped(self) -> tuple[ClaimMove, ...]:
        return tuple(claim for claim in self.claims if claim.flips)

    @property
    def turned(self) -> tuple[CellMove, ...]:
        """The cells that opened or closed, or became unknown."""
        return tuple(cell for cell in self.cells if cell.move in CHANGED_SIDES or cell.after == UNKNOWN.value)

    @property
    def new_names(self) -> list[str]:
        """Each renamed axis and term: `espresso-based, was espresso`."""
        return [f"{now}, was {was}" for was, now in self.renamed]

    @property
    def is_empty(self) -> bool:
        records = (self.added, self.removed, self.moved, self.edited, self.retagged, self.renamed, self.retired)
        return not any((*records, self.terms, self.cells, self.claims))


def compare(
    before: Corpus,
    after: Corpus,
    names: tuple[str, str],
    *,
    warnings: tuple[str, ...] = (),
    checked: ClaimResults | None = None,
    pools: tuple[Pool, Pool] | None = None,
) -> CorpusDiff:
    """Compare two corpora loaded with candidates and evidence; `checked` are results of the later one, if known."""
    later = Pool(after)
    first, second = pools or (Pool(before, near=later), later)
    old, new = ({record.key: record for record in reversed(corpus.records)} for corpus in (before, after))
    renamed = renamed_records(old, new, before.unread)
    names_of = renames(before.taxonomy, after.taxonomy)
    came = [key for key in new if key not in old and key not in renamed.values() and key not in before.unread]
    gone = [key for key in old if key not in new and key not in renamed]
    both = [(old[key], new[key]) for key in old if key in new]
    both += [(old[alias], new[key]) for alias, key in renamed.items() if alias not in new]
    same_kind = [(a, b) for a, b in both if a is not b and type(a) is type(b)]
    return CorpusDiff(
        survey=after.taxonomy.survey,
        names=names,
        added=tuple(_move(new[key]) for key in sorted(came)),
        removed=tuple(_move(old[key]) for key in sorted(gone)),
        moved=tuple(_move(b, a.KIND) for a, b in both if type(a) is not type(b))
        + tuple(_move(b, a.key) for a, b in both if a.key != b.key and type(a) is type(b)),
        edited=tuple(edit for a, b in same_kind for edit in _edited(a, b)),
        retagged=tuple(retag for a, b in same_kind for retag in _retagged(a, b, names_of)),
        renamed=names_of.pairs(),
        retired=newly_retired(before.taxonomy, after.taxonomy),
        counts=counts(before, after),
        terms=changed_terms(first, second),
        cells=changed_cells(first, second),
        claims=tuple(_claims(first, second, checked)),
        unreadable=tuple(sorted({finding.path for finding in before.findings})),
        warnings=warnings,
    )


def counts(before: Corpus, after: Corpus) -> dict[str, tuple[int, int]]:
    """Count papers, exclusions and candidates before and after."""
    return {name: (len(getattr(before, name)), len(getattr(after, name))) for name in GROUPS.values()}


def _move(record: AnyRecord, was: str | None = None) -> RecordMove:
    tags = {} if isinstance(record, Exclusion) else record.tags
    codings = tuple((axis, tag) for axis, coded in tags.items() for tag in coded)
    return RecordMove(record.key, record.KIND, record.title, was, codings)


def _edited(a: AnyRecord, b: AnyRecord) -> Iterator[Edited]:
    differing = {name for name in type(b).model_fields if getattr(a, name) != getattr(b, name)}
    if differing & {*CODINGS} and differing <= {*CODINGS, "history"}:
        return  # most changes; to write both records as documents takes much longer
    old, new = to_document(a), to_document(b)
    changed = [name for name in dict.fromkeys((*old, *new)) if old.get(name) != new.get(name)]
    skipped = {*CODINGS, *(("aliases",) if a.key != b.key else ()), *(("history",) if {*CODINGS} & {*changed} else ())}
    if fields := tuple(name for name in changed if name not in skipped):
        was = {c.field: c.published for c in getattr(b, "corrections", ()) if c not in getattr(a, "corrections", ())}
        corrected = tuple(name for name in was if was[name] is not None)
        completed = tuple(name for name in was if was[name] is None)
        logged = {*(name.partition(".")[0] for name in was), *(("corrections", "provenance") if was else ())}
        yield Edited(b.key, b.KIND, fields, corrected, completed, tuple(n for n in fields if n not in logged))


def _retagged(a: AnyRecord, b: AnyRecord, names: Renames) -> Iterator[Retagged]:
    if isinstance(a, Exclusion) or isinstance(b, Exclusion):
        return
    old = names.work(a)
    for axis in dict.fromkeys((*old.tags, *b.tags, *old.not_coded, *b.not_coded)):
        if old.tags.get(axis) != b.tags.get(axis) or (axis in old.not_coded) != (axis in b.not_coded):
            yield Retagged(b.key, b.KIND, axis, _words(old, axis), _words(b, axis))


def _words(work: AnyWork, axis: str) -> tuple[str, ...]:
    tags = work.tags.get(axis, ())
    words = (tag.marked + (f" (contested, {tag.contested.grade})" if tag.contested else "") for tag in tags)
    return tuple(words) or (NOT_CODED if axis in work.not_coded else NA,)


def changed_cells(before: Pool, after: Pool) -> tuple[CellMove, ...]:
    """Return the cells of the gap map whose state differs, with the causes."""
    taxonomy = after.corpus.taxonomy
    names = renames(before.corpus.taxonomy, taxonomy)
    old = {names.query(name): state for name, state in before.of_records("cells", _states).items()}
    new = after.of_records("cells", _states)
    moved = [name for name in dict.fromkeys((*old, *new)) if old.get(name) != new.get(name)]
    ruled: Mapping[str, str] = old
    if moved and before.corpus.taxonomy != taxonomy:
        papers = tuple(map(names.work, before.corpus.papers))
        ruled = _states(replace(before.corpus, taxonomy=taxonomy, papers=papers))

    def causes(name: str) -> tuple[str, ...]:
        states = (old.get(name), ruled.get(name), new.get(name))
        steps = zip(("rule", "records"), pairwise(states), strict=True)
        return tuple(cause for cause, (was, now) in steps if was != now) if None not in states else ()

    return tuple(CellMove(name, old.get(name), new.get(name), causes(name)) for name in moved)


def _states(corpus: Corpus) -> Mapping[str, str]:
    return {name: cell.state.value for name, cell in gap_map(corpus).cells()}


def _claims(before: Pool, after: Pool, checked: ClaimResults | None) -> Iterator[ClaimMove]:
    old = answers(before)
    new = {r.claim.id: answer_of(r) for r in checked.results} if checked else answers(after)
    for name in dict.fromkeys((*old, *new)):
        was, now = old.get(name, ClaimAnswer()), new.get(name, ClaimAnswer())
        if was.status != now.status:
            claim = after.corpus.claims.by_id.get(name) or before.corpus.claims.by_id[name]
            keys = now.keys if now.ended else tuple(sorted({*was.keys} ^ {*now.keys}))
            yield ClaimMove(name, claim.statement, was.status, now.status, keys, now.ended)


def to_json(diff: CorpusDiff) -> dict[str, Any]:
    return {
        "from": diff.names[0],
        "to": diff.names[1],
        "where": diff.where,
        "added": [_record(entry) for entry in diff.added],
        "removed": [_record(entry) for entry in diff.removed],
        "moved": [{**_record(entry), "was": entry.was} for entry in diff.moved],
        "edited": [asdict(entry) for entry in diff.edited],
        "retagged": [asdict(entry) for entry in diff.retagged],
        "renamed": [{"was": was, "now": now} for was, now in diff.renamed],
        "retired": [{"term": term, "text": text} for term, text in diff.retired.items()],
        "counts": {name: {"before": a, "after": b} for name, (a, b) in diff.counts.items()},
        "terms": {name: {"before": a, "after": b} for name, (a, b) in diff.terms.items()},
        "changes": {name: b - a for name, (a, b) in (*diff.counts.items(), *diff.terms.items())},
        "cells": [{**asdict(cell), "move": cell.move} for cell in diff.cells],
        "claims": [c.to_json() for c in diff.claims],
        "unreadable": list(diff.unreadable),
        "remarks": list(diff.warnings),
    }


def _record(entry: RecordMove) -> dict[str, Any]:
    codings = [{"coding": on_axis(a, t), "evidence": t.evidence, "source": t.source} for a, t in entry.codings]
    return {"key": entry.key, "kind": entry.kind, "title": entry.title, "codings": codings}
