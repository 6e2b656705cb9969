"""`awesome import`: make records of the entries in files."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from awesome_cli.cli._intake import (
    ColumnOption,
    DecisionOption,
    EncodingOption,
    EntriesOption,
    OnDuplicateOption,
    ReportOption,
    SourceFormatOption,
    check_writable,
    settings,
    sources,
    taken,
)
from awesome_cli.cli._options import (
    REASON,
    STAGE,
    DiffOption,
    DryRunOption,
    FormatOption,
    KindOption,
    OnOption,
    within,
)
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import PartialError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.curation.intake import Intake, Settings
    from awesome_cli.reports.report import Report


def import_(
    ctx: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", callback=within, help="Files, a folder of them, or - for standard input."),
    ],
    source: SourceFormatOption = None,
    column: ColumnOption = None,
    mapping: Annotated[
        Path | None,
        typer.Option(
            "--mapping",
            metavar="FILE",
            callback=within,
            help="A YAML file of such columns and, under `decision:`, words.",
        ),
    ] = None,
    decision: DecisionOption = None,
    tags_from: Annotated[
        list[str] | None,
        typer.Option(
            "--tags-from", metavar="FIELD", help="Make tags, without strength, of the words in `keywords` or a column."
        ),
    ] = None,
    encoding: EncodingOption = None,
    entries: EntriesOption = "papers",
    create_terms: Annotated[
        str | None,
        typer.Option("--create-terms", metavar="AXIS", help="Make a term of each word that the axis does not have."),
    ] = None,
    headings: Annotated[
        str | None,
        typer.Option("--headings", metavar="AXIS", help="The axis whose terms the headings of a page become (topic)."),
    ] = None,
    kind: KindOption = None,
    stage: Annotated[str | None, STAGE] = None,
    reason: Annotated[str | None, REASON] = None,
    on_duplicate: OnDuplicateOption = "skip",
    on: OnOption = None,
    report: ReportOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Import the entries of files: bibliographies, tables, lists of papers in Markdown, an export of this program.

    A bad entry does not stop the others: it is named with its line, and the exit code is 4. Values
    without a field are kept under `extra`, and what is left out is named. A work is skipped as known only if that is
    certain; every entry that is skipped, failed or changed is named.

    Example: awesome import library.bib --kind candidate --dry-run
    """
    from awesome_cli.curation.intake.summary import to_report
    from awesome_cli.formats.options import column_mapping, decision_mapping

    workspace: Workspace = ctx.obj
    given: dict[str, Any] = {"day": on, "create_terms": create_terms, "headings": headings}
    given |= {"stage": stage, "reason": reason, "kind": kind}
    asked = settings(workspace, on_duplicate, **given)
    how = {
        "columns": column_mapping(column or [], mapping),
        "decisions": decision_mapping(decision or [], mapping),
        "tags_from": tuple(tags_from or ()),
        "form": source,
        "encoding": encoding,
        "entries": entries,
        "raw": workspace.raw,
    }
    if report is not None:
        check_writable(report, "--report")
    intake = carry_out(workspace, files, asked, how, dry_run=dry_run or diff)
    finish(workspace, intake, to_report(intake, written=not (dry_run or diff)), form, report, diff=diff)


def carry_out(
    workspace: Workspace, files: Sequence[Path], asked: "Settings", how: Mapping[str, Any], *, dry_run: bool
) -> "Intake":
    """Read the files and write the records, under the lock of the survey, so that known works do not change."""
    from awesome_cli.curation.intake import begin, take_in
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.formats.reading import ReadingOptions, read

    given = sources(files)
    with _without_collector(), workspace.locked(written=not dry_run):
        corpus = workspace.readable(candidates=True)
        batch = read(given, ReadingOptions(corpus.taxonomy, **how))
        given.clear()  # A file's bytes are let go when they are read, a draft when its record is made.
        intake, waiting = begin(corpus, WorkingTree(workspace.root), asked, batch), list(batch.drafts)
        del batch
        take_in(intake, taken(waiting, "importing entries"))
        intake.works.close()
        workspace.commit(intake.changes(), written=not dry_run)
    return intake


@contextmanager
def _without_collector() -> Iterator[None]:
    """Records are in no cycles: to search all that a large file makes for them takes time and frees nothing."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def finish(
    workspace: Workspace, intake: "Intake", outcome: "Report", form: Format, path: Path | None, *, diff: bool
) -> None:
    """Write the outcome where that was asked for, print it or the diff, and end with 4 if something failed."""
    from awesome_cli.output.machine import write_json
    from awesome_cli.survey.saving import Plan, write

    if path is not None:
        write(path, write_json(outcome).encode())
    workspace.emit(Plan(intake.changes()).to_diff() if diff else outcome, form)
    if intake.failed:
        n, verb = len(intake.failed), "added" if outcome.data["written"] else "would be added"
        hint = f"{len(intake.taken):,} {verb}; the failed ones are named {'with --dry-run' if diff else 'above'}"
        raise PartialError(f"{n:,} {'entry' if n == 1 else 'entries'} could not be imported", hint=hint)
