"""A measure by group."""

from awesome_cli.analysis.statistics import measures
from awesome_cli.errors import UsageError
from awesome_cli.model.taxonomy import Plot
from awesome_cli.publish.plots.figures import Points
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus


@plot_kind("measure", "where")
def measure(corpus: Corpus, plot: Plot) -> Points:
    """A measure compared between its groups; a note says how many reports were left out."""
    known = [m.id for m in corpus.taxonomy.measures]
    if not known:
        raise UsageError("taxonomy.yaml declares no measures", hint="see 'awesome schema taxonomy'")
    found = measures.compare(corpus, measures.find(corpus, plot.measure or known[0]))
    groups = tuple((group.label, tuple((v, k) for v, k in group.values if v > 0)) for group in found.groups.values())
    note = f"{len(found.left_out)} reports are left out"
    if found.ratio is not None:
        note = f"Largest {' to '.join(g for g, _ in groups)}: {measures.number(found.ratio)} to 1; {note}"
    return Points(plot.label or found.measure.label, found.measure.unit, groups, f"{note}.")
