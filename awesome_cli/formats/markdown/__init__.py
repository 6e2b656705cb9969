"""Markdown: import reading lists as people publish them on GitHub.

`- [On Tea](https://arxiv.org/abs/2402.01680) *Ada Bean et al.* ICML 2024` becomes a draft with title, authors, venue,
year, arXiv id, and the headings above it. A paper under several headings is one draft. Entries that are not papers, and
papers without a title, are reported.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from awesome_cli.formats import ImportFormat, ReadingOptions, rows
from awesome_cli.formats.markdown.entries import ListedWork, ListEntry, works
from awesome_cli.formats.markdown.links import is_web
from awesome_cli.formats.markdown.lists import sorted_page
from awesome_cli.formats.markdown.page import parts_of
from awesome_cli.formats.reading import ENTRY
from awesome_cli.formats.rows import plain_name
from awesome_cli.model.drafts import Batch, Draft, Failure, filled, link
from awesome_cli.model.identifiers import says
from awesome_cli.text.known import without_middle
from awesome_cli.text.numbers import counted

OTHER = re.compile(r"[{@]|\[\s*[\[\]{\"\d-]")
"""The start of JSON or BibTeX."""
LIST_LINK = re.compile(r"^[ \t]*(?:[-*+|]|\d+\.)[^\n]*\]\(https?:", re.MULTILINE)
"""A line of a list or table that contains a link."""
HEADING = re.compile(r"^(?:#{1,6} |<h[1-6])", re.MULTILINE)
FILE = "file"
"""Name under `extra` of the relative path of a PDF."""
LINKED = re.compile(r"\]\(https?:|href=")


def read(text: str, name: str, options: ReadingOptions) -> Batch:
    """Read the papers of a page; with `--entries`, also works without a link (as candidates), or all entries."""
    page = sorted_page(parts_of(text))
    further = {"papers": [], "unlinked": [*page.unlinked.values()], "all": page.other_entries}
    papers, chosen = works(page.entries), _works(page.entries, further[options.entries])
    sizes = {which: len(_works(page.entries, entries)) for which, entries in further.items() if entries}
    n = {which: size - len(papers) for which, size in sizes.items() if which != options.entries}
    if options.entries != "all":
        for entry in page.other_entries:
            page.leave(entry)
    drafts = tuple(_draft(work, name, options) for work in chosen)
    linked = {anchor.url for work in chosen for anchor in work.entry.links}
    left: dict[int, Failure] = {}
    for anchor, why in page.left:
        if anchor.url not in linked:
            message = f"{without_middle(anchor.text or anchor.url)}: {why}"
            left.setdefault(anchor.line, Failure(f"{name}:{anchor.line}", message))
    if options.entries != "unlinked":
        unlinked = {line: Failure(f"{name}:{line}", f"{e.title}: {UNLINKED}") for line, e in page.unlinked.items()}
        left = unlinked | left
    columns = dict.fromkeys(column for work in chosen for column in work.entry.columns)
    untitled = ((entry.line, entry.papers[0].url) for entry in page.failed)
    failures = tuple(
        Failure(f"{name}:{line}", f"a paper without a title ({url}); add it by its URL with 'awesome add'")
        for line, url in untitled
        if url not in linked
    )
    if not drafts and (whole := _empty(n)):
        failures = (*failures, Failure(name, f"contains no papers; {whole}"))
    left_out = tuple(left[n] for n in sorted(left))
    return Batch(drafts, failures, tuple(columns), left_out=left_out, others=n, title=page.sections.title)


UNLINKED = "has no link"


def _works(entries: Sequence[ListEntry], further: Sequence[ListEntry]) -> list[ListedWork]:
    return works(sorted([*entries, *further], key=lambda entry: entry.line))


def _empty(n: Mapping[str, int]) -> str:
    """Return the number of entries of a page without papers, with the option that adds them."""
    which = "all" if n.get("all") else "unlinked"
    verbs = {"all": "link{} to other resources", "unlinked": "ha{} no link"}
    ending = {"all": ("s", ""), "unlinked": ("s", "ve")}[which][n.get(which) != 1]
    return f"{counted(n[which], 'entry')} {verbs[which].format(ending)}: add --entries {which}" if n.get(which) else ""


def _draft(work: ListedWork, name: str, options: ReadingOptions) -> Draft:
    entry = work.entry
    further = [anchor for anchor in entry.links if not says(work.ids, [anchor.url])]
    links = [link(anchor.label, anchor.url) for anchor in further if is_web(anchor.url)]
    values: dict[str, Any] = {
        "key": entry.nickname.replace(" ", "-"),
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
    # In lists, a column such as `Key` or `ID` does not contain citation keys.
    others = {n: row.pop(n) for n in entry.columns if plain_name(n) in rows.FIELDS["key"] and n not in options.columns}
    made = rows.draft(row, f"{name}:{entry.line}", options)
    fields = filled({**made.fields, "extra": {**made.fields.get("extra", {}), **others}})
    is_candidate = not entry.links and entry.is_unlinked
    return replace(made, fields=fields, headings=tuple(work.paths), kind="candidate" if is_candidate else made.kind)


FENCED = re.compile(r"^ {0,3}(```|~~~).*?^ {0,3}\1", re.MULTILINE | re.DOTALL)


def _is_list(start: str) -> bool:
    """True if a list, a table or text below a heading contains a link, before any BibTeX entry that is not fenced."""
    start = FENCED.sub("", start)
    entry = re.search(ENTRY, start, re.MULTILINE)
    head = start[: entry.start()] if entry else start
    if OTHER.match(head):
        return False
    heading = HEADING.search(head)
    return bool(LIST_LINK.search(head) or (heading and LINKED.search(head, heading.end())))


IMPORT = ImportFormat(("md", "markdown"), _is_list, read, by_name=True)
