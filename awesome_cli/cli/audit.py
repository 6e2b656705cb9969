"""`awesome audit`: measure inter-rater agreement by a blind second coding, by a person or a program."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import usable_corpus, whole_corpus
from awesome_cli.cli._options import (
    AsOfOption,
    ByOption,
    DiffOption,
    DryRunOption,
    FormatOption,
    OnOption,
    OutOption,
    SeedOption,
    WhoOption,
    axes_of,
    within,
)
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import deliver, finish_open, locked, show_plan
from awesome_cli.cli.evidence import TextsOption
from awesome_cli.errors import AwesomeError, PartialError, RefusedError, UsageError
from awesome_cli.output import Format
from awesome_cli.text.numbers import counted, first_few

if TYPE_CHECKING:
    from datetime import date

    from awesome_cli.analysis.second_coder import Answered, Coded, PaperToCode
    from awesome_cli.model.audits import Audit, Sample
    from awesome_cli.model.records import Paper
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.system.programs import Program


SIZE, USUAL = typer.Option("--n", metavar="N", min=1, help="Number of papers in the sample."), 32
STRATIFY = typer.Option("--stratify", metavar="AXIS", help="Sample each term of AXIS in proportion.")
NAME = typer.Option("--name", metavar="NAME", help="Name of the audit. [default: audit-DATE]")
NAMED = 20
"""Maximum number of unanswered papers named in the error message; the file of --out contains all of them."""


def code(
    ctx: CommandContext,
    command: Annotated[str, typer.Option("--with", metavar="COMMAND", help="Program to run, with its arguments.")],
    keys: Annotated[list[str] | None, typer.Argument(metavar="KEY", help="Papers to code. [default: a sample]")] = None,
    n: Annotated[
        int | None,
        typer.Option("--n", metavar="N", min=1, help="Number of papers in the sample. [default: 32, or all if fewer]"),
    ] = None,
    seed: SeedOption = 0,
    stratify: Annotated[str | None, STRATIFY] = None,
    by: ByOption = None,
    texts: TextsOption = None,
    who: WhoOption = None,
    name: Annotated[str, NAME] = "",
    on: OnOption = None,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", min=0.1, help="Time limit per paper.")
    ] = 120,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", callback=within, help="Save the answers to FILE as JSON Lines."),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Let a program code papers blind, as second coder, and measure inter-rater agreement.

    The program runs once per paper. It reads a JSON request from standard input and writes a JSON answer to standard
    output. Records do not change. If papers have no usable answer, the report names them, and the exit code is 4.
    --dry-run prints the requests without running the program.

    Example: awesome audit code --with "python3 coder.py" --n 10 --dry-run
    """
    from awesome_cli.analysis import second_coder
    from awesome_cli.analysis.audit.sheets import coded_columns
    from awesome_cli.system.programs import Program, words_of

    session = ctx.obj
    corpus, axes = usable_corpus(session), axes_of(by)
    program = Program(words_of(command), session.environment, timeout, second_coder.LARGEST)
    papers, sample = _chosen(corpus, keys or [], n, stratify, seed)
    requests = [second_coder.prepared(paper, corpus.taxonomy, axes, texts) for paper in papers]
    if dry_run:
        session.emit(second_coder.requests_report(requests, program.name), form)
        return
    name, day = _begin(session, name, on, out, written=not diff)
    coded = second_coder.Coded(_answers(requests, program, out), coded_columns(corpus.taxonomy, axes), sample)
    _deliver(
        session, coded, coded.audit(corpus, name=name, on=day, by=who or coded.coder(program.name)), form, diff=diff
    )
    raise typer.Exit(PartialError.exit_code if coded.left_out else 0)


def _chosen(
    corpus: "Corpus", keys: Sequence[str], n: int | None, stratify: str | None, seed: int
) -> "tuple[tuple[Paper, ...], Sample | None]":
    from awesome_cli.analysis.audit.sheets import draw
    from awesome_cli.model.audits import Sample
    from awesome_cli.model.records import Paper

    if not keys:
        sample = Sample(size=n or min(USUAL, len(corpus.papers)) or 1, seed=seed, stratify=stratify)
        return draw(corpus, sample), sample
    if n is not None or stratify is not None:
        raise UsageError(f"{keys[0]!r} cannot be combined with --n or --stratify", hint="give keys, or draw a sample")
    papers = tuple(work for key in dict.fromkeys(keys) if isinstance(work := corpus.get(key), Paper))
    if len(papers) < len(set(keys)):
        wrong = next(key for key in keys if not isinstance(corpus.get(key), Paper))
        raise UsageError(f"{wrong} is not a paper", hint=f"awesome show {wrong}")
    return papers, None


def _begin(
    session: CommandSession, name: str, on: "date | None", out: Path | None, *, written: bool
) -> "tuple[str, date]":
    """Return the audit's name and date; reject invalid names and existing files before the program runs."""
    from awesome_cli.model.codings import KEY
    from awesome_cli.system.clock import today

    day = on or today()
    name = name or f"audit-{day}"
    if not re.fullmatch(KEY, name):
        raise UsageError(
            f"{name!r} is not a valid name of an audit", hint="use lower-case letters, digits, '.', '_' and '-'"
        )
    if out is not None and str(out) == "-":
        raise UsageError("--out - is not possible: the report goes to standard output", hint="use --out FILE")
    if out is not None and out.exists():
        raise RefusedError(f"{out} already exists", hint="choose another name; the file may hold answers")
    if written:
        finish_open(session)
        _require_new(session, name)
    return name, day


def _require_new(session: CommandSession, name: str) -> None:
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.model.audits import Audit

    path = f"{Audit.FOLDER}/{name}.yaml"
    if WorkingTree(session.root).read(path) is not None:
        raise RefusedError(f"{path} already exists", hint="choose another name: --name NAME")


def _answers(requests: "Sequence[PaperToCode]", program: "Program", out: Path | None) -> "tuple[Answered, ...]":
    """Run the program for each paper; save each answer to `out` at once."""
    from awesome_cli.analysis import second_coder
    from awesome_cli.reports.progress import watched
    from awesome_cli.survey.saving import write

    answered: list[Answered] = []
    try:
        for paper in watched(requests, "running the program"):
            answered.append(second_coder.answered(paper, program.run))
            if out is not None:
                write(out, "".join(each.line() for each in answered).encode(), last=False)
    except KeyboardInterrupt:
        saved = f"; {out} has the answers so far" if out is not None and answered else ""
        raise KeyboardInterrupt(f"no audit was written{saved}") from None
    if all(answer.answer is None for answer in answered):
        raise AwesomeError(
            f"the program gave no usable answer for {counted(len(answered), 'paper')}; no audit was written",
            hint="; ".join(first_few([f"{answer.key}: {answer.remark}" for answer in answered], NAMED)),
        )
    return tuple(answered)


def _deliver(session: CommandSession, coded: "Coded", audit: "Audit", form: Format, *, diff: bool) -> None:
    from awesome_cli.analysis.audit.report import AuditResult
    from awesome_cli.analysis.second_coder import coded_report
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.saving import Plan, create

    with locked(session, written=not diff) as lock:
        corpus = usable_corpus(session)
        plan = Plan((create(WorkingTree(session.root), audit),))
        lock.commit(plan.changes)
    if diff:
        show_plan(session, plan, form, written=False, diff=True)
    else:
        session.say(f"wrote {audit.path}")
        session.emit(coded_report(coded, AuditResult.of(corpus, audit).to_report()), form)


audit = typer.Typer()
audit.command("code")(code)


@audit.callback(invoke_without_command=True)
def overview(ctx: CommandContext, form: FormatOption = Format.TEXT) -> None:
    """Measure inter-rater agreement by a blind second coding. Without a verb: list the audits.

    Example: awesome audit
    """
    if ctx.invoked_subcommand is None:
        list_(ctx, form=form)


@audit.command("list")
def list_(ctx: CommandContext, as_of: AsOfOption = None, form: FormatOption = Format.TEXT) -> None:
    """List the audits: date, blind or not, selected or random sample, axes.

    Example: awesome audit list --format md
    """
    from awesome_cli.analysis.audit.report import listing

    ctx.obj.emit(listing(whole_corpus(ctx.obj, as_of)), form)


@audit.command()
def sample(
    ctx: CommandContext,
    n: Annotated[int, SIZE] = USUAL,
    stratify: Annotated[str | None, STRATIFY] = None,
    seed: SeedOption = 0,
    by: ByOption = None,
    out: OutOption = None,
    as_of: AsOfOption = None,
) -> None:
    """Draw a sample and write a CSV sheet for a second coder, without the first coder's tags.

    Example: awesome audit sample --n 32 --stratify AXIS --seed 7 --out sheet.csv
    """
    from awesome_cli.analysis.audit import sheets
    from awesome_cli.model.audits import Sample

    session = ctx.obj
    corpus = usable_corpus(session, as_of)
    drawn = Sample(size=n, seed=seed, stratify=stratify, pool=as_of)
    text = sheets.sheet(
        sheets.draw(corpus, drawn), sheets.coded_columns(corpus.taxonomy, axes_of(by)), drawn, raw=session.raw
    )
    if out is not None and str(out) != "-" and out.exists():
        raise RefusedError(f"{out} already exists", hint="choose another name; the file may be a filled sheet")
    deliver(session, text, out)


@audit.command("import")
def import_(
    ctx: CommandContext,
    file: Annotated[Path, typer.Argument(metavar="FILE", callback=within, help="Filled CSV sheet.")],
    name: Annotated[str, NAME] = "",
    on: OnOption = None,
    who: WhoOption = None,
    blind: Annotated[
        bool | None, typer.Option("--blind/--not-blind", help="Record whether the second coder saw the first coding.")
    ] = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Import a filled sheet as an audit.

    Cells with unknown values are reported and count as missing, and the exit code is 4.

    Example: awesome audit import sheet.csv --who "second reader" --blind
    """
    from awesome_cli.analysis.audit import sheets
    from awesome_cli.cli.import_ import sources
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.saving import Plan, create
    from awesome_cli.system.clock import today

    session, day = ctx.obj, on or today()
    source, written = sources([file])[0], not (dry_run or diff)
    with locked(session, written=written) as lock:
        new, findings = sheets.read(
            source, usable_corpus(session), name=name or f"audit-{day}", on=day, by=who or "second coder", blind=blind
        )
        plan = Plan((create(WorkingTree(session.root), new),))
        lock.commit(plan.changes)
    for finding in findings:
        session.say(f"warning: {finding}")
    show_plan(session, plan, form, written=written, diff=diff)
    raise typer.Exit(PartialError.exit_code if findings else 0)


@audit.command()
def report(
    ctx: CommandContext,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Name of an audit. [default: the latest]")] = None,
    seed: SeedOption = 0,
    coefficients: Annotated[
        bool,
        typer.Option("--coefficients", help="Also show kappa, alpha and AC1 for papers that were not coded blind."),
    ] = False,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Report inter-rater agreement: percent with exact intervals, kappa, alpha, AC1, disagreements, adjudication.

    Example: awesome audit report --format md
    """
    from awesome_cli.analysis.audit.report import AuditResult, find

    corpus = whole_corpus(ctx.obj, as_of)
    result = AuditResult.of(corpus, find(corpus, name), seed=seed, coefficients=coefficients)
    ctx.obj.emit(result.to_report(), form, corpus.papers)


@audit.command()
def screening(
    ctx: CommandContext,
    first: Annotated[
        str | None, typer.Argument(metavar="A", help="First screener. [default: the two who screened blind]")
    ] = None,
    second: Annotated[str | None, typer.Argument(metavar="B", help="Second screener.")] = None,
    seed: SeedOption = 0,
    form: FormatOption = Format.TEXT,
) -> None:
    """Report the agreement of two screeners, with intervals, and the conflicts to settle.

    Example: awesome audit screening ana bo --format md
    """
    from awesome_cli.analysis.audit import screening as screenings

    ctx.obj.emit(screenings.report(screenings.compared(whole_corpus(ctx.obj), first, second), seed=seed), form)
