"""`awesome import`: make records of the entries in files. `add` and `init` share its settings and sources."""

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


HERE = "a path is relative to the folder that you are in, also with -C"
SourceFormatOption = Annotated[str | None, from_option(lambda: list(IMPORTED))]
ColumnOption = Annotated[
    list[str] | None, typer.Option("--column", metavar="NAME=FIELD", help="The field or axis that a column holds.")
]
DecisionOption = Annotated[
    list[str] | None,
    typer.Option(
        "--decision",
        metavar="WORD=KIND",
        help="What a word in the column of decisions means: paper, candidate, exclusion or skip.",
    ),
]
EncodingOption = Annotated[str | None, typer.Option("--encoding", metavar="NAME", help="Encoding, if not UTF-8.")]
ReportOption = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", callback=within, help="Also write the full outcome as JSON.")
]
EntriesOption = Annotated[
    str,
    typer.Option(
        "--entries",
        metavar="WHICH",
        autocompletion=lambda: list(ENTRIES),
        help="Of a list in Markdown: papers alone, or all entries with a link.",
    ),
]
OnDuplicateOption = Annotated[
    str,
    typer.Option("--on-duplicate", metavar="WHAT", help="What to do with a known work: skip, add, link, error or ask."),
]


def settings(session: CommandSession, on_duplicate: str, *, alone: bool = False, **given: Any) -> "Settings":
    """The settings of an intake; `ask` needs a terminal. Raises `UsageError` for an unknown `--on-duplicate`.

    Of a work that is added `alone`, `add` says that it is another one than any that it looks like.
    """
    from awesome_cli.curation.intake import OnDuplicate, Settings
    from awesome_cli.system.clock import today

    require_known(on_duplicate, get_args(OnDuplicate), "way", owner="--on-duplicate")
    ask: Callable[[AnyRecord, Match], Choice] | None = ask_about_known if session.interactive else None
    if on_duplicate == "ask" and ask is None:
        raise UsageError("--on-duplicate ask needs a terminal", hint="use skip, add, link or error")
    if alone and on_duplicate == "add":
        on_duplicate, ask = "ask", lambda _known, _match: "add"
    day = given.pop("day", None) or today()
    return Settings(day=day, on_duplicate=on_duplicate, ask=ask if on_duplicate == "ask" else None, **given)  # type: ignore[arg-type]


def ask_about_known(known: "AnyRecord", match: "Match") -> "Choice":
    """Ask a person what to do with a work that looks known."""
    from awesome_cli.system import prompts

    PASSING.close()
    choices = [
        prompts.Choice("skip", "Skip it", "the survey keeps what it has"),
        prompts.Choice("link", "Link it", f"note it as another version of {known.key}"),
        prompts.Choice("add", "Add it", "it is another work"),
    ]
    question = f"{known.key} looks like it: {known.title} ({'; '.join(match.because)})"
    return prompts.ask_one(question, choices)  # type: ignore[return-value]


def consumed(drafts: "list[Draft]") -> "Iterable[Draft]":
    """The drafts, each taken out of the list, with progress."""
    length = len(drafts)
    drafts.reverse()
    return watched((drafts.pop() for _ in range(length)), "importing entries", length)


def sources(paths: Sequence[Path]) -> "list[InputFile]":
    """The files behind some paths: a folder means its files, `-` standard input. Of one too large a part is read."""
    from awesome_cli.formats.reading import InputFile
    from awesome_cli.formats.rows import LARGEST
    from awesome_cli.text.bounds import allowed

    def contents(path: Path) -> InputFile:
        with path.open("rb") as file:
            return InputFile(path.name, file.read(allowed(LARGEST) + 1))

    found: list[InputFile] = []
    for path in paths:
        if str(path) == "-":
            found.append(InputFile("<stdin>", sys.stdin.buffer.read(allowed(LARGEST) + 1)))
        elif path.is_dir():
            found += map(contents, _inside(path))
        elif path.is_file():
            found.append(contents(path))
        else:
            raise UsageError(f"no such file: {path}", hint=HERE)
    return found


def _inside(folder: Path) -> list[Path]:
    """The files in a folder that have the ending of a format; raises `UsageError` for none."""
    from awesome_cli.files import paths

    forms = [form for form in import_formats().values() if not form.by_name]
    endings = sorted(f".{ending}" for form in forms for ending in form.endings)
    inside = [path for name in paths.files(folder, "") if (path := folder / name).suffix.lower() in endings]
    if not inside:
        raise UsageError(f"no file to import in {folder}", hint=f"endings: {', '.join(endings)}")
    return inside


def check_writable(path: Path, option: str) -> None:
    """Write a file as it is, or for a moment an empty one; raises `UsageError` where that is not possible."""
    from awesome_cli.survey.saving import write

    if path.exists() and not path.is_file():
        raise UsageError(f"{option} {path} is not a file", hint="name a file that may be written")
    try:
        old = path.read_bytes() if path.exists() else None
        write(path, old or b"")
        if old is None:
            path.unlink()
    except OSError as error:
        hint = "name a file that may be written"
        raise UsageError(f"{option} {path} cannot be written: {error.strerror}", hint=hint) from None


def save_report(outcome: "Report", path: Path | None) -> None:
    """Write the full outcome as JSON, if a file was named."""
    from awesome_cli.output.machine import write_json
    from awesome_cli.survey.saving import write

    if path is not None:
        write(path, write_json(outcome).encode())


def import_(
    ctx: CommandContext,
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
    from awesome_cli.formats.reading import column_mapping, decision_mapping

    session = ctx.obj
    given: dict[str, Any] = {"day": on, "create_terms": create_terms, "headings": headings}
    given |= {"stage": stage, "reason": reason, "kind": kind}
    asked = settings(session, on_duplicate, **given)
    how = {
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
    intake = import_entries(session, files, asked, how, dry_run=dry_run or diff)
    print_import(session, intake, to_report(intake, written=not (dry_run or diff)), form, report, diff=diff)


def import_entries(
    session: CommandSession, files: Sequence[Path], asked: "Settings", how: Mapping[str, Any], *, dry_run: bool
) -> "Intake":
    """Read the files and write the records, under the lock of the survey, so that known works do not change."""
    from awesome_cli.curation.intake import begin, take_in
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.formats import ReadingOptions
    from awesome_cli.formats.reading import read

    given = sources(files)
    with _without_collector(), locked(session, written=not dry_run) as lock:
        corpus = readable_corpus(session, candidates=True)
        batch = read(given, ReadingOptions(corpus.taxonomy, **how))
        given.clear()  # A file's bytes are let go when they are read, a draft when its record is made.
        intake, waiting = begin(corpus, WorkingTree(session.root), asked, batch), list(batch.drafts)
        del batch
        take_in(intake, consumed(waiting))
        intake.works.close()
        lock.commit(intake.changes())
    return intake


@contextmanager
def _without_collector() -> Iterator[None]:
    """Records are in no cycles: to search all that a large file makes for them takes time and frees nothing."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def print_import(
    session: CommandSession, intake: "Intake", outcome: "Report", form: Format, path: Path | None, *, diff: bool
) -> None:
    """Write the outcome where that was asked for, print it or the diff, and end with 4 if something failed."""
    from awesome_cli.survey.saving import Plan

    save_report(outcome, path)
    session.emit(Plan(intake.changes()).to_diff() if diff else outcome, form)
    if intake.failed:
        verb = "added" if outcome.data["written"] else "would be added"
        hint = f"{len(intake.taken):,} {verb}; the failed ones are named {'with --dry-run' if diff else 'above'}"
        raise PartialError(f"{counted(len(intake.failed), 'entry')} could not be imported", hint=hint)
