"""`awesome code`: code papers interactively."""

from typing import Annotated

import typer

from awesome_cli.cli._corpus import readable_corpus
from awesome_cli.cli._options import AxisOption, WhereOption
from awesome_cli.cli._session import CommandContext
from awesome_cli.cli.screen import ScreenerOption, held_by, require_terminal
from awesome_cli.output import Format

WAYS = (
    "list the queue with 'awesome code --format json'; code with 'awesome tag KEY AXIS=TERM' or 'awesome tag --table'"
)


def code(
    ctx: CommandContext,
    who: ScreenerOption = None,
    where: WhereOption = None,
    axis: AxisOption = None,
    form: Annotated[
        Format | None,
        typer.Option("--format", "-f", help="List the queue in this format instead of coding.", case_sensitive=False),
    ] = None,
) -> None:
    """Code papers at the terminal that are not coded yet, one key per term; each answer is saved at once.

    The queue has papers, and candidates that screening included; a candidate that lacks nothing becomes a paper.
    Without --axis, all axes are coded.

    Example: awesome code --axis AXIS --where 'year>=2025'
    """
    from awesome_cli.analysis.screening.coding import CodingQueue

    session = ctx.obj
    require_terminal(session, form, "coding", WAYS)
    corpus = readable_corpus(session, remark=True, candidates=True, evidence=True)
    held = held_by(session, corpus, who, blind=False)
    queue = CodingQueue.of(corpus, held, axis or (), where)
    if form is not None or not queue.waiting:
        session.emit(queue.to_report(held.who), form or Format.TEXT)
        return
    from awesome_cli.cli._coding import run_coding

    run_coding(session, corpus, held, queue)
