"""A page part by part: headings, paragraphs, lists and tables, each sorted into what is a paper and what is none."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from awesome_cli.formats.markdown.division import divided, is_bold_line
from awesome_cli.formats.markdown.entries import ListEntry, joined, understood
from awesome_cli.formats.markdown.items import read_list
from awesome_cli.formats.markdown.listing import SortedPage
from awesome_cli.formats.markdown.page import Part
from awesome_cli.formats.markdown.pieces import plain
from awesome_cli.formats.markdown.sections import SILENT, heading_text
from awesome_cli.formats.markdown.tables import read_table
from awesome_cli.text.folding import spaced


def sorted_page(parts: Sequence[Part]) -> SortedPage:
    """All parts of a page, sorted."""
    page = SortedPage()
    groups = [(key, list(group)) for key, group in groupby(parts, key=_group)]
    for n, (key, group) in enumerate(groups):
        following = groups[n + 1][0][0] if n + 1 < len(groups) else ""
        if key[0] == "table":
            read_table(page, group)
        elif key[0] == "list":
            read_list(page, group)
        else:
            _texts(page, group, following)
    page.settle()
    return page


def _group(part: Part) -> tuple[str, int]:
    if part.cell:
        return "table", part.cell[0]
    if part.items and part.kind in {"text", "quote"}:
        return "list", 0
    return part.kind, 0


def _texts(page: SortedPage, parts: Sequence[Part], following: str) -> None:
    """Headings and paragraphs."""
    for n, part in enumerate(parts):
        if part.kind == "heading":
            page.settle()
            _heading(page, part)
        elif part.kind == "summary":
            page.settle()
            text = heading_text(part)
            page.sections.enter(10 + part.level, "" if SILENT.fullmatch(spaced(text)) else text)
        elif part.kind == "end":
            page.settle()
            page.sections.leave(10 + part.level)
        elif n == len(parts) - 1 and following in {"list", "table"} and is_bold_line(part):
            page.settle()
            page.sections.enter(9 if not _in_details(page) else 40, heading_text(part))
        else:
            _paragraph(page, part)


def _in_details(page: SortedPage) -> bool:
    return bool(page.sections.stack) and page.sections.stack[-1][0] > 9


def _heading(page: SortedPage, part: Part) -> None:
    entry = understood(part.pieces, page.sections.path)
    page.sections.enter(part.level, heading_text(part))
    if entry.is_work and entry.main and not page.sections.aside:
        page.sections.leave(part.level)
        page.open = replace(entry, path=page.sections.path)
    elif part.level > 1:
        page.leave(replace(entry, links=tuple(a for a in entry.links if not a.is_label)))


def _paragraph(page: SortedPage, part: Part) -> None:
    """A paragraph: an entry, more of the one before it, or prose."""
    sections = page.sections
    for entry in divided([part], sections.path):
        if not sections.below or sections.aside or part.kind == "quote":
            page.settle()
            if sections.below:
                page.leave(entry, f"stands under {sections.aside!r}" if sections.aside else "")
        elif page.open and _goes_on(page.open, entry):
            page.open = joined(page.open, replace(entry, title=""))
        else:
            page.settle()
            _begin(page, entry, part)


def _goes_on(waiting: ListEntry, entry: ListEntry) -> bool:
    """Whether a text belongs to the entry before it: it names no work of its own, and only one of them has papers."""
    is_own = entry.main or (entry.title and entry.authors and entry.links and waiting.is_work)
    return not (is_own or (entry.papers and (waiting.papers or entry.title)))


def _begin(page: SortedPage, entry: ListEntry, part: Part) -> None:
    """A text that begins an entry, or is prose."""
    if (entry.is_work and entry.begins and not _is_prose(entry, part)) or _may_wait(entry, part):
        page.open = entry
    elif entry.papers and not entry.title:
        page.take(entry)
    elif entry.main and not _is_prose(entry, part):
        page.pass_over(entry)
    else:
        page.leave(entry)


def _may_wait(entry: ListEntry, part: Part) -> bool:
    """Whether a text may be a title whose links stand in the next one."""
    return bool(entry.title and entry.begins and not entry.links and len(plain(part.pieces).split()) < 40)


def _is_prose(entry: ListEntry, part: Part) -> bool:
    """Whether a text goes on in a sentence behind its link."""
    if entry.main is None:
        return False
    text = plain(part.pieces)
    behind = text[text.find(entry.main.text) + len(entry.main.text) :].lstrip('*_"”)] ')
    return bool(behind[:1].islower())
