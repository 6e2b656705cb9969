"""What a survey was founded on, for people and for machines."""

from collections.abc import Iterator

from awesome_cli.curation.founding import Founding
from awesome_cli.curation.intake.summary import to_report as of_intake
from awesome_cli.reports.report import Block, Bullets, Report, Section, Table, Text, Toned
from awesome_cli.text.known import without_middle
from awesome_cli.text.numbers import counted

FEW = 3
"""So many entries of the list are named that are no papers: a page may have hundreds."""


def to_report(founding: Founding, *, written: bool) -> Report:
    """The axes with what they were made of, the sources that became none, then the outcome of the intake."""
    rows = [
        (one.axis.id, one.words.name, len(one.axis.terms), one.words.coded, len(one.words.of_works) - one.words.coded)
        for one in founding.made
    ]
    table = Table.of(("axis", "made of", "terms", "works", "without"), rows, title="axes")
    data = {
        "axes": table.records(),
        "unclear": [{"name": words.name, "why": words.why_not} for words in founding.unclear],
        "doubtful": [str(one) for one in founding.doubtful],
    }
    own = Report("awesome/init/1", data, (Section(None, tuple(_blocks(founding, table))),), rows=table)
    return own.followed_by(of_intake(founding.intake, written=written, most_left=FEW))


def _blocks(founding: Founding, table: Table) -> Iterator[Block]:
    if founding.made:
        yield table
        terms = sum(len(one.axis.terms) for one in founding.made)
        yield Text(
            f"{counted(terms, 'term')} without a definition: the list gives none, so write what each stands for in"
            " taxonomy.yaml; 'awesome validate' names them"
        )
    else:
        axes = ", ".join(axis.id for axis in founding.intake.corpus.taxonomy.axes)
        yield Text(f"No axis was made of the list; its works are not yet coded on {axes}")
    if founding.unclear:
        yield Text("Not made an axis ('--axis NAME' makes it one):")
        yield Bullets(tuple(without_middle(f"{words.name}: {words.why_not}") for words in founding.unclear))
    if founding.doubtful:
        yield Text("Identifiers of two works; the later one has it under 'extra' until somebody has looked:")
        yield Bullets(tuple(Toned(without_middle(str(one)), "warn") for one in founding.doubtful))
