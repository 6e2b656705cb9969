"""Options that several verbs share, and the checks of their values."""

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
    """Return the option `--from`; `names` lists the formats for shell completion."""
    text = "Read the input in this format. [default: by file ending and content]"
    return typer.Option("--from", metavar="FORMAT", help=text, autocompletion=names)


def axes_of(text: str | None, most: int | None = None) -> tuple[str, ...]:
    """Split the value of `--by`: `,device` gives `("", "device")`. Raise `UsageError` for more than `most` axes."""
    axes = tuple(name.strip() for name in text.split(",")) if text else ()
    if most and len(axes) > most:
        raise UsageError("--by takes at most two axes here", hint="use --by AXIS or --by AXIS,AXIS")
    return axes


def require_one(keys: Sequence[str], where: str | None) -> None:
    """Raise `UsageError` if records are chosen both by key and by a query."""
    if keys and where is not None:
        raise UsageError(f"{keys[0]!r} cannot be combined with --where", hint="give keys or --where QUERY, not both")


def parse_date(text: str) -> date:
    """Parse an ISO date; raise `BadParameter` for anything else."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a valid date (example: 2025-01-31)") from None


def remark_retired(ctx: CommandContext, query: str | None) -> str | None:
    """Print the successor of each deprecated term in a query, and return the query unchanged."""
    if not query or ctx.resilient_parsing or not (taxonomy := vocabulary(ctx.obj)):
        return query
    from awesome_cli.query.parser import parse

    with suppress(UsageError):  # The command itself refuses a query that cannot be read.
        for axis, term in sorted(parse(query, taxonomy).terms):
            if retired := taxonomy.by_id[axis].retirement(term):
                ctx.obj.say(f"remark: {retired}")
    return query


def within(ctx: CommandContext, value: Any) -> Any:
    """Return a path option unchanged.

    Raise `OutsideError` for a symlink that leads out of the survey, and `UnusableError` for a path in the survey that
    is neither a file nor a folder.
    """
    from awesome_cli.files.paths import named, require

    if not value or ctx.resilient_parsing:
        return value
    try:
        root = ctx.obj.root
    except (SurveyError, UsageError):  # outside of any survey
        return value
    for path in value if isinstance(value, list) else [value]:
        if (resolved := named(root, Path(path))).is_relative_to(root.resolve()):
            require(resolved, str(path))
    return value


def paths_in(root: Path, paths: Sequence[Path]) -> tuple[str, ...]:
    """Return paths relative to the survey's root, folders with a slash; `UsageError` if one does not exist."""
    top = root.resolve()
    relative: list[str] = []
    for path in paths:
        here = path.resolve()
        place = here if here.exists() and here.is_relative_to(top) else (top / path).resolve()
        if not place.exists() or not place.is_relative_to(top):
            raise UsageError(f"{path} does not exist in the survey", hint="list the records with 'awesome list'")
        relative.append(place.relative_to(top).as_posix() + "/" * place.is_dir())
    return tuple(relative)


def names_in(root: Path, texts: Sequence[str]) -> tuple[str, ...]:
    """Return keys unchanged, and paths relative to the survey's root."""
    return tuple(paths_in(root, [Path(text)])[0] if "/" in text or Path(text).exists() else text for text in texts)


def since_option(text: str) -> Any:
    """Return the option `--since` with its help."""
    return typer.Option("--since", metavar="DATE", parser=parse_date, help=text)


FormatOption = Annotated[Format, typer.Option("--format", "-f", help="Output format.", case_sensitive=False)]
AsOfOption = Annotated[
    date | None,
    typer.Option(
        "--as-of", metavar="DATE", parser=parse_date, help="Use the pool as of DATE (YYYY-MM-DD). [default: today]"
    ),
]
ReadingOption = Annotated[
    str | None,
    typer.Option(
        "--reading",
        metavar="[strict|generous]",
        autocompletion=lambda: ["strict", "generous"],
        help="Apply contests that weaken codings (strict), or that strengthen them (generous). [default: none]",
    ),
]
GradeOption = Annotated[
    str | None, typer.Option("--grade", metavar="GRADE", help="Weakest grade of contests that --reading applies.")
]
WhereOption = Annotated[
    str | None,
    typer.Option(
        "--where", metavar="QUERY", callback=remark_retired, help="Keep records that match ('awesome explain query')."
    ),
]
ByOption = Annotated[
    str | None, typer.Option("--by", metavar="AXIS[,AXIS]", help="Axes of the taxonomy, separated by commas.")
]
AxisOption = Annotated[
    list[str] | None, typer.Option("--axis", metavar="AXIS", help="Axis of the taxonomy; may be repeated.")
]
MeasureOption = Annotated[str | None, typer.Option("--measure", metavar="MEASURE", help="A measure of the taxonomy.")]
WhoOption = Annotated[str | None, typer.Option("--who", metavar="NAME", help="Name of the coder.")]
OnOption = Annotated[
    date | None,
    typer.Option("--on", metavar="DATE", parser=parse_date, help="Date to record (YYYY-MM-DD). [default: today]"),
]
RecordKind = Literal["paper", "candidate", "exclusion"]
KindOption = Annotated[
    RecordKind | None, typer.Option("--kind", metavar="KIND", help="Kind of record: paper, candidate or exclusion.")
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="List the changes without writing them.")]
DiffOption = Annotated[bool, typer.Option("--diff", help="Show the changes as a diff without writing them.")]
STAGE = typer.Option("--stage", metavar="STAGE", help="Stage of screening ('awesome explain stages').")
REASON = typer.Option("--reason", metavar="REASON", help="Coded reason for exclusion ('awesome explain reasons').")
KeyOption = Annotated[
    str | None,
    typer.Option("--key", metavar="KEY", help="Citation key of the record. [default: generated from the record]"),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="FILE", callback=within, help="Write the output to FILE. [default: standard output]"
    ),
]
RecallOption = Annotated[
    float, typer.Option("--recall", metavar="SHARE", min=0.01, max=1, help="Recall target of the stopping rule.")
]
CertaintyOption = Annotated[
    float, typer.Option("--confidence", metavar="SHARE", min=0.01, max=0.9999, help="Confidence in the recall target.")
]
SeedOption = Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the random number generator.")]
EvidenceOption = Annotated[
    str | None, typer.Option("--evidence", metavar="TEXT", help="Evidence for the tags, in one sentence.")
]
SourceOption = Annotated[
    str | None, typer.Option("--source", metavar="ID|URL", help="Source of the evidence: an identifier or a URL.")
]
Direction = Literal["for", "against"]
DirectionOption = Annotated[
    Direction | None,
    typer.Option("--direction", metavar="DIRECTION", help="Direction of the evidence: for or against the coding."),
]
ConfidenceOption = Annotated[
    str | None,
    typer.Option("--confidence", metavar="LEVEL", help="Confidence in the coding ('awesome explain confidences')."),
]
