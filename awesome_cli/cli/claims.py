"""`awesome claims` and `sensitivity`: check claims and their robustness."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import whole_corpus
from awesome_cli.cli._options import AsOfOption, FormatOption, GradeOption, ReadingOption, WhereOption
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.analysis.claims.results import ClaimResults


claims = typer.Typer(help="Check the claims of the survey against its records.", no_args_is_help=True)


@claims.command()
def check(
    ctx: CommandContext,
    names: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Claims to check. [default: all]")] = None,
    reading: ReadingOption = None,
    grade: GradeOption = None,
    as_of: AsOfOption = None,
    full: Annotated[bool, typer.Option("--all", help="Print everything, not only a summary.")] = False,
    allow_undecided: Annotated[
        bool, typer.Option("--allow-undecided", help="Do not exit 1 for claims that missing codings could overturn.")
    ] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Check claims; name the papers that overturn them and the candidates that would. Exit code 1 if a claim fails.

    An undecided claim holds, but papers that are not coded could overturn the claim: exit code 1, too. A contested
    claim holds as coded, but fails if the objections to codings are right. Revised and withdrawn claims do not affect
    the exit code. JSON and CSV are always complete, as with --all.

    Example: awesome claims check --reading generous --grade GRADE
    """
    from awesome_cli.analysis.claims.report import to_report
    from awesome_cli.analysis.claims.sensitivity import endangered

    checked = _checked(ctx.obj, names or (), as_of, (reading, grade))
    report = to_report(checked, endangered(checked), full=full or bool(names))
    ctx.obj.emit(report, form, checked.pool.corpus.works)
    raise typer.Exit(int(not checked.hold or (bool(checked.undecided) and not allow_undecided)))


@claims.command()
def show(
    ctx: CommandContext,
    name: Annotated[str, typer.Argument(metavar="ID", help="Id of a claim.")],
    reading: ReadingOption = None,
    grade: GradeOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show one claim: expected and observed values, papers, contests, papers that would overturn it, successors.

    For a revised claim, also show how the finding changed: old and new codings, rules, readings and second codings.

    Example: awesome claims show ID
    """
    from awesome_cli.analysis.claims.report import show_report
    from awesome_cli.analysis.claims.sensitivity import endangered
    from awesome_cli.analysis.claims.succession import extended_report, of_results

    results = _checked(ctx.obj, [name], as_of, (reading, grade))
    report = show_report(results, endangered(results).get(name))
    for succession in of_results(results):
        report = extended_report(report, succession)
    ctx.obj.emit(report, form)


def _checked(
    session: CommandSession, names: Sequence[str], as_of: date | None, chosen: tuple[str | None, str | None]
) -> "ClaimResults":
    from awesome_cli.analysis.claims.results import bisected
    from awesome_cli.analysis.claims.results import check as check_claims
    from awesome_cli.survey.readings import reading_of

    corpus = whole_corpus(session, as_of)
    return bisected(session.root, check_claims(corpus, names, reading=reading_of(corpus.taxonomy, *chosen)))


def sensitivity(
    ctx: CommandContext,
    with_candidates: Annotated[
        bool, typer.Option("--with-candidates", help="Also admit candidates that are proposed for retention.")
    ] = False,
    confidence: Annotated[
        str | None,
        typer.Option("--confidence", metavar="LEVEL", help="Use only candidates of this confidence or above."),
    ] = None,
    where: WhereOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Test the sensitivity of claims: change the data in many ways, and report which changes flip which claim.

    The changes are: admit near-misses, apply contests (strictly, generously, one by one), drop codings of low
    confidence, use the second coder's tags, leave out each supporting paper. --where restricts the pool.

    Example: awesome sensitivity --with-candidates
    """
    from awesome_cli.analysis.claims.sensitivity import sensitivity as perturb
    from awesome_cli.analysis.claims.sensitivity import to_report
    from awesome_cli.survey.corpus import GROUPS

    corpus = whole_corpus(ctx.obj, as_of).where(where, *GROUPS.values())
    results = perturb(corpus, with_candidates=with_candidates, confidence=confidence)
    ctx.obj.emit(to_report(results), form)
