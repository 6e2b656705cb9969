"""Compose the command line from the table of verbs, and run it."""

import gc
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from awesome_cli import __version__
from awesome_cli.cli._app import WORDS, AwesomeGroup, VerbGroup, parted, verb_of
from awesome_cli.cli._printing import Watch, show
from awesome_cli.cli._session import CommandSession
from awesome_cli.cli.verbs import VERBS
from awesome_cli.reports.progress import LISTENER

NAME = "awesome"
"""How the command is called, whatever started it: texts that name a command begin so."""
COMPLETION = "_AWESOME_COMPLETE"


def show_version(value: bool) -> None:
    if value:
        typer.echo(f"awesome {__version__}")
        raise typer.Exit


def root(
    ctx: typer.Context,
    directory: Annotated[
        Path | None,
        typer.Option(
            "-C",
            metavar="DIR",
            help="The survey's folder, by default the nearest one upwards. A typed path is relative to where you are.",
        ),
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Never use the network.")] = False,
    no_input: Annotated[bool, typer.Option("--no-input", help="Never ask; fail where an answer is needed.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress and no messages on standard error.")] = False,
    color: Annotated[str, typer.Option("--color", metavar="WHEN", help="auto, always or never.")] = "auto",
    raw: Annotated[
        bool, typer.Option("--raw", help="CSV cells as they are, also those that a spreadsheet would run.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Keep a literature survey as data: validate, count, find gaps, check claims, publish."""
    if color not in {"auto", "always", "never"}:
        raise typer.BadParameter(f"{color!r} is not auto, always or never", param_hint="--color")
    settings: dict[str, Any] = {"offline": offline, "no_input": no_input, "quiet": quiet, "raw": raw}
    ctx.obj = CommandSession(directory, **settings, color=color, environment=dict(os.environ), command=ctx.meta[WORDS])
    watching = not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    LISTENER.set(Watch() if watching else None)
    if ctx.invoked_subcommand is None:
        from awesome_cli.cli.status import front

        show(front(ctx.obj))


def compose(names: Iterable[str] = VERBS) -> typer.Typer:
    """The command line with some verbs, or all."""
    app = typer.Typer(
        name=NAME,
        cls=AwesomeGroup,
        invoke_without_command=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog="Global options may also stand after the verb. Start with: awesome status",
    )
    app.callback()(root)
    for name in names:
        verb = VERBS[name]
        loaded = verb.load()
        if isinstance(loaded, typer.Typer):
            app.add_typer(loaded, name=name, cls=VerbGroup, rich_help_panel=verb.panel)
        else:
            app.command(name, rich_help_panel=verb.panel)(loaded)
    return app


def tune() -> None:
    """Set up the process for one short run."""
    # Looking for plug-ins of pydantic reads the metadata of every installed distribution, a tenth of a short command.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # A run is short and its values hold no cycles: to collect as often as by default costs a third of a large load.
    gc.set_threshold(200_000, 50, 50)


def open_streams() -> None:
    """Give each standard stream that was closed (`>&-`) nothing to read from or to write to.

    In this order each takes the number of its own, so that no file that is opened later is taken for it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - until the end


def needed(args: Sequence[str]) -> Iterable[str]:
    """The verbs that a command line needs: its own; none for the front page and the version; all for help.

    Composing all of them costs a third of a bare command.
    """
    asked = verb_of(args)
    if asked not in VERBS and parted(args)[1] not in ([], ["--version"]):
        return VERBS
    return filter(None, [asked])


def main() -> None:
    """The console command."""
    open_streams()
    tune()
    for stream in (sys.stdout, sys.stderr):
        # A survey is UTF-8 whatever the terminal's locale; what it cannot show is replaced, not fatal.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        run()
    finally:
        # The interpreter collects once more before it ends; what is frozen it does not look through.
        gc.freeze()


def run() -> None:
    """Compose as much as is asked for, and run it."""
    if COMPLETION not in os.environ:
        compose(needed(sys.argv[1:]))(prog_name=NAME)
        return
    from awesome_cli.cli import _completion

    words = _completion.line(os.environ)
    command = typer.main.get_command(compose(needed(words) if verb_of(words) else VERBS))
    _completion.prepare(command, os.environ)
    command(prog_name=NAME)
