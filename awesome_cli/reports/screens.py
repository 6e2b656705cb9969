"""What a terminal shows of one thing at a time: lines above, lines that may be scrolled, lines below."""

from dataclasses import dataclass

from awesome_cli.reports.report import Tone


@dataclass(frozen=True, slots=True)
class Line:
    """A text that is broken to the width of the terminal; `marks` are the places of words to mark, `(start, end)`.

    A line that is `cut` stays one line and ends with `…` where the terminal is too narrow.
    """

    text: str = ""
    tone: Tone = "plain"
    marks: tuple[tuple[int, int], ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True)
class ScreenFrame:
    """A screen: `head` and `foot` always stand, of `body` as many lines as there is room for."""

    head: tuple[Line, ...]
    body: tuple[Line, ...]
    foot: tuple[Line, ...]
