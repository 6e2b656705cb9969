"""Effects of single contests: the cells of the gap map and the claims that change if one contest is right."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from awesome_cli.analysis.claims.perturbations import Family, challenged
from awesome_cli.analysis.claims.sensitivity import Sensitivity, Trial
from awesome_cli.analysis.gaps.cells import GapCell, GapMap, Place, covered
from awesome_cli.analysis.gaps.states import NOT_APPLICABLE, GapState, state_of
from awesome_cli.model.codings import Contest, Tag
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.grouping import group_pairs


@dataclass(frozen=True, slots=True)
class CellChange:
    """A cell whose number of papers or state changes; `n` and `states` are `(before, after)`."""

    place: Place
    n: tuple[int, int]
    states: tuple[GapState, GapState]

    @property
    def turns(self) -> bool:
        """True if the state changes."""
        return self.states[0] is not self.states[1]


@dataclass(frozen=True, slots=True)
class ContestEffect:
    """A contested coding, and the changes if this contest alone were right.

    `codings` are the paper's codings on the axis after the change, None if the contest proposes no other coding.
    `claims` are trials whose answer changes, flips first. `cells` are changed cells; cells with a new state come first.
    """

    axis: Axis
    tag: Tag
    contest: Contest
    codings: tuple[Tag, ...] | None
    claims: tuple[Trial, ...] = ()
    cells: tuple[CellChange, ...] = ()


def rereadings(gaps: GapMap, perturbed: Sensitivity) -> Mapping[str, tuple[ContestEffect, ...]]:
    """Return the effects of each paper's contests by key; their `claims` are single-contest trials of `perturbed`."""
    contests = (trial for trial in perturbed.trials if trial.change.family is Family.CONTEST)
    trials = group_pairs((t.change.name, t) for t in contests if t.flips or t.before.value != t.after.value)
    cells = Cells.of(gaps)
    effects = {paper.key: tuple(_of(cells, trials, paper)) for paper in gaps.corpus.papers}
    return {key: contested for key, contested in effects.items() if contested}


def _of(cells: "Cells", trials: Mapping[str, Sequence[Trial]], paper: Paper) -> Iterator[ContestEffect]:
    contested = ((axis, tag) for axis in cells.corpus.taxonomy.axes for tag in paper.tags.get(axis.id, ()))
    for axis, tag in contested:
        if tag.contested is None:
            continue
        change = challenged(cells.corpus, paper, axis.id, tag)
        new = change.papers.get(paper.key)
        if isinstance(new, Paper):
            claims = sorted(trials.get(change.name, ()), key=lambda trial: not trial.flips)
            changed = sorted(cells.changed(paper, new), key=lambda cell: not cell.turns)
            yield ContestEffect(axis, tag, tag.contested, new.tags[axis.id], tuple(claims), tuple(changed))
        else:
            yield ContestEffect(axis, tag, tag.contested, None)


@dataclass(frozen=True)
class Cells:
    """An index that recounts the cells of a gap map after one paper was recoded, without reading other papers.

    `touching` maps `(axis, term)` to the indices of the cells in which that coding counts. `population` is the number
    of papers of which `sparse` is a share.
    """

    corpus: Corpus
    cells: tuple[tuple[Place, GapCell], ...]
    touching: Mapping[tuple[str, str], tuple[int, ...]]
    population: int

    @classmethod
    def of(cls, gaps: GapMap) -> "Cells":
        """Index the applicable cells of a map."""
        cells = tuple((place, cell) for place, cell in gaps.placed() if cell.state is not NOT_APPLICABLE)
        places = ((number, axis, term) for number, (place, _) in enumerate(cells) for axis, term in place)
        touching = group_pairs(((axis.id, below), n) for n, axis, term in places for below in axis.family[term.id])
        population = len(gaps.corpus.select(gaps.corpus.taxonomy.sparse.among))
        return cls(gaps.corpus, cells, {key: tuple(numbers) for key, numbers in touching.items()}, population)

    def changed(self, old: Paper, new: Paper) -> Iterator[CellChange]:
        """Yield the cells that change if a paper's codings change from `old` to `new`, in map order."""
        sparse = self.corpus.taxonomy.sparse
        was, now = (len(replace(self.corpus, papers=(paper,)).select(sparse.among)) for paper in (old, new))
        limit = sparse.limit(self.population - was + now)
        counting = _counting(self.corpus, new)
        moved = _counting(self.corpus, old) ^ counting
        numbers = {number for coding in moved for number in self.touching.get(coding, ())}
        if was != now:
            numbers.update(range(len(self.cells)))
        for place, cell in (self.cells[number] for number in sorted(numbers)):
            n = len(cell.covering)
            counts = all(any((axis.id, below) in counting for below in axis.family[term.id]) for axis, term in place)
            then = n - (old.key in cell.covering) + counts
            states = cell.state, state_of(limit, then, cell.uncoded)
            if then != n or states[0] is not states[1]:
                yield CellChange(place, (n, then), states)


def _counting(corpus: Corpus, paper: Paper) -> set[tuple[str, str]]:
    return {(axis.id, term) for axis in corpus.taxonomy.axes for term in covered(paper, axis)}
