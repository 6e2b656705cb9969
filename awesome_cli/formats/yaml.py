"""Read YAML: a list of entries, a mapping that contains a single list, or one entry.

`- {title: On Tea, year: 2024}` becomes a draft. A record file of a survey is read with all its fields. Files of
candidates look like files of papers; import them with `--kind candidate`.
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
    """Read the entries of a YAML file; raises `ValueError` if it contains no entries."""
    value, findings = yaml_reading.read(text.encode(), limit=allowed(LARGEST))
    if value is None and findings:
        raise ValueError(f"line {findings[0].line}: {findings[0].message}")
    batch = listing(value, name, text, options)
    return replace(batch, failures=(*batch.failures, *(Failure(f"{name}:{f.line}", f.message) for f in findings)))


IMPORT = ImportFormat(("yaml", "yml"), lambda start: bool(START.match(start) and TITLE.search(start)), read)
