"""The corpus: a frozen value with the taxonomy and all records, which can be queried and restored as of a day."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

from awesome_cli.errors import UsageError
from awesome_cli.model.codings import NONE, Contest, Tag
from awesome_cli.model.identifiers import parse_reference
from awesome_cli.model.records import AnyRecord, AnyWork, Candidate, Exclusion, Paper, to_document
from awesome_cli.model.taxonomy import LISTED, Axis, Taxonomy
from awesome_cli.query.parser import Query, not_coded, parse
from awesome_cli.reports.findings import RawFinding
from awesome_cli.text.known import require_known, shown

if TYPE_CHECKING:
    from awesome_cli.model.audits import Audit
    from awesome_cli.model.claims import Claims
    from awesome_cli.model.manuscript import Manuscript
    from awesome_cli.model.protocol import Protocol
    from awesome_cli.model.screenings import Screenings
    from awesome_cli.model.searches import SavedSearch, SearchRun

R = TypeVar("R", bound=AnyRecord)
GROUPS: Mapping[str, str] = {"paper": "papers", "exclusion": "exclusions", "candidate": "candidates"}
"""The field of `Corpus` for each kind of record."""


class Side(StrEnum):
    """The effect of a contest: strict contests weaken a coding, generous contests strengthen it."""

    STRICT = "strict"
    GENEROUS = "generous"


@dataclass(frozen=True, slots=True)
class ContestReading:
    """A reading of the codings that accepts all contests of one side with at least this grade."""

    side: Side
    grade: str

    def __str__(self) -> str:
        return f"{self.side} reading from grade {self.grade}"

    def to_json(self) -> dict[str, str]:
        return {"side": self.side.value, "from": self.grade}


@dataclass(frozen=True)
class Corpus:
    """The contents of a survey's files. Files that could not be read are listed in `findings`.

    `day` is the date of an earlier pool, `reading` the reading of contested codings, and `selection` the query that
    selected the papers, with the `base` of its axes in `selection_base`. They are None or empty for the files on disk.
    `abstracts` has abstracts by key that are not in the records.
    """

    taxonomy: Taxonomy
    papers: tuple[Paper, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    findings: tuple[RawFinding, ...] = ()
    claims_file: "Claims | None" = None
    audits: "tuple[Audit, ...]" = ()
    day: date | None = None
    protocol: "Protocol | None" = None
    reading: "ContestReading | None" = None
    selection: str | None = None
    selection_base: str = ""
    searches: "tuple[SavedSearch, ...]" = ()
    runs: "tuple[SearchRun, ...]" = ()
    screenings: "tuple[Screenings, ...]" = ()
    manuscript: "Manuscript | None" = None
    abstracts: Mapping[str, str] = field(default_factory=dict)
    memo: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"Corpus({', '.join(f'{name}={len(getattr(self, name))}' for name in GROUPS.values())})"

    @cached_property
    def claims(self) -> "Claims":
        """The survey's claims; empty if their file is missing or was not loaded."""
        # Imported here, since the models of claims take long to build.
        from awesome_cli.model.claims import Claims

        return self.claims_file or Claims()

    @cached_property
    def last_day(self) -> date | None:
        """The date of the pool: `day`, else the cutoff or the day when the last paper was added, if that is later."""
        known = (self.taxonomy.survey.cutoff, *(paper.added for paper in self.papers))
        return self.day or max(filter(None, known), default=None)

    @cached_property
    def recoded(self) -> date | None:
        """The last day on which a coding of the pool was revised."""
        return max((revision.on for paper in self.papers for revision in paper.history), default=None)

    @property
    def modified(self) -> date | None:
        """The date of the pool: `day`, else the last day on which a paper was added or a coding revised."""
        return self.day or max(filter(None, (self.last_day, self.recoded)), default=None)

    @cached_property
    def unread(self) -> frozenset[str]:
        """The keys of records that could not be read."""
        return frozenset(finding.key for finding in self.findings if finding.key is not None)

    @property
    def of_paper(self) -> tuple[RawFinding, ...]:
        """The findings on reading paper.yaml, which only commands on the paper need."""
        return tuple(finding for finding in self.findings if finding.path in {"paper.yaml", "paper.yml"})

    @cached_property
    def works(self) -> tuple[AnyWork, ...]:
        """Papers and candidates, the records that can have tags."""
        return (*self.papers, *self.candidates)

    @cached_property
    def near_misses(self) -> tuple[Exclusion, ...]:
        """The exclusions that some terms nearly fit."""
        return tuple(exclusion for exclusion in self.exclusions if exclusion.near_miss)

    @cached_property
    def records(self) -> tuple[AnyRecord, ...]:
        """All records: papers, exclusions, candidates."""
        return (*self.papers, *self.exclusions, *self.candidates)

    @cached_property
    def by_key(self) -> Mapping[str, AnyRecord]:
        """All records by key and by former keys."""
        aliases = {alias: record for record in self.records for alias in record.aliases}
        return aliases | {record.key: record for record in reversed(self.records)}

    @cached_property
    def short_titles(self) -> Mapping[str, str]:
        """Titles by key, shortened to the part before the first colon if it is unique and has at most three words."""
        firsts = {record.key: record.title.partition(": ")[0] for record in self.records}
        short = {first for first, n in Counter(firsts.values()).items() if n == 1 and len(first.split()) <= 3}
        return {r.key: firsts[r.key] if firsts[r.key] in short else r.title for r in self.records}

    @cached_property
    def _coded(self) -> "Mapping[tuple[str, str], list[tuple[int, int, Paper, Tag]]]":
        entries: dict[tuple[str, str], list[tuple[int, int, Paper, Tag]]] = {}
        for i, paper in enumerate(self.papers):
            for axis, tags in paper.tags.items():
                for j, tag in enumerate(tags):
                    entries.setdefault((axis, tag.term), []).append((i, j, paper, tag))
        return entries

    def coded(self, axis: str, terms: Iterable[str]) -> "list[tuple[Paper, Tag]]":
        """Return `(paper, tag)` for each coding of a paper with one of the axis's terms, in the order of papers."""
        entries = sorted((entry for term in terms for entry in self._coded.get((axis, term), ())), key=itemgetter(0, 1))
        return [(paper, tag) for _, _, paper, tag in entries]

    @cached_property
    def uncoded(self) -> Mapping[str, frozenset[str]]:
        """Keys of the papers that are not coded yet, by axis; axes on which all papers are coded are omitted."""
        tests = ((axis.id, not_coded(axis, self.taxonomy)) for axis in self.taxonomy.axes)
        keys = ((a, frozenset(p.key for p in self.papers if not p.tags.get(a) and test(p))) for a, test in tests)
        return {axis: waiting for axis, waiting in keys if waiting}

    def coded_on(self, axis: Axis) -> frozenset[str]:
        """Return the keys of the papers that are coded on an axis.

        A paper without terms is coded if silence means none and the axis applies to the paper.
        """
        if (known := ("coded on", axis.id)) not in self.memo:  # asked once a term
            applies = self.query(axis.required_for or "*").matches if axis.silence == NONE else None
            keys = (p.key for p in self.papers if p.tags.get(axis.id) or (applies is not None and applies(p)))
            self.memo[known] = frozenset(keys) - self.uncoded.get(axis.id, frozenset())
        return cast("frozenset[str]", self.memo[known])

    def base(self, axes: Iterable[str]) -> str:
        """State on how many papers an absence on some axes rests: `Robot coded: 0 of 173`; empty if all are coded."""
        parts: list[str] = []
        for axis in map(self.taxonomy.by_id.__getitem__, axes):
            n, uncoded = len(self.coded_on(axis)), len(self.uncoded.get(axis.id, ()))
            if uncoded:
                parts.append(f"{axis.label} coded: {n:,} of {n + uncoded:,}")
            elif axis.silence == LISTED:
                parts.append(f"{axis.label} listed: {n:,} of {len(self.papers):,}")
        return "; ".join(parts)

    def get(self, key: str) -> AnyRecord:
        """Return the record with a key, a former key, a citation key or an identifier.

        Raises `UsageError` if it names several records, or none; then the message suggests the closest key.
        """
        records = () if key in self.by_key else self.named(key)
        if len(records) > 1:
            keys = ", ".join(record.key for record in records)
            raise UsageError(f"{shown(key)} names {len(records)} records: {keys}", hint="give one of these keys")
        if records:
            return records[0]
        return self.by_key[require_known(key, self.by_key, "record", hint="list the keys with 'awesome list'")]

    def named(self, name: str) -> tuple[AnyRecord, ...]:
        """Return the records with a citation key, else those with an identifier such as `arXiv:1501.00001`."""
        if cited := tuple(work for work in self.works if work.citation and work.citation.key == name):
            return cited
        try:
            reference = parse_reference(name)
        except UsageError:
            return ()
        wanted = (reference.scheme, reference.id.casefold())
        return tuple(record for record in self.records if wanted in _identifiers(record))

    def abstract(self, record: AnyRecord) -> str | None:
        """Return a record's abstract, None if unknown; an exclusion may have it in its former record."""
        inner = record.paper.get("extra") if isinstance(record, Exclusion) else None
        for extra in (record.extra, inner):
            if isinstance(extra, dict) and isinstance(abstract := extra.get("abstract"), str):
                return abstract
        return self.abstracts.get(record.key)

    def query(self, text: str) -> Query:
        """Parse a query with the vocabulary of the corpus."""
        return parse(text, self.taxonomy)

    def select(self, text: str | None) -> tuple[Paper, ...]:
        """Return the papers that match a query, or all papers if the query is None."""
        return self.papers if text is None else self.query(text).select(self.papers)

    def where(self, text: str | None, *kinds: str) -> "Corpus":
        """Return the corpus with only the matches of a query in the fields `kinds` [default: papers]."""
        if text is None:
            return self
        query = self.query(text)
        chosen: dict[str, Any] = {kind: query.select(getattr(self, kind)) for kind in kinds or ("papers",)}
        return replace(self, selection=text, selection_base=self.base(query.axes), **chosen)

    def as_of(self, day: date) -> "Corpus":
        """Return the corpus as of a day, without candidates; later codings, corrections and moves are undone."""
        if day not in self.memo:
            self.memo[day] = self._as_of(day)
        return cast("Corpus", self.memo[day])

    def _as_of(self, day: date) -> "Corpus":
        readmitted = (candidate for candidate in self.candidates if candidate.readmitted)
        now: list[AnyRecord] = [*self.papers, *self.exclusions, *readmitted]
        # Sort by path, as in a loaded corpus: a record that was moved later is at its old path.
        records = sorted((_moved_back(record, day) for record in now), key=lambda record: record.path)
        papers = [record for record in records if isinstance(record, Paper) and record.added <= day]
        exclusions = [record for record in records if isinstance(record, Exclusion) and record.screening.on <= day]
        return replace(
            self,
            taxonomy=self.taxonomy.as_of(day),
            papers=tuple(as_of(paper, day) for paper in papers if paper.withdrawn is None or paper.withdrawn > day),
            exclusions=tuple(exclusions),
            candidates=(),
            audits=tuple(audit for audit in self.audits if audit.on <= day),
            day=day,
        )

    def with_known_tags(self) -> tuple["Corpus", tuple[str, ...]]:
        """Return the corpus without tags that the taxonomy lacks, and a warning for each removed tag."""
        remarks: list[str] = []
        papers = tuple(self._known(paper, remarks) for paper in self.papers)
        return (replace(self, papers=papers), tuple(remarks)) if remarks else (self, ())

    def _known(self, paper: Paper, warnings: list[str]) -> Paper:
        axes = self.taxonomy.by_id
        unknown = [
            (axis, tag.term)
            for axis, tags in paper.tags.items()
            for tag in tags
            if axis not in axes or tag.term not in axes[axis].by_id
        ]
        if not unknown:
            return paper
        warnings += [f"{paper.path}: the unknown tag {axis}={term} is ignored" for axis, term in unknown]
        tags = {
            axis: remaining
            for axis, tags in paper.tags.items()
            if (remaining := tuple(tag for tag in tags if (axis, tag.term) not in unknown))
        }
        return paper.model_copy(update={"tags": tags})


def _moved_back(record: AnyRecord, day: date) -> AnyRecord:
    """Return a record as of a day; an exclusion or readmission after that day is undone."""
    if not isinstance(record, Exclusion):
        move = record.readmitted
        if move is None or move.on <= day:
            return record
        former = Exclusion.model_validate({"key": move.id, **move.exclusion})
        # The exclusion of a formerly retained paper contains that older state.
        return _moved_back(former, day) if former.screening.on > day else former
    if record.screening.on <= day or not {"added", "readmitted"} & record.paper.keys():
        return record
    # A candidate may have been an exclusion, too; it has no day on which it was added.
    paper = {"key": record.key, "added": record.screening.on, **record.paper}
    return _moved_back(Paper.model_validate(paper), day)


W = TypeVar("W", Paper, Candidate)


def as_of(work: W, day: date) -> W:
    """Return a work with its codings and corrected values as of a day.

    All days between two changes get the same object, so that the works of two days can be compared by identity.
    """
    revised = sorted({*(c.corrected_on for c in work.corrections), *(r.on for r in work.history)})
    then = _between(work, revised, day, _unrevised)
    contested = sorted({contest.on for contest in contests(then) if contest.on})
    return _between(then, contested, day, _without_contests)


def contests(work: AnyWork) -> tuple[Contest, ...]:
    """Return the contests of a work's codings; cached."""
    if "contests" not in work.memo:
        tags = (tag for tags in work.tags.values() for tag in tags)
        work.memo["contests"] = tuple(tag.contested for tag in tags if tag.contested)
    return cast("tuple[Contest, ...]", work.memo["contests"])


V = TypeVar("V", Paper, Candidate)


def _between(value: V, days: Sequence[date], day: date, make: Callable[[V, date], V]) -> V:
    """Return `make(value, day)`; all days between two of the value's changes (`days`) share one cached result."""
    at = bisect_right(days, day)
    if at == len(days):
        return value
    key = make, at
    if key not in value.memo:
        value.memo[key] = make(value, day)
    return cast("V", value.memo[key])


def _unrevised(work: W, day: date) -> W:
    later = [(c.corrected_on, c.field, c.published) for c in work.corrections if c.corrected_on > day]
    later += [(r.on, r.field, r.was) for r in work.history if r.on > day]
    document = to_document(work)
    later.sort(key=lambda entry: entry[0])
    # Newest first, also within a day, so that the oldest of several values of a field wins.
    for _, name, value in reversed(later):
        put(document, name, value)
    document["corrections"] = [c for c in work.corrections if c.corrected_on <= day]
    document["history"] = [r for r in work.history if r.on <= day]
    return type(work).model_validate({"key": work.key, **document})


def _without_contests(work: W, day: date) -> W:
    tags = {
        axis: tuple(
            t.model_copy(update={"contested": None}) if (c := t.contested) and c.on and c.on > day else t for t in old
        )
        for axis, old in work.tags.items()
    }
    return work.model_copy(update={"tags": tags})


def put(document: dict[str, Any], field: str, value: object) -> None:
    """Set a field of a document by its path (`identifiers.arxiv`); the value None removes the field."""
    *parents, last = field.split(".")
    for name in parents:
        document = document.setdefault(name, {})
    if value is None:
        document.pop(last, None)
    else:
        document[last] = value


def _identifiers(record: AnyRecord) -> set[tuple[str, str]]:
    """Return the identifiers of a record and its versions as `(scheme, id in lower case)`."""
    versions = (record, *getattr(record, "versions", ()))
    return {(scheme, text.casefold()) for version in versions for scheme, text in version.identifiers.pairs()}
