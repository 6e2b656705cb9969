"""What a person says of a new survey."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from awesome_cli.errors import UsageError
from awesome_cli.model.appearance import ADDRESS
from awesome_cli.publish import shipped
from awesome_cli.text.known import require_known

PRESET, LICENCE, NONE = "list", "CC0-1.0", "none"
"""What holds where nobody is asked, and the word for no licence."""
LICENCES: Mapping[str, tuple[str, str]] = {
    "CC0-1.0": ("Creative Commons Zero 1.0 Universal", "https://creativecommons.org/publicdomain/zero/1.0/"),
    "CC-BY-4.0": ("Creative Commons Attribution 4.0 International", "https://creativecommons.org/licenses/by/4.0/"),
    "CC-BY-SA-4.0": (
        "Creative Commons Attribution-ShareAlike 4.0 International",
        "https://creativecommons.org/licenses/by-sa/4.0/",
    ),
    "MIT": ("MIT License", "https://opensource.org/license/mit"),
}
"""The name and the address of each licence, by its SPDX id."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What a new survey is; `preset` names its vocabulary, `licence` one of `LICENCES` or `none`.

    `authors` are written as in records (`Last, First`). Raises `UsageError` for what cannot be.
    """

    title: str
    question: str = ""
    preset: str = PRESET
    licence: str = LICENCE
    repository: str | None = None
    authors: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise UsageError("the title is empty", hint="give --title 'A survey of …'")
        labels = (f"{name} ({line.partition(':')[0]})" for name, line in presets().items())
        require_known(self.preset, presets(), "preset", hint=f"one of: {', '.join(labels)}")
        require_known(self.licence, (*LICENCES, NONE), "licence")
        if self.repository is not None and not is_address(self.repository):
            hint = "write its https address, such as https://github.com/OWNER/NAME"
            raise UsageError(f"{self.repository!r} is no address of a repository", hint=hint)


def is_address(text: str) -> bool:
    """Whether a text can be the address of a repository."""
    return re.search(ADDRESS, text) is not None


def presets() -> Mapping[str, str]:
    """The label and the meaning of each preset, by its name: the first line of its file; the default comes first."""
    files = sorted(
        (shipped() / "starter" / "presets").glob("*.yaml"), key=lambda path: (path.stem != PRESET, path.stem)
    )
    return {path.stem: path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ") for path in files}
