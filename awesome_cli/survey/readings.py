"""Readings of contested codings: what the pool says if challengers are right, those who weaken or those who strengthen.

A strict reading applies the contests that weaken or remove a coding or put another term in its place; a generous
reading applies those that strengthen a coding or add terms to it. One reading never mixes the two.
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
    """The side of a tag's contest; None for a contest that only casts doubt, and without one."""
    if tag.contested is None or tag.contested.reads_as is None:
        return None
    kept = [strength for term, strength in _asked(tag, tag.contested) if term == tag.term]
    if not kept:
        return Side.STRICT
    now, then = axis.rank.get(tag.strength or "", -1), axis.rank.get(kept[0] or "", -1)
    if then != now:
        return Side.GENEROUS if then > now else Side.STRICT
    return Side.GENEROUS if len(tag.contested.reads_as) > 1 else None


def _asked(tag: Tag, contest: Contest) -> list[tuple[str, str | None]]:
    return [(c.term or tag.term, c.strength or tag.strength) for c in contest.reads_as or ()]


def reread(work: W, axes: Mapping[str, Axis], chosen: Callable[[Axis, Tag], bool]) -> W:
    """The work with each chosen contested tag as its challenger codes it; the work itself if none is chosen."""
    changed = {
        axis: _challenged(axes[axis], tags, chosen)
        for axis, tags in work.tags.items()
        if axis in axes and any(tag.contested is not None and chosen(axes[axis], tag) for tag in tags)
    }
    return work.model_copy(update={"tags": work.tags | changed}) if changed else work


def _challenged(axis: Axis, tags: tuple[Tag, ...], chosen: Callable[[Axis, Tag], bool]) -> tuple[Tag, ...]:
    def weight(tag: Tag) -> tuple[bool, int]:
        return not tag.part, axis.rank.get(tag.strength or "", -1)

    found: dict[str, Tag] = {}
    for tag in tags:
        contested = tag.contested is not None and chosen(axis, tag)
        for new in as_challenged(axis, tag) if contested else (tag,):
            old = found.get(new.term)
            # Of two codings of one term the main one stays, and of two main ones the stronger.
            if old is None or weight(new) > weight(old):
                found[new.term] = new
    return tuple(found.values())


def as_challenged(axis: Axis, tag: Tag) -> tuple[Tag, ...]:
    """What the challenger codes; on an axis for one main term the first of several is the main one.

    The tag itself where there is no contest, or one that only casts doubt.
    """
    contest = tag.contested
    if contest is None or contest.reads_as is None:
        return (tag,)
    return tuple(
        tag
        if (term, strength) == (tag.term, tag.strength)
        else Tag(
            term=term,
            strength=strength,
            part=tag.part or (axis.kind == "one" and i > 0),
            evidence=contest.because,
            source=contest.source,
            contested=contest,
        )
        for i, (term, strength) in enumerate(_asked(tag, contest))
    )


def in_reading(taxonomy: Taxonomy, reading: ContestReading) -> Callable[[Axis, Tag], bool]:
    """The test for tags that a reading changes; raises `UsageError` for an unknown grade."""
    rank = taxonomy.grade_rank
    least = rank[require_known(reading.grade, rank, "grade")]

    def chosen(axis: Axis, tag: Tag) -> bool:
        contest = tag.contested
        return contest is not None and rank.get(contest.grade, -1) >= least and side_of(axis, tag) is reading.side

    return chosen


def reading_of(taxonomy: Taxonomy, side: str | None, grade: str | None = None) -> ContestReading | None:
    """The reading that a command asks for; without a grade, from the survey's own grade on, else from the weakest.

    Raises `UsageError` for a grade without a side, and for a name that is unknown.
    """
    if side is None:
        if grade is not None:
            raise UsageError("--grade needs --reading", hint="add --reading strict or --reading generous")
        return None
    known = [str(one) for one in Side]
    chosen = Side(known[known.index(require_known(side, known, "reading", hint=" or ".join(known)))])
    least = grade or taxonomy.contested_from or next(iter(taxonomy.grade_rank), "")
    return ContestReading(chosen, require_known(least, taxonomy.grade_rank, "grade"))


def read_as(corpus: Corpus, reading: ContestReading | None) -> Corpus:
    """The corpus in a reading, the corpus itself without one; raises `UsageError` for an unknown grade."""
    if reading is None:
        return corpus
    chosen, taxonomy = in_reading(corpus.taxonomy, reading), corpus.taxonomy

    def read(paper: Paper) -> Paper:
        if not contests(paper):
            return paper
        # Made once for all days and pools that have the paper as it is.
        known, found = paper.memo.get(reading, (None, paper))
        if known is not taxonomy:
            found = reread(paper, taxonomy.by_id, chosen)
            paper.memo[reading] = taxonomy, found
        return cast("Paper", found)

    return replace(corpus, papers=tuple(map(read, corpus.papers)), reading=reading)
