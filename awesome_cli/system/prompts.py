"""Questions to a person at a terminal, answered with arrow keys or by typing.

The only home of questionary. Callers ask only where there is a terminal.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from awesome_cli.text.inert import visible, visible_line


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers to a question: what is returned, what is shown, and what it means."""

    value: str
    label: str
    meaning: str = ""

    @property
    def shown(self) -> str:
        """The line that a person reads."""
        return visible_line(f"{self.label}: {self.meaning}" if self.meaning else self.label)


def ask_text(question: str, default: str = "", valid: Callable[[str], bool | str] | None = None) -> str:
    """A line of text, or the `default`, which is shown, for an empty one.

    `valid` is True of what was typed, or says what is wrong. Raises `KeyboardInterrupt` on Ctrl-C.
    """
    import questionary

    def checked(text: str) -> bool | str:
        return valid is None or (not text.strip() and bool(default)) or valid(text.strip())

    shown = visible_line(f"({default})") if default else None
    return str(questionary.text(visible(question), instruction=shown, validate=checked).unsafe_ask()).strip() or default


def ask_one(question: str, choices: Sequence[Choice]) -> str:
    """The value of one choice, found with arrow keys or by typing a part of its line."""
    import questionary

    return str(
        questionary.select(visible(question), _lines(choices), use_search_filter=True, use_jk_keys=False).unsafe_ask()
    )


def ask_many(question: str, choices: Sequence[Choice], *, required: bool = False) -> tuple[str, ...]:
    """The values of any number of choices; of at least one if an answer is `required`."""
    import questionary

    def enough(picked: Sequence[str]) -> bool | str:
        return bool(picked) or not required or "Choose at least one, with the space bar."

    asked = questionary.checkbox(
        visible(question), _lines(choices), validate=enough, use_search_filter=True, use_jk_keys=False
    )
    return tuple(map(str, asked.unsafe_ask()))


def _lines(choices: Sequence[Choice]) -> Any:
    import questionary

    return [questionary.Choice(choice.shown, value=choice.value) for choice in choices]
