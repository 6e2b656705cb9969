"""`awesome audit`: measure inter-rater agreement by a blind second coding, by a person or a program."""

import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
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

    from awesome_cli.analysis.second_coder import Answered, Arriving, Coded
    from awesome_cli.model.audits import Audit, Sample
    from awesome_cli.model.records import Paper
    from awesome_cli.survey.corpus import Corpus


SIZE, USUAL = typer.Option("--n", metavar="N", min=1, help="Number of papers in the sample."), 32
STRATIFY = typer.Option("--stratify", metavar="AXIS", help="Sample each term of AXIS in proportion.")
NAME = typer.Option("--name", metavar="NAME", help="Name of the audit. [default: audit-DATE]")
RESUMABLE = "has the answers so far; repeat the command to ask for the others"
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
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Name of the audit. [default: that of FILE, else audit-DATE]")
    ] = "",
    on: OnOption = None,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", min=0.1, help="Time limit per paper.")
    ] = 120,
    retries: Annotated[int, typer.Option("--retries", metavar="N", min=0, help="Further attempts per paper.")] = 2,
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", min=1, help="Number of processes.")] = 1,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", callback=within, help="Save answers to FILE, or resume from it."),
    ] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Let a program code papers blind, as second coder, and measure inter-rater agreement.

    The program runs once per paper. It reads a JSON request from standard input and writes a JSON answer to standard
    output. Records do not change. If papers have no usable answer, the report names them, and the exit code is 4.
    --dry-run prints the requests without running the program. After a failure, repeat the command with the same --out.

    Example: awesome audit code --with "python3 coder.py" --n 10 --dry-run
    """
    from awesome_cli.analysis.audit.sheets import coded_columns
    from awesome_cli.analysis.second_coder import LARGEST, Coded, answers, prepared, requests_report, resumed
    from awesome_cli.survey.kept import with_abstracts
    from awesome_cli.system.programs import Program, words_of

    session, corpus, axes = ctx.obj, with_abstracts(usable_corpus(ctx.obj), ctx.obj.root), axes_of(by)
    program = Program(words_of(command), session.environment, timeout, LARGEST)
    papers, sample = _chosen(corpus, keys or [], n, stratify, seed)
    saved = resumed([replace(prepared(paper, corpus, axes, texts), command=command) for paper in papers], out)
    if dry_run:
        session.emit(requests_report([each.task for each in saved if not each.answer], program.name), form)
        return
    coded = Coded(saved, coded_columns(corpus.taxonomy, axes), sample, *_named(name, on, out), who, program.name)
    before = None if diff else _before(session, coded.audit(corpus))
    results = _answers(session, saved, answers(saved, program, retries, jobs), out)
    _deliver(session, replace(coded, answered=results), before, form, diff=diff)


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


def _named(name: str, on: "date | None", out: Path | None) -> "tuple[str, date]":
    """Return the audit's name and date; raise `UsageError` for an invalid name, and for standard output as `out`."""
    from awesome_cli.model.codings import KEY
    from awesome_cli.system.clock import today

    day = on or today()
    stem = out.stem if out else ""
    name = name or (stem if re.fullmatch(KEY, stem) else f"audit-{day}")
    if not re.fullmatch(KEY, name):
        raise UsageError(
            f"{name!r} is not a valid name of an audit", hint="use lower-case letters, digits, '.', '_' and '-'"
        )
    if out is not None and str(out) == "-":
        raise UsageError("--out - is not possible: the report goes to standard output", hint="use --out FILE")
    return name, day


def _before(session: CommandSession, saved: "Audit") -> bytes | None:
    """Return the file of the audit if it has exactly the saved answers; raise `RefusedError` for any other audit."""
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.loading import load_record

    finish_open(session)
    data = WorkingTree(session.root).read(saved.path)
    if data is not None:
        audit = load_record(type(saved), saved.key, saved.path, data)[0]
        if audit is None or not saved.codings or audit != saved.model_copy(update={"on": audit.on}):
            raise RefusedError(f"{saved.path} already exists", hint="choose another name: --name NAME")
    return data


def _answers(
    session: CommandSession, saved: "tuple[Answered, ...]", arriving: "Arriving", out: Path | None
) -> "tuple[Answered, ...]":
    """Run the program for each paper without an answer; write each answer to `out` at once."""
    from awesome_cli.reports.progress import watched
    from awesome_cli.survey.saving import write

    missing = sum(each.answer is None for each in saved)
    if missing < len(saved):
        session.say(f"{out} has {len(saved) - missing} of {counted(len(saved), 'answer')}; asking for {missing} more")
    try:
        with closing(arriving):
            lines: dict[str, str] = {}
            for saved in watched(arriving, "running the program", missing):
                lines |= {e.key: e.line for e in saved if e.key not in lines and (e.answer or e.remark)}
                if out is not None:
                    write(out, "".join(lines.get(e.key, "") for e in saved).encode())
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"no audit was written; {f'{out} {RESUMABLE}' if out and out.exists() else 'no answer was saved'}"
        ) from None
    _require_answer(saved)
    return saved


def _require_answer(saved: "tuple[Answered, ...]") -> None:
    if all(each.answer is None for each in saved):
        raise AwesomeError(
            f"the program gave no usable answer for {counted(len(saved), 'paper')}; no audit was written",
            hint="; ".join(first_few([f"{each.key}: {each.remark}" for each in saved], NAMED)),
        )


def _deliver(session: CommandSession, coded: "Coded", before: bytes | None, form: Format, *, diff: bool) -> None:
    from awesome_cli.analysis.audit.report import AuditResult
    from awesome_cli.analysis.second_coder import coded_report
    from awesome_cli.model.records import to_text
    from awesome_cli.survey.saving import Change, Plan

    with locked(session, written=not diff) as lock:
        corpus = usable_corpus(session)
        audit = coded.audit(corpus)
        plan = Plan((Change(audit.path, before, to_text(audit).encode()),))
        lock.commit(plan.changes)
    if diff:
        show_plan(session, plan, form, written=False, diff=True)
    else:
        session.say(f"wrote {audit.path}")
        session.emit(coded_report(coded, AuditResult.of(corpus, audit).to_report()), form)
    raise typer.Exit(PartialError.exit_code if coded.left_out else 0)


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
