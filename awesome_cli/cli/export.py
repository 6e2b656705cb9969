"""`awesome export`: write records in the formats of other programs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._corpus import usable_corpus, whole_corpus
from awesome_cli.cli._options import AsOfOption, KindOption, WhereOption, within
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import deliver, in_part
from awesome_cli.errors import UsageError
from awesome_cli.formats import EXPORTED, completions


def export(
    ctx: CommandContext,
    form: Annotated[
        str, typer.Argument(metavar="FORMAT", help=f"One of {', '.join(EXPORTED)}.", autocompletion=completions)
    ],
    where: WhereOption = None,
    kind: KindOption = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE|DIR",
            callback=within,
            help="Output file, or folder. [default: standard output]",
        ),
    ] = None,
    as_of: AsOfOption = None,
) -> None:
    """Export papers, or records of another kind, for other programs.

    The formats json and artifact also contain matching exclusions. The format screening also contains candidates.

    Example: awesome export bibtex --where 'AXIS=TERM year>=2025' --out papers.bib
    """
    from awesome_cli.formats import exporting

    session = ctx.obj
    screened = form == exporting.SCREENED
    kinds = kind or ("any" if screened else "paper")
    whole = whole_corpus(session, as_of) if screened else usable_corpus(session, as_of, candidates=kinds == "candidate")
    corpus = exporting.select(whole, where, kinds)
    answer = exporting.export(form, corpus, kinds, raw=session.raw)
    if isinstance(answer, str):
        deliver(session, answer, out)
    else:
        write_all(session, form, answer, out)
    if lost := exporting.left_out(form, corpus, kinds):
        session.say(exporting.sentence(form, lost, kinds))


def write_all(session: CommandSession, form: str, files: Mapping[str, str], out: Path | None) -> None:
    """Write several files into the folder `out`; raise `UsageError` if it is None or `-`."""
    from awesome_cli.files.paths import place

    if out is None or str(out) == "-":
        raise UsageError(f"{form} consists of several files", hint=f"give a folder: awesome export {form} --out DIR")
    with in_part(str(out)):
        for path, text in [(place(out, name), text) for name, text in files.items()]:
            deliver(session, text, path)
