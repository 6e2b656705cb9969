"""Perturbations: small changes to the records under which claims are re-evaluated, each with a name and a family.

A perturbation has only the changed records, so that its effect is computed without reading the whole corpus.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import cast

from awesome_cli.model.audits import NA
from awesome_cli.model.claims import Rereading
from awesome_cli.model.codings import Tag, on_axis, parse_cell
from awesome_cli.model.records import AnyWork, Exclusion, Paper
from awesome_cli.model.taxonomy import Axis
from awesome_cli.query.parser import Query
from awesome_cli.survey.corpus import ContestReading, Corpus, Side, contests
from awesome_cli.survey.readings import read_as, reread


class Family(StrEnum):
    """Kinds of perturbations."""

    NEAR_MISSES = "near_misses"
    PARTIAL = "partial"
    STRICT = "strict"
    GENEROUS = "generous"
    CONTEST = "contest"
    LOW_CONFIDENCE = "low_confidence"
    SECOND_READER = "second_reader"
    LEFT_OUT = "left_out"
    CANDIDATES = "candidates"


FAMILY_TEXTS: Mapping[Family, str] = {
    Family.NEAR_MISSES: "near-misses are re-admitted",
    Family.PARTIAL: "a term is read as another, as listed in claims.yaml under rereadings",
    Family.STRICT: "contests that weaken, remove or replace codings are right",
    Family.GENEROUS: "contests that strengthen codings or add to them are right",
    Family.CONTEST: "one contest is right",
    Family.LOW_CONFIDENCE: "codings and numbers of low confidence are removed",
    Family.SECOND_READER: "the second coder's terms are used",
    Family.LEFT_OUT: "a paper is removed from the pool",
    Family.CANDIDATES: "candidates are admitted",
}


@dataclass(frozen=True)
class Perturbation:
    """A change of records: `papers` are changed papers by key (None: removed).

    `readmitted` are keys of exclusions that become papers. `whole` is True for a perturbation that makes all changes of
    its family at once.
    """

    name: str
    family: Family
    papers: Mapping[str, AnyWork | None]
    readmitted: frozenset[str] = frozenset()
    whole: bool = False
    _fitting: dict[Query, frozenset[str]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def fitting(self, query: Query) -> frozenset[str]:
        """Return the keys of its changed papers that match a query."""
        if not self.papers:
            return frozenset()
        if query not in self._fitting:  # many pools have the same queries
            papers = self.papers.items()
            self._fitting[query] = frozenset(key for key, paper in papers if paper and query.matches(paper))
        return self._fitting[query]

    def apply(self, corpus: Corpus) -> Corpus:
        current: list[AnyWork | None] = [self.papers.get(paper.key, paper) for paper in corpus.papers]
        known = {paper.key for paper in corpus.papers}
        brought = [paper for key, paper in self.papers.items() if key not in known]
        return replace(
            corpus,
            # A candidate is treated as the paper that it would become; both are works.
            papers=cast("tuple[Paper, ...]", tuple(paper for paper in (*current, *brought) if paper is not None)),
            exclusions=tuple(e for e in corpus.exclusions if e.key not in self.readmitted),
        )


UNCHANGED = Perturbation("as it is", Family.LEFT_OUT, {})


def near_misses(corpus: Corpus) -> tuple[Perturbation, ...]:
    """Return the readmission of each near-miss alone, then of all together."""
    papers = {exclusion.key: _readmitted(exclusion, corpus) for exclusion in corpus.exclusions if exclusion.near_miss}
    family, name = Family.NEAR_MISSES, "all near-misses re-admitted"
    each = (Perturbation(f"{key} re-admitted", family, {key: paper}, frozenset({key})) for key, paper in papers.items())
    return (*each, Perturbation(name, family, papers, frozenset(papers), whole=True)) if papers else ()


def _readmitted(exclusion: Exclusion, corpus: Corpus) -> Paper:
    tags: dict[str, tuple[Tag, ...]] = {}
    for near in exclusion.near_miss:
        if near.axis in corpus.taxonomy.by_id:
            tags[near.axis] = (*tags.get(near.axis, ()), Tag(term=near.term, strength=near.strength))
    # Keys of exclusions may have capitals, keys of papers may not; here the key only has to be unique.
    return Paper.model_construct(
        key=exclusion.key,
        title=exclusion.title,
        authors=exclusion.authors,
        year=exclusion.year,
        identifiers=exclusion.identifiers,
        added=exclusion.screening.on,
        tags=tags,
    )


def rereadings(corpus: Corpus) -> Iterator[Perturbation]:
    """Yield each entry under `rereadings` in claims.yaml: for all papers together, then for each paper alone."""
    for reading in corpus.claims.rereadings:
        changed = {p.key: new for p in corpus.papers if (new := _read_otherwise(p, reading)) is not p}
        yield Perturbation(reading.label, Family.PARTIAL, changed, whole=True)
        for key, paper in changed.items():
            yield Perturbation(f"{reading.label}: {key} alone", Family.PARTIAL, {key: paper})


def _read_otherwise(paper: Paper, reading: Rereading) -> Paper:
    tags = paper.tags.get(reading.axis, ())
    if not any(tag.term == reading.term for tag in tags):
        return paper
    new = {"term": reading.read_as}
    read = tuple(tag.model_copy(update=new) if tag.term == reading.term else tag for tag in tags)
    return paper.model_copy(update={"tags": {**paper.tags, reading.axis: read}})


def readings(corpus: Corpus, side: Side) -> Iterator[Perturbation]:
    """Yield the reading of one `side` (strict or generous) for each lowest grade of the contests that it applies."""
    contested = _contested(corpus)
    for grade in corpus.taxonomy.grades:
        reading = ContestReading(side, grade.id)
        read = read_as(replace(corpus, papers=contested), reading).papers
        changed = {new.key: new for old, new in zip(contested, read, strict=True) if new is not old}
        yield Perturbation(str(reading), Family(side.value), changed, whole=True)


def contest(corpus: Corpus) -> Iterator[Perturbation]:
    """Yield a perturbation for each contest that proposes another coding."""
    for paper in _contested(corpus):
        for axis, tags in paper.tags.items():
            changes = (challenged(corpus, paper, axis, tag) for tag in tags if tag.contested is not None)
            yield from (change for change in changes if change.papers)


def challenged(corpus: Corpus, paper: Paper, axis: str, tag: Tag) -> Perturbation:
    """Replace a coding by the one that its contest proposes; empty if the contest proposes no other coding."""
    read = reread(paper, corpus.taxonomy.by_id, lambda _, candidate: candidate is tag)
    changed = {paper.key: read} if read.tags != paper.tags else {}
    return Perturbation(f"contest of {paper.key} {on_axis(axis, tag.term)}", Family.CONTEST, changed)


def _contested(corpus: Corpus) -> tuple[Paper, ...]:
    return tuple(paper for paper in corpus.papers if contests(paper))


def low_confidence(corpus: Corpus) -> Iterator[Perturbation]:
    """Yield a perturbation without each coding or measure of the lowest confidence, then one without any of these."""
    if not corpus.taxonomy.confidences:
        return
    lowest = corpus.taxonomy.confidences[0].id
    sure: dict[str, AnyWork | None] = {}
    for paper in corpus.papers:
        tags = [(axis, tag) for axis, tags in paper.tags.items() for tag in tags if tag.confidence == lowest]
        facts = [name for name, fact in paper.measures.items() if fact.confidence == lowest]
        alone = [(on_axis(axis, tag.term), _without(paper, [(axis, tag)], [])) for axis, tag in tags]
        alone += [(name, _without(paper, [], [name])) for name in facts]
        for name, left in alone:
            yield Perturbation(f"without {paper.key} {name}", Family.LOW_CONFIDENCE, {paper.key: left})
        if alone:
            sure[paper.key] = _without(paper, tags, facts)
    yield Perturbation("all codings of low confidence", Family.LOW_CONFIDENCE, sure, whole=True)


def _without(paper: Paper, tags: Sequence[tuple[str, Tag]], facts: Sequence[str]) -> Paper:
    """Return a copy of a paper without some tags (with their axis) and measures."""
    dropped = {(axis, id(tag)) for axis, tag in tags}
    left = {axis: tuple(t for t in on_axis if (axis, id(t)) not in dropped) for axis, on_axis in paper.tags.items()}
    measures = {name: fact for name, fact in paper.measures.items() if name not in facts}
    return paper.model_copy(update={"tags": left, "measures": measures})


def second_reader(corpus: Corpus) -> Iterator[Perturbation]:
    """Yield second codings that differ from the first: for each paper of an audit alone, then all together."""
    each: list[Perturbation] = []
    changed: dict[str, AnyWork | None] = {}
    for audit in sorted(corpus.audits, key=lambda audit: (audit.on, audit.key)):
        with_parts = audit.with_parts
        for coding in audit.codings:
            paper = corpus.by_key.get(coding.key)
            differ = {c for c, v in coding.second.items() if v and c in coding.first and v != coding.first[c]}
            axes = {column.partition(".")[0] for column in differ} & corpus.taxonomy.by_id.keys()
            if not isinstance(paper, Paper) or not axes:
                continue
            tags = {
                axis: _coded(corpus.taxonomy.by_id[axis], coding.second, paper.tags.get(axis, ()), axis in with_parts)
                for axis in sorted(axes)
            }
            if any(tags[axis] != paper.tags.get(axis, ()) for axis in tags):
                name = f"second reader on {paper.key} ({audit.key})"
                alone = paper.model_copy(update={"tags": {**paper.tags, **tags}})
                each.append(Perturbation(name, Family.SECOND_READER, {paper.key: alone}))
                so_far = changed.get(paper.key) or paper
                changed[paper.key] = so_far.model_copy(update={"tags": {**so_far.tags, **tags}})
    yield from each
    yield Perturbation("the second readers' tags", Family.SECOND_READER, changed, whole=True)


def _coded(axis: Axis, cells: Mapping[str, str], first: Sequence[Tag], parts: bool) -> tuple[Tag, ...]:  # noqa: FBT001 - a fact
    """Return the second coder's tags in the cells of a sheet; a tag that equals one of `first` is that object.

    Without `parts` the coder was not asked for parts, and those of `first` remain.
    """
    strength = cells.get(f"{axis.id}.strength")
    weakest = axis.strengths[0].id if axis.strengths else None
    same = {str(tag): tag for tag in first}
    tags = []
    for tag in parse_cell(cells.get(axis.id, NA)):
        known = tag.strength or (strength if strength in axis.rank else None) or weakest
        if tag.term != NA:
            new = Tag(term=tag.term, strength=known, part=tag.part)
            tags.append(same.get(str(new), new))
    terms = {tag.term for tag in tags}
    return (*tags, *(() if parts else (tag for tag in first if tag.part and tag.term not in terms)))


def left_out(keys: Iterable[str]) -> Iterator[Perturbation]:
    """Yield the removal of each paper alone."""
    for key in keys:
        yield Perturbation(f"without {key}", Family.LEFT_OUT, {key: None})


FAMILIES: Mapping[Family, Callable[[Corpus], Iterable[Perturbation]]] = {
    Family.NEAR_MISSES: near_misses,
    Family.PARTIAL: rereadings,
    Family.STRICT: partial(readings, side=Side.STRICT),
    Family.GENEROUS: partial(readings, side=Side.GENEROUS),
    Family.CONTEST: contest,
    Family.LOW_CONFIDENCE: low_confidence,
    Family.SECOND_READER: second_reader,
}
