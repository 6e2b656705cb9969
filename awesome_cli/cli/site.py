"""`awesome site`: the survey as pages that need neither a server nor a network."""

from pathlib import Path
from typing import Annotated

import typer

from awesome_cli.cli._options import AsOfOption
from awesome_cli.cli._workspace import Workspace

OutOption = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write, relative to here.")]
DEFAULT = Path("_site")

site = typer.Typer(no_args_is_help=True, help="Build the survey's site, or look at it.")


@site.command("build")
def build(
    ctx: typer.Context,
    out: OutOption = DEFAULT,
    base: Annotated[
        str | None, typer.Option("--base-url", metavar="URL", help="The address it will have: for citations and feeds.")
    ] = None,
    as_of: AsOfOption = None,
) -> None:
    """Write the site: map, papers, terms, exclusions and data, as files that work from a disk.

    Example: awesome site build --out _site --base-url https://example.org/survey
    """
    from awesome_cli.render.site import pages
    from awesome_cli.render.site.page import write_pages

    workspace: Workspace = ctx.obj
    paths = write_pages(pages(workspace.corpus(as_of), workspace.root, base=base), out)
    workspace.say(f"wrote {len(paths)} files; open {out / 'index.html'}")
