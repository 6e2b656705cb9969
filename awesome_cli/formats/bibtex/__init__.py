r"""Read BibTeX and BibLaTeX with bibtexparser, and write BibTeX.

An import expands strings, inherits fields through `crossref` and `xdata`, and converts LaTeX to Unicode. It warns about
repeated and missing keys, and reports the line of each entry that it cannot read. An export escapes LaTeX, protects
capitals and writes stable, unique citation keys, which every other export and the site also have. Biber and BibTeX read
it without warnings if the records are complete. Values that they do not accept are packed into `verba`, which they do
not print, and an import unpacks them. A work of another type, or without a journal or author, is written as `misc`.

`@misc{a, title = {Caf{\'e}}, U1 = {x}}` becomes the key `a`, the title `Café`, and `extra.u1`.
"""

import re

from awesome_cli.formats import ExportFormat, ImportFormat
from awesome_cli.formats.bibtex.drafts import draft
from awesome_cli.formats.bibtex.reading import BibEntry, Strings, Unread, inherit, split
from awesome_cli.formats.bibtex.writing import KEEPS, changes, keeps_too, write
from awesome_cli.model.drafts import Batch, Draft, Failure

__all__ = ["EXPORT", "IMPORT", "read", "write"]
START = re.compile(r"^[ \t]*@\w+\s*[{(]", re.MULTILINE)


def read(text: str, name: str, _options: object = None) -> Batch:
    """Read BibTeX; `name` is the file name for positions (`refs.bib:12`)."""
    entries: list[BibEntry] = []
    failures: list[Failure] = []
    left_out: list[Failure] = []
    strings = Strings(text)
    for entry in split(text, strings):
        if isinstance(entry, Unread):
            listed = left_out if entry.is_comment else failures
            listed.append(Failure(f"{name}:{entry.line}", entry.reason, entry.key))
        else:
            entries.append(entry)
    waiting = inherit(entries, strings)[::-1]
    entries.clear()  # Free the memory of each entry once its draft exists.
    drafts: list[Draft] = []
    while waiting:
        entry = waiting.pop()
        drafts.append(draft(entry, f"{name}:{entry.line}"))
    return Batch(tuple(drafts), tuple(failures), left_out=tuple(left_out))


EXPORT = ExportFormat("papers.bib", "BibTeX, for LaTeX and reference managers", write, KEEPS, keeps_too, changes)
IMPORT = ImportFormat(("bib", "bibtex"), lambda start: bool(START.search(start)), read)
