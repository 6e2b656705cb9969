"""Markdown: a list of papers as people keep it on GitHub, read as it stands.

Headings above an entry are kept with it; a paper under several of them is one. What is read and is no paper is left
out and named, as is an entry that links to a paper and gives no title.
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
"""How a text begins that is JSON or BibTeX."""
LISTED = re.compile(r"^[ \t]*(?:[-*+|]|\d+\.)[^\n]*\]\(https?:", re.MULTILINE)
"""A line of a list or table that holds a link."""
HEADING = re.compile(r"^(?:#{1,6} |<h[1-6])", re.MULTILINE)
FILE = "file"
"""Under this name a record keeps where a PDF lies beside the page."""
LINKED = re.compile(r"\]\(https?:|href=")


def read(text: str, name: str, options: ReadingOptions) -> Batch:
    """The papers of a page, or all entries of its lists."""
    page = sorted_page(parts_of(text))
    found = everything = works(sorted([*page.entries, *page.others], key=lambda entry: entry.line))
    if options.entries != "all":
        found = works(page.entries)
        for entry in page.others:
            page.leave(entry)
    others = len(everything) - len(found)
    drafts = tuple(_draft(work, name, options) for work in found)
    kept = {anchor.url for work in found for anchor in work.entry.links}
    left: dict[int, Failure] = {}
    for anchor, why in page.left:
        if anchor.url not in kept:
            said = f"{without_middle(anchor.text or anchor.url)}: {why}"
            left.setdefault(anchor.line, Failure(f"{name}:{anchor.line}", said))
    columns = dict.fromkeys(column for work in found for column in work.entry.columns)
    untitled = ((entry.line, entry.papers[0].url) for entry in page.failed)
    failures = tuple(
        Failure(f"{name}:{line}", f"a paper without a title ({url}); 'awesome add' takes it in by its address")
        for line, url in untitled
        if url not in kept
    )
    if others and not drafts:
        n = f"{others:,} entries lead" if others > 1 else "1 entry leads"
        failures = (*failures, Failure(name, f"holds no papers; {n} to other things: add --entries all"))
    left_out = tuple(left[n] for n in sorted(left))
    return Batch(drafts, failures, tuple(columns), left_out=left_out, others=others, title=page.sections.title)


def _draft(work: ListedWork, name: str, options: ReadingOptions) -> Draft:
    entry = work.entry
    others = [anchor for anchor in entry.links if not says(work.ids, [anchor.url])]
    links = [link(anchor.label, anchor.url) for anchor in others if is_web(anchor.url)]
    said: dict[str, Any] = {
        "title": entry.title,
        "authors": entry.authors,
        "year": str(entry.year or ""),
        "venue": entry.venue,
        "summary": entry.summary,
        "keywords": list(entry.keywords),
        "links": links,
        FILE: next((anchor.url for anchor in others if not is_web(anchor.url)), ""),
        **{scheme: str(value) for scheme, value in work.ids.items()},
    }
    row = {**entry.columns, **{field: value for field, value in said.items() if value}}
    return replace(rows.draft(row, f"{name}:{entry.line}", options), headings=tuple(work.paths))


def _is_list(start: str) -> bool:
    """Whether a link stands in a list, a table or below a heading, before any entry of BibTeX."""
    entry = re.search(ENTRY, start, re.MULTILINE)
    head = start[: entry.start()] if entry else start
    if OTHER.match(head):
        return False
    heading = HEADING.search(head)
    return bool(LISTED.search(head) or (heading and LINKED.search(head, heading.end())))


IMPORT = ImportFormat(("md", "markdown"), _is_list, read, by_name=True)
