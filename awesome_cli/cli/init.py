"""`awesome init`: start a survey."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from awesome_cli.cli._answers import answers_of, licences, presets
from awesome_cli.cli._doors import show
from awesome_cli.cli._founding import (
    AxisOption,
    ExampleOption,
    FilesOption,
    FormatOfFilesOption,
    GivenList,
    Scope,
    SiteOption,
    build,
    example_survey,
    founded,
    listed,
    preset_of,
    require_whole,
    save_report,
    tell,
)
from awesome_cli.cli._intake import (
    ColumnOption,
    EncodingOption,
    EntriesOption,
    OnDuplicateOption,
    ReportOption,
    check_writable,
)
from awesome_cli.cli._options import DiffOption, DryRunOption
from awesome_cli.cli._workspace import Workspace
from awesome_cli.cli._writing import carry_out, preview
from awesome_cli.errors import UsageError
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.publish.starter import Answers, Foundation

README = "README.md"
ISLAND = "<!-- awesome:begin papers --> and <!-- awesome:end papers -->"
"""The marks that a README needs for its papers."""


def init(
    ctx: typer.Context,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="The folder to write; by default that of -C, or this one.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The title.")] = None,
    question: Annotated[
        str | None, typer.Option("--question", metavar="TEXT", help="The question that it answers.")
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            "--preset",
            metavar="NAME",
            autocompletion=presets,
            help="The vocabulary to start from ('awesome explain preset').",
        ),
    ] = None,
    licence: Annotated[
        str | None,
        typer.Option(
            "--licence",
            metavar="NAME",
            autocompletion=licences,
            help="The licence of records and pages: CC0-1.0, CC-BY-4.0, CC-BY-SA-4.0, MIT or none.",
        ),
    ] = None,
    author: Annotated[
        list[str] | None, typer.Option("--author", metavar="NAME", help="An author, as 'Last, First'; repeat it.")
    ] = None,
    repository: Annotated[
        str | None, typer.Option("--repository", metavar="URL", help="The address of its repository.")
    ] = None,
    upgrade: Annotated[
        bool, typer.Option("--upgrade", help="Bring the files around a survey up to date with this version of awesome.")
    ] = False,
    files: FilesOption = None,
    column: ColumnOption = None,
    axis: AxisOption = None,
    form: FormatOfFilesOption = None,
    encoding: EncodingOption = None,
    entries: EntriesOption = "papers",
    on_duplicate: OnDuplicateOption = "skip",
    example: ExampleOption = False,
    site: SiteOption = False,
    report: ReportOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Start a survey: vocabulary, README, licence, guide for contributors, checks for GitHub; or renew such files.

    On a terminal you are asked what no option says. The answers are kept in taxonomy.yaml. With --upgrade, the guide,
    the checks and the like of a survey that exists are renewed; what was changed by hand is left, and named. When a
    survey is started, a README.md, LICENSE, CITATION.cff, CONTRIBUTING.md or .gitignore of the folder stays as it is.

    --from makes the survey of a list: its entries become records, its headings, keywords and columns of few words axes.

    Example: awesome init my-survey --title 'A survey' --preset method
    """
    workspace: Workspace = ctx.obj
    asked = Scope(site=site, dry_run=dry_run, diff=diff, report=report)
    said = {"title": title, "question": question, "preset": preset, "licence": licence, "repository": repository}
    if upgrade or example:
        why = "--upgrade takes its answers from taxonomy.yaml" if upgrade else "--example has its own answers"
        _refuse({**said, "authors": author, "from": files}, why)
    if upgrade:
        _upgrade(replace(workspace, start=folder or workspace.start), dry_run=dry_run, diff=diff)
    elif example:
        _begin_example(workspace, folder or workspace.start or Path(), asked)
    else:
        reading: dict[str, Any] = {"form": form, "encoding": encoding, "entries": entries}
        given = listed(files or (), column or (), axis or (), on_duplicate, reading)
        _begin(workspace, folder or workspace.start or Path(), {**said, "authors": author or ()}, given, asked)


def _refuse(given: Mapping[str, object], message: str) -> None:
    """Raise `UsageError` if an option was given that does not go with another."""
    if names := [name for name, value in given.items() if value]:
        raise UsageError(message, hint=f"leave --{names[0]} away, or change it in taxonomy.yaml afterwards")


def _begin_example(workspace: Workspace, folder: Path, how: Scope) -> None:
    made = example_survey()
    _make(workspace, folder, made.answers, how, made)


def _begin(workspace: Workspace, folder: Path, said: Mapping[str, Any], given: GivenList | None, how: Scope) -> None:
    """Start a survey of what options and a person say; of a list, with its works, and under the title of its page."""
    if given is None:
        _make(workspace, folder, answers_of(workspace, folder, **said), how)
        return
    if how.report is not None:
        check_writable(how.report, "--report")
    title = given.batch.title or None if said["title"] is None else said["title"]
    answers = answers_of(workspace, folder, **{**said, "title": title, "preset": said["preset"] or preset_of(given)})
    founding = founded(workspace, folder, answers, given)
    written = not how.dry_run
    _make(workspace, folder, answers, how, founding, lambda: tell(workspace, founding, said["preset"], written=written))
    save_report(founding, how)
    require_whole(founding)


def _make(
    workspace: Workspace,
    folder: Path,
    answers: "Answers",
    how: Scope,
    found: "Foundation | None" = None,
    told: Callable[[], None] | None = None,
) -> None:
    """Write the survey and, where that was asked for, its site; or show what would be written."""
    from awesome_cli.publish.starter import kept, start, starting

    own = kept(folder)
    if how.diff or (how.dry_run and told is None):
        preview(workspace, folder, starting(folder, answers, found).items(), diff=how.diff)
        return
    if not how.dry_run:
        start(folder, answers, workspace.command, found)
        show(f"started a survey in {folder}\n")
        _say_kept(workspace, own)
    if told is not None:
        told()
    if not how.dry_run:
        if how.site:
            build(workspace, folder)
        _say_next(workspace, folder, found)


def _say_kept(workspace: Workspace, own: Sequence[str]) -> None:
    """The files that stay as they are, and how the README comes to show papers."""
    if own:
        workspace.say(f"kept as they were: {', '.join(own)}")
    if README in own:
        workspace.say(f"{README} shows the papers between two lines of its own: {ISLAND}; 'awesome render' fills it")


def _say_next(workspace: Workspace, folder: Path, found: "Foundation | None") -> None:
    """The next three commands to type."""
    here, shown = folder.resolve(), shlex.quote(str(folder))
    top = next((path for path in (here, *here.parents) if (path / ".git").exists()), None)
    versions = "git init -b main && git add --all" if top is None else "git add ."
    if top is not None and top != here:
        inside = here.relative_to(top).as_posix()
        workspace.say(
            f"this is the folder {inside} of a git repository, and GitHub reads .github at the top alone: move what is"
            f" in .github there, and give the action the input 'survey: {inside}' ('awesome help run-in-ci')"
        )
    steps = [
        *([(f"cd {shown}", "")] if here != Path.cwd() else []),
        (f'{versions} && git commit -m "Start the survey"', "CI needs git"),
        *([("awesome add REFERENCE", "a DOI, an arXiv id, an address or a file")] if found is None else []),
        *(
            [("awesome refresh --apply", "ask the services for what the list lacks")]
            if found and found.incomplete
            else []
        ),
        ("awesome status", "what there is to do"),
    ]
    workspace.say("next:")
    for command, why in steps[:3]:
        workspace.say(f"  {command}{f'   # {why}' if why else ''}")


def _upgrade(workspace: Workspace, *, dry_run: bool, diff: bool) -> None:
    from awesome_cli.publish.starter.upgrading import upgrade

    carry_out(workspace, lambda tree, corpus: upgrade(tree, corpus.taxonomy), Format.TEXT, dry_run=dry_run, diff=diff)
