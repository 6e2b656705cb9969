"""`awesome import`: turn the entries of files into records. `add` and `init` share its settings and sources."""

import gc
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from awesome_cli.cli._corpus import readable_corpus
from awesome_cli.cli._options import (
    REASON,
    STAGE,
    DiffOption,
    DryRunOption,
    FormatOption,
    KindOption,
    OnOption,
    from_option,
    within,
)
from awesome_cli.cli._printing import PASSING
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import locked
from awesome_cli.errors import PartialError, UsageError
from awesome_cli.formats import ENTRIES, IMPORTED, import_formats
from awesome_cli.output import Format
from awesome_cli.reports.progress import watched
from awesome_cli.text.known import require_known
from awesome_cli.text.numbers import counted

if TYPE_CHECKING:
    from awesome_cli.curation.intake import Choice, Intake, Settings
    from awesome_cli.formats.reading import InputFile
    from awesome_cli.model.drafts import Draft
    from awesome_cli.model.records import AnyRecord
    from awesome_cli.reports.report import Report
    from awesome_cli.survey.duplicates import Match


HERE = "paths are relative to the current folder, also with -C"
SourceFormatOption = Annotated[str | None, from_option(lambda: list(IMPORTED))]
ColumnOption = Annotated[
    list[str] | None,
    typer.Option("--column", metavar="NAME=FIELD", help="Map a column to a field or an axis; may be repeated."),
]
DecisionOption = Annotated[
    list[str] | None,
    typer.Option(
        "--decision",
        metavar="WORD=KIND",
        help="Map a word of the decision column to paper, candidate, exclusion or skip; may be repeated.",
    ),
]
EncodingOption = Annotated[
    str | None, typer.Option("--encoding", metavar="NAME", help="Text encoding of the files. [default: UTF-8]")
]
ReportOption = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", callback=within, help="Also write the full report as JSON to FILE."),
]
EntriesOption = Annotated[
    str,
    typer.Option(
        "--entries",
        metavar="WHICH",
        autocompletion=lambda: list(ENTRIES),
        help="Entries of a Markdown list to read: papers, also works without a link (unlinked), or all with a link.",
    ),
]
OnDuplicateOption = Annotated[
    str,
    typer.Option("--on-duplicate", metavar="ACTION", help="Action for a known work: skip, add, link, error or ask."),
]


def settings(session: CommandSession, on_duplicate: str, *, alone: bool = False, **values: Any) -> "Settings":
    """Return the settings of an import.

    Raise `UsageError` for an unknown `on_duplicate`, and for `ask` without a terminal. For a work that
    is imported alone, `add` also records that it differs from similar works.
    """
    from awesome_cli.curation.intake import OnDuplicate, Settings
    from awesome_cli.system.clock import today

    require_known(on_duplicate, get_args(OnDuplicate), "action", owner="--on-duplicate")
    ask: Callable[[AnyRecord, Match], Choice] | None = ask_about_known if session.interactive else None
    if on_duplicate == "ask" and ask is None:
        raise UsageError("--on-duplicate ask needs a terminal", hint="use skip, add, link or error")
    if alone and on_duplicate == "add":
        on_duplicate, ask = "ask", lambda _known, _match: "add"
    day = values.pop("day", None) or today()
    return Settings(day=day, on_duplicate=on_duplicate, ask=ask if on_duplicate == "ask" else None, **values)  # type: ignore[arg-type]


def ask_about_known(known: "AnyRecord", match: "Match") -> "Choice":
    """Prompt for the action on a work that resembles a record of the survey."""
    from awesome_cli.system import prompts

    PASSING.close()
    choices = [
        prompts.Choice("skip", "Skip it", "change nothing"),
        prompts.Choice("link", "Link it", f"record it as another version of {known.key}"),
        prompts.Choice("add", "Add it", "it is a different work"),
    ]
    question = f"It resembles {known.key}: {known.title} ({'; '.join(match.because)})"
    return prompts.ask_one(question, choices)  # type: ignore[return-value]


def consumed(drafts: "list[Draft]") -> "Iterable[Draft]":
    """Yield the drafts with progress, and remove each from the list to free its memory."""
    length = len(drafts)
    drafts.reverse()
    return watched((drafts.pop() for _ in range(length)), "importing entries", length)


def sources(paths: Sequence[Path]) -> "list[InputFile]":
    """Read files, all files of folders, and standard input (`-`). Content over the size limit is cut off."""
    from awesome_cli.formats.reading import InputFile
    from awesome_cli.formats.rows import LARGEST
    from awesome_cli.text.bounds import allowed

    def contents(path: Path) -> InputFile:
        with path.open("rb") as file:
            return InputFile(path.name, file.read(allowed(LARGEST) + 1))

    inputs: list[InputFile] = []
    for path in paths:
        if str(path) == "-":
            inputs.append(InputFile("<stdin>", sys.stdin.buffer.read(allowed(LARGEST) + 1)))
        elif path.is_dir():
            inputs += map(contents, _inside(path))
        elif path.is_file():
            inputs.append(contents(path))
        else:
            raise UsageError(f"no such file: {path}", hint=HERE)
    return inputs


def _inside(folder: Path) -> list[Path]:
    """List the files of a folder that end like a known format; raise `UsageError` if there are none."""
    from awesome_cli.files import paths

    forms = [form for form in import_formats().values() if not form.by_name]
    endings = sorted(f".{ending}" for form in forms for ending in form.endings)
    inside = [path for name in paths.files(folder, "") if (path := folder / name).suffix.lower() in endings]
    if not inside:
        raise UsageError(f"no file to import in {folder}", hint=f"supported endings: {', '.join(endings)}")
    return inside


def check_writable(path: Path, option: str) -> None:
    """Raise `UsageError` if a file cannot be written; test this by writing its present content."""
    from awesome_cli.survey.saving import write

    if path.exists() and not path.is_file():
        raise UsageError(f"{option} {path} is not a file", hint="name a writable file")
    try:
        old = path.read_bytes() if path.exists() else None
        write(path, old or b"")
        if old is None:
            path.unlink()
    except OSError as error:
        raise UsageError(f"cannot write {option} {path}: {error.strerror}", hint="name a writable file") from None


def save_report(outcome: "Report", path: Path | None) -> None:
    """Write the full report as JSON to `path`, unless it is None."""
    from awesome_cli.output.machine import write_json
    from awesome_cli.survey.saving import write

    if path is not None:
        write(path, write_json(outcome).encode())


def import_(
    ctx: CommandContext,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", callback=within, help="Files, folders, or - for standard input.")
    ],
    source: SourceFormatOption = None,
    column: ColumnOption = None,
    mapping: Annotated[
        Path | None,
        typer.Option(
            "--mapping",
            metavar="FILE",
            callback=within,
            help="Read values of --column, and of --decision (in the section `decision`), from a YAML file.",
        ),
    ] = None,
    decision: DecisionOption = None,
    tags_from: Annotated[
        list[str] | None,
        typer.Option(
            "--tags-from", metavar="FIELD", help="Turn words of `keywords` or of a column into tags without strength."
        ),
    ] = None,
    encoding: EncodingOption = None,
    entries: EntriesOption = "papers",
    create_terms: Annotated[
        str | None, typer.Option("--create-terms", metavar="AXIS", help="Create terms for unknown words on this axis.")
    ] = None,
    headings: Annotated[
        str | None,
        typer.Option("--headings", metavar="AXIS", help="Turn headings of a list into tags on AXIS. [default: topic]"),
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
    """Import bibliographies, tables, Markdown lists of papers, or exports of awesome.

    An invalid entry is reported with its line and does not stop the others; the exit code is then 4. Values without a
    field are kept under `extra`. A work is skipped as a duplicate only if that is certain. The report names every entry
    that was skipped, failed or changed.

    Example: awesome import library.bib --kind candidate --dry-run
    """
    from awesome_cli.curation.intake.summary import to_report
    from awesome_cli.formats.reading import column_mapping, decision_mapping

    session = ctx.obj
    values: dict[str, Any] = {"day": on, "create_terms": create_terms, "headings": headings}
    values |= {"stage": stage, "reason": reason, "kind": kind}
    chosen = settings(session, on_duplicate, **values)
    options = {
        "columns": column_mapping(column or [], mapping),
        "decisions": decision_mapping(decision or [], mapping),
        "tags_from": tuple(tags_from or ()),
        "form": source,
        "encoding": encoding,
        "entries": entries,
        "raw": session.raw,
    }
    if report is not None:
        check_writable(report, "--report")
    intake = import_entries(session, files, chosen, options, dry_run=dry_run or diff)
    print_import(session, intake, to_report(intake, written=not (dry_run or diff)), form, report, diff=diff)


def import_entries(
    session: CommandSession, files: Sequence[Path], chosen: "Settings", options: Mapping[str, Any], *, dry_run: bool
) -> "Intake":
    """Read the files and write the records under the survey's lock."""
    from awesome_cli.curation.intake import begin, take_in
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.formats import ReadingOptions
    from awesome_cli.formats.reading import read

    inputs = sources(files)
    with _without_collector(), locked(session, written=not dry_run) as lock:
        corpus = readable_corpus(session, remark=True, candidates=True)
        batch = read(inputs, ReadingOptions(corpus.taxonomy, **options))
        inputs.clear()  # frees memory, as `consumed` does
        intake, waiting = begin(corpus, WorkingTree(session.root), chosen, batch), list(batch.drafts)
        del batch
        take_in(intake, consumed(waiting))
        intake.works.close()
        lock.commit(intake.changes())
    return intake


@contextmanager
def _without_collector() -> Iterator[None]:
    """Switch off garbage collection: records contain no cycles, so it would take time and free nothing."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def print_import(
    session: CommandSession, intake: "Intake", outcome: "Report", form: Format, path: Path | None, *, diff: bool
) -> None:
    """Save and print the report or the diff; raise `PartialError` if an entry failed."""
    from awesome_cli.survey.saving import Plan

    save_report(outcome, path)
    session.emit(Plan(intake.changes()).to_diff() if diff else outcome, form)
    if intake.failed:
        verb = "added" if outcome.data["written"] else "would be added"
        hint = f"{len(intake.taken):,} {verb}; {'--dry-run' if diff else 'the report above'} names the failed ones"
        raise PartialError(f"{counted(len(intake.failed), 'entry')} could not be imported", hint=hint)
