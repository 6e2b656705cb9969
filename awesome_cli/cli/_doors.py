"""The doors through which every command prints: messages, answers for people, and data for programs.

What a survey, a service or another file says goes through one of them, and arrives as text that does nothing.
"""

import shutil
import sys
from contextlib import ExitStack

import typer

from awesome_cli.text.inert import inert, visible, without_commands

PASSING = ExitStack()
"""Holds what is shown on the terminal until something else is printed; to close it takes that away."""


def say(text: str) -> None:
    """Print a message to standard error; the answer alone goes to standard output."""
    PASSING.close()
    text = inert(text)
    if sys.stderr.isatty():
        from awesome_cli.output.layout import fitted

        text = fitted(text, shutil.get_terminal_size().columns)
    typer.echo(text, err=True)


def show(text: str, *, styled: bool = False) -> None:
    """Print an answer for people to standard output; one that is `styled` has the escapes of its colours alone."""
    PASSING.close()
    sys.stdout.write(without_commands(text) if styled else inert(text))


def hand_over(text: str) -> None:
    """Print data for programs to standard output: as they are, and like text where a person reads them."""
    sys.stdout.write(visible(text) if sys.stdout.isatty() else text)
