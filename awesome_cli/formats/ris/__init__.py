"""RIS as programs write it, with rispy's names of its tags.

Each reference is read by itself, so that a broken one does not stop the others. Tags in lower case, with one blank
before the hyphen, without `ER` at the end, and values on several lines are read.
"""

import re
from functools import partial

from awesome_cli.formats import ExportFormat, ImportFormat
from awesome_cli.formats.entries import collect
from awesome_cli.formats.ris.drafts import draft, is_given_first
from awesome_cli.formats.ris.references import references
from awesome_cli.formats.ris.writing import KEEPS, changes, keeps_too, write
from awesome_cli.model.drafts import Batch

START = re.compile(r"TY {1,2}-(?:\s|$)", re.IGNORECASE)


def read(text: str, name: str, _options: object = None) -> Batch:
    """The references of a RIS text; `name` is that of the file, which places begin with."""
    found = list(references(text))
    reads = partial(draft, given_first=is_given_first(lines for _, lines in found))
    return collect(((f"{name}:{line}", lines) for line, lines in found), reads)


EXPORT = ExportFormat("papers.ris", "RIS, for screening tools", write, KEEPS, keeps_too, changes)
IMPORT = ImportFormat(("ris",), lambda start: bool(START.match(start)), read)
