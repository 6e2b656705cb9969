"""Claims under readings of the contested codings."""

from awesome_cli.analysis.claims.perturbations import Family
from awesome_cli.analysis.claims.sensitivity import Sensitivity, Trial, sensitivity
from awesome_cli.analysis.gaps.states import COVERED, GAP, NOT_APPLICABLE
from awesome_cli.errors import UsageError
from awesome_cli.model.appearance import Plot
from awesome_cli.publish.plots.figures import Grid, GridCell
from awesome_cli.publish.plots.kinds import plot_kind
from awesome_cli.survey.corpus import Corpus

WORDS = {True: "holds", False: "fails"}
STATE = {True: COVERED, False: GAP}
LEGEND = (
    (COVERED.value, "holds"),
    (GAP.value, "fails"),
    (NOT_APPLICABLE.value, "no coding of the claim is read otherwise"),
)
NOTE = "Last column: changes of the records that flip the claim / changes that touch it ('awesome sensitivity')."


@plot_kind()
def claims(corpus: Corpus, plot: Plot) -> Grid:
    """The verdict on each claim as coded and under each reading of contests, and how many changes flip it."""
    found = sensitivity(corpus)
    shown = [verdict for verdict in found.verdicts if not verdict.claim.definitional]
    if not shown:
        raise UsageError("claims.yaml holds no claim that could be perturbed", hint="see 'awesome schema claims'")
    changes = [change for change in found.perturbed if change.family in (Family.STRICT, Family.GENEROUS)]
    readings = [change.name for change in changes if change.papers]
    trials = {(trial.claim, trial.change.name): trial for trial in found.trials}
    cells = tuple(
        (
            GridCell(int(verdict.holds), WORDS[verdict.holds], STATE[verdict.holds].value),
            *(_read(trials[verdict.claim.id, name]) for name in readings),
            _tally(found, verdict.claim.id),
        )
        for verdict in shown
    )
    grades = {grade.id: grade.label for grade in corpus.taxonomy.grades}
    names = (f"{change.family} from {grades[change.name.rpartition(' ')[2]]}" for change in changes if change.papers)
    columns = ("as coded", *names, "flipped by")
    seen = {cell.state for line in cells for cell in line}
    legend = tuple((state, words) for state, words in LEGEND if state in seen)
    rows = tuple(verdict.claim.id for verdict in shown)
    return Grid(plot.label or "Claims under readings", "Claim", "Reading", rows, columns, cells, "states", NOTE, legend)


def _read(trial: Trial) -> GridCell:
    """The verdict under a reading, with the figure where that decides; without words where no coding of it is read."""
    if trial.inert:
        return GridCell(int(trial.holds), "", NOT_APPLICABLE.value)
    values: list[object] = [outcome.value for outcome in (trial.before, trial.after)]
    counts = [str(value) for value in values if isinstance(value, int)]
    moved = f"\n{' to '.join(counts)}" if trial.flips and len(counts) == 2 else ""
    return GridCell(int(trial.holds), WORDS[trial.holds] + moved, STATE[trial.holds].value)


def _tally(found: Sensitivity, claim: str) -> GridCell:
    tally = found.tally(claim)
    return GridCell(tally.flipping, f"{tally.flipping}/{tally.touching}")
