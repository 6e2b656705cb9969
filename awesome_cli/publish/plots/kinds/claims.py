"""Which readings of the records flip which claims."""

from collections import Counter

from awesome_cli.analysis.claims.perturbations import Family
from awesome_cli.analysis.claims.sensitivity import sensitivity
from awesome_cli.analysis.gaps.states import COVERED, GAP
from awesome_cli.errors import UsageError
from awesome_cli.model.taxonomy import Plot
from awesome_cli.publish.plots.figures import Grid, GridCell
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus


@plot_kind()
def claims(corpus: Corpus, plot: Plot) -> Grid:
    """How many changed readings of the records flip each claim, by family of readings."""
    found = sensitivity(corpus)
    asked = Counter(change.family for change in found.perturbed)
    families = [family for family in Family if asked[family]]
    rows = tuple(verdict.claim.id for verdict in found.verdicts if not verdict.claim.definitional)
    if not rows:
        raise UsageError("claims.yaml holds no claim that could be perturbed", hint="see 'awesome schema claims'")
    flips = Counter((cell.claim, cell.change.family) for cell in found.trials if cell.flips)
    cells = tuple(tuple(_flipped(flips[name, family], asked[family]) for family in families) for name in rows)
    columns = tuple(family.value.replace("_", " ") for family in families)
    return Grid(plot.label or "Readings that flip each claim", "Claim", "Reading", rows, columns, cells, "states")


def _flipped(n: int, asked: int) -> GridCell:
    """How many of the readings flip the claim, in the colours of a gap where one does."""
    return GridCell(n, f"{n} of {asked}\n{'flips' if n else 'stands'}", (GAP if n else COVERED).value)
