"""From a corpus to figures: one function a kind of plot."""

from collections import Counter
from collections.abc import Callable, Mapping

from awesome_cli.analysis.claims.perturbations import Family
from awesome_cli.analysis.claims.sensitivity import sensitivity
from awesome_cli.analysis.flow import IDENTIFIED
from awesome_cli.analysis.flow import flow as screening
from awesome_cli.analysis.gaps import matrix as matrices
from awesome_cli.analysis.statistics import measures
from awesome_cli.errors import UsageError
from awesome_cli.model.taxonomy import NA, Axis, Map, Plot, Term
from awesome_cli.publish.plots.figures import Bars, Chart, Figure, Grid, Points, Square
from awesome_cli.survey.corpus import Corpus


def _axis(corpus: Corpus, name: str | None, default: str | None) -> Axis:
    """The axis that was asked for, else the default, else the first."""
    return corpus.taxonomy.axis(name or default or next(iter(corpus.taxonomy.by_id)))


def _label(term: Term) -> str:
    return f"{term.code} {term.label}" if term.code else term.label


def years(corpus: Corpus, plot: Plot) -> Bars:
    """Papers per year, stacked by the terms of an axis; years without a paper are there, too."""
    readme = corpus.taxonomy.readme
    axis = _axis(corpus, plot.rows, readme.group_by if readme else None)
    found = Counter(
        (paper.year, tag.term) for paper in corpus.papers if paper.year for tag in paper.tags_on(axis.id)[:1]
    )
    dated = [paper.year for paper in corpus.papers if paper.year]
    span = range(min(dated), max(dated) + 1) if dated else range(0)
    series = [(_label(t), tuple(found[year, t.id] for year in span)) for t in axis.leaves]
    without = Counter(paper.year for paper in corpus.papers if paper.year and not paper.tags_on(axis.id))
    if without:
        series.append((NA, tuple(without[year] for year in span)))
    shown = tuple(entry for entry in series if any(entry[1]))
    title = plot.label or f"Papers per year by {axis.label.lower()}"
    return Bars(title, "Year of publication", "Papers", tuple(map(str, span)), shown)


def _pair(corpus: Corpus, plot: Plot, *, strength: bool) -> Map:
    """The pair of axes asked for; without one the taxonomy's first that fits."""
    maps = corpus.taxonomy.maps
    if plot.rows is None and plot.columns is None:
        fitting = [pair for pair in maps if strength or pair.columns is not None]
        if fitting:
            return fitting[0]
    names = list(corpus.taxonomy.by_id)
    rows = _axis(corpus, plot.rows, names[0])
    if plot.columns is None and strength:
        return Map(rows=rows.id)
    other = next((name for name in names if name != rows.id), rows.id)
    pair = Map(rows=rows.id, columns=_axis(corpus, plot.columns, other).id)
    return next((known for known in maps if known.name == pair.name), pair)


def _labels(corpus: Corpus, pair: Map) -> tuple[str, str]:
    axes = corpus.taxonomy.by_id
    return axes[pair.rows].label, axes[pair.columns].label if pair.columns else "Strength"


def gaps(corpus: Corpus, plot: Plot) -> Grid:
    """The gap matrix of two axes, or of one by strength: numbers with their states."""
    pair = _pair(corpus, plot, strength=True)
    made = matrices.matrix(corpus, pair)
    row_label, column_label = _labels(corpus, pair)

    cells = tuple(tuple(_judged(s) for s in made.squares[row.id].values()) for row in made.rows)
    columns = tuple(_label(c) if isinstance(c, Term) else c.label for c in made.columns)
    title = plot.label or pair.label or f"{row_label} by {column_label.lower()}"
    weaker = any(s.weaker for line in made.squares.values() for s in line.values())
    note = "In parentheses: papers with weaker evidence." if weaker else ""
    return Grid(title, row_label, column_label, tuple(map(_label, made.rows)), columns, cells, "states", note)


def _judged(square: matrices.Square) -> Square:
    """A number with its state in words; what is weaker stands in parentheses."""
    number = f"{square.n} (+{square.weaker})" if square.weaker else str(square.n)
    state = square.state.value if square.state else None
    return Square(square.n, f"{number}\n{state.replace('_', ' ')}" if state else number, state)


def heatmap(corpus: Corpus, plot: Plot) -> Grid:
    """Papers with each pair of terms, at any strength."""
    pair = _pair(corpus, plot, strength=False)
    made = matrices.matrix(corpus, pair)
    row_label, column_label = _labels(corpus, pair)
    cells = tuple(tuple(Square(len(s.keys), str(len(s.keys))) for s in made.squares[r.id].values()) for r in made.rows)
    columns = tuple(_label(c) if isinstance(c, Term) else c.label for c in made.columns)
    title = plot.label or f"Papers by {row_label.lower()} and {column_label.lower()}"
    return Grid(title, row_label, column_label, tuple(map(_label, made.rows)), columns, cells, "heat")


def bubbles(corpus: Corpus, plot: Plot) -> Grid:
    """The heat map as bubbles whose area is the number of papers."""
    heat = heatmap(corpus, plot)
    return Grid(heat.title, heat.row_label, heat.column_label, heat.rows, heat.columns, heat.cells, "bubbles")


def measure(corpus: Corpus, plot: Plot) -> Points:
    """A measure compared between its groups, with what was left out named in the note."""
    known = [m.id for m in corpus.taxonomy.measures]
    if not known:
        raise UsageError("taxonomy.yaml declares no measures", hint="see 'awesome schema taxonomy'")
    found = measures.compare(corpus, measures.find(corpus, plot.measure or known[0]))
    groups = tuple((group.label, tuple((v, k) for v, k in group.values if v > 0)) for group in found.groups.values())
    note = f"{len(found.left_out)} reports are left out"
    if found.ratio is not None:
        note = f"Largest {' to '.join(g for g, _ in groups)}: {measures.number(found.ratio)} to 1; {note}"
    return Points(plot.label or found.measure.label, found.measure.unit, groups, f"{note}.")


def flow(corpus: Corpus, plot: Plot) -> Chart:
    """The screening flow after PRISMA 2020."""
    boxes = screening(corpus).boxes
    drawn = tuple((f"{b.label} (n = {b.n})", tuple(f"{r} (n = {n})" for r, n in b.reasons), b.leaves) for b in boxes)
    return Chart(plot.label or "PRISMA 2020 flow of the screening log", drawn, IDENTIFIED)


def claims(corpus: Corpus, plot: Plot) -> Grid:
    """How many readings of each family flip each claim."""
    found = sensitivity(corpus)
    asked = Counter(change.family for change in found.perturbed)
    families = [family for family in Family if asked[family]]
    names = [verdict.claim.id for verdict in found.verdicts if not verdict.claim.definitional]
    if not names:
        raise UsageError("claims.yaml holds no claim that could be perturbed", hint="see 'awesome schema claims'")
    flips = Counter((cell.claim, cell.change.family) for cell in found.trials if cell.flips)
    cells = tuple(tuple(_flipped(flips[name, family], asked[family]) for family in families) for name in names)
    columns = tuple(family.value.replace("_", " ") for family in families)
    title = plot.label or "Readings that flip each claim"
    return Grid(title, "Claim", "Reading", tuple(names), columns, cells, "states")


def _flipped(n: int, asked: int) -> Square:
    return Square(n, f"{n} of {asked}\n{'flips' if n else 'stands'}", "gap" if n else "covered")


KINDS: Mapping[str, Callable[[Corpus, Plot], Figure]] = {
    "years": years,
    "heatmap": heatmap,
    "gaps": gaps,
    "bubbles": bubbles,
    "measure": measure,
    "flow": flow,
    "claims": claims,
}
