"""`awesome site`: build the survey's site, whose pages need neither a server nor a network."""

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
    typer.Option("--out", "-o", metavar="DIR", callback=within, help="Output folder. [default: _site in the survey]"),
]
DEFAULT = "_site"

site = typer.Typer(no_args_is_help=True, help="Build the survey's site, or serve it locally.")


@dataclass
class BuildState:
    """State kept between builds: the cache of records (`known`, None for no cache) and the reported templates."""

    known: "RecordCache | None" = None
    templates: tuple[str, ...] = ()


def address(url: str | None) -> str | None:
    """Check the value of --base-url; empty means no address. Raise `UsageError` if it is not a plain web address."""
    from awesome_cli.model.identifiers import is_url

    if url and not (url.isascii() and is_url(url) and not {"?", "#"} & {*url}):
        message = f"--base-url {url!r} is not a valid web address"
        raise UsageError(message, hint="for example --base-url https://example.org/survey")
    return url


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
            help="Address of the published site, for citations and feeds; empty for none. [default: survey.site]",
        ),
    ] = None,
    as_of: AsOfOption = None,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Build the site: evidence gap map, papers, terms, exclusions and data, as static files.

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
    done = f"wrote {n} files" if is_new else f"the {n} files are up to date"
    session.say(f"{done}; open {out / 'index.html'}")
    if is_new:
        say_no_card(session)


def say_no_card(session: CommandSession) -> None:
    """Print the command that installs matplotlib, if the site has no picture for link previews without it."""
    from awesome_cli.publish.plots.card import PATH
    from awesome_cli.publish.plots.themes import can_draw
    from awesome_cli.system.extras import install

    if not can_draw():
        session.say(f"no {PATH}, the picture of link previews: it needs matplotlib; install it with: {install('plot')}")


@site.command("serve")
def serve(
    ctx: CommandContext,
    out: OutOption = None,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="Port to listen on; 0 selects a free port.")
    ] = 8000,
    watch: Annotated[bool, typer.Option("--watch", help="Rebuild when a file changes.")] = False,
) -> None:
    """Build the site and serve it on this machine until interrupted.

    Example: awesome site serve --watch --port 8080
    """
    from awesome_cli.publish.site import server

    session = ctx.obj
    out = within(ctx, out or session.place(DEFAULT))
    seen = server.snapshot(session.root)
    state = BuildState({})
    write(session, out, "", state=state)
    listener = server.open_server(out, port, session.root)
    session.say(f"http://{server.LOOPBACK}:{listener.server_port}/ (stop with Ctrl-C)")
    server.serve(listener, session.root, seen, (lambda: _rebuild(session, out, state)) if watch else None)


def write(
    session: CommandSession,
    out: Path,
    base: str | None = None,
    as_of: date | None = None,
    state: BuildState | None = None,
) -> tuple[int, bool]:
    """Write the site, and return `(number of files, True if rebuilt)`. A site with unchanged inputs is not rebuilt.

    `base` is the address of the site: None for `survey.site`, empty for none.
    """
    from awesome_cli.publish.site import pages, stamp
    from awesome_cli.publish.site.page import LIST, require_apart, write_pages

    require_apart(out, session.root)
    state = state or BuildState()
    state.templates = remark_templates(session, state.templates)
    inputs = stamp.inputs(session.root, base, as_of)  # before loading, so that later changes are noticed
    if n := stamp.unchanged(out, LIST, inputs):
        remark_open(session)
        return n, False
    with in_part(f"the site in {out}"):
        corpus = whole_corpus(session, as_of, known=state.known)
        built = pages(corpus, session.root, base=_base(corpus, base))
        return len(write_pages(built, out, inputs)), True


def _base(corpus: "Corpus", base: str | None) -> str | None:
    return (corpus.taxonomy.survey.site if base is None else base) or None


def _rebuild(session: CommandSession, out: Path, state: BuildState) -> None:
    """Rebuild the site; after an error, print it and keep the pages of the last build."""
    if surviving(lambda: write(session, out, "", state=state)):
        session.say("rebuilt")
