"""`awesome render` and `template`: write generated files, and customize their templates."""

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from awesome_cli.cli._corpus import remark_templates, whole_corpus
from awesome_cli.cli._options import DiffOption, DryRunOption, FormatOption
from awesome_cli.cli._printing import say, show
from awesome_cli.cli._session import CommandContext, CommandSession
from awesome_cli.cli._writing import carry_out, locked
from awesome_cli.output import Format

if TYPE_CHECKING:
    from awesome_cli.publish.freshness import Output


def render(
    ctx: CommandContext,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change.")] = False,
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Generate the marked sections of README.md, statistics.json and the exports of the taxonomy from the records.

    Text outside the markers does not change. Exports are references.bib and papers.csv, if 'readme.exports' lists them.

    Example: awesome render --diff
    """
    from awesome_cli.publish.freshness import untouched

    session = ctx.obj
    # Without --diff, unchanged inputs prove the files up to date without rendering.
    if check and not diff and (names := untouched(session.root)):
        show("".join(f"{name} is up to date\n" for name in names))
        return
    remark_templates(session)
    # Write before printing, because a closed pipe may end the run.
    generated, written = rendered(session, written=not (check or dry_run or diff))
    _remark_pictures(generated)
    show_outputs(generated, written, check=check, diff=diff)


def show_outputs(generated: "Sequence[Output]", written: Container[str], *, check: bool, diff: bool) -> None:
    """Print the state of generated files, with `diff` their changes; exit 1 if with `check` a file is stale."""
    for output in generated:
        if diff:
            show(output.diff())
        state = f"is stale; run '{output.command}'" if output.stale else "is up to date"
        done = "rendered" if output.after is not None else "removed"
        line = f"{output.path} {done if output.path in written else state}"
        say(line) if diff else show(f"{line}\n")
    raise typer.Exit(int(check and any(output.stale for output in generated)))


def _remark_pictures(generated: "Sequence[Output]") -> None:
    """Name the pictures that no page shows."""
    pages = [output.after or "" for output in generated]
    for output in generated:
        if "-light.svg" in output.path and not any(output.path.split("/")[-1] in page for page in pages):
            say(f"README.md does not show {output.path}; to show it, add this line: ![]({output.path})")


def written_outputs(
    session: CommandSession, outputs: "Callable[[], Sequence[Output]]", *, written: bool
) -> "tuple[Sequence[Output], set[str]]":
    """Return generated files, and the paths of those that were written: all stale ones, if `written`."""
    from awesome_cli.files.tree import WorkingTree

    with locked(session, written=written) as lock:
        generated, tree = outputs(), WorkingTree(session.root)
        changes = [change for output in generated for change in output.changes(tree) if written]
        lock.commit(changes)
    return generated, {change.path for change in changes}


def rendered(session: CommandSession, *, written: bool) -> "tuple[Sequence[Output], set[str]]":
    """Render the generated files; return all of them, and the paths of the files that were written."""
    from awesome_cli.publish.outputs import outputs

    return written_outputs(session, lambda: outputs(whole_corpus(session), session.root), written=written)


template = typer.Typer(
    name="template",
    help="List the templates of README and site, or copy one into the survey to change it.",
    no_args_is_help=True,
)


def names() -> list[str]:
    """List the names of the default templates, for completion."""
    from awesome_cli.publish.templates import inherited

    return list(inherited())


@template.command("list")
def list_(ctx: CommandContext, form: FormatOption = Format.TEXT) -> None:
    """List the templates, their origin (default or survey), and differences from the default.

    Example: awesome template list
    """
    from awesome_cli.files.tree import WorkingTree
    from awesome_cli.publish.templates import listing

    ctx.obj.emit(listing(ctx.obj.root, WorkingTree(ctx.obj.root)), form)


@template.command()
def copy(
    ctx: CommandContext,
    name: Annotated[
        str, typer.Argument(metavar="NAME", autocompletion=names, help="Name of a template ('awesome template list').")
    ],
    dry_run: DryRunOption = False,
    diff: DiffOption = False,
) -> None:
    """Copy a default template to templates/ of the survey, where you can change it. Never overwrites a file.

    Updates of awesome do not change the copy. Remove it to use the default again.

    Example: awesome template copy readme/papers.md.j2
    """
    from awesome_cli.publish.templates import copy as copied

    carry_out(ctx.obj, lambda tree, _: copied(tree, name), Format.TEXT, dry_run=dry_run, diff=diff)
