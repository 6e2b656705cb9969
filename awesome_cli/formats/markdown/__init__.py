"""Markdown: import reading lists as people publish them on GitHub.

`- [On Tea](https://arxiv.org/abs/2402.01680) *Ada Bean et al.* ICML 2024` becomes a draft with title, authors, venue,
year, arXiv id, and the headings above it. A paper under several headings is one draft. Entries that are not papers, and
papers without a title, are reported.
"""

import re
from dataclasses import replace
from typing import Any

from awesome_cli.formats import ImportFormat, ReadingOptions, rows
from awesome_cli.formats.markdown.entries import ListedWork, works
from awesome_cli.formats.markdown.links import is_web
from awesome_cli.formats.markdown.lists import sorted_page
from awesome_cli.formats.markdown.page import parts_of
from awesome_cli.formats.reading import ENTRY
from awesome_cli.model.drafts import Batch, Draft, Failure, link
from awesome_cli.model.identifiers import says
from awesome_cli.text.known import without_middle

OTHER = re.compile(r"[{@]|\[\s*[\[\]{\"\d-]")
"""The start of JSON or BibTeX."""
LIST_LINK = re.compile(r"^[ \t]*(?:[-*+|]|\d+\.)[^\n]*\]\(https?:", re.MULTILINE)
"""A line of a list or table that contains a link."""
HEADING = re.compile(r"^(?:#{1,6} |<h[1-6])", re.MULTILINE)
FILE = "file"
"""Name under `extra` of the relative path of a PDF."""
LINKED = re.compile(r"\]\(https?:|href=")


def read(text: str, name: str, options: ReadingOptions) -> Batch:
    """Read the papers of a page or, with `--entries all`, all entries of its lists."""
    page = sorted_page(parts_of(text))
    chosen = everything = works(sorted([*page.entries, *page.other_entries], key=lambda entry: entry.line))
    if options.entries != "all":
        chosen = works(page.entries)
        for entry in page.other_entries:
            page.leave(entry)
    skipped = len(everything) - len(chosen)
    drafts = tuple(_draft(work, name, options) for work in chosen)
    linked = {anchor.url for work in chosen for anchor in work.entry.links}
    left: dict[int, Failure] = {}
    for anchor, why in page.left:
        if anchor.url not in linked:
            message = f"{without_middle(anchor.text or anchor.url)}: {why}"
            left.setdefault(anchor.line, Failure(f"{name}:{anchor.line}", message))
    columns = dict.fromkeys(column for work in chosen for column in work.entry.columns)
    untitled = ((entry.line, entry.papers[0].url) for entry in page.failed)
    failures = tuple(
        Failure(f"{name}:{line}", f"a paper without a title ({url}); add it by its URL with 'awesome add'")
        for line, url in untitled
        if url not in linked
    )
    if skipped and not drafts:
        n = f"{skipped:,} entries link" if skipped > 1 else "1 entry links"
        failures = (*failures, Failure(name, f"contains no papers; {n} to other resources: add --entries all"))
    left_out = tuple(left[n] for n in sorted(left))
    return Batch(drafts, failures, tuple(columns), left_out=left_out, others=skipped, title=page.sections.title)


def _draft(work: ListedWork, name: str, options: ReadingOptions) -> Draft:
    entry = work.entry
    further = [anchor for anchor in entry.links if not says(work.ids, [anchor.url])]
    links = [link(anchor.label, anchor.url) for anchor in further if is_web(anchor.url)]
    values: dict[str, Any] = {
        "title": entry.title,
        "authors": entry.authors,
        "year": str(entry.year or ""),
        "venue": entry.venue,
        "summary": entry.summary,
        "keywords": list(entry.keywords),
        "links": links,
        FILE: next((anchor.url for anchor in further if not is_web(anchor.url)), ""),
        **{scheme: str(value) for scheme, value in work.ids.items()},
    }
    row = {**entry.columns, **{field: value for field, value in values.items() if value}}
    return replace(rows.draft(row, f"{name}:{entry.line}", options), headings=tuple(work.paths))


def _is_list(start: str) -> bool:
    """True if a list, a table or text below a heading contains a link, before any BibTeX entry."""
    entry = re.search(ENTRY, start, re.MULTILINE)
    head = start[: entry.start()] if entry else start
    if OTHER.match(head):
        return False
    heading = HEADING.search(head)
    return bool(LIST_LINK.search(head) or (heading and LINKED.search(head, heading.end())))


IMPORT = ImportFormat(("md", "markdown"), _is_list, read, by_name=True)
