"""`awesome validate`: all findings in the files of a survey, each with its place and the command that fixes it."""

from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._choice import FindingsFormat, show_findings
from awesome_cli.cli._workspace import Workspace


def validate(
    ctx: typer.Context,
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="Show findings of these files or folders only.")
    ] = None,
    form: Annotated[FindingsFormat, typer.Option("--format", "-f", help="How to print the answer.")] = (
        FindingsFormat.TEXT
    ),
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 on warnings, too.")] = False,
) -> None:
    """Check shape, vocabulary, identifiers, duplicates, references, dates and form of every record.

    Exit code 1 when there is an error. Example: awesome validate corpus/KEY.yaml --format github
    """
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.publish.plots.kinds import unknown_kinds
    from awesome_cli.reports.findings import is_bad
    from awesome_cli.rules.checking import check, files
    from awesome_cli.text.numbers import counted

    workspace: Workspace = ctx.obj
    wanted = workspace.inside(paths or [])
    tree = WorkingTree(workspace.root)
    findings = tuple(f for f in check(tree, also=unknown_kinds) if not wanted or f.path.startswith(wanted))
    n = files(tree)
    checked = counted(n, "record") + (f", findings of {', '.join(wanted)} alone" if wanted else "")
    show_findings(workspace, findings, form, name="validate", data={"records": n}, checked=checked)
    raise typer.Exit(int(is_bad(findings, strict=strict)))
