"""A row of a table as an entry: which column holds the title, which ones say something else."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from awesome_cli.formats.columns import FIELDS, plain_name
from awesome_cli.formats.markdown import facts
from awesome_cli.formats.markdown.entries import Entry, joined, understood
from awesome_cli.formats.markdown.links import is_label
from awesome_cli.formats.markdown.pieces import Piece, plain
from awesome_cli.text.folding import spaced

Cells = Mapping[int, list[Piece]]
TITLES = (
    "title",
    "paper",
    "paper_title",
    "papers",
    "article",
    "publication",
    "work",
    "reference",
    "name",
    "论文",
    "标题",
)
NICKNAMES = (
    "method",
    "model",
    "methods",
    "models",
    "approach",
    "benchmark",
    "dataset",
    "framework",
    "system",
    "algorithm",
    "survey",
)
YEARS = frozenset(
    "year date time month published release released publish_date release_date pub_date 年份 时间 日期".split()
)
VENUES = frozenset({*FIELDS["venue"], "venue", "conf", "publication", "pub", "where", "source", "published_in", "会议"})
AUTHORS = frozenset({*FIELDS["authors"], "first_author", "作者"})
LINKS = frozenset(
    "link links url code github repo repository project page project_page website homepage demo pdf arxiv paper_link paper_url "
    "resources resource dataset data video code_link model weights 代码 链接".split()
)
SAYING = frozenset(
    "description summary tl_dr tldr key_idea contribution contributions note notes comment comments abstract".split()
)
PAPERS = frozenset("title paper papers paper_title article publication 论文 标题".split())


def title_column(names: Sequence[str], rows: Sequence[Cells]) -> int | None:
    """The number of the column that holds titles; None for a table without one."""
    plain_names = {n: plain_name(name) for n, name in enumerate(names, 1)}
    ranked = [n for wanted in (*TITLES, *NICKNAMES) for n, name in plain_names.items() if _is_named(name, wanted)]
    for n in ranked:
        cells = [understood(row[n]) for row in rows if n in row]
        if cells and sum(bool(cell.title) for cell in cells) * 2 >= len(cells):
            return n
    return None


def _is_named(name: str, wanted: str) -> bool:
    return name == wanted or (
        wanted in {"title", "paper"} and bool(re.search(rf"(?:^|_){wanted}s?(?:_|$)", name)) and "link" not in name
    )


def is_of_papers(names: Sequence[str], column: int) -> bool:
    """Whether the header says that the rows are papers."""
    known = {plain_name(name) for name in names}
    return bool({plain_name(names[column - 1]), *known} & PAPERS) or "paper" in plain_name(names[column - 1])


def row_entry(names: Sequence[str], row: Cells, column: int, path: tuple[str, ...]) -> Entry:
    """A row as an entry."""
    entry = understood(row.get(column, []), path)
    line = min((piece.line for cell in row.values() for piece in cell), default=0)
    others: dict[str, str] = {}
    for n, cell in row.items():
        if n != column:
            name = names[n - 1] if n <= len(names) else f"column {n}"
            entry, kept = _with_cell(entry, plain_name(name), cell)
            others |= {name: kept} if name and kept else {}
    return replace(entry, line=line or entry.line, columns=others, begins=True)


def _with_cell(entry: Entry, name: str, cell: Sequence[Piece]) -> tuple[Entry, str]:
    """The entry with what a cell says, and what of the cell has no field."""
    text = plain(cell)
    part = understood(cell)
    links = replace(Entry(0), links=tuple(replace(a, is_label=True) if name in LINKS else a for a in part.links))
    if name in {"paper", "pdf", "arxiv", "paper_link", "paper_url", "link", "论文"}:
        links = replace(
            links,
            links=tuple(
                replace(a, text="Paper", is_label=True) if a.sort in {"paper", "page"} and name != "link" else a
                for a in links.links
            ),
        )
    entry = joined(entry, links)
    if not any(c.isalnum() for c in text):
        return entry, ""
    if name in YEARS:
        return replace(entry, year=facts.year_in(text) or entry.year, venue=entry.venue or facts.venue_of(text)[0]), ""
    if name in VENUES:
        venue, year = facts.venue_of(text)
        shown = text if len(text.split()) < 12 else venue
        bare = re.sub(rf"[\s,:'’]*\(?{facts.YEAR}\)?$|\s*['’]\s?\d\d$", "", shown).strip()
        name = "arXiv" if bare.casefold() == "arxiv" else bare
        return replace(entry, venue=name or entry.venue, year=entry.year or year), ""
    if name in AUTHORS:
        return replace(entry, authors=text), ""
    if is_label(text) or facts.DATE.fullmatch(text):
        return replace(entry, year=entry.year or facts.year_in(text)), ""
    if name in LINKS or (
        part.links and all(spaced(a.text) == "" or a.is_label for a in part.links) and len(text.split()) < 4
    ):
        return entry, ""
    if name in SAYING and not entry.summary:
        return replace(entry, summary=text), ""
    return entry, "" if name in {"", "id", "no", "index", "stars", "star", "recom"} else text
