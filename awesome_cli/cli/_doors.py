"""The doors through which every command prints: messages, answers for people, and data for programs.

What a survey, a service or another file says goes through one of them, and arrives as text that does nothing.
"""

import shutil
import sys

import typer

from awesome_cli.text.inert import inert, visible, without_commands

PASSING: list[str] = []
"""The line on the terminal that the next one takes the place of, if there is one."""


def pass_by(text: str) -> None:
    """Show a line on the terminal of standard error until the next line; an empty one takes it away."""
    if text or PASSING:
        size = shutil.get_terminal_size().columns
        sys.stderr.write("\r\x1b[K" + inert(text)[: size - 1])
        sys.stderr.flush()
    PASSING[:] = [text] * bool(text)


def say(text: str) -> None:
    """Print a message to standard error; the answer alone goes to standard output."""
    pass_by("")
    text = inert(text)
    if sys.stderr.isatty():
        from awesome_cli.text.wrapping import fitted

        text = fitted(text, shutil.get_terminal_size().columns)
    typer.echo(text, err=True)


def show(text: str, *, styled: bool = False) -> None:
    """Print an answer for people to standard output; one that is `styled` has the escapes of its colours alone."""
    pass_by("")
    sys.stdout.write(without_commands(text) if styled else inert(text))


def hand_over(text: str) -> None:
    """Print data for programs to standard output: as they are, and like text where a person reads them."""
    sys.stdout.write(visible(text) if sys.stdout.isatty() else text)
