"""YAML: a list of entries, alone or as the only list in a mapping, or one entry.

The file of a record is read with all its fields. Candidates have the shape of papers: `--kind candidate` says so.
"""

import re
from dataclasses import replace

from awesome_cli.files import yaml_reading
from awesome_cli.formats import ImportFormat, ReadingOptions
from awesome_cli.formats.rows import LARGEST, listing
from awesome_cli.model.drafts import Batch, Failure
from awesome_cli.text.bounds import allowed

START = re.compile(r"(?:---\s|#[^\n]*\n|\s)*(?:- [\w ]+:|\w+:\s)")
TITLE = re.compile(r"^[\s-]*(?:title|name)\s*:", re.IGNORECASE | re.MULTILINE)


def read(text: str, name: str, options: ReadingOptions) -> Batch:
    """The entries of a list; raises `ValueError` for another value."""
    value, findings = yaml_reading.read(text.encode(), limit=allowed(LARGEST))
    if value is None and findings:
        raise ValueError(f"line {findings[0].line}: {findings[0].message}")
    batch = listing(value, name, text, options)
    failures = (*batch.failures, *(Failure(f"{name}:{f.line}", f.message) for f in findings))
    return replace(batch, failures=failures)


IMPORT = ImportFormat(("yaml", "yml"), lambda start: bool(START.match(start) and TITLE.search(start)), read)
