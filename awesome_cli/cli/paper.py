"""`awesome paper`: the numbers, tables, citations and claims of a text on the survey."""

import typer

from awesome_cli.cli._corpus import usable_corpus
from awesome_cli.cli._options import DiffOption, DryRunOption
from awesome_cli.cli._printing import say, show
from awesome_cli.cli._session import CommandContext
from awesome_cli.cli._writing import locked

paper = typer.Typer(help="Numbers, tables, citations and claims for a paper on the survey.", no_args_is_help=True)


@paper.command()
def build(ctx: CommandContext, dry_run: DryRunOption = False, diff: DiffOption = False) -> None:
    """Write what paper.yaml names: paper/survey-data.tex and .json, a file per table, and awesome-survey.sty.

    A LaTeX document in the same folder loads the package awesome-survey. 'awesome render' also writes the files, and
    'awesome render --check' exits with 1 if they are stale.

    Example: awesome paper build
    """
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.publish.outputs import manuscript

    session = ctx.obj
    with locked(session, written=not (dry_run or diff)) as lock:
        outputs, tree = manuscript(usable_corpus(session, evidence=True), session.root), WorkingTree(session.root)
        lock.commit([change for output in outputs for change in output.changes(tree)])
    for output in outputs:
        state = "is up to date" if not output.stale else "would be written" if dry_run or diff else "written"
        if diff:
            show(output.diff())
        say(f"{output.path} {state}") if diff else show(f"{output.path} {state}\n")
