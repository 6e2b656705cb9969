"""The kinds of plot: each decorated function computes the figure of one kind."""

import inspect
from bisect import bisect_right
from calendar import monthrange
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import accumulate
from typing import TYPE_CHECKING

from awesome_cli.analysis.claims.perturbations import Family
from awesome_cli.analysis.claims.sensitivity import Sensitivity, Trial, sensitivity
from awesome_cli.analysis.flow import flow as screening
from awesome_cli.analysis.gaps.cells import silence_notes, sparse_limit
from awesome_cli.analysis.gaps.matrix import MatrixCell, matrix
from awesome_cli.analysis.gaps.states import SPARSE, STATES
from awesome_cli.analysis.statistics import measures
from awesome_cli.errors import UsageError
from awesome_cli.model.appearance import Plot
from awesome_cli.model.identifiers import arxiv_month
from awesome_cli.model.records import Paper
from awesome_cli.model.taxonomy import Axis, Map, tree
from awesome_cli.publish.plots.figures import Bars, Curves, Diagram, Figure, Grid, GridCell, Points, Style, visible
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted

if TYPE_CHECKING:
    from awesome_cli.analysis.screening.simulation import Simulation


@dataclass(frozen=True, slots=True)
class PlotKind:
    """A kind of plot: name, description, supported options, and the function that computes its figure."""

    name: str
    description: str
    uses: tuple[str, ...]
    figure: Callable[[Corpus, Plot], Figure]


def plot_kind(*uses: str) -> Callable[[Callable[[Corpus, Plot], Figure]], PlotKind]:
    """Turn a function into a kind of plot, described by its docstring; `uses`: any of rows, columns, measure."""

    def made(figure: Callable[[Corpus, Plot], Figure]) -> PlotKind:
        return PlotKind(figure.__name__, (inspect.getdoc(figure) or "").partition("\n")[0], uses, figure)

    return made


def _chosen_axis(corpus: Corpus, name: str | None, default: str | None) -> Axis:
    """Return the named axis, else the default, else the first; raises `UsageError` for an unknown axis."""
    return corpus.taxonomy.axis(name or default or corpus.taxonomy.axes[0].id)


def chosen_pair(corpus: Corpus, plot: Plot, *, strength: bool) -> Map:
    """Return the pair of axes of a plot, by default the taxonomy's first suitable map.

    `strength` allows a pair without columns: an axis by its strengths.
    """
    maps = corpus.taxonomy.maps
    if plot.rows is None and plot.columns is None:
        fitting = [pair for pair in maps if strength or pair.columns is not None]
        if fitting:
            return fitting[0]
    ids = list(corpus.taxonomy.by_id)
    rows = _chosen_axis(corpus, plot.rows, ids[0])
    if plot.columns is None and strength:
        return Map(rows=rows.id)
    other = next((axis for axis in ids if axis != rows.id), rows.id)
    pair = Map(rows=rows.id, columns=_chosen_axis(corpus, plot.columns, other).id)
    return next((known for known in maps if known.name == pair.name), pair)


def _matrix_grid(corpus: Corpus, pair: Map, style: Style, content: Callable[[MatrixCell], GridCell]) -> Grid:
    axes, counts = corpus.taxonomy.by_id, matrix(corpus, pair)
    rows, columns = axes[pair.rows].label, axes[pair.columns].label if pair.columns else "Strength"
    cells = tuple(tuple(map(content, counts.cells[row.id].values())) for row in counts.rows)
    row_names = tuple(row.full_label for row in counts.rows)
    column_names = tuple(column.full_label for column in counts.columns)
    known = {row.id for row in counts.rows}
    inner = tuple(row.parent in known for row in counts.rows)
    title = f"{rows} by {columns.lower()}"
    return Grid(title, rows, columns, row_names, column_names, cells, style, inner=inner)


@plot_kind("rows", "columns")
def heatmap(corpus: Corpus, plot: Plot) -> Grid:
    """Number of papers for each pair of terms, at any strength, as a heat map."""
    pair = chosen_pair(corpus, plot, strength=False)
    grid = _matrix_grid(corpus, pair, "heat", lambda cell: GridCell(len(cell.keys), str(len(cell.keys))))
    title = plot.label or f"Papers by {grid.row_label.lower()} and {grid.column_label.lower()}"
    note = " ".join(("Cells: papers.", *_inner_notes(grid), *matrix(corpus, pair).notes))
    return replace(grid, title=title, note=note)


NOTES = {"(": "In parentheses: papers with weaker evidence.", "[": "In brackets: papers with the term only as a part."}
"""Notes on numbers in a cell, by the bracket that each explains."""


@plot_kind("rows", "columns")
def gaps(corpus: Corpus, plot: Plot) -> Grid:
    """Gap matrix of two axes, or of one axis by strength: number of papers and state of each cell."""
    pair = chosen_pair(corpus, plot, strength=True)
    notes_on = matrix(corpus, pair).notes
    grid = _matrix_grid(corpus, pair, "states", _with_state)
    shown = "".join(cell.text for row in grid.cells for cell in row)
    of_pair = {"[": "In brackets: papers with both terms, at least one of them as a part."}
    notes = NOTES if pair.columns is None else NOTES | of_pair
    sentences = [sentence for mark, sentence in notes.items() if mark in shown]
    seen = {cell.state for row in grid.cells for cell in row}
    sparse = f"Sparse: at most {counted(sparse_limit(corpus), 'paper')}." if SPARSE.value in seen else ""
    note = " ".join(filter(None, (sparse, *sentences, *_inner_notes(grid), *notes_on)))
    legend = tuple((state.value, f"{state.word}: {state.meaning}") for state in STATES if state.value in seen)
    return replace(grid, title=plot.label or pair.label or grid.title, note=note, legend=legend)


def _inner_notes(grid: Grid) -> tuple[str, ...]:
    return ("A row above indented rows counts each of their papers once.",) if any(grid.inner) else ()


def _with_state(cell: MatrixCell) -> GridCell:
    """Return a cell with number and state, such as `2 (+9) [3]`: weaker evidence in parentheses, parts in brackets."""
    number = str(cell.n) + (f" (+{cell.weaker})" if cell.weaker else "") + (f" [{cell.parts}]" if cell.parts else "")
    if cell.state is None:
        return GridCell(cell.n, number)
    return GridCell(cell.n, f"{number}\n{cell.state.word}", cell.state.value)


VERDICTS = {"holds": "holds", "fails": "fails", "undecided": "undecided: missing codings could overturn the claim"}
FLIPS = "Blank: no coding of the claim changes. Last column: changes that flip the claim, of those that affect it."


@plot_kind()
def claims(corpus: Corpus, plot: Plot) -> Grid:
    """Verdict on each claim as coded and in each reading of contested codings, and the changes that flip it."""
    results = sensitivity(corpus)
    shown = [verdict for verdict in results.verdicts if not verdict.claim.definitional]
    if not shown:
        raise UsageError(
            "claims.yaml has no claim that changes to records can affect", hint="see 'awesome schema claims'"
        )
    changes = [change for change in results.perturbed if change.family in (Family.STRICT, Family.GENEROUS)]
    readings = [change.name for change in changes if change.papers]
    trials = {(trial.claim, trial.change.name): trial for trial in results.trials}
    cells = tuple(
        (
            GridCell(int(verdict.holds), word := results.word(verdict.claim.id, holds=verdict.holds), word),
            *(_read(results, trials[verdict.claim.id, name]) for name in readings),
            GridCell((tally := results.tally(verdict.claim.id)).flipping, f"{tally.flipping} of {tally.touching}"),
        )
        for verdict in shown
    )
    grades = {grade.id: grade.label for grade in corpus.taxonomy.grades}
    names = (f"{change.family} from {grades[change.name.rpartition(' ')[2]]}" for change in changes if change.papers)
    columns = ("as coded", *names, "flipped by")
    seen = {cell.state for line in cells for cell in line}
    legend = tuple((state, words) for state, words in VERDICTS.items() if state in seen)
    rows = tuple(verdict.claim.id for verdict in shown)
    return Grid(plot.label or "Claims under readings", "Claim", "Reading", rows, columns, cells, "marks", FLIPS, legend)


def _read(results: Sensitivity, trial: Trial) -> GridCell:
    """Return the verdict in a reading, empty if the reading changes no coding of the claim."""
    word = "" if trial.inert else results.word(trial.claim, holds=trial.holds)
    return GridCell(int(trial.holds), word, word or None)


@plot_kind()
def flow(corpus: Corpus, plot: Plot) -> Diagram:
    """Number of records audited, screened out at each stage, and retained."""
    diagram = screening(corpus)
    return Diagram(plot.label or diagram.title, diagram.boxes, diagram.note)


@plot_kind("measure")
def measure(corpus: Corpus, plot: Plot) -> Points:
    """Values of a measure by group, with the number of omitted reports."""
    known = [m.id for m in corpus.taxonomy.measures]
    if not known:
        raise UsageError("taxonomy.yaml declares no measures", hint="see 'awesome schema taxonomy'")
    chosen = measures.find(corpus, plot.measure or known[0])
    comparison = measures.compare(corpus, chosen)
    groups = tuple(
        (group.label, tuple((value, key, corpus.short_titles[key]) for value, key in group.values if value > 0))
        for group in comparison.groups.values()
    )
    none = sum(value <= 0 for group in comparison.groups.values() for value, _ in group.values)
    reasons = Counter(omitted.why for omitted in comparison.left_out).most_common()
    note = f"{counted(len(comparison.left_out), 'report')} omitted"
    note += f" ({', '.join(f'{n}: {why}' for why, n in reasons)})" if reasons else ""
    note += f", {none} of zero or less not drawn" if none else ""
    if comparison.ratio is not None:
        note = f"Largest {' to '.join(g for g, _ in groups)}: {measures.number(comparison.ratio)} to 1; {note}"
    return Points(plot.label or chosen.label, f"{chosen.label}, {chosen.unit} (log scale)", groups, f"{note}.")


Group = tuple[str, Sequence[Paper], int | None]
"""Label, papers, and index of the group that contains them."""


def _groups(corpus: Corpus, axis: Axis | None) -> list[Group]:
    """Return all papers and, with an axis, those of each term (within its broader term) and those without a term."""
    groups: list[Group] = [("All papers", corpus.papers, None)]
    if axis is None:
        return groups
    terms = tree(axis)
    places = {term.id: i for i, term in enumerate(terms, 1)}
    for term in terms:
        papers = [p for p in corpus.papers if any(tag.term in axis.family[term.id] for tag in p.tags_on(axis.id))]
        around = places.get(term.parent or "", 0)
        label = f"{term.full_label} (in {terms[around - 1].full_label})" if around else term.full_label
        groups.append((label, papers, around))
    return groups


DWARFED = 3
"""All papers are drawn behind their terms unless their maximum is more than this many times that of the terms."""


def _within(groups: Sequence[Group], tops: Sequence[float]) -> tuple[int | None, ...]:
    """Return for each group the index of the group to draw behind it; `tops` are the maxima of the groups."""
    dwarfed = tops[0] > DWARFED * max(tops[1:], default=tops[0])
    return tuple(None if dwarfed and not around else around for *_, around in groups)


def _group_notes(groups: Sequence[Group], within: Sequence[int | None]) -> Iterator[str]:
    """Yield the sentences that explain panels of groups."""
    yield "Light: all papers." if 0 in within else "The panel of all papers has another scale."
    if any(within):
        yield "Light for a narrower term: the papers of the broader term."
    outer = [paper.key for _, papers, around in groups if around == 0 for paper in papers]
    if len(outer) > len({*outer}):
        yield "A paper with several terms is in several panels."
    if rest := len(groups[0][1]) - len({*outer}):
        yield f"{counted(rest, 'paper')}: none of these terms."


EARLY = 20
"""Curves start in the year by which one paper in `EARLY` had appeared."""


@plot_kind("rows")
def timeline(corpus: Corpus, plot: Plot) -> Curves:
    """Cumulative number of papers by date of appearance, in total or by the terms of an axis, with the cutoff."""
    appeared = {paper.key: day for paper in corpus.papers if (day := first_public(paper)) is not None}
    until = corpus.last_day
    axis = corpus.taxonomy.axis(plot.rows) if plot.rows else None
    groups = _groups(corpus, axis)
    termed = {paper.key for _, papers, _ in groups[1:] or groups for paper in papers}
    every = sorted(as_year(day) for key, day in appeared.items() if key in termed)
    first = float(int(every[len(every) // EARLY])) if every else 0.0
    before = sum(as_year(day) < first for day in appeared.values())
    lines = []
    for name, papers, _ in groups:
        days = sorted(as_year(appeared[paper.key]) for paper in papers if paper.key in appeared)
        start = max(first, days[0]) if days else first
        steps = sorted({start, *(day for day in days if day > start), *([as_year(until)] if until else [])})
        lines.append((name, tuple((at, float(bisect_right(days, at))) for at in steps)))
    top = max((points[-1][1] for _, points in lines if points), default=0.0)
    cutoff = corpus.taxonomy.survey.cutoff
    at = as_year(cutoff) if cutoff else 0
    marks = ((f"cutoff {cutoff}", ((at, 0.0), (at, top))),) if cutoff and lines[0][1] else ()
    missing = len(corpus.papers) - len(appeared)
    note = "Papers are dated by the month of their arXiv identifier, else by the end of their year."
    if before:
        note += f" {counted(before, 'paper')} appeared before {first:.0f}."
    if missing:
        note += f" {counted(missing, 'paper')} without a year omitted."
    within = _within(groups, [points[-1][1] if points else 0 for _, points in lines]) if axis else ()
    if axis:
        note = " ".join((note, *_group_notes(groups, within), *silence_notes(corpus, axis)))
    title = plot.label or ("Papers by " + axis.label.lower() if axis else "Papers of the pool") + ", cumulative"
    return Curves(title, "Year of first appearance", "Papers", tuple(lines), marks, note, shares=False, within=within)


def first_public(paper: Paper) -> date | None:
    """Return the latest possible date of appearance: the end of the arXiv id's month or of the year, if known."""
    year, month = arxiv_month(paper.identifiers.arxiv or "") or (paper.year, 12)
    return min(date(year, month, monthrange(year, month)[1]), paper.added) if year else None


def as_year(day: date) -> float:
    """Return a date as a decimal year, rounded to thousandths: the last day of 2024 is 2025.0."""
    return round(day.year + day.timetuple().tm_yday / (366 if monthrange(day.year, 2)[1] == 29 else 365), 3)


EMPTY_YEARS = 2
"""Longest run of empty years that is shown; longer runs are omitted and marked."""
LEFT_OUT = "//: years without papers are omitted."


@plot_kind("rows")
def years(corpus: Corpus, plot: Plot) -> Bars:
    """Papers per year, with a panel for all papers and for each term of an axis."""
    readme = corpus.taxonomy.readme
    axis = _chosen_axis(corpus, plot.rows, readme.group_by if readme else None)
    dated = [paper for paper in corpus.papers if paper.year]
    groups = _groups(corpus, axis)
    start = min((paper.year for _, papers, _ in groups[1:] for paper in papers if paper.year), default=1) - 1
    shown = _shown({year for paper in dated if (year := paper.year or 0) >= start})
    years_of = [Counter(paper.year for paper in papers) for _, papers, _ in groups]
    series = tuple(
        (name, tuple(counts[year] for year in shown)) for (name, *_), counts in zip(groups, years_of, strict=True)
    )
    breaks = tuple(i for i, year in enumerate(shown) if i and year > shown[i - 1] + 1)
    until = corpus.last_day
    unended = until is not None and shown[-1:] == [until.year] and (until.month, until.day) != (12, 31)
    partial = str(shown[-1]) if unended else ""
    within = _within(groups, [max(counts, default=0) for _, counts in series])
    notes = [*_group_notes(groups, within), LEFT_OUT if breaks else ""]
    notes += [f"Hatched, *: {partial} is incomplete, until {until}."] if partial else []
    early = sum((paper.year or 0) < start for paper in dated)
    notes += [f"{counted(early, 'paper')} appeared before {start}."] if early else []
    title = plot.label or f"Papers per year by {axis.label.lower()}"
    note = " ".join(filter(None, (*notes, *silence_notes(corpus, axis))))
    return Bars(title, "Year of publication", "Papers", tuple(map(str, shown)), series, within, note, breaks, partial)


def _shown(with_papers: set[int]) -> list[int]:
    """Return the years from first to last, without long runs of empty years."""
    shown: list[int] = []
    for year in sorted(with_papers):
        if shown and year - shown[-1] <= EMPTY_YEARS + 1:
            shown += range(shown[-1] + 1, year)
        shown.append(year)
    return shown


CURVES = 8
"""Maximum number of recall curves; further ones are omitted, with a note."""


def recall(simulation: "Simulation") -> Curves:
    """Return the recall curve of each replay, with the best possible and the mean random order as references."""
    lines = [(f"seed {replay.seed}", tuple(_points(replay.labels))) for replay in simulation.replays]
    labels = simulation.replays[0].labels
    relevant = sum(labels)
    best = ((0.0, 0.0), (relevant / len(labels), 1.0), (1.0, 1.0))
    note = (
        f"{counted(len(labels), 'record')}, {relevant:,} relevant, without the starting papers; a solid line for each"
    )
    note += f" of the first {CURVES} of {len(lines)} seeds" if len(lines) > CURVES else " seed"
    beside = (("random order, mean", ((0.0, 0.0), (1.0, 1.0))), ("best order", best))
    drawn = tuple(lines[:CURVES])
    shown: Curves = visible(Curves("Relevant papers found", "Papers read", "Recall", drawn, beside, f"{note}."))
    return shown


def _points(labels: Sequence[bool]) -> Iterator[tuple[float, float]]:
    """Yield `(share of papers read, share of relevant papers found)`, both from 0 to 1."""
    for read, relevant in enumerate(accumulate(map(int, labels), initial=0)):
        yield read / len(labels), relevant / sum(labels)
