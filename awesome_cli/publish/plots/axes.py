"""What kinds of plot share: the axes that they were asked for, and the words for them."""

from awesome_cli.analysis.gaps.matrix import Matrix
from awesome_cli.errors import UsageError
from awesome_cli.model.taxonomy import Axis, Map, Named, Plot, Term, did_you_mean
from awesome_cli.survey.corpus import Corpus


def chosen_axis(corpus: Corpus, name: str | None, default: str | None) -> Axis:
    """The axis that was asked for, else the default, else the first; raises `UsageError` for an unknown one."""
    axes = corpus.taxonomy.by_id
    wanted = name or default or next(iter(axes))
    if wanted not in axes:
        raise UsageError(f"no axis {wanted!r}{did_you_mean(wanted, axes)}", hint=f"axes: {', '.join(axes)}")
    return axes[wanted]


def chosen_pair(corpus: Corpus, plot: Plot, *, strength: bool) -> Map:
    """The pair of axes asked for; without one the taxonomy's first that fits.

    `strength` allows a pair without columns, which stands for an axis by its strengths.
    """
    maps = corpus.taxonomy.maps
    if plot.rows is None and plot.columns is None:
        fitting = [pair for pair in maps if strength or pair.columns is not None]
        if fitting:
            return fitting[0]
    ids = list(corpus.taxonomy.by_id)
    rows = chosen_axis(corpus, plot.rows, ids[0])
    if plot.columns is None and strength:
        return Map(rows=rows.id)
    other = next((axis for axis in ids if axis != rows.id), rows.id)
    pair = Map(rows=rows.id, columns=chosen_axis(corpus, plot.columns, other).id)
    return next((known for known in maps if known.name == pair.name), pair)


def label(entry: Named) -> str:
    """The label of a term with its code, or of a strength."""
    return f"{entry.code} {entry.label}" if isinstance(entry, Term) and entry.code else entry.label


def axis_labels(corpus: Corpus, pair: Map) -> tuple[str, str]:
    """The labels of the rows' and the columns' axis."""
    axes = corpus.taxonomy.by_id
    return axes[pair.rows].label, axes[pair.columns].label if pair.columns else "Strength"


def entry_labels(matrix: Matrix) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels of each row and of each column."""
    return tuple(map(label, matrix.rows)), tuple(map(label, matrix.columns))
