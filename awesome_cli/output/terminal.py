"""Colours and ruled tables for a person at a terminal. The only home of rich."""

import io

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table as RichTable
from rich.text import Text as RichText

from awesome_cli.output import plain
from awesome_cli.reports.report import Block, Bullets, Cell, Code, Report, Table, Text, Toned
from awesome_cli.text.inert import visible

PAGE_WIDTH = 80
STYLES = {"plain": "", "good": "green", "warn": "yellow", "bad": "bold red", "muted": "dim", "strong": "bold"}


def write(report: Report) -> str:
    """The report with colours; the width is the terminal's."""
    # Whether to colour was decided by the caller; rich must not decide again from the environment.
    console = Console(file=io.StringIO(), force_terminal=True, no_color=False, highlight=False)
    if report.title:
        console.print(_styled(report.title, "bold"), soft_wrap=True)
        console.print()
    for section in report.sections:
        if section.title:
            console.print(_styled(section.title, "bold cyan"))
        for block in section.blocks:
            _print(console, block)
        console.print()
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def write_markdown(text: str) -> str:
    """A page in Markdown, laid out in at most 80 columns."""
    console = Console(file=io.StringIO(), force_terminal=True, no_color=False, highlight=False)
    console.print(Markdown(visible(text), hyperlinks=False), width=min(console.width, PAGE_WIDTH))
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def _styled(text: str, style: str = "") -> RichText:
    """A text of which only the style acts on a terminal."""
    return RichText(visible(text), style=style)


def _print(console: Console, block: Block) -> None:
    match block:
        case Table():
            console.print(_table(block))
            if block.note:
                console.print(_styled(block.note, "dim"))
        case Bullets(items):
            for item in items:
                console.print(RichText("• ").append_text(_cell(item)), soft_wrap=True)
        case Code(text):
            console.print(_styled(text), soft_wrap=True)
        case Text(text, tone):
            console.print(_styled(text, STYLES[tone]), soft_wrap=True)


def _table(block: Table) -> RichTable:
    table = RichTable(
        title=_styled(block.title or "", "bold") if block.title else None,
        title_justify="left",
        box=None,
        header_style="bold",
        pad_edge=False,
    )
    for i, column in enumerate(block.columns):
        table.add_column(_styled(column), justify="right" if plain.is_numeric(block, i) else "left", overflow="fold")
    for row in block.rows:
        table.add_row(*(_cell(cell) for cell in row))
    return table


def _cell(cell: Cell) -> RichText:
    tone = cell.tone if isinstance(cell, Toned) else "muted" if cell == 0 else "plain"
    return RichText(plain.show(cell), style=STYLES[tone])
