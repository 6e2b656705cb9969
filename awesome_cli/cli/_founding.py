"""What `init` needs to found a survey on somebody's files: reading them, the outcome, the site."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from awesome_cli.cli._intake import settings, sources
from awesome_cli.cli._options import within
from awesome_cli.cli._workspace import Workspace
from awesome_cli.errors import PartialError, UsageError
from awesome_cli.formats import IMPORTED
from awesome_cli.text.numbers import counted

if TYPE_CHECKING:
    from awesome_cli.curation.founding import Founding
    from awesome_cli.model.drafts import Batch
    from awesome_cli.publish.starter import Answers
    from awesome_cli.publish.starter.example import Example

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
AxisOption = Annotated[
    list[str] | None,
    typer.Option(
        "--axis", metavar="COLUMN", help="Make an axis of COLUMN, 'keywords' or 'headings' alone; 'none' makes none."
    ),
]
ExampleOption = Annotated[
    bool, typer.Option("--example", help="Make a small survey of made-up works, which shows most features.")
]
SHOWN = 3
"""So many reasons are named why a list has no work."""
SiteOption = Annotated[bool, typer.Option("--site", help="Also build the site, into DIR/_site.")]


@dataclass(frozen=True, slots=True)
class Scope:
    """Whether the survey is to be written, and with it the site."""

    site: bool
    dry_run: bool
    diff: bool
    report: Path | None = None


@dataclass(frozen=True, slots=True)
class GivenList:
    """The entries of somebody's files, and what becomes of them: the axes that are asked for, the way of the known."""

    batch: "Batch"
    axes: Sequence[str]
    on_duplicate: str


def listed(
    files: Sequence[Path], columns: Sequence[str], axes: Sequence[str], way: str, how: Mapping[str, Any]
) -> GivenList | None:
    """The entries of the files, read without any axis; None without files.

    Raises `PartialError` for no entry, `UsageError` for columns or axes of no file.
    """
    from awesome_cli.formats.options import without_axes
    from awesome_cli.formats.reading import read

    if not files:
        if columns or axes:
            raise UsageError("--column and --axis say how a list is read", hint="name the list with --from FILE")
        return None
    batch = read(sources(files), without_axes(columns, **how))
    # 'import' has --from for what is called --from-format here.
    failures = [replace(one, message=one.message.replace(" --from (", " --from-format (")) for one in batch.failures]
    if not batch.drafts:
        why = [f"{one.place}: {one.message}" for one in (failures or batch.left_out)]
        more = f"; and {len(why) - SHOWN:,} more" if len(why) > SHOWN else ""
        raise PartialError(f"no work was found, so no survey was made: {'; '.join(why[:SHOWN])}{more}")
    return GivenList(replace(batch, failures=tuple(failures)), axes, way)


def founded(workspace: Workspace, folder: Path, answers: "Answers", given: GivenList) -> "Founding":
    """What the list makes of the survey that the answers describe."""
    from awesome_cli.curation.founding import found
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.files.yaml_reading import read
    from awesome_cli.model.taxonomy import Taxonomy
    from awesome_cli.publish.starter.files import taxonomy_text

    taxonomy = Taxonomy.model_validate(read(taxonomy_text(answers).encode())[0])
    return found(given.batch, taxonomy, WorkingTree(folder), settings(workspace, given.on_duplicate), given.axes)


def preset_of(given: GivenList) -> str | None:
    """The preset where nobody names one and axes are made of the list; None where a preset's axes are to be chosen."""
    from awesome_cli.curation.founding.axes import chosen
    from awesome_cli.curation.founding.sources import Listed
    from awesome_cli.publish.starter.answers import PRESET

    return PRESET if chosen(Listed(given.batch), given.axes)[0] else None


def tell(workspace: Workspace, founding: "Founding", preset: str | None, *, written: bool) -> None:
    """Print what became of the list, and of the `preset` that was asked for."""
    from awesome_cli.curation.founding.summary import to_report

    workspace.emit(to_report(founding, written=written))
    if founding.made and preset:
        workspace.say(
            f"the axes are those of the list: of preset {preset!r} only stages, reasons and confidences were taken;"
            " '--axis none' takes its axes, measures and maps, and leaves the works to be coded"
        )


def save_report(founding: "Founding", how: Scope) -> None:
    """Write the full outcome where that was asked for."""
    from awesome_cli.curation.founding.summary import to_report
    from awesome_cli.output.machine import write_json
    from awesome_cli.survey.saving import write

    if how.report is not None:
        write(how.report, write_json(to_report(founding, written=not (how.dry_run or how.diff))).encode())


def example_survey() -> "Example":
    """The survey that --example writes."""
    from awesome_cli.publish.starter.example import Example

    return Example.shipped()


def build(workspace: Workspace, folder: Path) -> None:
    """Write the site of a new survey into its folder."""
    from awesome_cli.cli.site_ import DEFAULT, write

    n, _ = write(replace(workspace, start=folder), folder / DEFAULT)
    workspace.say(f"wrote {n:,} files; open {folder / DEFAULT / 'index.html'}")


def require_whole(founding: "Founding") -> None:
    """Raise `PartialError` if an entry failed."""
    if failed := len(founding.intake.failed):
        entries = "1 entry" if failed == 1 else f"{failed:,} entries"
        hint = f"{counted(len(founding.intake.taken), 'work')} could; the failed ones are named above"
        raise PartialError(f"{entries} could not be taken in", hint=hint)
