"""`awesome claims`: whether the claims of the survey hold."""

from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from awesome_cli.cli._options import AsOfOption, FormatOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format

STRICT = "--strict-contested"


class WithStrict(TyperCommand):
    """A command whose `--strict-contested` may stand without a value; only `=` gives it one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f"{STRICT}=" if word == STRICT else word for word in args])


claims = typer.Typer(help="Check what the survey says about its records.", no_args_is_help=True)
StrictOption = Annotated[
    str | None,
    typer.Option(
        STRICT,
        metavar="[=GRADE]",
        help="Read codings contested at GRADE or above as the challenger does; without =GRADE, at the survey's own.",
    ),
]


@claims.command(cls=WithStrict)
def check(
    ctx: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Only these claims.")] = None,
    strict: StrictOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Check every claim: it holds, holds as coded but is contested, or fails. Exit code 1 when one fails.

    Example: awesome claims check --strict-contested=strong
    """
    from awesome_cli.analysis.claims import claim_report
    from awesome_cli.analysis.claims.bisection import bisected
    from awesome_cli.analysis.claims.results import check as check_claims
    from awesome_cli.analysis.claims.sensitivity import forecasts

    workspace: Workspace = ctx.obj
    found = bisected(workspace.root, check_claims(workspace.evidence(as_of), names or (), strict=strict))
    workspace.emit(claim_report.to_report(found, forecasts(found)), form)
    raise typer.Exit(int(not found.hold))


@claims.command(cls=WithStrict)
def show(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="ID", help="A claim's id.")],
    strict: StrictOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show one claim: what it expects, what is observed, the papers, what contests it, what would end it.

    Example: awesome claims show ID
    """
    from awesome_cli.analysis.claims import claim_report
    from awesome_cli.analysis.claims.bisection import bisected
    from awesome_cli.analysis.claims.results import check as check_claims
    from awesome_cli.analysis.claims.sensitivity import forecasts

    workspace: Workspace = ctx.obj
    found = bisected(workspace.root, check_claims(workspace.evidence(as_of), [name], strict=strict))
    workspace.emit(claim_report.show(found, forecasts(found).get(name)), form)
