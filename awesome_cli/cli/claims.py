"""`awesome claims`: whether the claims of the survey hold."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from awesome_cli.cli._options import AsOfOption, FormatOption, FromOption, ReadingOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import UsageError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.analysis.claims.results import ClaimResults

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
        help="The former name of --reading generous --from GRADE; it goes with the next release.",
    ),
]


@claims.command(cls=WithStrict)
def check(
    ctx: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Only these claims.")] = None,
    reading: ReadingOption = None,
    grade: FromOption = None,
    strict: StrictOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Check every claim that stands: it holds, holds as coded but is contested, or fails. Exit code 1 when one fails.

    Claims that were revised or withdrawn are listed with their successors, and do not count for the exit code.

    Example: awesome claims check --reading generous --from strong
    """
    from awesome_cli.analysis.claims import claim_report
    from awesome_cli.analysis.claims.sensitivity import forecasts

    workspace: Workspace = ctx.obj
    found = _checked(workspace, names or (), as_of, _asked(workspace, reading, grade, strict))
    workspace.emit(claim_report.to_report(found, forecasts(found)), form)
    raise typer.Exit(int(not found.hold))


@claims.command(cls=WithStrict)
def show(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="ID", help="A claim's id.")],
    reading: ReadingOption = None,
    grade: FromOption = None,
    strict: StrictOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show one claim: what it expects, what is observed, the papers, what contests it, what would end or succeeds it.

    Of a revised claim it tells how the finding changed: codings then and now, rules, readings and second codings.

    Example: awesome claims show ID
    """
    from awesome_cli.analysis.claims import claim_report
    from awesome_cli.analysis.claims.sensitivity import forecasts
    from awesome_cli.analysis.claims.succession import of_results
    from awesome_cli.analysis.claims.succession_report import extended

    workspace: Workspace = ctx.obj
    found = _checked(workspace, [name], as_of, _asked(workspace, reading, grade, strict))
    report = claim_report.show(found, forecasts(found).get(name))
    for told in of_results(found):
        report = extended(report, told)
    workspace.emit(report, form)


def _asked(
    workspace: Workspace, side: str | None, grade: str | None, strict: str | None
) -> tuple[str | None, str | None]:
    """The side and the grade of the reading that is asked for, also under its former name."""
    if strict is None:
        return side, grade
    if side is not None or grade is not None:
        raise UsageError(f"{STRICT} does not go with --reading and --from", hint=f"leave out {STRICT}")
    workspace.say(f"remark: write --reading generous --from GRADE; {STRICT} goes with the next release")
    return "generous", strict or None


def _checked(
    workspace: Workspace, names: Sequence[str], as_of: date | None, asked: tuple[str | None, str | None]
) -> "ClaimResults":
    from awesome_cli.analysis.claims import results
    from awesome_cli.analysis.claims.bisection import bisected
    from awesome_cli.survey.readings import reading_of

    corpus = workspace.evidence(as_of)
    return bisected(workspace.root, results.check(corpus, names, reading=reading_of(corpus.taxonomy, *asked)))
