"""A measure by group."""

from awesome_cli.analysis.statistics import measures
from awesome_cli.errors import UsageError
from awesome_cli.model.appearance import Plot
from awesome_cli.publish.plots.axes import short_title
from awesome_cli.publish.plots.figures import Points
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.numbers import counted


@plot_kind("measure")
def measure(corpus: Corpus, plot: Plot) -> Points:
    """A measure compared between its groups; a note says how many reports were left out."""
    known = [m.id for m in corpus.taxonomy.measures]
    if not known:
        raise UsageError("taxonomy.yaml declares no measures", hint="see 'awesome schema taxonomy'")
    found = measures.compare(corpus, measures.find(corpus, plot.measure or known[0]))
    title = {paper.key: short_title(paper.title) for paper in corpus.papers}
    groups = tuple(
        (group.label, tuple((value, key, title[key]) for value, key in group.values if value > 0))
        for group in found.groups.values()
    )
    none = sum(value <= 0 for group in found.groups.values() for value, _ in group.values)
    note = f"{counted(len(found.left_out), 'report')} left out"
    note += f", {none} of zero or less not drawn" if none else ""
    if found.ratio is not None:
        note = f"Largest {' to '.join(g for g, _ in groups)}: {measures.number(found.ratio)} to 1; {note}"
    return Points(plot.label or found.measure.label, found.measure.unit, groups, f"{note}.")
