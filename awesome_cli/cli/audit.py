"""`awesome audit`: a blind second coding: draw a sample, import the filled sheet, compare."""

from pathlib import Path
from typing import Annotated

import typer

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
from awesome_cli.cli._second_coder import NAME, SIZE, STRATIFY, USUAL, code
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import deliver, show_plan
from awesome_cli.errors import PartialError, RefusedError, UsageError
from awesome_cli.output import Format

audit = typer.Typer()
audit.command("code")(code)


@audit.callback(invoke_without_command=True)
def overview(ctx: typer.Context, form: FormatOption = Format.TEXT) -> None:
    """Let a second person code a sample blind, and measure agreement. Alone: list the audits.

    Example: awesome audit
    """
    if ctx.invoked_subcommand is None:
        list_(ctx, form=form)


@audit.command("list")
def list_(ctx: typer.Context, as_of: AsOfOption = None, form: FormatOption = Format.TEXT) -> None:
    """List the audits: day, blind or not, chosen or drawn at random, which axes.

    Example: awesome audit list --format md
    """
    from awesome_cli.analysis.audit.summary import listing

    workspace: Workspace = ctx.obj
    workspace.emit(listing(workspace.evidence(as_of)), form)


@audit.command()
def sample(
    ctx: typer.Context,
    n: Annotated[int, SIZE] = USUAL,
    stratify: Annotated[str | None, STRATIFY] = None,
    seed: SeedOption = 0,
    by: ByOption = None,
    out: OutOption = None,
    as_of: AsOfOption = None,
) -> None:
    """Draw papers and write a sheet (CSV) for a second coder, without the tags of the first.

    Example: awesome audit sample --n 32 --stratify AXIS --seed 7 --out sheet.csv
    """
    from awesome_cli.analysis.audit import sheets
    from awesome_cli.model.audits import Sample

    workspace: Workspace = ctx.obj
    corpus = workspace.corpus(as_of)
    drawn = Sample(size=n, seed=seed, stratify=stratify, pool=as_of)
    text = sheets.sheet(
        sheets.draw(corpus, drawn), sheets.coded_columns(corpus.taxonomy, axes_of(by)), drawn, raw=workspace.raw
    )
    if out is not None and str(out) != "-" and out.exists():
        raise RefusedError(f"{out} exists already", hint="it may be a filled sheet: choose another name")
    deliver(workspace, text, out)


@audit.command("import")
def import_(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", callback=within, help="The filled sheet.")],
    name: Annotated[str, NAME] = "",
    on: OnOption = None,
    who: WhoOption = None,
    blind: Annotated[
        bool | None,
        typer.Option(
            "--blind/--not-blind", help="Whether the coder had not seen the first coding; unset: not recorded."
        ),
    ] = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Import a filled sheet as an audit of the survey.

    Cells with unknown values are named and count as missing, and the exit code is 4.
    Example: awesome audit import sheet.csv --who "second reader" --blind
    """
    from awesome_cli.analysis.audit import sheets
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.survey.saving import Plan, create
    from awesome_cli.system.clock import today

    workspace: Workspace = ctx.obj
    day = on or today()
    text, written = _text(file), not (dry_run or diff)
    with workspace.locked(written=written):
        found = sheets.read(
            text, workspace.corpus(), name=name or f"audit-{day}", on=day, by=who or "second coder", blind=blind
        )
        plan = Plan((create(WorkingTree(workspace.root), found.audit),))
        workspace.commit(plan.changes, written=written)
    for finding in found.findings:
        workspace.say(f"warning: {finding}")
    show_plan(workspace, plan, form, written=written, diff=diff)
    raise typer.Exit(PartialError.exit_code if found.findings else 0)


def _text(file: Path) -> str:
    """The text of a sheet; raises `UsageError` where there is none."""
    if not file.is_file():
        raise UsageError(f"no such file: {file}", hint="'awesome audit sample --out FILE' writes a sheet")
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8", hint="save the sheet as CSV in UTF-8") from None


@audit.command()
def report(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="An audit; by default the latest.")] = None,
    seed: SeedOption = 0,
    coefficients: Annotated[
        bool, typer.Option("--coefficients", help="Show kappa, alpha and AC1 of papers not coded blind, too.")
    ] = False,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Compare two coders: percent agreement with exact intervals, kappa, alpha and AC1, disagreements, adjudication.

    Example: awesome audit report --format md
    """
    from awesome_cli.analysis.audit import audit_report
    from awesome_cli.analysis.audit.summary import find

    workspace: Workspace = ctx.obj
    corpus = workspace.evidence(as_of)
    found = audit_report.report(corpus, find(corpus, name), seed=seed, coefficients=coefficients)
    workspace.emit(found, form)


@audit.command()
def screening(
    ctx: typer.Context,
    first: Annotated[
        str | None, typer.Argument(metavar="A", help="Who screened; by default the two who did blind.")
    ] = None,
    second: Annotated[str | None, typer.Argument(metavar="B", help="The other one.")] = None,
    seed: SeedOption = 0,
    form: FormatOption = Format.TEXT,
) -> None:
    """Compare two people who screened the same candidates: agreement with intervals, and conflicts to settle.

    Example: awesome audit screening ana bo --format md
    """
    from awesome_cli.analysis.audit import screening as screenings

    workspace: Workspace = ctx.obj
    workspace.emit(screenings.report(screenings.compared(workspace.evidence(), first, second), seed=seed), form)
