"""What `init` needs to found a survey on somebody's files: reading them, the outcome, the site."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._intake import settings, sources
from awesome_cli.cli._options import within
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import PartialError
from awesome_cli.formats import IMPORTED
from awesome_cli.text.numbers import counted

if TYPE_CHECKING:
    from awesome_cli.curation.founding import Founding
    from awesome_cli.model.drafts import Batch
    from awesome_cli.model.taxonomy import Taxonomy
    from awesome_cli.publish.starter import Answers

FilesOption = Annotated[
    list[Path] | None,
    typer.Option("--from", metavar="FILE", callback=within, help="Make the survey of a list: a file, or a folder."),
]
FormatOfFilesOption = Annotated[
    str | None,
    typer.Option(
        "--from-format",
        metavar="FORMAT",
        autocompletion=lambda: list(IMPORTED),
        help="The format of the files; without it, ending and content decide.",
    ),
]
ColumnOption = Annotated[
    list[str] | None, typer.Option("--column", metavar="NAME=FIELD", help="The field that a column of FILE holds.")
]
AxisOption = Annotated[
    list[str] | None,
    typer.Option(
        "--axis", metavar="COLUMN", help="Make an axis of COLUMN, 'keywords' or 'headings' alone; 'none' makes none."
    ),
]
EncodingOption = Annotated[
    str | None, typer.Option("--encoding", metavar="NAME", help="The files' encoding, if not UTF-8.")
]
OnDuplicateOption = Annotated[
    str,
    typer.Option("--on-duplicate", metavar="WHAT", help="A work that FILE has twice: skip, add, link or error."),
]
SiteOption = Annotated[bool, typer.Option("--site", help="Also build the site, into DIR/_site.")]


@dataclass(frozen=True, slots=True)
class List:
    """The files that a survey is to be made of, and how they are read; `site` also builds the site."""

    files: Sequence[Path]
    columns: Sequence[str]
    axes: Sequence[str]
    form: str | None = None
    encoding: str | None = None
    on_duplicate: str = "skip"
    site: bool = False


def founded(
    workspace: Workspace, folder: Path, answers: "Answers", given: List, *, titled: bool, written: bool
) -> None:
    """Make a survey of files, or say what it would be; the title of a page is its own unless it is `titled`.

    Raises `PartialError` where no work is found, and at the end where an entry failed.
    """
    from awesome_cli.curation.founding.summary import to_report
    from awesome_cli.publish.starter import start

    taxonomy = _vocabulary(folder, answers)
    batch = _read(given, taxonomy)
    if batch.title and not titled:
        answers = replace(answers, title=batch.title)
    founding = _founding(workspace, folder, given, taxonomy, batch)
    if written:
        start(folder, answers, workspace.command, founding)
    workspace.emit(to_report(founding, written=written))
    if written and given.site:
        _build(workspace, folder)
    if founding.intake.failed:
        raise _partial(founding)


def _vocabulary(folder: Path, answers: "Answers") -> "Taxonomy":
    """The taxonomy of a survey without a list; raises `RefusedError` where the folder has a survey already."""
    from awesome_cli.files.yaml_reading import read
    from awesome_cli.model.taxonomy import Taxonomy
    from awesome_cli.publish.starter import starting
    from awesome_cli.survey.loading import TAXONOMY

    return Taxonomy.model_validate(read(starting(folder, answers)[TAXONOMY])[0])


def _founding(workspace: Workspace, folder: Path, given: List, taxonomy: "Taxonomy", batch: "Batch") -> "Founding":
    from awesome_cli.curation.founding import found
    from awesome_cli.files.tree import WorkingTree

    return found(batch, taxonomy, WorkingTree(folder), settings(workspace, given.on_duplicate), given.axes)


def _partial(founding: "Founding") -> PartialError:
    failed = len(founding.intake.failed)
    entries = "1 entry" if failed == 1 else f"{failed:,} entries"
    hint = f"the survey has {counted(len(founding.intake.taken), 'work')}; the failed ones are named above"
    return PartialError(f"{entries} could not be taken in", hint=hint)


def _build(workspace: Workspace, folder: Path) -> None:
    from awesome_cli.cli.site_ import DEFAULT, write

    n = write(replace(workspace, start=folder), folder / DEFAULT)
    workspace.say(f"wrote {n:,} files; open {folder / DEFAULT / 'index.html'}")


def _read(given: List, taxonomy: "Taxonomy") -> "Batch":
    """The entries of the files, read without any axis."""
    from awesome_cli.formats.options import column_mapping
    from awesome_cli.formats.reading import ReadingOptions, read

    bare = taxonomy.model_copy(update={"axes": (), "measures": (), "artifact": None})
    columns = column_mapping(given.columns, None)
    batch = read(sources(given.files), ReadingOptions(bare, columns, form=given.form, encoding=given.encoding))
    # 'import' has --from for what is called --from-format here.
    failures = [replace(one, message=one.message.replace(" --from (", " --from-format (")) for one in batch.failures]
    if not batch.drafts:
        found = "; ".join(f"{one.place}: {one.message}" for one in failures[:3]) or "the files hold no entries"
        raise PartialError(f"no work was found, so no survey was made: {found}")
    return replace(batch, failures=tuple(failures))
