"""`awesome export`: write records in the formats of other programs."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from awesome_cli.cli._corpus import readable_corpus, usable_corpus
from awesome_cli.cli._options import AsOfOption, AxisOption, KindOption, WhereOption, within
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import deliver, in_part
from awesome_cli.errors import UsageError
from awesome_cli.formats import CODINGS, EXPORTED, completions

if TYPE_CHECKING:
    from awesome_cli.survey.corpus import Corpus


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
    wide: Annotated[
        bool, typer.Option("--wide", help="codings: write a row per paper, with a column per axis.")
    ] = False,
    labels: Annotated[bool, typer.Option("--labels", help="codings: write labels of terms, not ids.")] = False,
    axis: AxisOption = None,
    cited_in: Annotated[
        Path | None,
        typer.Option(
            "--cited-in",
            metavar="FILE",
            callback=within,
            help="Keep papers that a LaTeX document cites.",
        ),
    ] = None,
) -> None:
    """Export papers, or records of another kind, for other programs.

    The formats json and artifact also contain matching exclusions. The format screening also contains candidates.
    The format codings is a table for 'awesome tag --table FILE', with the format of the ending of --out. With --axis,
    it has a row for each paper that is not coded on the axis.

    Example: awesome export bibtex --where 'AXIS=TERM year>=2025' --out papers.bib
    """
    session = ctx.obj
    layout = {"wide": wide, "labels": labels, "axes": tuple(axis or ())}
    if form == CODINGS and cited_in is None:
        deliver(session, _codings(session, where, kind, out, as_of, **layout), out)
        return
    if any(layout.values()):
        raise UsageError("--wide, --labels and --axis need the format codings", hint="awesome export codings")
    _export(session, form, where, kind, out, as_of, cited_in)


def _export(
    session: CommandSession,
    form: str,
    where: str | None,
    kind: str | None,
    out: Path | None,
    as_of: date | None,
    cited_in: Path | None,
) -> None:
    from awesome_cli.formats import exporting

    screened = form == exporting.SCREENED
    kinds = kind or ("any" if screened else "paper")
    candidates, evidence = screened or kinds == "candidate", screened or cited_in is not None
    whole = usable_corpus(session, as_of, candidates=candidates, evidence=evidence)
    corpus = exporting.select(whole if cited_in is None else _cited(session, whole, cited_in), where, kinds)
    answer = exporting.export(form, corpus, kinds, raw=session.raw)
    if isinstance(answer, str):
        deliver(session, answer, out)
    else:
        write_all(session, form, answer, out)
    if lost := exporting.left_out(form, corpus, kinds):
        session.say(exporting.sentence(form, lost, kinds))


def _cited(session: CommandSession, corpus: "Corpus", path: Path) -> "Corpus":
    """Return the corpus with only the papers that a document cites."""
    from awesome_cli.publish.manuscript.answers import answers
    from awesome_cli.publish.manuscript.checking import cited
    from awesome_cli.publish.manuscript.document import read
    from awesome_cli.survey.keys import citation_keys

    document = read(path if path.is_file() else session.root / path, session.root)
    asks = corpus.manuscript or corpus.of_paper
    keys, names = cited(document, answers(corpus, session.root) if asks else None), citation_keys(corpus.papers)
    papers = tuple(paper for paper in corpus.papers if {names[paper.key], "*"} & keys)
    if not papers:
        raise UsageError(f"{path} cites no paper of the survey", hint=f"awesome paper check {path}")
    return replace(corpus, papers=papers, exclusions=(), candidates=())


def _codings(
    session: CommandSession, where: str | None, kind: str | None, out: Path | None, as_of: date | None, **layout: Any
) -> str | bytes:
    """Return the table of codings; unlike other formats, it keeps unknown terms and leaves out unreadable records."""
    from awesome_cli.formats.codings import ENDINGS, write
    from awesome_cli.formats.exporting import select

    if kind == "exclusion":
        raise UsageError("exclusions have no codings", hint="use --kind paper or --kind candidate")
    corpus = readable_corpus(session, candidates=kind == "candidate", remark=True)
    corpus = select(corpus if as_of is None else corpus.as_of(as_of), where, kind or "paper")
    ending = out.suffix.lower() if out else ""
    if ending not in ENDINGS:
        raise UsageError(f"--out {out} has an unsupported ending", hint=f"supported endings: {', '.join(ENDINGS[1:])}")
    data = write(corpus, ending, raw=session.raw, **layout)
    # Without a byte order mark, spreadsheets do not read a file as UTF-8.
    return f"\ufeff{data}" if ending and isinstance(data, str) else data


def write_all(session: CommandSession, form: str, files: Mapping[str, str], out: Path | None) -> None:
    """Write several files into the folder `out`; raise `UsageError` if it is None or `-`."""
    from awesome_cli.files.paths import place

    if out is None or str(out) == "-":
        raise UsageError(f"{form} consists of several files", hint=f"give a folder: awesome export {form} --out DIR")
    with in_part(str(out)):
        for path, text in [(place(out, name), text) for name, text in files.items()]:
            deliver(session, text, path)
