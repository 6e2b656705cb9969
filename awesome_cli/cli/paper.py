"""`awesome paper`: the numbers, tables, citations and claims of a text on the survey."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._corpus import usable_corpus
from awesome_cli.cli._options import DiffOption, DryRunOption
from awesome_cli.cli._printing import say, show
from awesome_cli.cli._session import CommandContext
from awesome_cli.cli._writing import locked
from awesome_cli.cli.validate import FindingsFormat, FindingsOption, StrictOption, emit_findings

MAIN = Path("paper/main.tex")
paper = typer.Typer(help="Numbers, tables, citations and claims for a paper on the survey.", no_args_is_help=True)


@paper.command()
def build(ctx: CommandContext, dry_run: DryRunOption = False, diff: DiffOption = False) -> None:
    """Write what paper.yaml names: paper/survey-data.tex and .json, a file per table, and awesome-survey.sty.

    A LaTeX document in the same folder loads the package awesome-survey. 'awesome render' also writes the files, and
    'awesome render --check' exits with 1 if they are stale.

    Example: awesome paper build
    """
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.publish.manuscript.answers import answers
    from awesome_cli.publish.outputs import manuscript

    session = ctx.obj
    with locked(session, written=not (dry_run or diff)) as lock:
        outputs, tree = (
            manuscript(answers(usable_corpus(session, evidence=True), session.root), session.root),
            WorkingTree(session.root),
        )
        lock.commit([change for output in outputs for change in output.changes(tree)])
    for output in outputs:
        state = "is up to date" if not output.stale else "would be written" if dry_run or diff else "written"
        if diff:
            show(output.diff())
        say(f"{output.path} {state}") if diff else show(f"{output.path} {state}\n")


@paper.command()
def check(
    ctx: CommandContext,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Main file of a LaTeX document.")] = MAIN,
    form: FindingsOption = FindingsFormat.TEXT,
    strict: StrictOption = False,
) -> None:
    """Check a LaTeX document with its inputs: names, citations, numbers typed by hand, claims and their places.

    Exit code 1 if there is an error. A comment '% awesome: ignore REASON' silences the findings of its line, or of the
    next line if it stands alone.

    Example: awesome paper check paper/main.tex
    """
    from awesome_cli.publish.manual import manual
    from awesome_cli.publish.manuscript.answers import answers
    from awesome_cli.publish.manuscript.checking import check as checked
    from awesome_cli.publish.manuscript.document import read
    from awesome_cli.publish.outputs import manuscript
    from awesome_cli.reports.findings import is_bad, to_report

    session = ctx.obj
    document = read(file if file.is_file() else session.root / file, session.root)
    texts = answers(usable_corpus(session, evidence=True), session.root)
    stale = [output.path for output in manuscript(texts, session.root) if output.stale]
    findings = checked(document, texts, stale)
    report = partial(
        to_report, findings, schema="awesome/paper-check/1", data={"document": str(file)}, checked=str(file)
    )
    emit_findings(session, form, findings, lambda: manual().pages, report)
    raise typer.Exit(int(is_bad(findings, strict=strict)))
