"""What `init` asks a person on a terminal, and takes as given elsewhere."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from awesome_cli.cli._workspace import Workspace

if TYPE_CHECKING:
    from awesome_cli.publish.starter import Answers


def presets() -> list[str]:
    """The names of the presets, for completion."""
    from awesome_cli.publish.starter import answers

    return list(answers.presets())


def licences() -> list[str]:
    """The names of the licences, for completion."""
    from awesome_cli.publish.starter.answers import LICENCES, NONE

    return [*LICENCES, NONE]


def answers_of(
    workspace: Workspace,
    folder: Path,
    *,
    title: str | None = None,
    question: str | None = None,
    preset: str | None = None,
    licence: str | None = None,
    authors: Sequence[str] = (),
    repository: str | None = None,
) -> "Answers":
    """What options say of a new survey; a person on a terminal is asked for the rest, elsewhere defaults hold.

    Raises `UsageError` for what cannot be.
    """
    from awesome_cli.publish.starter.answers import LICENCE, LICENCES, NONE, PRESET, Answers, is_address
    from awesome_cli.publish.starter.answers import presets as known
    from awesome_cli.survey.journal import is_open
    from awesome_cli.system import prompts
    from awesome_cli.system.prompts import Choice

    words = " ".join(folder.resolve().name.replace("-", " ").replace("_", " ").split()).capitalize()
    licensed = (folder / "LICENSE").exists()
    given = Answers(
        title if title is not None else words or "A survey",
        question or "",
        preset or PRESET,
        licence or (NONE if licensed else LICENCE),
        repository,
        tuple(authors),
    )
    # An interrupted start is finished with the answers that it was given.
    if not workspace.interactive or is_open(folder):
        return given
    from awesome_cli.formats.people import authors_of
    from awesome_cli.publish.starter import starting

    starting(folder, given)  # refused before anything is asked

    of_presets = [Choice(name, *meaning.split(": ", 1)) for name, meaning in known().items()]
    of_licences = [*(Choice(name, name, full) for name, (full, _) in LICENCES.items()), Choice(NONE, "no licence file")]
    return replace(
        given,
        title=title or prompts.ask_text("Title", given.title, lambda text: bool(text) or "A survey needs a title."),
        question=prompts.ask_text("The question that it answers (may be empty)") if question is None else question,
        preset=preset or prompts.ask_one("Vocabulary to start from", of_presets),
        licence=licence or (NONE if licensed else prompts.ask_one("Licence of records and pages", of_licences)),
        authors=given.authors
        or tuple(authors_of(prompts.ask_text("Authors (Last, First; Last, First; may be empty)"))),
        repository=repository
        or prompts.ask_text(
            "Address of its repository (may be empty)",
            valid=lambda text: not text or is_address(text) or "An https address, as a browser shows it.",
        )
        or None,
    )
