"""The report that every analysis returns and every output format writes.

A report contains its content twice: `sections` for people, `data` for programs.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from awesome_cli.text.inert import visible
from awesome_cli.text.numbers import short

Tone = Literal["plain", "good", "warn", "bad", "note", "muted", "strong"]


@dataclass(frozen=True, slots=True)
class Toned:
    """A text with a tone; terminals show the tone as a colour, other formats ignore it."""

    text: str
    tone: Tone = "plain"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Linked(Toned):
    """A text with a URL: a link in Markdown, `text, URL` in other formats."""

    url: str | None = None

    def __str__(self) -> str:
        return f"{self.text}, {self.url}" if self.url else self.text


Cell = str | int | float | Toned | tuple[str, ...] | None
"""A bool is shown as `yes` or `no`; a tuple is a list, joined by each format."""


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns and rows of cells; `None` is an empty cell. Numbers are right-aligned.

    A narrow terminal leaves out `minor` columns, the last one first.
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

    def without_empty(self) -> "Table":
        """Return the table without the columns whose cells are all empty."""
        used = [i for i in range(len(self.columns)) if any(row[i] not in (None, "") for row in self.rows)]
        rows = tuple(tuple(row[i] for i in used) for row in self.rows)
        return replace(self, columns=tuple(self.columns[i] for i in used), rows=rows) if used else self

    def records(self) -> list[dict[str, object]]:
        """Return the rows for JSON, by column name in lower case with `_` for blanks."""
        names = [name.lower().replace(" ", "_") for name in self.columns]
        return [dict(zip(names, (machine_value(cell) for cell in row), strict=True)) for row in self.rows]

    def is_numeric(self, column: int) -> bool:
        """Return True if every cell of the column that is not empty is a number."""
        values = [row[column] for row in self.rows if row[column] is not None]
        return bool(values) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)

    @classmethod
    def stacked(cls, tables: Iterable["Table"]) -> "Table":
        """Concatenate tables; the column `table` contains their titles, missing columns are empty."""
        tables = tuple(tables)
        columns = list(dict.fromkeys(name for table in tables for name in table.columns))
        cells = [(table.title, dict(zip(table.columns, row, strict=True))) for table in tables for row in table.rows]
        return cls.of(("table", *columns), [(title, *map(row.get, columns)) for title, row in cells])


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph. Its tone applies to the first occurrence of `toned`, or to the whole text if `toned` is empty."""

    text: str
    tone: Tone = "plain"
    toned: str = ""


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of one-line items."""

    items: tuple[Toned | str, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Preformatted text: a file, a diff, a diagram."""

    text: str
    language: str = ""


Block = Table | Text | Bullets | Code


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under an optional heading; `folded` is the command that shows them where they are collapsed."""

    title: str | None
    blocks: tuple[Block, ...]
    folded: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """A report: `schema` names the JSON contract (`awesome/<name>/<version>`), `data` is its content.

    `rows` is the content of the CSV, by default all sections; several tables are concatenated. `findings` contains
    findings in their JSON form.
    """

    schema: str
    data: Mapping[str, object]
    sections: tuple[Section, ...] = ()
    title: str | None = None
    rows: Table | tuple[Table, ...] | None = None
    findings: tuple[Mapping[str, object], ...] | None = field(default=None)

    def followed_by(self, other: "Report") -> "Report":
        """Append another report; if both have a field in `data`, this one's is kept."""
        rows = (*self.tables(), *other.tables())
        return replace(self, data={**other.data, **self.data}, sections=(*self.sections, *other.sections), rows=rows)

    def table(self) -> Table:
        """Return the CSV of the report as one table."""
        return self.rows if isinstance(self.rows, Table) else Table.stacked(self.tables())

    def tables(self) -> tuple[Table, ...]:
        """Return the tables that the report's CSV output contains."""
        if isinstance(self.rows, Table):
            return (self.rows,)
        return as_tables(self.sections, self.title) if self.rows is None else self.rows


def with_sections(report: Report) -> Report:
    """Copy the sections of a text page to its `data`."""
    tables = as_tables(report.sections, report.title)
    sections = [{"title": table.title, "rows": table.records()} for table in tables]
    return replace(report, data={**report.data, "sections": sections})


def as_tables(sections: Sequence[Section], title: str | None = None) -> tuple[Table, ...]:
    """Convert each block to a table, titled by its section (by default `title`) and its own title."""
    return tuple(_as_table(block, section.title or title) for section in sections for block in section.blocks)


def _as_table(block: Block, section: str | None) -> Table:
    """Convert a block to a table; other blocks than tables get a column `text`."""
    if not isinstance(block, Table):
        block = Table.of(
            ("text",), [(item,) for item in (block.items if isinstance(block, Bullets) else (block.text,))]
        )
    titles = filter(None, (section, block.title))
    return replace(block, title=": ".join(re.sub(r" \(\d+\)$", "", title) for title in titles))


def cell_text(cell: Cell) -> str:
    """Write a cell on one line."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return short(cell)
    if isinstance(cell, tuple):
        cell = ", ".join(cell)
    return visible(str(cell).replace("\n", " ").replace("\t", " "))


def machine_value(cell: Cell) -> object:
    """Convert a cell to a JSON value."""
    return list(cell) if isinstance(cell, tuple) else str(cell) if isinstance(cell, Toned) else cell


@dataclass(frozen=True, slots=True)
class Line:
    """A text that wraps to the width of the terminal; `marks` are `(start, end)` of highlighted words.

    With `cut` it is not wrapped, but truncated with `…`.
    """

    text: str = ""
    tone: Tone = "plain"
    marks: tuple[tuple[int, int], ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True)
class ScreenFrame:
    """A screen with a fixed head and foot, and a scrolling body."""

    head: tuple[Line, ...]
    body: tuple[Line, ...]
    foot: tuple[Line, ...]
