"""Whether a generated file is fresh: it carries a stamp, the SHA-256 of what it was made from and of its own content.

A picture is made from the figure that it shows, `statistics.json` from every file of the survey and the tool's version.
So a picture is checked without the library that drew it, and an unchanged survey without reading a record. A change
of the code without a new version is not noticed: `awesome render --check --diff` renders and compares.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from awesome_cli import __version__
from awesome_cli.publish import shipped

README, STATISTICS, PICTURES = "README.md", "statistics.json", "docs/pictures"
STAMP = re.compile(rb'(?m)(^<!-- freshness: |^ "freshness": ")([0-9a-f]*)')
COMMENT = b"<!-- freshness:  -->\n"
"""Where the stamp of a picture is written."""
STALE = {"stale pictures": b""}
"""Stamped too while a picture is stale, so that the next check looks at the picture again."""
# Not derived from the models: they take longer to import than an untouched survey takes to answer.
FOLDERS = ("corpus", "exclusions", "candidates", "audits", "templates/readme", PICTURES)


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
    named = [root / name for name in ("taxonomy.yaml", "claims.yaml", "protocol.yaml", README)]
    for path in (*named, *(path for folder in FOLDERS for path in (root / folder).glob("*"))):
        if path.is_file():
            yield path.relative_to(root).as_posix(), path.read_bytes()
    for path in (shipped() / "readme").glob("*.j2"):
        yield f"shipped/{path.name}", path.read_bytes()


def rendered(root: Path) -> bool:
    """Whether the README and `statistics.json` were made from the survey as it is; a picture may be stale."""
    path, files = root / STATISTICS, survey_files(root)
    return path.is_file() and any(is_fresh(path.read_bytes(), files | more) for more in ({}, STALE))


def untouched(root: Path) -> tuple[str, ...]:
    """The generated files, if no byte of the survey has changed since they were rendered; empty otherwise."""
    path = root / STATISTICS
    files = survey_files(root)
    if not path.is_file() or not is_fresh(path.read_bytes(), files):
        return ()
    pictures = (name for name, data in sorted(files.items()) if name.startswith(PICTURES) and STAMP.search(data))
    return (README, STATISTICS, *pictures)
