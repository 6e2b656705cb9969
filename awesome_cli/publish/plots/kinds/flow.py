"""The screening flow."""

from awesome_cli.analysis.flow import IDENTIFIED
from awesome_cli.analysis.flow import flow as screening
from awesome_cli.model.taxonomy import Plot
from awesome_cli.publish.flow import layout
from awesome_cli.publish.plots.figures import Diagram
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus


@plot_kind()
def flow(corpus: Corpus, plot: Plot) -> Diagram:
    """The flow of records through the stages of screening, after PRISMA 2020."""
    return Diagram(plot.label or "PRISMA 2020 flow of the screening log", layout(screening(corpus)), IDENTIFIED)
