"""The heat map as bubbles."""

from dataclasses import replace

from awesome_cli.model.taxonomy import Plot
from awesome_cli.publish.plots.figures import Figure, Grid
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.publish.plots.kinds.heatmap import heatmap
from awesome_cli.survey.corpus import Corpus


@plot_kind("rows", "columns")
def bubbles(corpus: Corpus, plot: Plot) -> Figure:
    """Papers with each pair of terms, at any strength, as bubbles whose area is the number of papers."""
    heat = heatmap.figure(corpus, plot)
    return replace(heat, style="bubbles") if isinstance(heat, Grid) else heat
