"""`awesome import`: make records of the entries in files."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from awesome_cli.cli._intake import SourceFormatOption, progress, settings, sources
from awesome_cli.cli._options import REASON, STAGE, DryRunOption, FormatOption, KindOption, OnOption, parse_date
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import PartialError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.curation.intake import Intake, Settings
    from awesome_cli.reports.report import Report


def import_(
    ctx: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Files, a folder of them, or - for standard input.")
    ],
    source: SourceFormatOption = None,
    column: Annotated[
        list[str] | None,
        typer.Option("--column", metavar="NAME=FIELD", help="The field or axis that a column holds."),
    ] = None,
    mapping: Annotated[
        Path | None, typer.Option("--mapping", metavar="FILE", help="A YAML file of such columns, `NAME: FIELD`.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", metavar="NAME", help="The files' encoding, if not UTF-8.")
    ] = None,
    create_terms: Annotated[
        str | None,
        typer.Option("--create-terms", metavar="AXIS", help="Make a term of each word that the axis does not have."),
    ] = None,
    kind: KindOption = None,
    stage: Annotated[str | None, STAGE] = None,
    reason: Annotated[str | None, REASON] = None,
    on_duplicate: Annotated[
        str,
        typer.Option("--on-duplicate", metavar="WHAT", help="What to do with a known work: skip, link, error or ask."),
    ] = "skip",
    on: OnOption = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Also write the full outcome as JSON.")
    ] = None,
    dry_run: DryRunOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Import the entries of files: bibliographies, tables, lists, an export of this program.

    A bad entry does not stop the others: it is named with its line, and the exit code is 4. Nothing is lost: values
    without a field are kept under `extra`.

    Example: awesome import library.bib --kind candidate --dry-run
    """
    from awesome_cli.curation.intake.summary import to_report
    from awesome_cli.formats.reading import column_mapping

    workspace: Workspace = ctx.obj
    day = parse_date(on) if on else None
    asked = settings(workspace, on_duplicate, day=day, create_terms=create_terms, stage=stage, reason=reason)
    asked = replace(asked, kind=kind)
    how = {"columns": column_mapping(column or [], mapping), "form": source, "encoding": encoding}
    intake = carry_out(workspace, files, asked, how, dry_run=dry_run)
    finish(workspace, to_report(intake, written=not dry_run), form, report)


def carry_out(
    workspace: Workspace, files: Sequence[Path], asked: "Settings", how: Mapping[str, Any], *, dry_run: bool
) -> "Intake":
    """Read the files and write the records, under the lock of the survey, so that known works do not change."""
    from awesome_cli.curation.intake import begin, take_in
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.formats.reading import ReadingOptions, read
    from awesome_cli.survey.saving import commit, locked

    given = sources(files)
    with nullcontext() if dry_run else locked(workspace.root):
        corpus = workspace.readable(candidates=True)
        batch = read(given, ReadingOptions(corpus.taxonomy, **how))
        intake = begin(corpus, WorkingTree(workspace.root), asked)
        intake.failed.extend(batch.failures)
        with progress(workspace, batch.drafts, "importing") as drafts:
            take_in(intake, drafts)
        if not dry_run:
            commit(workspace.root, intake.changes())
    return intake


def finish(workspace: Workspace, answer: "Report", form: Format, path: Path | None) -> None:
    """Print the outcome, write it where that was asked for, and end with 4 if something failed."""
    from awesome_cli.output.machine import write_json
    from awesome_cli.survey.saving import write

    workspace.emit(answer, form)
    if path is not None:
        write(path, write_json(answer).encode())
    failed = answer.data["failed"]
    if isinstance(failed, list) and failed:
        plural = "entry" if len(failed) == 1 else "entries"
        lists = (answer.data["added"], answer.data["excluded"])
        done = sum(len(entries) for entries in lists if isinstance(entries, list))
        hint = f"{done:,} {'added' if answer.data['written'] else 'would be added'}; the failed ones are named above"
        raise PartialError(f"{len(failed)} {plural} could not be imported", hint=hint)
