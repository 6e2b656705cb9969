"""Write reports to a terminal: with colours, and with lines and tables that fit its width."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, JustifyMethod
from rich.table import Table as Grid
from rich.text import Text as Styled

from awesome_cli.output.layout import GAP, arranged, fitted
from awesome_cli.reports.report import Block, Bullets, Cell, Code, Report, Table, Text, Toned, cell_text
from awesome_cli.text.inert import visible

STYLES = {
    "plain": "",
    "good": "color(29)",
    "warn": "bold color(163)",
    "bad": "bold underline color(131)",
    "note": "color(63)",
    "muted": "color(243)",
    "strong": "bold",
}
"""The style of each tone. These colours are readable on white and on black; named colours vary with the terminal."""
EMPHASIS = "bold underline"
"""The style of headings and of highlighted words."""
ENDLESS = 1_000_000
"""Line width without a terminal."""
PAGE = 80
"""Maximum width of a page of the manual."""
FILL = re.compile(r"(?: |\x1b\[[\d;]*m)+$", re.MULTILINE)
"""Blanks and escapes at the end of a line."""


def console_of(size: int, *, colored: bool) -> tuple[Console, io.StringIO]:
    """Return a rich console of fixed width and colours, and the buffer that it writes to."""
    # rich must not query the terminal or the environment.
    file = io.StringIO()
    console = Console(
        file=file, width=size, height=1, force_terminal=colored, _environ={}, no_color=False,
        color_system="256" if colored else None, highlight=False, markup=False, emoji=False,
    )  # fmt: skip
    return console, file


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal of `size` columns, with or without colours."""

    size: int = ENDLESS
    colored: bool = True

    def write(self, report: Report) -> str:
        """Write a report; code and commands to copy may exceed the width."""
        console, written = console_of(self.size, colored=self.colored)
        for line in self._lines(report):
            console.print(line, soft_wrap=isinstance(line, Styled))
        return FILL.sub(lambda end: end[0].replace(" ", ""), written.getvalue())

    def _lines(self, report: Report) -> Iterator[Styled | Grid]:
        if report.title:
            yield from (self._text(report.title, "bold"), Styled())
        for section in report.sections:
            if section.folded:
                yield self._text(f"{section.title}: {section.folded}")
                continue
            if section.title:
                yield self._text(section.title, EMPHASIS)
            for before, block in zip((None, *section.blocks), section.blocks, strict=False):
                if before and Table in {type(before), type(block)}:
                    yield Styled()
                yield from self._block(block)
            yield Styled()

    def _text(self, text: str, style: str = "") -> Styled:
        return Styled(fitted(visible(text), self.size), style)

    def _toned(self, text: str, style: str, toned: str) -> Styled:
        """Style the first occurrence of `toned`, or the whole text if `toned` is empty."""
        styled = self._text(text, "" if toned else style)
        start = styled.plain.find(toned)
        if toned and start >= 0:
            styled.stylize(style, start, start + len(toned))
        return styled

    def _block(self, block: Block) -> Iterator[Styled | Grid]:
        match block:
            case Table():
                yield from self._table(block)
            case Bullets(items):
                yield from (self._text(f"• {cell_text(item)}", _style(item)) for item in items)
            case Code(text, language):
                text = text.rstrip("\n")
                yield Styled(visible(text)) if language else self._text(text)
            case Text(text, tone, toned):
                yield self._toned(text, STYLES[tone], toned)

    def _table(self, table: Table) -> Iterator[Styled | Grid]:
        if table.title:
            yield self._text(table.title, "bold")
        texts = [[cell_text(cell) for cell in column] for column in zip(table.columns, *table.rows, strict=True)]
        layout = arranged(texts, [i for i, name in enumerate(table.columns) if name in table.minor], self.size)
        for n, part in enumerate(layout.parts):
            if n:
                yield Styled()
            grid = Grid(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold")
            for i, size in part:
                side: JustifyMethod = "right" if table.is_numeric(i) else "left"
                grid.add_column(Styled(texts[i][0]), width=size, overflow="fold", justify=side)
            for r, row in enumerate(table.rows, 1):
                grid.add_row(*(Styled(texts[i][r], _style(row[i])) for i, _ in part))
            yield grid
        if table.note:
            yield self._text(table.note, STYLES["muted"])
        if layout.left_out:
            names = ", ".join(texts[i][0] for i in layout.left_out)
            yield self._text(f"Columns hidden in this narrow terminal: {names}.", STYLES["muted"])


def _style(cell: Cell) -> str:
    return STYLES[cell.tone if isinstance(cell, Toned) else "muted" if cell == 0 and cell is not False else "plain"]


def page(text: str) -> str:
    """Render a Markdown page for a terminal, with bold and underlined text but without colours."""
    from rich.markdown import Markdown  # Imported here, because it is slow and few commands need it.

    console = Console(file=io.StringIO(), force_terminal=True, no_color=True, highlight=False)
    console.print(Markdown(visible(text), hyperlinks=False), width=min(console.width, PAGE))
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]
