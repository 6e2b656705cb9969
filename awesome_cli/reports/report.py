"""The neutral answer that every analysis returns and every writer understands.

A report holds the same content twice: `sections` for people, `data` for machines. It knows no medium.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

Tone = Literal["plain", "good", "warn", "bad", "note", "muted", "strong"]


@dataclass(frozen=True, slots=True)
class Toned:
    """A text with a tone, which a terminal shows as a colour and other media ignore."""

    text: str
    tone: Tone = "plain"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Linked(Toned):
    """A text that is about a page: Markdown makes a link of it, other media write the address behind it."""

    url: str | None = None

    def __str__(self) -> str:
        return f"{self.text}, {self.url}" if self.url else self.text


Cell = str | int | float | Toned | tuple[str, ...] | None
"""A bool is `yes` or `no` for people; a tuple is a list, which every medium joins in its own way."""


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns and rows of cells; `None` is an empty cell. Numbers are set to the right.

    The `minor` columns are those that a narrow terminal leaves out, from the last one on.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str | None = None
    note: str | None = None
    minor: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        rows: Sequence[Sequence[Cell]],
        *,
        title: str | None = None,
        note: str | None = None,
        minor: Sequence[str] = (),
    ) -> "Table":
        """Build a table from any sequences."""
        return cls(tuple(columns), tuple(tuple(row) for row in rows), title, note, tuple(minor))

    def records(self) -> list[dict[str, object]]:
        """The rows for JSON: by the names of the columns, in small letters and with `_` for a blank."""
        names = [name.lower().replace(" ", "_") for name in self.columns]
        return [dict(zip(names, (machine_value(cell) for cell in row), strict=True)) for row in self.rows]

    @classmethod
    def stacked(cls, tables: Iterable["Table"]) -> "Table":
        """Tables under each other: the column `table` has their titles, a column of one is empty in the others."""
        tables = tuple(tables)
        columns = list(dict.fromkeys(name for table in tables for name in table.columns))
        cells = [(table.title, dict(zip(table.columns, row, strict=True))) for table in tables for row in table.rows]
        return cls.of(("table", *columns), [(title, *map(row.get, columns)) for title, row in cells])


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; its tone is that of the first place of `toned` in it, or of all of it without that."""

    text: str
    tone: Tone = "plain"
    toned: str = ""


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of one-line items."""

    items: tuple[Toned | str, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Text that is shown as it is: a file, a diff, a diagram."""

    text: str
    language: str = ""


Block = Table | Text | Bullets | Code


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under an optional heading."""

    title: str | None
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """An answer: `schema` names the JSON contract (`awesome/<name>/<version>`), `data` is its content.

    `rows` is what the CSV writer prints, several tables under each other; without it, all that the sections say.
    `findings` holds findings in their JSON form, for the answers that carry some.
    """

    schema: str
    data: Mapping[str, object]
    sections: tuple[Section, ...] = ()
    title: str | None = None
    rows: Table | tuple[Table, ...] | None = None
    findings: tuple[Mapping[str, object], ...] | None = field(default=None)

    def followed_by(self, other: "Report") -> "Report":
        """The answer with another one below it; where both have a field, it is that of this one."""
        rows = (*self.tables(), *other.tables())
        return replace(self, data={**other.data, **self.data}, sections=(*self.sections, *other.sections), rows=rows)

    def table(self) -> Table:
        """The table that stands for the whole report in CSV."""
        return self.rows if isinstance(self.rows, Table) else Table.stacked(self.tables())

    def tables(self) -> tuple[Table, ...]:
        """The tables of the CSV."""
        if isinstance(self.rows, Table):
            return (self.rows,)
        return as_tables(self.sections, self.title) if self.rows is None else self.rows


def with_sections(report: Report) -> Report:
    """The report with its sections in its data, for a page of texts that has no data of its own for each of them."""
    tables = as_tables(report.sections, report.title)
    sections = [{"title": table.title, "rows": table.records()} for table in tables]
    return replace(report, data={**report.data, "sections": sections})


def as_tables(sections: Sequence[Section], title: str | None = None) -> tuple[Table, ...]:
    """Each block as a table with the title of its section, by default `title`, and its own."""
    return tuple(_titled(block, section.title or title) for section in sections for block in section.blocks)


def _titled(block: Block, section: str | None) -> Table:
    titles = [section, block.title if isinstance(block, Table) else None]
    return replace(as_table(block), title=": ".join(re.sub(r" \(\d+\)$", "", title) for title in titles if title))


def as_table(block: Block) -> Table:
    """A block as a table, with a column `text` if it is none."""
    match block:
        case Table():
            return block
        case Bullets(items):
            return Table.of(("text",), [(item,) for item in items])
        case Text(text) | Code(text):
            return Table.of(("text",), [(text,)])


def machine_value(cell: Cell) -> object:
    """A cell as JSON has it."""
    match cell:
        case Toned():
            return str(cell)
        case tuple():
            return list(cell)
    return cell


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
