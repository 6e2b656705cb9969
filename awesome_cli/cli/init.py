"""`awesome init`: start a survey, empty or from files, and ask a person for what was not given."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from awesome_cli.cli._options import DiffOption, DryRunOption, within
from awesome_cli.cli._printing import show
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import carry_out, preview
from awesome_cli.cli.import_ import (
    ColumnOption,
    EncodingOption,
    EntriesOption,
    OnDuplicateOption,
    ReportOption,
    check_writable,
    save_report,
    settings,
    sources,
)
from awesome_cli.errors import PartialError, UsageError
from awesome_cli.formats import IMPORTED
from awesome_cli.output import Format
from awesome_cli.text.numbers import counted, first_few

if TYPE_CHECKING:
    from awesome_cli.curation.founding import Founding
    from awesome_cli.model.drafts import Batch
    from awesome_cli.publish.starter import Foundation
    from awesome_cli.publish.starter.files import Answers
    from awesome_cli.reports.report import Report


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


def presets() -> list[str]:
    """The names of the presets, for completion."""
    from awesome_cli.publish.starter import files

    return list(files.presets())


def licences() -> list[str]:
    """The names of the licences, for completion."""
    from awesome_cli.publish.starter.files import LICENCES, NONE

    return [*LICENCES, NONE]


def init(
    ctx: CommandContext,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="The folder to write; by default that of -C, or this one.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The title.")] = None,
    question: Annotated[str | None, typer.Option("--question", metavar="TEXT", help="The question it answers.")] = None,
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
    session = ctx.obj
    asked = Scope(site=site, dry_run=dry_run, diff=diff, report=report)
    said = {"title": title, "question": question, "preset": preset, "licence": licence, "repository": repository}
    if upgrade or example:
        why = "--upgrade takes its answers from taxonomy.yaml" if upgrade else "--example has its own answers"
        _refuse({**said, "authors": author, "from": files}, why)
    if upgrade:
        _upgrade(replace(session, start=folder or session.start), dry_run=dry_run, diff=diff)
    elif example:
        _begin_example(session, folder or session.start or Path(), asked)
    else:
        reading: dict[str, Any] = {"form": form, "encoding": encoding, "entries": entries}
        given = _read_list(files or (), column or (), axis or (), on_duplicate, reading)
        _begin(session, folder or session.start or Path(), {**said, "authors": author or ()}, given, asked)


def _refuse(given: Mapping[str, object], message: str) -> None:
    """Raise `UsageError` if an option was given that does not go with another."""
    if names := [name for name, value in given.items() if value]:
        raise UsageError(message, hint=f"leave --{names[0]} away, or change it in taxonomy.yaml afterwards")


def _upgrade(session: CommandSession, *, dry_run: bool, diff: bool) -> None:
    from awesome_cli.publish.starter.files import upgrade

    carry_out(session, lambda tree, corpus: upgrade(tree, corpus.taxonomy), Format.TEXT, dry_run=dry_run, diff=diff)


def _begin_example(session: CommandSession, folder: Path, how: Scope) -> None:
    from awesome_cli.publish.starter.files import Example

    example = Example.shipped()
    _make(session, folder, example.answers, how, example)


def _begin(session: CommandSession, folder: Path, said: Mapping[str, Any], given: GivenList | None, how: Scope) -> None:
    """Start a survey of what options and a person say; of a list, with its works, and under the title of its page."""
    if given is None:
        _make(session, folder, _answers_of(session, folder, **said), how)
        return
    from awesome_cli.curation.founding import to_report

    if how.report is not None:
        check_writable(how.report, "--report")
    title = given.batch.title or None if said["title"] is None else said["title"]
    answers = _answers_of(session, folder, **{**said, "title": title, "preset": said["preset"] or _preset_of(given)})
    founding = _founding(session, folder, answers, given)
    outcome = to_report(founding, written=not (how.dry_run or how.diff))
    told = partial(_emit, session, outcome, said["preset"] if founding.made else None)
    _make(session, folder, answers, how, founding, told)
    save_report(outcome, how.report)
    if failed := len(founding.intake.failed):
        raise PartialError(
            f"{counted(failed, 'entry')} could not be taken in",
            hint=f"{counted(len(founding.intake.taken), 'work')} could; the failed ones are named above",
        )


def _read_list(
    files: Sequence[Path], columns: Sequence[str], axes: Sequence[str], way: str, how: Mapping[str, Any]
) -> GivenList | None:
    """The entries of the files, read without any axis; None without files.

    Raises `PartialError` for no entry, `UsageError` for columns or axes of no file.
    """
    from awesome_cli.formats.reading import read, without_axes

    if not files:
        if columns or axes:
            raise UsageError("--column and --axis say how a list is read", hint="name the list with --from FILE")
        return None
    batch = read(sources(files), without_axes(columns, **how))
    # 'import' has --from for what is called --from-format here.
    failures = [replace(one, message=one.message.replace(" --from (", " --from-format (")) for one in batch.failures]
    if not batch.drafts:
        why = [str(one) for one in (failures or batch.left_out)]
        raise PartialError(f"no work was found, so no survey was made: {'; '.join(first_few(why, SHOWN))}")
    return GivenList(replace(batch, failures=tuple(failures)), axes, way)


def _preset_of(given: GivenList) -> str | None:
    """The preset where nobody names one and axes are made of the list; None where a preset's axes are to be chosen."""
    from awesome_cli.curation.founding.axes import Listed, chosen
    from awesome_cli.publish.starter.files import PRESET

    return PRESET if chosen(Listed(given.batch), given.axes)[0] else None


def _answers_of(
    session: CommandSession,
    folder: Path,
    *,
    title: str | None,
    question: str | None,
    preset: str | None,
    licence: str | None,
    authors: Sequence[str],
    repository: str | None,
) -> "Answers":
    """What options say of a new survey; a person on a terminal is asked for the rest, elsewhere defaults hold.

    Raises `UsageError` for what cannot be.
    """
    from awesome_cli.publish.hosts import is_repository
    from awesome_cli.publish.starter.files import LICENCE, LICENCES, NONE, PRESET, Answers
    from awesome_cli.publish.starter.files import presets as known
    from awesome_cli.survey.journal import is_open
    from awesome_cli.system import prompts

    words = " ".join(folder.resolve().name.replace("-", " ").replace("_", " ").split()).capitalize()
    licensed = (folder / "LICENSE").exists()
    given = Answers(
        title if title is not None else words or "A survey",
        question or "",
        preset or PRESET,
        licence or (NONE if licensed else LICENCE),
        repository,
        tuple(authors),
    )
    # An interrupted start is finished with the answers that it was given.
    if not session.interactive or is_open(folder):
        return given
    from awesome_cli.formats.people import authors_of
    from awesome_cli.publish.starter import starting

    starting(folder, given)  # refused before anything is asked

    of_presets = [prompts.Choice(name, *meaning.split(": ", 1)) for name, meaning in known().items()]
    of_licences = [
        *(prompts.Choice(name, name, full) for name, (full, _) in LICENCES.items()),
        prompts.Choice(NONE, "no licence file"),
    ]
    return replace(
        given,
        title=title or prompts.ask_text("Title", given.title, lambda text: bool(text) or "A survey needs a title."),
        question=prompts.ask_text("The question that it answers (may be empty)") if question is None else question,
        preset=preset or prompts.ask_one("Vocabulary to start from", of_presets),
        licence=licence or (NONE if licensed else prompts.ask_one("Licence of records and pages", of_licences)),
        authors=given.authors
        or tuple(authors_of(prompts.ask_text("Authors (Last, First; Last, First; may be empty)"))),
        repository=repository
        or prompts.ask_text(
            "Address of its repository (may be empty)",
            valid=lambda text: not text or is_repository(text) or "An https address, as a browser shows it.",
        )
        or None,
    )


def _founding(session: CommandSession, folder: Path, answers: "Answers", given: GivenList) -> "Founding":
    """What the list makes of the survey that the answers describe."""
    from awesome_cli.curation.founding import found
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.files.yaml_reading import read
    from awesome_cli.model.taxonomy import Taxonomy
    from awesome_cli.publish.starter.files import taxonomy_text

    taxonomy = Taxonomy.model_validate(read(taxonomy_text(answers).encode())[0])
    return found(given.batch, taxonomy, WorkingTree(folder), settings(session, given.on_duplicate), given.axes)


def _emit(session: CommandSession, outcome: "Report", preset: str | None) -> None:
    """Print what became of a list, and of the `preset` that was asked for if axes were made of the list."""
    session.emit(outcome)
    if preset:
        session.say(
            f"the axes are those of the list: of preset {preset!r} only stages, reasons and confidences were taken;"
            " '--axis none' takes its axes, measures and maps, and leaves the works to be coded"
        )


def _make(
    session: CommandSession,
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
        preview(session, folder, starting(folder, answers, found).items(), diff=how.diff)
        return
    if not how.dry_run:
        start(folder, answers, session.command, found)
        show(f"started a survey in {folder}\n")
        _say_kept(session, own)
    if told is not None:
        told()
    if not how.dry_run:
        if how.site:
            _build(session, folder)
        _say_next(session, folder, found)


def _build(session: CommandSession, folder: Path) -> None:
    from awesome_cli.cli.site_ import DEFAULT, write

    n, _ = write(replace(session, start=folder), folder / DEFAULT)
    session.say(f"wrote {n:,} files; open {folder / DEFAULT / 'index.html'}")


README = "README.md"
ISLAND = "<!-- awesome:begin papers --> and <!-- awesome:end papers -->"
"""The marks that a README needs for its papers."""


def _say_kept(session: CommandSession, own: Sequence[str]) -> None:
    """The files that stay as they are, and how the README comes to show papers."""
    if own:
        session.say(f"kept as they were: {', '.join(own)}")
    if README in own:
        session.say(f"{README} shows the papers between two lines of its own: {ISLAND}; 'awesome render' fills it")


def _say_next(session: CommandSession, folder: Path, found: "Foundation | None") -> None:
    here, shown = folder.resolve(), shlex.quote(str(folder))
    top = next((path for path in (here, *here.parents) if (path / ".git").exists()), None)
    versions = "git init -b main && git add --all" if top is None else "git add ."
    if top is not None and top != here:
        inside = here.relative_to(top).as_posix()
        session.say(
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
    session.say("next:")
    for command, why in steps[:3]:
        session.say(f"  {command}{f'   # {why}' if why else ''}")
