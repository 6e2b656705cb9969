"""Colours and ruled tables for a person at a terminal. The only home of rich."""

from typing import TextIO

from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text as RichText

from awesome_cli.output import plain
from awesome_cli.reports.report import Block, Bullets, Cell, Code, Report, Table, Text, Toned
from awesome_cli.text.markup import visible

STYLES = {"plain": "", "good": "green", "warn": "yellow", "bad": "bold red", "muted": "dim", "strong": "bold"}


def write(report: Report, stream: TextIO) -> None:
    """Print the report with colours; the width is the terminal's."""
    # Whether to colour was decided by the caller; rich must not decide again from the environment.
    console = Console(file=stream, force_terminal=True, no_color=False, highlight=False)
    if report.title:
        console.print(RichText(report.title, style="bold"), soft_wrap=True)
        console.print()
    for section in report.sections:
        if section.title:
            console.print(f"[bold cyan]{escape(section.title)}[/]")
        for block in section.blocks:
            _print(console, block)
        console.print()


def _print(console: Console, block: Block) -> None:
    match block:
        case Table():
            console.print(_table(block))
            if block.note:
                console.print(RichText(block.note, style="dim"))
        case Bullets(items):
            for item in items:
                console.print(RichText("• ").append_text(_cell(item)), soft_wrap=True)
        case Code(text):
            console.print(RichText(visible(text)), soft_wrap=True)
        case Text(text, tone):
            console.print(RichText(visible(text), style=STYLES[tone]), soft_wrap=True)


def _table(block: Table) -> RichTable:
    table = RichTable(
        title=block.title, title_justify="left", title_style="bold", box=None, header_style="bold", pad_edge=False
    )
    for i, column in enumerate(block.columns):
        table.add_column(column, justify="right" if plain.is_numeric(block, i) else "left", overflow="fold")
    for row in block.rows:
        table.add_row(*(_cell(cell) for cell in row))
    return table


def _cell(cell: Cell) -> RichText:
    tone = cell.tone if isinstance(cell, Toned) else "muted" if cell == 0 else "plain"
    return RichText(plain.show(cell), style=STYLES[tone])
