"""The heat map as bubbles."""

from awesome_cli.model.taxonomy import Plot
from awesome_cli.publish.plots.figures import Grid
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.publish.plots.kinds.heatmap import papers_by_pair
from awesome_cli.survey.corpus import Corpus


@plot_kind("rows", "columns", "where")
def bubbles(corpus: Corpus, plot: Plot) -> Grid:
    """Papers with each pair of terms, at any strength, as bubbles whose area is the number of papers."""
    return papers_by_pair(corpus, plot, "bubbles")
