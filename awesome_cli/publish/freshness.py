"""Whether a generated file is fresh: it carries a stamp, the SHA-256 of what it was made from and of its own content.

A picture is made from the figure that it shows, `statistics.json` from every file of the survey and the tool's version.
So a picture is checked without the library that drew it, and an unchanged survey without reading a record. A change
of the code without a new version is not noticed: `awesome render --check --diff` renders and compares.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from awesome_cli import __version__
from awesome_cli.files import paths
from awesome_cli.files.paths import UnusableError
from awesome_cli.files.tree import WorkingTree
from awesome_cli.publish import shipped
from awesome_cli.publish.marks import is_own

README, STATISTICS, PICTURES, FORMS = "README.md", "statistics.json", "docs/pictures", ".github/ISSUE_TEMPLATE"
TABLES = f"docs/survey/{README}"
"""A second page with islands, where a survey has one: what would stand too long before the list of papers."""
STAMP = re.compile(rb'(?m)(^<!-- freshness: |^ "freshness": ")([0-9a-f]*)')
COMMENT = b"<!-- freshness:  -->\n"
"""Where the stamp of a picture is written."""
STALE = {"stale pictures": b""}
"""Stamped too while a picture is stale, so that the next check looks at the picture again."""
# Not derived from the models: they take longer to import than an untouched survey takes to answer.
FOLDERS = ("corpus", "exclusions", "candidates", "audits", "searches", "templates/readme", PICTURES, FORMS)


def stamped(content: bytes, sources: Mapping[str, bytes]) -> bytes:
    """The content with the stamp for these sources in its place."""
    blank = unstamped(content)
    total = hashlib.sha256()
    for name, data in sorted({**sources, "": blank}.items()):
        total.update(f"{name}\0{len(data)}\0".encode())
        total.update(data)
    return STAMP.sub(rb"\g<1>" + total.hexdigest().encode(), blank, count=1)


def unstamped(content: bytes) -> bytes:
    """The content without its stamp."""
    return STAMP.sub(rb"\g<1>", content, count=1)


def is_fresh(content: bytes, sources: Mapping[str, bytes]) -> bool:
    """Whether the content carries the stamp for these sources."""
    return STAMP.search(content) is not None and content == stamped(content, sources)


def survey_files(root: Path) -> dict[str, bytes]:
    """What `statistics.json` is stamped with: all files that others are made from, and the README and its pictures."""
    return {"version": __version__.encode(), **dict(_files(root))}


def _files(root: Path) -> Iterator[tuple[str, bytes]]:
    tree = WorkingTree(root)
    named = ["taxonomy.yaml", "claims.yaml", "protocol.yaml", README, TABLES]
    # What cannot be read is no source of a file that is fresh; validation names it.
    for folder in FOLDERS:
        with suppress(UnusableError):
            named += [f"{folder}/{name}" for name in paths.files(root, folder)]
    for path in named:
        with suppress(UnusableError):
            if (data := tree.read(path)) is not None:
                yield path, data
    for own in (*(shipped() / "readme").glob("*.j2"), *(shipped() / "starter" / FORMS[1:]).glob("*.yml")):
        yield f"shipped/{own.name}", own.read_bytes()


def rendered(root: Path) -> bool:
    """Whether the README and `statistics.json` were made from the survey as it is; a picture may be stale."""
    with suppress(UnusableError):
        content, files = paths.read(root, STATISTICS) or b"", survey_files(root)
        return any(is_fresh(content, files | more) for more in ({}, STALE))
    return False


def untouched(root: Path) -> tuple[str, ...]:
    """The generated files, if no byte of the survey has changed since they were rendered; empty otherwise."""
    files = survey_files(root)
    with suppress(UnusableError):
        if is_fresh(paths.read(root, STATISTICS) or b"", files):
            pictures = (name for name in sorted(files) if name.startswith(PICTURES) and STAMP.search(files[name]))
            forms = (
                name
                for name in sorted(files)
                if name.startswith(FORMS) and is_own(files[name].decode(errors="replace"))
            )
            return (*(page for page in (README, TABLES) if page in files), STATISTICS, *pictures, *forms)
    return ()
