"""`awesome screen` and `code`: screen and code interactively, or simulate screening orders."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from awesome_cli.cli._corpus import readable_corpus
from awesome_cli.cli._options import (
    STAGE,
    AxisOption,
    CertaintyOption,
    DiffOption,
    DryRunOption,
    FormatOption,
    RecallOption,
    SeedOption,
    WhereOption,
    within,
)
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import committer, deliver
from awesome_cli.cli.import_ import ColumnOption, DecisionOption, EncodingOption, SourceFormatOption, sources
from awesome_cli.errors import AwesomeError, SurveyError, UsageError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.analysis.screening.queue import Screened
    from awesome_cli.model.screenings import ScreeningOrder, Screenings
    from awesome_cli.survey.corpus import Corpus


PLOTTED = (".svg", ".png", ".pdf")


def simulate(
    ctx: CommandContext,
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA", callback=within, help="Labelled data set: CSV, TSV or RIS; - reads standard input."
        ),
    ],
    column: ColumnOption = None,
    decision: DecisionOption = None,
    source: SourceFormatOption = None,
    encoding: EncodingOption = None,
    order: Annotated[
        Literal["relevance", "random"], typer.Option("--order", help="Screening order: by learnt relevance, or random.")
    ] = "relevance",
    start: Annotated[
        str, typer.Option("--start", metavar="R,I", help="Start from R relevant and I irrelevant papers.")
    ] = "1,1",
    seeds: Annotated[
        int, typer.Option("--seeds", metavar="N", min=1, help="Number of simulations, each with its own seed.")
    ] = 3,
    seed: SeedOption = 0,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE", callback=within, help="Draw the recall curves to FILE: .svg, .png or .pdf."
        ),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Simulate screening on a labelled data set, and report how early an order finds the relevant papers.

    The command neither reads nor writes a survey.

    Example: awesome screen simulate labelled.csv --column included=decision --plot recall.svg
    """
    from awesome_cli.analysis.ranking import order as order_of
    from awesome_cli.analysis.screening.simulation import Simulation, labelled, replays, report
    from awesome_cli.formats.reading import without_axes

    beginning, picture = _start(start), _picture(plot)
    labels = labelled(sources([data])[0], without_axes(column or [], decision or [], form=source, encoding=encoding))
    orders = [order_of(order, seed + n) for n in range(seeds)]
    simulation = Simulation(labels, orders[0], replays(labels, orders, beginning))
    if picture is not None:
        from awesome_cli.publish.plots.charts import recall
        from awesome_cli.publish.plots.pictures import draw

        deliver(ctx.obj, draw(recall(simulation), picture.suffix[1:]), picture)
    ctx.obj.emit(report(simulation), form)


def _start(text: str) -> tuple[int, int]:
    """Parse `--start`: `5,10` gives `(5, 10)`; raise `UsageError` for anything else."""
    numbers = text.split(",")
    if len(numbers) != 2 or not all(number.strip().isdecimal() for number in numbers):
        raise UsageError(f"--start needs two numbers, got {text!r}", hint="for example --start 1,1 or --start 5,10")
    return int(numbers[0]), int(numbers[1])


def _picture(path: Path | None) -> Path | None:
    """Return the path of the picture unchanged; raise an error, before the simulation, if it cannot be drawn."""
    from awesome_cli.publish.plots.themes import can_draw
    from awesome_cli.system.extras import install

    if path is not None and path.suffix not in PLOTTED:
        raise UsageError(f"--plot {path} has an unsupported ending", hint=f"supported endings: {', '.join(PLOTTED)}")
    if path is not None and not can_draw():
        raise AwesomeError("plotting needs matplotlib", hint=f"install it with: {install('plot')}")
    return path


By = Literal["random", "date", "relevance"]
ScreenerOption = Annotated[
    str | None, typer.Option("--who", metavar="NAME", help="Your name. [default: user.name of git]")
]
QueueOption = Annotated[
    Format | None,
    typer.Option("--format", "-f", help="List the queue in this format instead of deciding.", case_sensitive=False),
]
WAYS = (
    "list the queue with 'awesome screen --format json'; decide with 'awesome exclude', 'awesome admit' or "
    "'awesome set KEY proposal=retain'"
)
CODING_WAYS = "list the queue with 'awesome code --format json'; code with 'awesome tag --table FILE' or 'awesome tag'"
SETTLED = "settled"
"""The default name of the file with settled conflicts."""
screen = typer.Typer()
screen.command()(simulate)


@screen.callback(invoke_without_command=True)
def sit(
    ctx: CommandContext,
    keys: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY", help="Works to decide on again. [default: undecided candidates]"),
    ] = None,
    who: ScreenerOption = None,
    order: Annotated[
        By | None,
        typer.Option(
            "--order",
            metavar="[random|date|relevance]",
            help="Order of the queue. [default: as before, else relevance if scikit-learn is installed, else date]",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", help="Seed of the random number generator."),
    ] = None,
    blind: Annotated[
        bool, typer.Option("--blind", help="Screen independently: change no record, and hide all opinions.")
    ] = False,
    stage: Annotated[str | None, STAGE] = None,
    where: WhereOption = None,
    conflicts: Annotated[bool, typer.Option("--conflicts", help="Settle conflicts between blind screeners.")] = False,
    apply: Annotated[bool, typer.Option("--apply", help="Apply decisions on which all blind screeners agree.")] = False,
    recall: RecallOption = 0.95,
    confidence: CertaintyOption = 0.95,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: QueueOption = None,
) -> None:
    """Screen candidates at the terminal, one key per decision; each decision is saved at once.

    --stage selects candidates that passed the previous stage and are undecided at this one. With keys, decide again;
    the log keeps both decisions.

    Example: awesome screen --order date
    """
    if ctx.invoked_subcommand is not None:
        return
    session = ctx.obj
    if keys and (where is not None or apply or dry_run or diff):
        raise UsageError(f"{keys[0]!r} cannot be combined with --where, --apply, --dry-run or --diff")
    if apply or dry_run or diff:
        carry_out_agreed(session, who or SETTLED, form or Format.TEXT, dry_run=dry_run, diff=diff)
        return
    require_terminal(session, form, "screening", WAYS)
    corpus = readable_corpus(session, remark=True, candidates=True, evidence=True)
    held = held_by(session, corpus, (SETTLED if conflicts and not who else who), blind=blind)
    settings, rule = order_settings(held, order, seed), (recall, confidence)
    request = queue_request(corpus, held, settings, stage, where, keys or (), rule, conflicts=conflicts)
    show_queue(session, request, form)


def show_queue(session: CommandSession, request: "Screened", form: Format | None) -> None:
    """List the queue in a format, or else screen it at the terminal."""
    if form is not None:
        from awesome_cli.analysis.screening.queue import ScreeningQueue, listing

        session.emit(listing(ScreeningQueue(request), request), form)
    else:
        from awesome_cli.cli._screening import run_screening

        run_screening(session, request)


def code(
    ctx: CommandContext,
    who: ScreenerOption = None,
    where: WhereOption = None,
    axis: AxisOption = None,
    form: QueueOption = None,
) -> None:
    """Code papers at the terminal that are not coded yet, one key per term; each answer is saved at once.

    The queue has papers, and candidates that screening included; a candidate that lacks nothing becomes a paper.
    Without --axis, all axes are coded.

    Example: awesome code --axis AXIS --where 'year>=2025'
    """
    from awesome_cli.analysis.screening.coding import CodingQueue

    session = ctx.obj
    require_terminal(session, form, "coding", CODING_WAYS)
    corpus = readable_corpus(session, remark=True, candidates=True, evidence=True)
    held = held_by(session, corpus, who, blind=False)
    queue = CodingQueue.of(corpus, held, axis or (), where)
    if form is not None or not queue.waiting:
        session.emit(queue.to_report(held.who), form or Format.TEXT)
        return
    from awesome_cli.cli._coding import run_coding

    run_coding(session, corpus, held, queue)


def carry_out_agreed(session: CommandSession, who: str, form: Format, *, dry_run: bool, diff: bool) -> None:
    """Apply the decisions on which blind screeners agree; exit with 4 if one cannot be applied."""
    from awesome_cli.analysis.audit.screening import require_blind
    from awesome_cli.cli._writing import finish_open, show_plan
    from awesome_cli.curation.screening import carried_out

    if not (dry_run or diff):
        # An interrupted change must be finished before the records are read.
        finish_open(session)
    corpus = readable_corpus(session, remark=True, candidates=True, evidence=True)
    held = held_by(session, corpus, who, blind=False)
    written = not (dry_run or diff)
    plan = carried_out(session.root, corpus, held, require_blind(corpus).agreed, written=written)
    show_plan(session, plan, form, written=written, diff=diff)


def require_terminal(session: CommandSession, form: Format | None, work: str, ways: str) -> None:
    """Raise `UsageError` for an interactive session without a terminal; `ways` are the commands to use instead."""
    if form is not None:
        return
    if not (session.interactive and sys.stdout.isatty()):
        raise UsageError(f"{work} needs a terminal", hint=ways)
    session.say("loading and ordering the works …")


def held_by(session: CommandSession, corpus: "Corpus", who: str | None, *, blind: bool) -> "Screenings":
    """Return a screener's decisions; raise `UsageError` without a name, or if they are not blind despite `blind`."""
    name = who or committer(session)
    if not name:
        raise UsageError("your name is missing", hint="add --who NAME, or set user.name of git")
    held = next((s for s in corpus.screenings if name in {s.who, s.key}), None)
    held = held or _first_time(corpus, name, blind=blind)
    if unread := [finding for finding in corpus.findings if finding.path == held.path]:
        raise SurveyError(f"{held.path} cannot be read: {unread[0].message}", hint="see 'awesome validate'")
    if blind and not held.blind:
        raise UsageError(
            f"the decisions in {held.path} are not blind", hint="screen blind under another name: --blind --who NAME"
        )
    return held


def _first_time(corpus: "Corpus", who: str, *, blind: bool) -> "Screenings":
    """Return an empty decision file for a new screener; raise `UsageError` if the file name is taken."""
    from awesome_cli.model.screenings import Screenings
    from awesome_cli.text.folding import fold

    key = re.sub(r"[^a-z0-9]+", "-", fold(who)).strip("-")
    if not key:
        raise UsageError(f"{who!r} contains no ASCII letter for a file name", hint="give another name: --who NAME")
    if taken := next((s for s in corpus.screenings if s.key == key), None):
        hint = f"use --who {key} if that is you, else another name: --who NAME"
        raise UsageError(f"{taken.path} already holds the decisions of {taken.who!r}", hint=hint)
    return Screenings(key=key, who=who, blind=blind)


def order_settings(held: "Screenings", by: By | None, seed: int | None) -> "ScreeningOrder":
    """Return the order of --order, else the stored order, else by relevance (with scikit-learn) or by date."""
    from awesome_cli.analysis.ranking import can_learn, order
    from awesome_cli.system.extras import install

    stored = held.order
    chosen = by or (stored.by if stored else "relevance" if can_learn() else "date")
    if chosen == "relevance" and not can_learn():
        origin = "--order relevance" if by else f"the order by relevance in {held.path}"
        raise UsageError(f"{origin} needs scikit-learn", hint=f"install it with: {install('screen')}; or --order date")
    return order(chosen, seed if seed is not None else stored.seed if stored else 0)


def queue_request(
    corpus: "Corpus",
    held: "Screenings",
    order: "ScreeningOrder",
    stage: str | None,
    where: str | None,
    keys: Sequence[str],
    rule: tuple[float, float],
    *,
    conflicts: bool,
) -> "Screened":
    """Return the settings of the queue; `rule` has recall target and confidence.

    Raises `UsageError` for an unknown stage, and for conflicts with decisions that are blind.
    """
    from awesome_cli.analysis.audit.screening import require_blind
    from awesome_cli.analysis.screening.queue import Screened
    from awesome_cli.analysis.screening.stopping import HypergeometricRule
    from awesome_cli.curation.screening import reopened
    from awesome_cli.text.known import require_known

    if conflicts and held.blind:
        message = f"--conflicts shows decisions of others, and those in {held.path} are blind"
        raise UsageError(message, hint="settle conflicts together, without --who: awesome screen --conflicts")
    if stage is not None:
        require_known(stage, [known.id for known in corpus.taxonomy.stages], "stage")
    only = frozenset(conflict.key for conflict in require_blind(corpus).open) if conflicts else None
    works = tuple(reopened(corpus, key, blind=held.blind) for key in dict.fromkeys(keys))
    return Screened(
        corpus, held, order, stage, where, only, works, rule=None if conflicts else HypergeometricRule(*rule)
    )
