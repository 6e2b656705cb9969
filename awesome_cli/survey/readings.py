"""Readings of contested codings: the pool as it would be if challengers were right.

A strict reading applies contests that weaken, remove or replace a coding; a generous reading applies contests that
strengthen a coding or add terms. A reading never mixes both kinds.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar, cast

from awesome_cli.errors import UsageError
from awesome_cli.model.codings import Contest, Tag
from awesome_cli.model.records import Candidate, Paper
from awesome_cli.model.taxonomy import Axis, Taxonomy
from awesome_cli.survey.corpus import ContestReading, Corpus, Side, contests
from awesome_cli.text.known import require_known

W = TypeVar("W", Paper, Candidate)


def side_of(axis: Axis, tag: Tag) -> Side | None:
    """Return the side of a tag's contest; None without a contest, or if it proposes no other coding."""
    if tag.contested is None or tag.contested.reads_as is None:
        return None
    proposed = _proposed(tag, tag.contested)[: 1 if axis.kind == "one" and not tag.part else None]
    strengths = [strength for term, strength in proposed if term == tag.term]
    if not strengths:
        return Side.STRICT
    now, then = axis.rank.get(tag.strength or "", -1), axis.rank.get(strengths[0] or "", -1)
    if then != now:
        return Side.GENEROUS if then > now else Side.STRICT
    return Side.GENEROUS if len(tag.contested.reads_as) > 1 else None


def _proposed(tag: Tag, contest: Contest) -> list[tuple[str, str | None]]:
    return [(c.term or tag.term, c.strength or tag.strength) for c in contest.reads_as or ()]


def reread(work: W, axes: Mapping[str, Axis], chosen: Callable[[Axis, Tag], bool]) -> W:
    """Return a work with each chosen contested tag replaced by its challenger's coding."""
    changed = {
        axis: _challenged(axes[axis], tags, chosen)
        for axis, tags in work.tags.items()
        if axis in axes and any(tag.contested is not None and chosen(axes[axis], tag) for tag in tags)
    }
    return work.model_copy(update={"tags": work.tags | changed}) if changed else work


def _challenged(axis: Axis, tags: tuple[Tag, ...], chosen: Callable[[Axis, Tag], bool]) -> tuple[Tag, ...]:
    def weight(tag: Tag) -> tuple[bool, int]:
        return not tag.part, axis.rank.get(tag.strength or "", -1)

    codings: dict[str, Tag] = {}
    for tag in tags:
        contested = tag.contested is not None and chosen(axis, tag)
        for new in as_challenged(axis, tag) if contested else (tag,):
            old = codings.get(new.term)
            # Of two codings of one term the main one wins, and of two main ones the stronger.
            if old is None or weight(new) > weight(old):
                codings[new.term] = new
    return tuple(codings.values())


def as_challenged(axis: Axis, tag: Tag) -> tuple[Tag, ...]:
    """Return the tags that the challenger proposes; on an axis of kind `one` the first tag is the main coding.

    Return the tag itself if it has no contest, or if the contest only casts doubt.
    """
    contest = tag.contested
    if contest is None or contest.reads_as is None:
        return (tag,)
    new = []
    for i, (term, strength) in enumerate(_proposed(tag, contest)):
        part = tag.part or (axis.kind == "one" and i > 0)
        coding = Tag(term=term, strength=strength, part=part, evidence=contest.because, source=contest.source)
        same = (term, strength, part) == (tag.term, tag.strength, tag.part)
        new.append(tag if same else coding.model_copy(update={"contested": contest}))
    return tuple(new)


def in_reading(taxonomy: Taxonomy, reading: ContestReading) -> Callable[[Axis, Tag], bool]:
    """Return a predicate for the tags that a reading changes; raises `UsageError` for an unknown grade."""
    rank = taxonomy.grade_rank
    least = rank[require_known(reading.grade, rank, "grade")]

    def chosen(axis: Axis, tag: Tag) -> bool:
        contest = tag.contested
        return contest is not None and rank.get(contest.grade, -1) >= least and side_of(axis, tag) is reading.side

    return chosen


def reading_of(taxonomy: Taxonomy, side: str | None, grade: str | None = None) -> ContestReading | None:
    """Return the reading with this side and grade; None without a side.

    The default grade is the survey's `contested_from`, else the weakest grade. Raises `UsageError` for invalid values.
    """
    if side is None:
        if grade is not None:
            raise UsageError("--grade needs --reading", hint="add --reading strict or --reading generous")
        return None
    known = [str(s) for s in Side]
    chosen = Side(require_known(side, known, "reading", hint=" or ".join(known)))
    least = grade or taxonomy.contested_from or next(iter(taxonomy.grade_rank), "")
    return ContestReading(chosen, require_known(least, taxonomy.grade_rank, "grade"))


def read_as(corpus: Corpus, reading: ContestReading | None) -> Corpus:
    """Return the corpus in a reading, or unchanged without one; raises `UsageError` for an unknown grade."""
    if reading is None:
        return corpus
    if reading not in corpus.memo:
        corpus.memo[reading] = _read_as(corpus, reading)
    return cast("Corpus", corpus.memo[reading])


def _read_as(corpus: Corpus, reading: ContestReading) -> Corpus:
    chosen, taxonomy = in_reading(corpus.taxonomy, reading), corpus.taxonomy

    def read(paper: Paper) -> Paper:
        if not contests(paper):
            return paper
        # Cached for all days and pools that share the paper.
        known, result = paper.memo.get(reading, (None, paper))
        if known is not taxonomy:
            result = reread(paper, taxonomy.by_id, chosen)
            paper.memo[reading] = taxonomy, result
        return cast("Paper", result)

    return replace(corpus, papers=tuple(map(read, corpus.papers)), reading=reading)
