"""Compose the command line from the table of verbs, and run it."""

import gc
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from awesome_cli import __version__
from awesome_cli.cli._app import WORDS, AwesomeGroup, VerbGroup, parted, verb_of, verdict
from awesome_cli.cli._printing import Watch, say, show
from awesome_cli.cli._session import CommandSession
from awesome_cli.cli.verbs import VERBS
from awesome_cli.reports.progress import LISTENER

NAME = "awesome"
"""The command name in messages, however the program was started."""


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
            help="Survey's folder; other paths stay relative to the current folder. [default: nearest survey upwards]",
        ),
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Never use the network.")] = False,
    no_input: Annotated[bool, typer.Option("--no-input", help="Never prompt; fail if an answer is needed.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print no progress and no messages.")] = False,
    color: Annotated[
        str, typer.Option("--color", metavar="WHEN", help="When to use colour: auto, always or never.")
    ] = "auto",
    raw: Annotated[
        bool, typer.Option("--raw", help="Do not escape CSV cells that a spreadsheet would evaluate.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Keep a literature survey as data: validate, count, find gaps, check claims, publish."""
    if color not in {"auto", "always", "never"}:
        raise typer.BadParameter(f"expected auto, always or never, got {color!r}", param_hint="--color")
    settings: dict[str, Any] = {"offline": offline, "no_input": no_input, "quiet": quiet, "raw": raw}
    ctx.obj = CommandSession(directory, **settings, color=color, environment=dict(os.environ), command=ctx.meta[WORDS])
    watching = not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    LISTENER.set(Watch() if watching else None)
    if ctx.invoked_subcommand is None:
        from awesome_cli.cli.status import front

        show(front(ctx.obj))


def compose(names: Iterable[str] = VERBS) -> typer.Typer:
    """Compose the command line with these verbs, by default with all verbs."""
    app = typer.Typer(
        name=NAME,
        cls=AwesomeGroup,
        invoke_without_command=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog="Global options may also follow the verb. Start with: awesome status",
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
    """Tune pydantic and the garbage collector for one short run."""
    # Skip pydantic's search for plug-ins: it takes a tenth of the time of a short command.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Collect garbage less often: values contain no cycles, and the default costs a third of a large load.
    gc.set_threshold(200_000, 50, 50)


def open_streams() -> None:
    """Open the null device for each closed standard stream (`>&-`), read-only for output, so that writing it fails.

    In this order each stream gets its usual file descriptor, so that no later file takes its place.
    """
    for name, mode, flag in (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY)):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, flag), mode, encoding="utf-8"))


def needed(args: Sequence[str]) -> Iterable[str]:
    """Return the verbs to compose: the typed verb; no verb for the front page and --version; otherwise all verbs.

    Composing all verbs takes a third of the time of a short command.
    """
    verb = verb_of(args)
    if verb not in VERBS and parted(args)[1] not in ([], ["--version"]):
        return VERBS
    return filter(None, [verb])


def main() -> None:
    """Run the console command."""
    open_streams()
    tune()
    for stream in (sys.stdout, sys.stderr):
        # Output is UTF-8 in every locale; characters that cannot be encoded are replaced.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    code: Any = 0
    try:
        run()
    except SystemExit as end:
        code = end.code
    # Frozen objects are skipped by the garbage collection at exit.
    gc.freeze()
    sys.exit(delivered(code))


def delivered(code: Any) -> Any:
    """Write the rest of the answer and return the exit code; if writing fails, print the error and return its code."""
    try:
        sys.stdout.flush()
    except OSError as error:
        text, failed = verdict(error)
        # Else Python writes again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # With the same code, an error was printed already.
        if text and code != failed:
            say(text)
            return failed
    return code


def run() -> None:
    """Compose the needed verbs and run the command, or answer a shell that completes."""
    if "_AWESOME_COMPLETE" not in os.environ:
        compose(needed(sys.argv[1:]))(prog_name=NAME)
        return
    from awesome_cli.cli import _completion

    words = _completion.line(os.environ)
    command = typer.main.get_command(compose(needed(words) if verb_of(words) else VERBS))
    _completion.prepare(command, os.environ)
    command(prog_name=NAME)
