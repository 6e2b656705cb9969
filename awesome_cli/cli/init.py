"""`awesome init`: start a survey, empty or from files; prompt for missing answers."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from awesome_cli import __version__
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
    SourceFormatOption,
    check_writable,
    save_report,
    settings,
    sources,
)
from awesome_cli.errors import PartialError, UsageError
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
    typer.Option("--input", metavar="FILE", callback=within, help="Start from a list: a file or a folder."),
]
AxisOption = Annotated[
    list[str] | None,
    typer.Option(
        "--axis",
        metavar="COLUMN",
        help="Turn a column, 'keywords' or 'headings' into an axis; 'none' creates no axis. [default: all that suit]",
    ),
]
ExampleOption = Annotated[
    bool, typer.Option("--example", help="Create a small example survey that shows most features.")
]


WithOption = Annotated[
    Literal["paper"] | None,
    typer.Option("--with", metavar="NAME", help="Also start a part: paper (paper.yaml, and a LaTeX document)."),
]
QUESTIONS = ("title", "question", "preset", "licence", "repository")
SHOWN = 3
"""Maximum number of reasons in the error for a list without works."""
SiteOption = Annotated[bool, typer.Option("--site", help="Also build the site in DIR/_site.")]


@dataclass(frozen=True, slots=True)
class Scope:
    """Options that select the output: survey, paper, site, report or a preview; `tool` is the tool's requirement."""

    site: bool
    dry_run: bool
    diff: bool
    report: Path | None
    tool: str
    paper: bool


@dataclass(frozen=True, slots=True)
class ListEntries:
    """The entries of the files of --input, and the options --axis and --on-duplicate."""

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
        Path | None,
        typer.Argument(metavar="DIR", help="Folder of the survey. [default: folder of -C, or current folder]"),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="Title of the survey.")] = None,
    question: Annotated[str | None, typer.Option("--question", metavar="TEXT", help="Research question.")] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            "--preset",
            metavar="NAME",
            autocompletion=presets,
            help="Codebook to start from ('awesome explain preset').",
        ),
    ] = None,
    licence: Annotated[
        str | None,
        typer.Option(
            "--licence",
            metavar="NAME",
            autocompletion=licences,
            help="Licence of records and pages: CC0-1.0, CC-BY-4.0, CC-BY-SA-4.0, MIT or none.",
        ),
    ] = None,
    author: Annotated[
        list[str] | None, typer.Option("--author", metavar="NAME", help="Author, as 'Last, First'; may be repeated.")
    ] = None,
    repository: Annotated[
        str | None,
        typer.Option("--repository", metavar="URL", help="URL of the survey's repository. [default: origin of git]"),
    ] = None,
    tool: Annotated[
        str | None,
        typer.Option("--tool", metavar="REQUIREMENT", help="Address from which workflows and hooks install awesome."),
    ] = None,
    upgrade: Annotated[
        bool, typer.Option("--upgrade", help="Update the generated files of an existing survey to this version.")
    ] = False,
    with_: WithOption = None,
    files: FilesOption = None,
    column: ColumnOption = None,
    axis: AxisOption = None,
    form: SourceFormatOption = None,
    encoding: EncodingOption = None,
    entries: EntriesOption = "papers",
    on_duplicate: OnDuplicateOption = "skip",
    example: ExampleOption = False,
    site: SiteOption = False,
    report: ReportOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Start a survey with codebook, README, licence, contributor guide and CI checks, or update these files.

    On a terminal, prompts ask for missing options. The answers are stored in taxonomy.yaml. An existing README.md,
    LICENSE, CITATION.cff, CONTRIBUTING.md or .gitignore is not overwritten. --upgrade updates guide and checks of
    an existing survey, except files that you changed. --upgrade --with paper adds the start of a paper to one.

    Workflows and hooks install awesome from --tool (git+https://HOST/PATH@COMMIT or https://HOST/FILE.whl#sha256=DIGEST),
    else the release of this version. Without either they are left out, and --upgrade --tool adds them.

    --input starts from a list: entries become records; headings, keywords and columns with few values become axes.

    Example: awesome init my-survey --title 'A survey' --preset method
    """
    session = ctx.obj
    scope = Scope(site=site, dry_run=dry_run, diff=diff, report=report, tool=tool or "", paper=bool(with_))
    answers = dict(zip(QUESTIONS, (title, question, preset, licence, repository), strict=True))
    if upgrade or example:
        mode = "--upgrade" if upgrade else "--example"
        _refuse({**answers, "author": author, "input": files}, mode)
    if upgrade:
        _upgrade(replace(session, start=folder or session.start), scope)
    elif example:
        _begin_example(session, folder or session.start or Path(), scope)
    else:
        reading: dict[str, Any] = {"form": form, "encoding": encoding, "entries": entries}
        entries_read = _read_list(files or (), column or (), axis or (), on_duplicate, reading)
        _begin(session, folder or session.start or Path(), {**answers, "authors": author or ()}, entries_read, scope)


def _refuse(options: Mapping[str, object], mode: str) -> None:
    """Raise `UsageError` if an option cannot be combined with --upgrade or --example."""
    if names := [name for name, value in options.items() if value]:
        message = f"--{names[0]} cannot be combined with {mode}"
        raise UsageError(message, hint="leave the option out, or edit taxonomy.yaml afterwards")


def _tool(session: CommandSession, tool: str) -> str:
    from awesome_cli.publish.starter.files import released

    return tool or released(session.environment, offline=session.offline)


def _upgrade(session: CommandSession, scope: Scope) -> None:
    from awesome_cli.publish.starter.files import upgrade

    tool, shown = _tool(session, scope.tool), {"dry_run": scope.dry_run, "diff": scope.diff}
    carry_out(
        session, lambda tree, corpus: upgrade(tree, corpus.taxonomy, tool, paper=scope.paper), Format.TEXT, **shown
    )


def _begin_example(session: CommandSession, folder: Path, scope: Scope) -> None:
    from awesome_cli.publish.starter.files import Example

    example = Example.shipped()
    _make(session, folder, replace(example.answers, tool=_tool(session, scope.tool)), scope, example)


def _begin(
    session: CommandSession, folder: Path, options: Mapping[str, Any], entries: ListEntries | None, scope: Scope
) -> None:
    """Start a survey from options and prompts. A list also provides works and a default title."""
    if entries is None:
        _make(session, folder, _answers_of(session, folder, scope.tool, options), scope)
        return
    from awesome_cli.curation.founding import to_report

    if scope.report is not None:
        check_writable(scope.report, "--report")
    title = entries.batch.title or None if options["title"] is None else options["title"]
    known = {**options, "title": title, "preset": options["preset"] or _preset_of(entries)}
    founding = _founding(session, folder, answers := _answers_of(session, folder, scope.tool, known), entries)
    outcome = to_report(founding, written=not (scope.dry_run or scope.diff))
    show_report = partial(_emit, session, outcome, options["preset"] if founding.made else None)
    _make(session, folder, answers, scope, founding, show_report)
    save_report(outcome, scope.report)
    if failed := len(founding.intake.failed):
        raise PartialError(
            f"{counted(failed, 'entry')} could not be imported",
            hint=f"{counted(len(founding.intake.taken), 'work')} imported; the report above names the failed ones",
        )


def _read_list(
    files: Sequence[Path], columns: Sequence[str], axes: Sequence[str], on_duplicate: str, options: Mapping[str, Any]
) -> ListEntries | None:
    """Read the entries of the files; None without files.

    Raise `PartialError` if they contain no work, and `UsageError` for options of a list without files.
    """
    from awesome_cli.formats.reading import read, without_axes

    if not files:
        if columns or axes or options["form"]:
            raise UsageError("--from, --column and --axis need --input", hint="name the list: --input FILE")
        return None
    batch = read(sources(files), without_axes(columns, **options))
    if not batch.drafts:
        reasons = [str(failure) for failure in (batch.failures or batch.left_out)]
        raise PartialError(f"found no work; no survey was created: {'; '.join(first_few(reasons, SHOWN))}")
    return ListEntries(batch, axes, on_duplicate)


def _preset_of(entries: ListEntries) -> str | None:
    """Return the default preset if the list yields axes; None if a preset must provide the axes."""
    from awesome_cli.curation.founding.axes import Listed, chosen
    from awesome_cli.publish.starter.files import PRESET

    return PRESET if chosen(Listed(entries.batch), entries.axes)[0] else None


def _answers_of(session: CommandSession, folder: Path, tool: str, options: Mapping[str, Any]) -> "Answers":
    """Return the answers for a new survey from options, then prompts (on a terminal) or defaults.

    Raise `UsageError` for an invalid answer.
    """
    from awesome_cli.publish.hosts import is_repository, repository_of
    from awesome_cli.publish.starter.files import EXAMPLE, LICENCE, LICENCES, NONE, PRESET, TOOL, Answers
    from awesome_cli.survey.journal import is_open
    from awesome_cli.system import prompts

    title, question, preset, licence, repository = (options[name] for name in QUESTIONS)
    words = " ".join(folder.resolve().name.replace("-", " ").replace("_", " ").split()).capitalize()
    licensed = (folder / "LICENSE").exists()
    answers = Answers(
        (words or "A survey") if title is None else title,
        question or "",
        preset or PRESET,
        licence or (NONE if licensed else LICENCE),
        repository or repository_of(folder),
        tuple(options["authors"]),
        _tool(session, tool),
    )
    # An interrupted start resumes with its original answers.
    if not session.interactive or is_open(folder):
        return answers
    from awesome_cli.formats.people import authors_of
    from awesome_cli.publish.starter import files, starting

    starting(folder, answers)  # reject invalid answers before the prompts

    of_presets = [prompts.Choice(name, *meaning.split(": ", 1)) for name, meaning in files.presets().items()]
    of_licences = [
        *(prompts.Choice(name, name, full) for name, (full, _) in LICENCES.items()),
        prompts.Choice(NONE, "no licence file"),
    ]
    return replace(
        answers,
        title=title or prompts.ask_text("Title", answers.title, lambda text: bool(text) or "The title is missing."),
        question=prompts.ask_text("Research question (optional)") if question is None else question,
        preset=preset or prompts.ask_one("Codebook to start from", of_presets),
        licence=licence or (NONE if licensed else prompts.ask_one("Licence of records and pages", of_licences)),
        authors=answers.authors or tuple(authors_of(prompts.ask_text("Authors (Last, First; Last, First; optional)"))),
        repository=repository
        or prompts.ask_text(
            "URL of the survey's repository (optional)",
            answers.repository or "",
            valid=lambda text: not text or is_repository(text) or "Enter an https URL, as the browser shows it.",
        )
        or None,
        tool=answers.tool
        or prompts.ask_text(
            "Where workflows and hooks install awesome from (optional)",
            valid=lambda text: not text or bool(TOOL.fullmatch(text)) or f"Enter {EXAMPLE}.",
        ),
    )


def _founding(session: CommandSession, folder: Path, answers: "Answers", entries: ListEntries) -> "Founding":
    """Combine the answers with the entries of the list."""
    from awesome_cli.curation.founding import found
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.files.yaml_reading import read
    from awesome_cli.model.taxonomy import Taxonomy
    from awesome_cli.publish.starter.files import taxonomy_text

    taxonomy = Taxonomy.model_validate(read(taxonomy_text(answers).encode())[0])
    return found(entries.batch, taxonomy, WorkingTree(folder), settings(session, entries.on_duplicate), entries.axes)


def _emit(session: CommandSession, outcome: "Report", preset: str | None) -> None:
    """Print the report of a list, and a message if the list's axes replace those of `preset`."""
    session.emit(outcome)
    if preset:
        session.say(
            f"the axes come from the list; preset {preset!r} only provides stages, reasons, confidences and grades."
            " With '--axis none' it also provides axes, measures and maps, and the works remain to be coded."
        )


def _make(
    session: CommandSession,
    folder: Path,
    answers: "Answers",
    scope: Scope,
    foundation: "Foundation | None" = None,
    show_report: Callable[[], None] | None = None,
) -> None:
    """Write the survey and optionally its site, or preview them."""
    from awesome_cli.publish.starter import kept, start, starting

    existing, answers = kept(folder), replace(answers, paper=scope.paper)
    if scope.diff or (scope.dry_run and show_report is None):
        preview(session, folder, starting(folder, answers, foundation).items(), diff=scope.diff)
        return
    if not scope.dry_run:
        start(folder, answers, session.command, foundation)
        show(f"started a survey in {folder}\n")
        _say_kept(session, existing)
    if show_report is not None:
        show_report()
    if not scope.dry_run:
        if scope.site:
            _build(session, folder)
        _say_next(session, folder, answers.tool, foundation)


def _build(session: CommandSession, folder: Path) -> None:
    from awesome_cli.cli.site_ import DEFAULT, write

    n, _ = write(replace(session, start=folder), folder / DEFAULT)
    session.say(f"wrote {n:,} files; open {folder / DEFAULT / 'index.html'}")


def _say_kept(session: CommandSession, existing: Sequence[str]) -> None:
    """Name the files that were not overwritten, and explain how an existing README can list papers."""
    if existing:
        session.say(f"not overwritten: {', '.join(existing)}")
    if "README.md" in existing:
        lines = "<!-- awesome:begin papers --> and <!-- awesome:end papers -->"
        session.say(f"to list the papers in README.md, add the lines {lines} and run 'awesome render'")


def _say_next(session: CommandSession, folder: Path, tool: str, foundation: "Foundation | None") -> None:
    here, shown = folder.resolve(), shlex.quote(str(folder))
    top = next((path for path in (here, *here.parents) if (path / ".git").exists()), None)
    versions = "git init -b main && git add --all" if top is None else "git add ."
    if not tool:
        missing = f"workflows and hooks, since awesome {__version__} has no release that they could install"
        session.say(f"left out: {missing}; to add them: awesome init --upgrade --tool git+https://HOST/PATH@COMMIT")
    elif top is not None and top != here:
        inside = here.relative_to(top).as_posix()
        session.say(
            f"CI files are read only at the top of a repository, and this survey is in {inside}: move .github or"
            f" .gitlab-ci.yml to the top, and write 'survey: {inside}' in it ('awesome help run-in-ci')"
        )
    steps = {
        f"cd {shown}": here != Path.cwd(),
        f'{versions} && git commit -m "Start the survey"   # CI needs a git repository': True,
        "awesome add REFERENCE   # a DOI, an arXiv id, a URL or a file": foundation is None,
        "awesome refresh --apply   # complete the metadata of the list": foundation and foundation.incomplete,
        "awesome status   # list the open tasks": True,
    }
    session.say("next:")
    for step in [step for step, fits in steps.items() if fits][:3]:
        session.say(f"  {step}")
