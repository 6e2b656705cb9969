"""What `add` and `import` share: questions about known works, files given by name."""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

import typer

from awesome_cli.cli._doors import PASSING
from awesome_cli.cli._options import from_option, within
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import UsageError
from awesome_cli.formats import ENTRIES, IMPORTED, import_formats
from awesome_cli.reports.progress import watched
from awesome_cli.text.known import require_known

if TYPE_CHECKING:
    from awesome_cli.curation.intake import Choice, Settings
    from awesome_cli.formats.reading import InputFile
    from awesome_cli.model.records import AnyRecord
    from awesome_cli.survey.duplicates import Match

T = TypeVar("T")
HERE = "a path is relative to the folder that you are in, also with -C"
SourceFormatOption = Annotated[str | None, from_option(lambda: list(IMPORTED))]
ColumnOption = Annotated[
    list[str] | None,
    typer.Option("--column", metavar="NAME=FIELD", help="The field or axis that a column holds."),
]
DecisionOption = Annotated[
    list[str] | None,
    typer.Option(
        "--decision",
        metavar="WORD=KIND",
        help="What a word in the column of decisions means: paper, candidate, exclusion or skip.",
    ),
]
EncodingOption = Annotated[
    str | None, typer.Option("--encoding", metavar="NAME", help="The files' encoding, if not UTF-8.")
]
ReportOption = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", callback=within, help="Also write the full outcome as JSON."),
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


def settings(workspace: Workspace, on_duplicate: str, *, alone: bool = False, **given: Any) -> "Settings":
    """The settings of an intake; `ask` needs a terminal. Raises `UsageError` for an unknown `--on-duplicate`.

    Of a work that is added `alone`, `add` says that it is another one than any that it looks like.
    """
    from awesome_cli.curation.intake import OnDuplicate, Settings
    from awesome_cli.system.clock import today

    require_known(on_duplicate, get_args(OnDuplicate), "way", owner="--on-duplicate")
    ask: Callable[[AnyRecord, Match], Choice] | None = asking if workspace.interactive else None
    if on_duplicate == "ask" and ask is None:
        raise UsageError("--on-duplicate ask needs a terminal", hint="use skip, add, link or error")
    if alone and on_duplicate == "add":
        on_duplicate, ask = "ask", lambda _known, _match: "add"
    day = given.pop("day", None) or today()
    return Settings(day=day, on_duplicate=on_duplicate, ask=ask if on_duplicate == "ask" else None, **given)  # type: ignore[arg-type]


def asking(known: "AnyRecord", match: "Match") -> "Choice":
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


def taken(items: list[T], what: str) -> Iterable[T]:
    """The items, each taken out of the list, with progress."""
    length = len(items)
    items.reverse()
    return watched((items.pop() for _ in range(length)), what, length)


def sources(paths: Sequence[Path]) -> "list[InputFile]":
    """The files behind some paths: a folder means its files, `-` standard input. Of one too large a part is read."""
    from awesome_cli.formats.entries import LARGEST
    from awesome_cli.formats.reading import InputFile
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
