"""Tables: which row names the columns, and which rows are papers."""

from collections.abc import Sequence

from awesome_cli.formats.markdown import tables
from awesome_cli.formats.markdown.division import several
from awesome_cli.formats.markdown.entries import ListEntry
from awesome_cli.formats.markdown.links import sort_of
from awesome_cli.formats.markdown.listing import SortedPage
from awesome_cli.formats.markdown.page import Part
from awesome_cli.formats.markdown.pieces import BREAK, Fragment, plain


def read_table(page: SortedPage, parts: Sequence[Part]) -> None:
    """The rows of a table; the first one names the columns if it says so, or has no links."""
    page.settle()
    rows: dict[int, dict[int, list[Fragment]]] = {}
    for part in parts:
        if part.cell:
            cell = rows.setdefault(part.cell[1], {}).setdefault(part.cell[2], [])
            cell += [*([Fragment(BREAK, part.line)] if cell else []), *part.pieces]
    heads = {part.cell[1] for part in parts if part.cell and part.head}
    first = min(rows)
    body = [row for number, row in rows.items() if number not in heads]
    header = rows[first] if first in heads else {}
    names = [plain(header.get(n, [])) for n in range(1, max((*header, 0)) + 1)]
    column = tables.title_column(names, body)
    for row in body:
        _row(page, names, row, column)


def _row(page: SortedPage, names: Sequence[str], row: dict[int, list[Fragment]], column: int | None) -> None:
    if column is None:
        for cell in row.values():
            for entry in several(cell, page.sections.path):
                page.take(entry) if entry.is_work and entry.begins and page.sections.below else page.pass_over(entry)
        return
    entry = tables.row_entry(names, row, column, page.sections.path)
    stands_alone = entry.main is not None or (entry.says and not entry.links)
    named = entry.title and tables.is_of_papers(names, column) and stands_alone and _is_known(entry)
    if named or entry.papers:
        page.take(entry)
    else:
        page.pass_over(entry)


def _is_known(entry: ListEntry) -> bool:
    """Whether the link of a title in a column of papers may lead to it: any but one to a video."""
    return entry.main is None or sort_of(entry.main.url) != "video"
