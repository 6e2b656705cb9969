"""`awesome claims` and `sensitivity`: which claims hold, and how robust they are."""

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


claims = typer.Typer(help="Check what the survey says about its records.", no_args_is_help=True)


@claims.command()
def check(
    ctx: CommandContext,
    names: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Only these claims.")] = None,
    reading: ReadingOption = None,
    grade: GradeOption = None,
    as_of: AsOfOption = None,
    full: Annotated[bool, typer.Option("--all", help="Print everything; by default the rest is counted.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Check every claim: which fail or would fail, and by which papers or candidates. Exit code 1 when one fails.

    A contested claim holds as coded, and fails if the objections to its codings are right. Claims that were revised
    or withdrawn do not count for the exit code. JSON and CSV always have every answer.

    Example: awesome claims check --reading generous --grade GRADE
    """
    from awesome_cli.analysis.claims.report import to_report
    from awesome_cli.analysis.claims.sensitivity import endangered

    checked = _checked(ctx.obj, names or (), as_of, (reading, grade))
    ctx.obj.emit(to_report(checked, endangered(checked), full=full or bool(names)), form)
    raise typer.Exit(int(not checked.hold))


@claims.command()
def show(
    ctx: CommandContext,
    name: Annotated[str, typer.Argument(metavar="ID", help="A claim's id.")],
    reading: ReadingOption = None,
    grade: GradeOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Show one claim: what it expects, what is observed, the papers, what contests it, what would end or succeeds it.

    Of a revised claim it tells how the finding changed: codings then and now, rules, readings and second codings.

    Example: awesome claims show ID
    """
    from awesome_cli.analysis.claims.report import show_report
    from awesome_cli.analysis.claims.sensitivity import endangered
    from awesome_cli.analysis.claims.succession import extended_report, of_results

    found = _checked(ctx.obj, [name], as_of, (reading, grade))
    report = show_report(found, endangered(found).get(name))
    for told in of_results(found):
        report = extended_report(report, told)
    ctx.obj.emit(report, form)


def _checked(
    session: CommandSession, names: Sequence[str], as_of: date | None, asked: tuple[str | None, str | None]
) -> "ClaimResults":
    from awesome_cli.analysis.claims.results import bisected
    from awesome_cli.analysis.claims.results import check as check_claims
    from awesome_cli.survey.readings import reading_of

    corpus = whole_corpus(session, as_of)
    return bisected(session.root, check_claims(corpus, names, reading=reading_of(corpus.taxonomy, *asked)))


def sensitivity(
    ctx: CommandContext,
    with_candidates: Annotated[
        bool, typer.Option("--with-candidates", help="Also admit the candidates proposed for retention.")
    ] = False,
    confidence: Annotated[
        str | None, typer.Option("--confidence", metavar="LEVEL", help="Only candidates at LEVEL or better.")
    ] = None,
    where: WhereOption = None,
    as_of: AsOfOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Check every claim under every perturbation: how many it met, how many can touch it, and which flip it.

    Near-misses re-admitted, contests read strictly, generously or one by one, low-confidence codings dropped, the
    second reader's tags used, each supporting paper left out. With --where, in the pool of the records that match.

    Example: awesome sensitivity --with-candidates
    """
    from awesome_cli.analysis.claims.sensitivity import sensitivity as perturb
    from awesome_cli.analysis.claims.sensitivity import to_report
    from awesome_cli.survey.corpus import GROUPS

    corpus = whole_corpus(ctx.obj, as_of).where(where, *GROUPS.values())
    found = perturb(corpus, with_candidates=with_candidates, confidence=confidence)
    ctx.obj.emit(to_report(found), form)
