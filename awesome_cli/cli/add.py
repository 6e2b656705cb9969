"""`awesome add`: one work or a few, by reference, file or description."""

from dataclasses import replace
from typing import Annotated

import typer

from awesome_cli.cli._adding import collect, finisher, outcome
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
    from awesome_cli.curation.intake import begin
    from awesome_cli.files.tree import WorkingTree

    workspace: Workspace = ctx.obj
    if kind == "exclusion":
        raise UsageError("an exclusion has a stage and a reason", hint="awesome exclude REFERENCE --stage … --reason …")
    corpus = workspace.readable(candidates=True)
    way = on_duplicate or ("ask" if workspace.interactive else "error")
    grounds = {"evidence": evidence, "source": source, "confidence": confidence}
    finish = finisher(workspace, corpus, assign or [], tag or [], grounds)
    asked = settings(workspace, way, kind=kind, finish=finish)
    if way == "add":
        # A person who says so of one work has decided that it is another one, however certain the match is.
        asked = replace(asked, on_duplicate="ask", ask=lambda _known, _match: "add")
    intake = begin(corpus, WorkingTree(workspace.root), asked)
    collect(workspace, intake, references or [], assign or [], key=key, form=source_format)
    outcome(workspace, intake, form, diff=diff, dry_run=dry_run)
