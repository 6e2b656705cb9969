"""Shell completion: what a shell asks, and which words answer it. Loaded only while a shell completes.

A parameter is known by its metavar, the word that stands for its value in help: options that look alike complete alike.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import Any

from awesome_cli.cli._completion_words import CHOICES, SOURCES, Source, TypedWord, among
from awesome_cli.cli._workspace import Workspace

BREAKS = "=:"
"""At these bash begins a new word, which alone it replaces."""
MEANING = 60
"""How long the text beside a word may be."""
CHOICE = re.compile(r"\[?[a-z_0-9]+(\|[a-z_0-9]+)+\]?")


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that a shell may put in, in the form in which Typer hands it over."""

    value: str
    help: str | None = None
    type: str = "plain"


def line(environment: Mapping[str, str]) -> list[str]:
    """The words before the one that is completed, behind the name of the program."""
    if "COMP_WORDS" in environment:
        count = environment.get("COMP_CWORD", "")
        return environment["COMP_WORDS"].split()[1 : int(count) if count.isdigit() else None]
    words = environment.get("_TYPER_COMPLETE_ARGS", "").split(" ")
    return [word for word in words[1:-1] if word]


def prepare(command: Any, environment: MutableMapping[str, str]) -> None:
    """Let a command line answer a shell: with the words of the survey, and without a word on standard error.

    `environment` says what is asked; in it the words of bash are put together for Typer, which reads it, too.
    """
    sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the end
    kept = _joined(environment)
    _attach(command, "", partial(_answer, kept=kept, before=line(environment)))


def _joined(environment: MutableMapping[str, str]) -> int:
    """Put together what bash took apart at its breaks; gives how long the part is that it will replace.

    For other shells, and for a word that bash did not take apart, it is a length that no word reaches.
    """
    words = environment.get("COMP_WORDS", "").split("\n")
    count = environment.get("COMP_CWORD", "")
    if len(words) < 2 or not count.isdigit():
        return sys.maxsize
    out: list[str] = []
    glued = False
    for word in words[: int(count) + 1]:
        broken = word != "" and set(word) <= set(BREAKS)
        glue = bool(out) and (broken or glued)
        out[-1:] = [out[-1] + word] if glue else [*out[-1:], word]
        glued, last, parted = broken, "" if broken else word, glue
    environment.update(COMP_WORDS="\n".join(out), COMP_CWORD=str(len(out) - 1))
    return len(last) if parted else sys.maxsize


def _attach(command: Any, path: str, answer: Callable[[Source], Any]) -> None:
    for parameter in command.params:
        name = str(parameter.metavar or "")
        place = f"{path} {max(parameter.opts, key=len)}".strip()
        if CHOICE.fullmatch(name):
            parameter.shell_complete = answer(among(re.findall(r"\w+", name)))
        elif source := CHOICES.get(place) or SOURCES.get(f"{path} {name}".strip()) or SOURCES.get(name):
            parameter.shell_complete = answer(source)
    for name, inner in getattr(command, "commands", {}).items():
        _attach(inner, f"{path} {name}".strip(), answer)


def _answer(source: Source, kept: int, before: Sequence[str]) -> Callable[[Any, str], list[Completion]]:
    """The completions from a source; none where the survey cannot be read, whatever the reason."""

    def answered(ctx: Any, word: str) -> list[Completion]:
        directory = ctx.find_root().params.get("directory")
        asked = TypedWord(Workspace(Path(directory) if directory else None), word, tuple(before))
        try:
            return list(_fitting(source(asked), word, kept))
        except Exception:  # noqa: BLE001 - a shell that completes is no place for messages
            return []

    return answered


def _fitting(found: Any, word: str, kept: int) -> Iterator[Completion]:
    cut = max(0, len(word) - kept)
    for one in found:
        value, text = one if isinstance(one, tuple) else (one, None)
        if value.startswith(word):
            # Typer breaks lines that are longer than a terminal is wide.
            yield Completion(value[cut:], shorten(text, MEANING, placeholder=" …") if text else None)
