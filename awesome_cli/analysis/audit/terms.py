"""Main terms and parts together: which terms both coders found, and whether the second sides with a challenger."""

from collections.abc import Iterator
from dataclasses import dataclass

from awesome_cli.analysis.audit.agreement import main_of, tags_of
from awesome_cli.model.audits import NA, Audit
from awesome_cli.model.codings import Contest
from awesome_cli.model.records import Paper
from awesome_cli.survey.corpus import Corpus


@dataclass(frozen=True, slots=True)
class FoundTerms:
    """Terms on an axis, main or part, as `(key, term)`: found by both coders, by the first or the second alone."""

    axis: str
    both: tuple[tuple[str, str], ...]
    first: tuple[tuple[str, str], ...]
    second: tuple[tuple[str, str], ...]

    @property
    def n(self) -> int:
        """Terms that at least one of the coders found."""
        return len(self.both) + len(self.first) + len(self.second)

    @property
    def jaccard(self) -> float | None:
        """The share of these that both found, 0 to 1 (Jaccard, New Phytologist 11:37-50, 1912); None without terms."""
        return len(self.both) / self.n if self.n else None


def found(audit: Audit, corpus: Corpus) -> tuple[FoundTerms, ...]:
    """The terms that each coder found, on the axes of kind one on which the second coder named parts."""
    answer = []
    for name, cells in audit.pairs.items():
        axis = corpus.taxonomy.by_id.get(name)
        if axis is None or axis.kind == "many" or name not in audit.with_parts:
            continue
        both, first, second = [], [], []
        for key, a, b in cells:
            mine, theirs = ({(key, tag.term) for tag in tags_of(cell)} for cell in (a or "", b or ""))
            if a and b:
                both += sorted(mine & theirs)
                first += sorted(mine - theirs)
                second += sorted(theirs - mine)
        answer.append(FoundTerms(name, tuple(both), tuple(first), tuple(second)))
    return tuple(answer)


@dataclass(frozen=True, slots=True)
class Siding:
    """Contests on an axis, of a grade or above, that say what the main coding would be instead.

    `sides` are the papers in which the second coder gave one of the challenger's terms, as main term or as second
    choice; `others` those in which not.
    """

    axis: str
    grade: str
    sides: tuple[str, ...]
    others: tuple[str, ...]


def sidings(audit: Audit, corpus: Corpus) -> Iterator[Siding]:
    """For each axis of kind one and each grade with such contests, whether the second coder sides with them."""
    rank = corpus.taxonomy.grade_rank
    for name in audit.columns:
        axis = corpus.taxonomy.by_id.get(name)
        if axis is None or axis.kind == "many":
            continue
        contests = [(key, rank.get(contest.grade, -1), sides) for key, contest, sides in _contests(audit, corpus, name)]
        for grade, least in rank.items():
            at = [(key, sides) for key, place, sides in contests if place >= least]
            if at:
                agreeing, others = (tuple(key for key, sides in at if sides is wanted) for wanted in (True, False))
                yield Siding(name, grade, agreeing, others)


def _contests(audit: Audit, corpus: Corpus, axis: str) -> Iterator[tuple[str, Contest, bool]]:
    """`(key, contest, whether the second coder sides with it)` of the audited papers' main codings on an axis."""
    for coding in audit.codings:
        paper = corpus.by_key.get(coding.key)
        given = {main_of(cell) for cell in (coding.second.get(axis), coding.second_choice.get(axis)) if cell}
        for tag in paper.tags_on(axis) if isinstance(paper, Paper) and given else ():
            contest = tag.contested
            # A coder could not know a contest that was raised later.
            if contest is None or contest.reads_as is None or (contest.on is not None and contest.on > audit.on):
                continue
            terms = {challenge.term or tag.term for challenge in contest.reads_as} or {NA}
            if tag.term not in terms:
                yield coding.key, contest, bool(terms & given)
