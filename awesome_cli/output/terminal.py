"""Answers for a person at a terminal: colours, and lines and tables that fit its width."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from awesome_cli.output import plain
from awesome_cli.output.columns import GAP, arranged
from awesome_cli.reports.report import Block, Bullets, Cell, Code, Report, Table, Text, Toned
from awesome_cli.text.inert import visible
from awesome_cli.text.wrapping import fitted, width, wrapped

STYLES = {"good": "32", "warn": "33", "bad": "1;31", "muted": "2", "strong": "1", "head": "1;36"}
"""The codes of ANSI for each tone."""
ENDLESS = 1_000_000
"""The width where there is no terminal."""


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """A cell: its text and tone, the width of its column, and whether it stands to the right there."""

    text: str
    tone: str
    size: int
    right: bool


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal of `size` columns, with or without colours."""

    size: int = ENDLESS
    colored: bool = True

    def write(self, report: Report) -> str:
        """The report; a line of code or a command to copy may be longer than the terminal is wide."""
        lines = [self._styled(fitted(visible(report.title), self.size), "strong"), ""] if report.title else []
        for section in report.sections:
            if section.title:
                lines.append(self._styled(fitted(visible(section.title), self.size), "head"))
            for block in section.blocks:
                lines += self._block(block)
            lines.append("")
        return "".join(f"{line}\n" for line in lines)

    def _styled(self, text: str, tone: str) -> str:
        code = STYLES.get(tone) if self.colored and text else None
        return f"\x1b[{code}m{text}\x1b[0m" if code else text

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Table():
                yield from self._table(block)
            case Bullets(items):
                for item in items:
                    first, *more = wrapped(plain.show(item), self.size - GAP)
                    yield f"• {self._styled(first, _tone(item))}"
                    yield from (f"  {self._styled(line, _tone(item))}" for line in more)
            case Code(text, language):
                text = visible(text.rstrip("\n"))
                yield text if language else fitted(text, self.size)
            case Text(text, tone):
                yield self._styled(fitted(visible(text), self.size), tone)

    def _table(self, table: Table) -> Iterator[str]:
        if table.title:
            yield self._styled(fitted(visible(table.title), self.size), "strong")
        heads = tuple(Toned(name, "strong") for name in table.columns)
        rows: list[tuple[Cell, ...]] = [heads, *table.rows]
        texts = [[plain.show(row[i]) for row in rows] for i in range(len(heads))]
        right = [plain.is_numeric(table, i) for i in range(len(heads))]
        found = arranged(texts, [i for i, name in enumerate(table.columns) if name in table.minor], self.size)
        for n, part in enumerate(found.parts):
            if n:
                yield ""
            for i, row in enumerate(rows):
                yield from self._row([PlacedCell(texts[c][i], _tone(row[c]), size, right[c]) for c, size in part])
        if table.note:
            yield self._styled(fitted(visible(table.note), self.size), "muted")
        if found.left_out:
            names = ", ".join(visible(table.columns[i]) for i in found.left_out)
            yield self._styled(fitted(f"Not shown in a terminal this narrow: {names}.", self.size), "muted")

    def _row(self, row: list[PlacedCell]) -> Iterator[str]:
        """The lines of a row; each cell is wrapped in its column."""
        for line in zip_longest(*(wrapped(piece.text, piece.size) for piece in row), fillvalue=""):
            cells = (self._cell(text, piece) for text, piece in zip(line, row, strict=True))
            yield (" " * GAP).join(cells).rstrip()

    def _cell(self, text: str, piece: PlacedCell) -> str:
        fill, shown = " " * (piece.size - width(text)), self._styled(text, piece.tone)
        return fill + shown if piece.right else shown + fill


def _tone(cell: Cell) -> str:
    return cell.tone if isinstance(cell, Toned) else "muted" if cell == 0 and not isinstance(cell, bool) else "plain"
