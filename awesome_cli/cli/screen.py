"""`awesome screen`: decide on candidates one by one, with one key each; simulate an order of screening."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from awesome_cli.cli._corpus import readable_corpus
from awesome_cli.cli._options import STAGE, DiffOption, DryRunOption, FormatOption, SeedOption, WhereOption, within
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli.import_ import ColumnOption, DecisionOption, EncodingOption, SourceFormatOption, sources
from awesome_cli.errors import AwesomeError, GitError, SurveyError, UsageError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.analysis.screening.queue import Screened
    from awesome_cli.analysis.screening.simulation import Simulation
    from awesome_cli.model.screenings import ScreeningOrder, Screenings
    from awesome_cli.survey.corpus import Corpus


SimulatedOrder = Literal["relevance", "random"]
PLOTTED = (".svg", ".png", ".pdf")


def simulate(
    ctx: CommandContext,
    data: Annotated[
        Path,
        typer.Argument(metavar="DATA", callback=within, help="A labelled set: CSV, TSV or RIS; - is standard input."),
    ],
    column: ColumnOption = None,
    decision: DecisionOption = None,
    source: SourceFormatOption = None,
    encoding: EncodingOption = None,
    order: Annotated[SimulatedOrder, typer.Option("--order", help="By learnt relevance, or random.")] = "relevance",
    start: Annotated[
        str, typer.Option("--start", metavar="R,I", help="From how many relevant and irrelevant papers to start.")
    ] = "1,1",
    seeds: Annotated[int, typer.Option("--seeds", metavar="N", min=1, help="How many replays, each with a seed.")] = 3,
    seed: SeedOption = 0,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", callback=within, help="Draw the recall curves: .svg, .png or .pdf."),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Replay a labelled set, and say how early an order finds what is relevant.

    Nothing of a survey is read or written.

    Example: awesome screen simulate labelled.csv --column included=decision --plot recall.svg
    """
    from awesome_cli.analysis.ranking import order as order_of
    from awesome_cli.analysis.screening.simulation import Simulation, labelled, replays, report
    from awesome_cli.formats.reading import without_axes

    beginning, picture = _start(start), _picture(plot)
    given = labelled(sources([data])[0], without_axes(column or [], decision or [], form=source, encoding=encoding))
    orders = [order_of(order, seed + n) for n in range(seeds)]
    simulation = Simulation(given, orders[0], replays(given, orders, beginning))
    if picture is not None:
        _draw(ctx.obj, simulation, picture)
    ctx.obj.emit(report(simulation), form)


def _start(text: str) -> tuple[int, int]:
    """The two numbers of `--start`; raises `UsageError` for anything else."""
    numbers = text.split(",")
    if len(numbers) != 2 or not all(number.strip().isdecimal() for number in numbers):
        raise UsageError(f"--start {text!r} is not two numbers", hint="for example --start 1,1 or --start 5,10")
    return int(numbers[0]), int(numbers[1])


def _picture(path: Path | None) -> Path | None:
    """The picture to draw; raises, before the work, for one that cannot be drawn after it."""
    from awesome_cli.publish.plots.themes import INSTALL, can_draw

    if path is not None and path.suffix not in PLOTTED:
        raise UsageError(f"--plot {path} is no picture that is drawn", hint=f"endings: {', '.join(PLOTTED)}")
    if path is not None and not can_draw():
        raise AwesomeError("plotting needs matplotlib", hint=f"install it with: {INSTALL}")
    return path


def _draw(session: CommandSession, simulation: "Simulation", path: Path) -> None:
    from awesome_cli.publish.plots.charts import recall
    from awesome_cli.publish.plots.pictures import draw
    from awesome_cli.survey.saving import write

    write(path, draw(recall(simulation), path.suffix[1:]))
    session.say(f"wrote {path}")


By = Literal["random", "date", "relevance"]
SETTLED = "settled"
"""In whose name people settle what they decided differently, unless somebody is named."""
screen = typer.Typer()
screen.command()(simulate)


@screen.callback(invoke_without_command=True)
def sit(
    ctx: CommandContext,
    who: Annotated[
        str | None,
        typer.Option("--who", metavar="NAME", help="Who screens; by default the name that git commits with."),
    ] = None,
    order: Annotated[
        By | None,
        typer.Option(
            "--order",
            metavar="[random|date|relevance]",
            help="What comes first; by default as before, else relevance if its library is installed, else date.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="The same seed gives the same answer.")
    ] = None,
    blind: Annotated[
        bool, typer.Option("--blind", help="Decisions change no record: each decides alone, and audit compares.")
    ] = False,
    stage: Annotated[str | None, STAGE] = None,
    where: WhereOption = None,
    conflicts: Annotated[
        bool, typer.Option("--conflicts", help="Settle what people who screened blind decided differently.")
    ] = False,
    apply: Annotated[
        bool, typer.Option("--apply", help="Carry out what all of two or more who screened blind decided alike.")
    ] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: Annotated[
        Format | None,
        typer.Option("--format", "-f", help="List the queue in its order, decide nothing.", case_sensitive=False),
    ] = None,
) -> None:
    """Screen candidates at the terminal: one key decides, and each decision is on disk at once.

    --stage asks for those that passed the stage before it and are undecided at this one.

    Example: awesome screen --order date
    """
    if ctx.invoked_subcommand is not None:
        return
    session = ctx.obj
    if apply or dry_run or diff:
        carry_out_agreed(session, who or SETTLED, form or Format.TEXT, dry_run=dry_run, diff=diff)
        return
    require_terminal(session, form)
    corpus = readable_corpus(session, remark=True, candidates=True, evidence=True)
    held = held_by(session, corpus, (SETTLED if conflicts and not who else who), blind=blind)
    made_for = queue_request(corpus, held, order_settings(held, order, seed), stage, where, conflicts=conflicts)
    if form is not None:
        from awesome_cli.analysis.screening.queue import ScreeningQueue, listing

        session.emit(listing(ScreeningQueue(made_for), made_for), form)
        return
    from awesome_cli.cli._sitting import run_sitting

    run_sitting(session, made_for)


def carry_out_agreed(session: CommandSession, who: str, form: Format, *, dry_run: bool, diff: bool) -> None:
    """Carry out, one by one, what people decided alike; exits with 4 where one cannot be."""
    from awesome_cli.analysis.audit.screening import require_blind
    from awesome_cli.cli._writing import finish_open, show_plan
    from awesome_cli.curation.screening import carried_out

    if not (dry_run or diff):
        # What is agreed is read from the records, so an interrupted change is finished first.
        finish_open(session)
    corpus = readable_corpus(session, remark=True, candidates=True, evidence=True)
    held = held_by(session, corpus, who, blind=False)
    written = not (dry_run or diff)
    plan = carried_out(session.root, corpus, held, require_blind(corpus).agreed, written=written)
    show_plan(session, plan, form, written=written, diff=diff)


def require_terminal(session: CommandSession, form: Format | None) -> None:
    """Raise `UsageError` where no person can decide, and say what comes first; nothing where the queue is listed."""
    if form is not None:
        return
    if not (session.interactive and sys.stdout.isatty()):
        ways = "'awesome screen --format json' lists the queue in its order; 'awesome exclude', 'awesome admit' and"
        raise UsageError("screening needs a terminal", hint=f"{ways} 'awesome set KEY proposal=retain' decide without")
    session.say("reading the survey and putting its candidates in order …")


def held_by(session: CommandSession, corpus: "Corpus", who: str | None, *, blind: bool) -> "Screenings":
    """What a person decided so far; raises `UsageError` for nobody, and where a file that is not blind shall be."""
    name = who or _committer(session)
    found = next((one for one in corpus.screenings if name in {one.who, one.key}), None)
    found = found or _first_time(corpus, name, blind=blind)
    if unread := [finding for finding in corpus.findings if finding.path == found.path]:
        raise SurveyError(f"{found.path} cannot be read: {unread[0].message}", hint="see 'awesome validate'")
    if blind and not found.blind:
        raise UsageError(f"{found.path} is not blind", hint="screen blind under another name: --blind --who NAME")
    return found


def _first_time(corpus: "Corpus", who: str, *, blind: bool) -> "Screenings":
    """A file for somebody who has none; raises `UsageError` where the name of the file is taken."""
    from awesome_cli.model.screenings import Screenings
    from awesome_cli.text.folding import fold

    key = re.sub(r"[^a-z0-9]+", "-", fold(who)).strip("-")
    if not key:
        raise UsageError(f"{who!r} has no letter that the name of a file can have", hint="--who NAME")
    if taken := next((one for one in corpus.screenings if one.key == key), None):
        hint = f"--who {key} if that is you, else another name: --who NAME"
        raise UsageError(f"{taken.path} holds the decisions of {taken.who!r}, not of {who!r}", hint=hint)
    return Screenings(key=key, who=who, blind=blind)


def _committer(session: CommandSession) -> str:
    from awesome_cli.files import git

    try:
        name = git.run(session.root, "config", "user.name").decode(errors="replace").strip()
    except GitError:
        name = ""
    if not name:
        raise UsageError("nobody is named who screens", hint="awesome screen --who NAME")
    return name


def order_settings(held: "Screenings", by: By | None, seed: int | None) -> "ScreeningOrder":
    """The order that is asked for, else the stored one, else by relevance if it can be learnt, else by date."""
    from awesome_cli.analysis.ranking import INSTALL, can_learn, order

    stored = held.order
    chosen = by or (stored.by if stored else "relevance" if can_learn() else "date")
    if chosen == "relevance" and not can_learn():
        asks = "the order by relevance" if by else f"the order by relevance, which {held.path} asks for,"
        raise UsageError(f"{asks} needs scikit-learn", hint=f"{INSTALL}, or --order date")
    return order(chosen, seed if seed is not None else stored.seed if stored else 0)


def queue_request(
    corpus: "Corpus",
    held: "Screenings",
    order: "ScreeningOrder",
    stage: str | None,
    where: str | None,
    *,
    conflicts: bool,
) -> "Screened":
    """What the queue is made for; raises `UsageError` for an unknown stage."""
    from awesome_cli.analysis.audit.screening import require_blind
    from awesome_cli.analysis.screening.queue import Screened
    from awesome_cli.text.known import require_known

    if stage is not None:
        require_known(stage, [one.id for one in corpus.taxonomy.stages], "stage")
    only = frozenset(one.key for one in require_blind(corpus).open) if conflicts else None
    return Screened(corpus, held, order, stage, where, only)
