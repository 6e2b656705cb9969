"""Options that mean the same in every command."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from awesome_cli.cli._corpus import vocabulary
from awesome_cli.cli._session import CommandContext
from awesome_cli.errors import SurveyError, UsageError
from awesome_cli.output import Format


def from_option(names: Callable[[], list[str]]) -> Any:
    """The option for the format of an input; `names` are for completion."""
    shown = "The format of the input; without it, ending and content decide."
    return typer.Option("--from", metavar="FORMAT", help=shown, autocompletion=names)


def axes_of(text: str | None, most: int | None = None) -> tuple[str, ...]:
    """The axes of `--by`, empty for one that is left out, as in `,AXIS`; raises `UsageError` for more than `most`."""
    axes = tuple(name.strip() for name in text.split(",")) if text else ()
    if most and len(axes) > most:
        raise UsageError("a table or a plot has one axis or two", hint="write --by AXIS or --by AXIS,AXIS")
    return axes


def require_one(keys: Sequence[str], where: str | None) -> None:
    """Raise `UsageError` if records are chosen both by key and by a query."""
    if keys and where is not None:
        raise UsageError(f"{keys[0]!r} and --where both choose records", hint="give keys or --where QUERY, not both")


def parse_date(text: str) -> date:
    """An ISO date; raises `BadParameter` otherwise."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a date like 2025-01-31") from None


def remark_retired(ctx: CommandContext, query: str | None) -> str | None:
    """Say what succeeds each retired term of a query, which finds only what still has it."""
    if not query or ctx.resilient_parsing or not (taxonomy := vocabulary(ctx.obj)):
        return query
    from awesome_cli.query.parser import parse

    with suppress(UsageError):  # The command itself refuses a query that cannot be read.
        for axis, term in sorted(parse(query, taxonomy).terms):
            if retired := taxonomy.by_id[axis].retirement(term):
                ctx.obj.say(f"remark: {retired}")
    return query


def within(ctx: CommandContext, value: Any) -> Any:
    """The path or paths that a person named, if none is a link in the survey that leads out of it.

    Raises `OutsideError` for one that does, `UnusableError` for one in the survey that is neither file nor folder.
    """
    from awesome_cli.files.paths import named, require

    if not value or ctx.resilient_parsing:
        return value
    try:
        root = ctx.obj.root
    except (SurveyError, UsageError):  # outside of any survey
        return value
    for path in value if isinstance(value, list) else [value]:
        if (found := named(root, Path(path))).is_relative_to(root.resolve()):
            require(found, str(path))
    return value


def paths_in(root: Path, paths: Sequence[Path]) -> tuple[str, ...]:
    """The paths relative to the survey's root, folders with a slash at the end.

    Raises `UsageError` for a path that does not exist.
    """
    top = root.resolve()
    relative: list[str] = []
    for path in paths:
        here = path.resolve()
        place = here if here.exists() and here.is_relative_to(top) else (top / path).resolve()
        if not place.exists() or not place.is_relative_to(top):
            raise UsageError(f"no such file in the survey: {path}", hint="list the records with 'awesome list'")
        relative.append(place.relative_to(top).as_posix() + "/" * place.is_dir())
    return tuple(relative)


def names_in(root: Path, texts: Sequence[str]) -> tuple[str, ...]:
    """Keys unchanged; names of files and folders as paths relative to the root of the survey."""
    return tuple(paths_in(root, [Path(text)])[0] if "/" in text or Path(text).exists() else text for text in texts)


def since_option(what: str) -> Any:
    """The option for a day from which on; `what` says of what."""
    return typer.Option("--since", metavar="DATE", parser=parse_date, help=what)


FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to print the answer.", case_sensitive=False)]
AsOfOption = Annotated[
    date | None,
    typer.Option("--as-of", metavar="DATE", parser=parse_date, help="The pool as it was on DATE (YYYY-MM-DD)."),
]
ReadingOption = Annotated[
    str | None,
    typer.Option(
        "--reading",
        metavar="[strict|generous]",
        autocompletion=lambda: ["strict", "generous"],
        help="Apply contests that weaken or remove codings (strict), or those that strengthen or add (generous).",
    ),
]
GradeOption = Annotated[
    str | None, typer.Option("--grade", metavar="GRADE", help="The weakest grade of contest that a reading applies.")
]
WhereOption = Annotated[
    str | None,
    typer.Option(
        "--where", metavar="QUERY", callback=remark_retired, help="Only what matches QUERY ('awesome explain query')."
    ),
]
ByOption = Annotated[str | None, typer.Option("--by", metavar="AXIS[,AXIS]", help="An axis, or several.")]
MeasureOption = Annotated[
    str | None, typer.Option("--measure", metavar="MEASURE", help="The measure that is compared.")
]
WhoOption = Annotated[str | None, typer.Option("--who", metavar="NAME", help="Who coded.")]
OnOption = Annotated[
    date | None,
    typer.Option("--on", metavar="DATE", parser=parse_date, help="The day on which it was done; by default today."),
]
RecordKind = Literal["paper", "candidate", "exclusion"]
KindOption = Annotated[RecordKind | None, typer.Option("--kind", metavar="KIND", help="paper, candidate or exclusion.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Say what would change; write nothing.")]
DiffOption = Annotated[bool, typer.Option("--diff", help="Show the change as a diff; write nothing.")]
STAGE = typer.Option("--stage", metavar="STAGE", help="The stage of screening ('awesome explain stages').")
REASON = typer.Option("--reason", metavar="REASON", help="The coded reason ('awesome explain reasons').")
KeyOption = Annotated[
    str | None, typer.Option("--key", metavar="KEY", help="The key of the record; by default one is proposed.")
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", callback=within, help="Where to write; '-' is standard output."),
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", help="The same seed gives the same answer.")]
EvidenceOption = Annotated[
    str | None, typer.Option("--evidence", metavar="TEXT", help="The evidence for the tags, in a sentence.")
]
SourceOption = Annotated[
    str | None, typer.Option("--source", metavar="ID|URL", help="The source of the evidence: an identifier or address.")
]
ConfidenceOption = Annotated[
    str | None,
    typer.Option("--confidence", metavar="LEVEL", help="How sure the coding is ('awesome explain confidences')."),
]
