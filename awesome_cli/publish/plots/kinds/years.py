"""Papers per year."""

from collections import Counter

from awesome_cli.model.taxonomy import NA, Plot
from awesome_cli.publish.plots.axes import chosen_axis, label
from awesome_cli.publish.plots.figures import Bars
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus


@plot_kind("rows", "where")
def years(corpus: Corpus, plot: Plot) -> Bars:
    """Papers per year, stacked by the terms of an axis; years without a paper are shown, too."""
    readme = corpus.taxonomy.readme
    axis = chosen_axis(corpus, plot.rows, readme.group_by if readme else None)
    found = Counter(
        (paper.year, tag.term) for paper in corpus.papers if paper.year for tag in paper.tags_on(axis.id)[:1]
    )
    dated = [paper.year for paper in corpus.papers if paper.year]
    span = range(min(dated), max(dated) + 1) if dated else range(0)
    series = [(label(term), tuple(found[year, term.id] for year in span)) for term in axis.leaves]
    without = Counter(paper.year for paper in corpus.papers if paper.year and not paper.tags_on(axis.id))
    series.append((NA, tuple(without[year] for year in span)))
    shown = tuple(entry for entry in series if any(entry[1]))
    title = plot.label or f"Papers per year by {axis.label.lower()}"
    return Bars(title, "Year of publication", "Papers", tuple(map(str, span)), shown)
