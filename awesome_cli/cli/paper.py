"""`awesome paper`: the numbers, tables, citations and claims of a text on the survey."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import usable_corpus
from awesome_cli.cli._options import DiffOption, DryRunOption, within
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli.render import show_outputs, written_outputs
from awesome_cli.cli.validate import FindingsFormat, FindingsOption, StrictOption, emit_findings

if TYPE_CHECKING:
    from awesome_cli.publish.manuscript.answers import PaperAnswers

MAIN = Path("paper/main.tex")
paper = typer.Typer(help="Numbers, tables, citations and claims for a paper on the survey.", no_args_is_help=True)


@paper.command()
def build(
    ctx: CommandContext,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Write what paper.yaml names: paper/survey-data.tex and .json, a file per table, and awesome-survey.sty.

    A LaTeX document in the same folder loads the package awesome-survey. 'awesome render' also writes the files.

    Example: awesome paper build
    """
    from awesome_cli.publish.manuscript.files import outputs

    session, written = ctx.obj, not (check or dry_run or diff)
    generated, paths = written_outputs(session, lambda: outputs(_answers(session), session.root), written=written)
    show_outputs(generated, paths, check=check, diff=diff)


def _answers(session: CommandSession) -> "PaperAnswers":
    from awesome_cli.publish.manuscript.answers import answers

    return answers(usable_corpus(session, evidence=True), session.root)


@paper.command()
def check(
    ctx: CommandContext,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", callback=within, help="Main file of a LaTeX document.")
    ] = MAIN,
    form: FindingsOption = FindingsFormat.TEXT,
    strict: StrictOption = False,
) -> None:
    """Check a LaTeX document with its inputs: names, citations, numbers typed by hand, claims and their places.

    Exit code 1 if there is an error. A comment '% awesome: ignore REASON' silences the findings of its line, or of the
    next line if it stands alone.

    Example: awesome paper check paper/main.tex
    """
    from awesome_cli.publish.manual import manual
    from awesome_cli.publish.manuscript.checking import check as checked
    from awesome_cli.publish.manuscript.document import read
    from awesome_cli.publish.manuscript.files import outputs
    from awesome_cli.reports.findings import is_bad, to_report

    session = ctx.obj
    document = read(file if file.is_file() else session.root / file, session.root)
    answers = _answers(session)
    stale = [output.path for output in outputs(answers, session.root) if output.stale]
    findings = checked(document, answers, stale)
    report = partial(
        to_report, findings, schema="awesome/paper-check/1", data={"document": str(file)}, checked=str(file)
    )
    emit_findings(session, form, findings, lambda: manual().pages, report)
    raise typer.Exit(int(is_bad(findings, strict=strict)))
