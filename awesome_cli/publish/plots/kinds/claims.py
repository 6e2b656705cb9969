"""Which readings of the records flip which claims."""

from awesome_cli.analysis.claims.sensitivity import Tally, sensitivity
from awesome_cli.analysis.gaps.states import COVERED, GAP, NOT_APPLICABLE
from awesome_cli.errors import UsageError
from awesome_cli.model.appearance import Plot
from awesome_cli.publish.plots.figures import Grid, GridCell
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus


@plot_kind()
def claims(corpus: Corpus, plot: Plot) -> Grid:
    """How many of the readings that can touch a claim flip it, by family of readings."""
    found = sensitivity(corpus)
    rows = tuple(verdict.claim.id for verdict in found.verdicts if not verdict.claim.definitional)
    if not rows:
        raise UsageError("claims.yaml holds no claim that could be perturbed", hint="see 'awesome schema claims'")
    cells = tuple(tuple(_flipped(found.tallies[name, family]) for family in found.families) for name in rows)
    columns = tuple(family.value.replace("_", " ") for family in found.families)
    return Grid(plot.label or "Readings that flip each claim", "Claim", "Reading", rows, columns, cells, "states")


def _flipped(tally: Tally) -> GridCell:
    """How many of the readings that can touch the claim flip it, in the colours of a gap where one does."""
    n, state = tally.flipping, GAP if tally.flipping else COVERED if tally.touching else NOT_APPLICABLE
    words = {GAP: "flips", COVERED: "stands", NOT_APPLICABLE: "inert"}
    return GridCell(n, f"{n} of {tally.touching}\n{words[state]}", state.value)
