"""`awesome dedupe` and `link`: find and settle duplicates."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import readable_corpus
from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption, within
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import Planner, carry_out
from awesome_cli.cli.import_ import HERE, SourceFormatOption
from awesome_cli.errors import UsageError
from awesome_cli.output import Format
from awesome_cli.text.known import require_known

if TYPE_CHECKING:
    from awesome_cli.survey.corpus import Corpus

PairOption = tuple[str, str] | None


def dedupe(
    ctx: CommandContext,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against", metavar="FILE", callback=within, help="Compare the entries of a file with the survey."
        ),
    ] = None,
    source: SourceFormatOption = None,
    link: Annotated[
        PairOption, typer.Option("--link", metavar="A B", help="Record A as a version of B; keep both.")
    ] = None,
    merge: Annotated[PairOption, typer.Option("--merge", metavar="A B", help="Merge A into B.")] = None,
    distinct: Annotated[
        PairOption, typer.Option("--distinct", metavar="A B", help="Record that A and B are different works.")
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on", metavar="KIND", help="Exit 1 for matches of this kind: any, same, version or wrong_link."
        ),
    ] = None,
    near: Annotated[bool, typer.Option("--near", help="Also list similar pairs with contradictory metadata.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Find duplicate records, versions of one work and wrong identifiers, with the reasons.

    Example: awesome dedupe --against candidates.bib --format json
    """
    from awesome_cli.curation.editing.duplicates import KINDS, decide, duplicates

    session = ctx.obj
    if fail_on is not None:
        require_known(fail_on, KINDS, "kind")
    planner: Planner | None = decide({"link": link, "merge": merge, "distinct": distinct})
    if planner is not None:
        carry_out(session, planner, form, dry_run=dry_run, diff=diff)
        return
    corpus = readable_corpus(session, remark=True, candidates=True)
    entries = entries_of(against, corpus, session, source) if against is not None else None
    found = duplicates(corpus, entries, near=near)
    session.emit(found.to_report(), form)
    raise typer.Exit(int(found.counts_for(fail_on)))


def entries_of(
    path: Path, corpus: "Corpus", session: CommandSession, form: str | None
) -> "list[tuple[str, dict[str, object]]]":
    """Return `(key or position in the file, fields of the record)` for each entry of a file."""
    from awesome_cli.formats import ReadingOptions
    from awesome_cli.formats.reading import InputFile, read

    if not path.is_file():
        raise UsageError(f"no such file: {path}", hint=HERE)
    how = ReadingOptions(corpus.taxonomy, form=form, raw=session.raw)
    batch = read([InputFile(path.name, path.read_bytes())], how)
    for failure in batch.failures:
        session.say(str(failure))
    return [(draft.key or draft.place, dict(draft.fields)) for draft in batch.drafts]


def link(
    ctx: CommandContext,
    key: Annotated[str, typer.Argument(metavar="KEY", help="Record of the other version, such as the preprint.")],
    version_of: Annotated[str, typer.Option("--version-of", metavar="KEY", help="Record of the work.")],
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Link a record to another version of its work, and keep both records.

    To merge two records into one, use 'awesome dedupe --merge KEY KEY'.

    Example: awesome link KEY --version-of KEY
    """
    from awesome_cli.curation.editing import duplicates

    carry_out(
        ctx.obj, lambda tree, corpus: duplicates.link(tree, corpus, key, version_of), form, dry_run=dry_run, diff=diff
    )
