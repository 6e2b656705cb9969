"""The screening flow."""

from awesome_cli.analysis.flow import flow as screening
from awesome_cli.model.appearance import Plot
from awesome_cli.publish.flow import layout
from awesome_cli.publish.plots.figures import Diagram
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus


@plot_kind()
def flow(corpus: Corpus, plot: Plot) -> Diagram:
    """How many records were audited, screened out at each stage, and retained."""
    found = screening(corpus)
    counts = tuple((box.label, reason, n) for box in found.boxes for reason, n in (("", box.n), *box.reasons))
    return Diagram(plot.label or found.title, layout(found), found.note, counts)
