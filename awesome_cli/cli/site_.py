"""`awesome site`: the survey as pages that need neither a server nor a network."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._app import surviving
from awesome_cli.cli._corpus import remark_open, remark_templates, whole_corpus
from awesome_cli.cli._options import AsOfOption, DiffOption, DryRunOption, within
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import in_part, preview
from awesome_cli.errors import UsageError

if TYPE_CHECKING:
    from awesome_cli.survey.corpus import Corpus
    from awesome_cli.survey.loading import RecordCache

OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="DIR", callback=within, help="The folder to write to; by default _site in the survey."
    ),
]
DEFAULT = "_site"

site = typer.Typer(no_args_is_help=True, help="Build the survey's site, or show it on this machine.")


@dataclass
class Kept:
    """State between two builds: the records that were read, None to keep none, and the templates that were named."""

    known: "RecordCache | None" = None
    templates: tuple[str, ...] = ()


def address(given: str | None) -> str | None:
    """The address as it was given, empty for none; raises `UsageError` for what is no place of a website."""
    from awesome_cli.model.identifiers import is_url

    if given and not (given.isascii() and is_url(given) and not {"?", "#"} & {*given}):
        raise UsageError(f"--base-url {given!r} is no address of a website", hint="such as https://example.org/survey")
    return given


@site.command("build")
def build(
    ctx: CommandContext,
    out: OutOption = None,
    base: Annotated[
        str | None,
        typer.Option(
            "--base-url",
            metavar="URL",
            callback=address,
            help="The address it will have, for citations, feeds, previews; without it `survey.site`, empty for none.",
        ),
    ] = None,
    as_of: AsOfOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Write the site: map, papers, terms, exclusions and data, as files that work from a disk.

    Example: awesome site build --out _site --base-url https://example.org/survey
    """
    from awesome_cli.publish.site import pages

    session = ctx.obj
    out = within(ctx, out or session.place(DEFAULT))
    if dry_run or diff:
        remark_templates(session)
        corpus = whole_corpus(session, as_of)
        built = pages(corpus, session.root, base=_base(corpus, base))
        preview(session, out, ((page.path, page.data) for page in built), diff=diff)
        return
    n, is_new = write(session, out, base, as_of)
    done = f"wrote {n} files" if is_new else f"nothing has changed since {n} files were written"
    session.say(f"{done}; open {out / 'index.html'}")


@site.command("serve")
def serve(
    ctx: CommandContext,
    out: OutOption = None,
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 takes a free port.")] = 8000,
    watch: Annotated[bool, typer.Option("--watch", help="Build again when a record changes.")] = False,
) -> None:
    """Build the site and show it on this machine only, until interrupted.

    Example: awesome site serve --watch --port 8080
    """
    from awesome_cli.publish.site import server

    session = ctx.obj
    out = within(ctx, out or session.place(DEFAULT))
    seen = server.snapshot(session.root)
    kept = Kept({})
    write(session, out, "", kept=kept)
    listener = server.open_server(out, port, session.root)
    session.say(f"http://{server.LOOPBACK}:{listener.server_port}/ (stop with Ctrl-C)")
    server.serve(listener, session.root, seen, (lambda: _rebuild(session, out, kept)) if watch else None)


def write(
    session: CommandSession, out: Path, base: str | None = None, as_of: date | None = None, kept: Kept | None = None
) -> tuple[int, bool]:
    """Write the site for an address, by default the survey's own, empty for none; how many files, and whether anew.

    A site whose inputs are as they were when it was written is left as it is.
    """
    from awesome_cli.publish.site import pages, stamp
    from awesome_cli.publish.site.page import LIST, require_apart, write_pages

    require_apart(out, session.root)
    kept = kept or Kept()
    kept.templates = remark_templates(session, kept.templates)
    made_of = stamp.inputs(session.root, base, as_of)  # before they are read, so that a later change shows
    if n := stamp.unchanged(out, LIST, made_of):
        remark_open(session)
        return n, False
    with in_part(f"the site in {out}"):
        corpus = whole_corpus(session, as_of, known=kept.known)
        built = pages(corpus, session.root, base=_base(corpus, base))
        return len(write_pages(built, out, made_of)), True


def _base(corpus: "Corpus", given: str | None) -> str | None:
    return (corpus.taxonomy.survey.site if given is None else given) or None


def _rebuild(session: CommandSession, out: Path, kept: Kept) -> None:
    """Build with the records as they are now; an error is printed, and the pages of the last build stay."""
    if surviving(lambda: write(session, out, "", kept=kept)):
        session.say("built again")
