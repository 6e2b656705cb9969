"""Draw a frame on a terminal: wrap its lines, and show the part of its body that fits."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.text import Text as Styled

from awesome_cli.output.terminal import EMPHASIS, STYLES, console_of
from awesome_cli.reports.report import Line, ScreenFrame
from awesome_cli.text.inert import visible_line

HOME, REST, BELOW = "\x1b[H", "\x1b[K", "\x1b[J"
"""Escapes: move to the upper left corner; clear the rest of the line; clear all lines below."""
WIDEST = 100
"""Maximum width of text, in columns."""
LEAST = 3
"""Minimum number of visible lines of the body."""


@dataclass(frozen=True, slots=True)
class View:
    """A frame as lines of text; its body shows `page` (from 1) of `pages`."""

    lines: tuple[str, ...]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class ScreenSize:
    """Size and abilities of a terminal; a `plain` terminal cannot move its cursor."""

    columns: int
    rows: int
    colored: bool = True
    plain: bool = False

    @property
    def width(self) -> int:
        return min(self.columns, WIDEST)

    def view(self, frame: ScreenFrame, page: int = 1) -> View:
        """Lay out a frame with page `page` of its body, or the last page if `page` is greater."""
        head, body = (list(self._wrapped(lines)) for lines in (frame.head, frame.body))
        foot = [part for line in frame.foot for part in self._few(line)]
        foot = foot[: max(self.rows - len(head) - LEAST - 1, 1)]
        room = max(self.rows - len(head) - len(foot) - 1, LEAST)
        step = max(room - 1, 1)  # one line is seen on both pages
        pages = 1 + max(0, -(-(len(body) - room) // step))
        page = max(1, min(page, pages))
        seen = body[(page - 1) * step : (page - 1) * step + room]
        seen += [Styled()] * (0 if self.plain else room - len(seen))
        more = f" page {page} of {pages} (space: on, b: back) " if pages > 1 else ""
        rule = Styled(more.center(self.width, "-")[: self.width] if more else "-" * self.width, STYLES["muted"])
        lines = tuple(self._text(line) for line in (*head, *seen, rule, *foot))
        return View(lines[-self.rows :] if not self.plain else lines, page, pages)

    def text(self, view: View) -> str:
        """Return the text and escape sequences that replace the view on the terminal."""
        if self.plain:
            return "\n" + "\n".join(view.lines) + "\n"
        return HOME + "\n".join(f"{line}{REST}" for line in view.lines) + BELOW

    def _few(self, line: Line) -> list[Styled]:
        """Wrap a line of the foot to at most a sixth of the screen."""
        parts, most = list(self._wrapped([line])), max(self.rows // 6, 1)
        if len(parts) > most:
            parts[most - 1].truncate(self.width - 1)
            parts[most - 1].rstrip()
            parts[most - 1].append("…")
        return parts[:most]

    def _wrapped(self, lines: Iterable[Line]) -> Iterator[Styled]:
        console, _ = console_of(self.width, colored=False)
        for line in lines:
            text = self._styled(line)
            if line.cut:
                text.truncate(self.width, overflow="ellipsis")
                yield text
            else:
                yield from text.wrap(console, self.width, overflow="fold")

    def _styled(self, line: Line) -> Styled:
        if self.colored:
            text = Styled(visible_line(line.text), STYLES[line.tone])
            for start, end in line.marks:
                text.stylize(EMPHASIS, start, end)
            return text
        shown, at = "", 0
        for start, end in line.marks:
            shown, at = f"{shown}{line.text[at:start]}*{line.text[start:end]}*", end
        return Styled(visible_line(shown + line.text[at:]))

    def _text(self, line: Styled) -> str:
        line.rstrip()
        if not self.colored:
            return line.plain
        console, written = console_of(self.width, colored=True)
        console.print(line, soft_wrap=True, end="")
        return written.getvalue()
