"""BibTeX and BibLaTeX, with bibtexparser.

Reading drops nothing: strings are expanded, fields inherited from `crossref` and `xdata`, repeated and empty keys kept
with a warning, LaTeX becomes Unicode, and what cannot be read is named with its line. What is written is safe for
LaTeX, with capitals protected and stable keys.
"""

import re

from awesome_cli.formats import ExportFormat, ImportFormat
from awesome_cli.formats.bibtex.drafts import draft
from awesome_cli.formats.bibtex.reading import BibEntry, Strings, Unread, inherit, split
from awesome_cli.formats.bibtex.writing import KEEPS, changes, citation_keys, keeps_too, write
from awesome_cli.model.drafts import Batch, Draft, Failure

__all__ = ["EXPORT", "IMPORT", "citation_keys", "read", "write"]
START = re.compile(r"^[ \t]*@\w+\s*[{(]", re.MULTILINE)


def read(text: str, name: str, _options: object = None) -> Batch:
    """The entries of a BibTeX text; `name` is that of the file (`refs.bib`), which places begin with."""
    entries: list[BibEntry] = []
    failures: list[Failure] = []
    strings = Strings(text)
    for found in split(text, strings):
        if isinstance(found, Unread):
            failures.append(Failure(f"{name}:{found.line}", found.reason, found.key))
        else:
            entries.append(found)
    waiting = inherit(entries, strings)[::-1]
    entries.clear()  # An entry is let go when its draft is made.
    drafts: list[Draft] = []
    while waiting:
        entry = waiting.pop()
        drafts.append(draft(entry, f"{name}:{entry.line}"))
    return Batch(tuple(drafts), tuple(failures))


EXPORT = ExportFormat("papers.bib", "BibTeX, for LaTeX and reference managers", write, KEEPS, keeps_too, changes)
IMPORT = ImportFormat(("bib", "bibtex"), lambda start: bool(START.search(start)), read)
