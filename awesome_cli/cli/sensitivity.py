"""`awesome sensitivity`: how robust each claim is."""

from typing import Annotated

import typer

from awesome_cli.cli._options import AsOfOption, FormatOption, WhereOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.output import Format


def sensitivity(
    ctx: typer.Context,
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
    from awesome_cli.analysis.claims import sensitivity_report
    from awesome_cli.analysis.claims.sensitivity import sensitivity as perturb
    from awesome_cli.survey.corpus import GROUPS

    workspace: Workspace = ctx.obj
    corpus = workspace.evidence(as_of).where(where, *GROUPS.values())
    found = perturb(corpus, with_candidates=with_candidates, confidence=confidence)
    workspace.emit(sensitivity_report.to_report(found), form)
