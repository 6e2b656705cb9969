"""The neutral answer that every analysis returns and every writer understands.

A report holds the same content twice: `sections` for people, `data` for machines. It knows no medium.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Tone = Literal["plain", "good", "warn", "bad", "muted", "strong"]


@dataclass(frozen=True, slots=True)
class Toned:
    """A text with a tone, which a terminal shows as a colour and other media ignore."""

    text: str
    tone: Tone = "plain"

    def __str__(self) -> str:
        return self.text


Cell = str | int | float | Toned | None


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns and rows of cells; `None` is an empty cell. Numbers are set to the right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str | None = None
    note: str | None = None

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        rows: Sequence[Sequence[Cell]],
        *,
        title: str | None = None,
        note: str | None = None,
    ) -> "Table":
        """Build a table from any sequences."""
        return cls(tuple(columns), tuple(tuple(row) for row in rows), title, note)


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str
    tone: Tone = "plain"


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

    `rows` is what the CSV writer prints; without it, the first table of the sections is taken.
    `findings` holds findings in their JSON form, for the answers that carry some.
    """

    schema: str
    data: Mapping[str, object]
    sections: tuple[Section, ...] = ()
    title: str | None = None
    rows: Table | None = None
    findings: tuple[Mapping[str, object], ...] | None = field(default=None)

    def table(self) -> Table | None:
        """The table that stands for the whole report in CSV."""
        if self.rows is not None:
            return self.rows
        blocks = (block for section in self.sections for block in section.blocks)
        return next((block for block in blocks if isinstance(block, Table)), None)
