"""`awesome add`: one work or a few, by reference, file or description."""

from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._adding import drafts_of, finisher, outcome, taken_in
from awesome_cli.cli._intake import SourceFormatOption, settings
from awesome_cli.cli._options import (
    ConfidenceOption,
    DiffOption,
    DryRunOption,
    EvidenceOption,
    FormatOption,
    KeyOption,
    KindOption,
    SourceOption,
)
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import UsageError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.curation.intake import Settings
    from awesome_cli.survey.corpus import Corpus


def add(
    ctx: typer.Context,
    references: Annotated[
        list[str] | None,
        typer.Argument(metavar="REFERENCE", help="arXiv id, DOI, acl:ID, openreview:ID, address, file, or - (stdin)."),
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option("--tag", "-t", metavar="AXIS=TERM[:STRENGTH]", help="Give it a term.")
    ] = None,
    assign: Annotated[list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help="Set a field.")] = None,
    evidence: EvidenceOption = None,
    source: SourceOption = None,
    confidence: ConfidenceOption = None,
    key: KeyOption = None,
    kind: KindOption = None,
    source_format: SourceFormatOption = None,
    on_duplicate: Annotated[
        str | None,
        typer.Option(
            "--on-duplicate", metavar="WHAT", help="What to do with a known work: error, skip, add, link or ask."
        ),
    ] = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Add a paper with its metadata; on a terminal, ask for its tags.

    Without a REFERENCE, describe it with --set or answer questions. With --offline a stub is added, which
    'awesome refresh' completes.

    Example: awesome add arxiv:ID --tag AXIS=TERM --evidence 'What the paper does.'
    """
    workspace: Workspace = ctx.obj
    if kind == "exclusion":
        raise UsageError("an exclusion has a stage and a reason", hint="awesome exclude REFERENCE --stage … --reason …")
    if not (dry_run or diff):
        workspace.finish_open()
    drafts = drafts_of(workspace, references or [], assign or [], tag or [], key=key, form=source_format)
    grounds = {"evidence": evidence, "source": source, "confidence": confidence}
    way = on_duplicate or ("ask" if workspace.interactive else "error")

    def asked(corpus: "Corpus") -> "Settings":
        finish = finisher(workspace, corpus, assign or [], tag or [], grounds)
        return settings(workspace, way, kind=kind, finish=finish, alone=True)

    intake, plan = taken_in(workspace, drafts, asked, assign or [], key=key, written=not (dry_run or diff))
    outcome(workspace, intake, plan, form, diff=diff, dry_run=dry_run)
