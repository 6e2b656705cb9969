"""BibTeX and BibLaTeX, with bibtexparser.

Reading drops nothing: strings are expanded, fields inherited from `crossref` and `xdata`, repeated and empty keys kept
with a warning, LaTeX becomes Unicode, and what cannot be read is named with its line. What is written is safe for
LaTeX, with capitals protected and stable keys.
"""

import re

from awesome_cli.formats import ExportFormat, ImportFormat
from awesome_cli.formats.bibtex.blocks import BibEntry, Unread, split
from awesome_cli.formats.bibtex.drafts import draft
from awesome_cli.formats.bibtex.parents import inherit
from awesome_cli.formats.bibtex.writing import KEEPS, changes, citation_keys, keeps_too, write
from awesome_cli.model.drafts import Batch, Failure

__all__ = ["EXPORT", "IMPORT", "citation_keys", "read", "write"]
START = re.compile(r"^[ \t]*@\w+\s*[{(]", re.MULTILINE)


def read(text: str, name: str, _options: object = None) -> Batch:
    """The entries of a BibTeX text; `name` is that of the file (`refs.bib`), which places begin with."""
    found = list(split(text))
    entries = inherit([entry for entry in found if isinstance(entry, BibEntry)])
    drafts = tuple(draft(entry, f"{name}:{entry.line}") for entry in entries)
    return Batch(drafts, tuple(Failure(f"{name}:{u.line}", u.reason, u.key) for u in found if isinstance(u, Unread)))


EXPORT = ExportFormat("papers.bib", "BibTeX, for LaTeX and reference managers", write, KEEPS, keeps_too, changes)
IMPORT = ImportFormat(("bib", "bibtex"), lambda start: bool(START.search(start)), read)
