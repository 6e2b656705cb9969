"""A seal over what was rendered from what, so that checking an untouched survey reads no record.

`render` stores the hash of every file that goes into the generated ones and of what came out. As long as no byte of
either has changed, and the tool is of the same version, everything is fresh; otherwise it is rendered and compared.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from awesome_cli import __version__
from awesome_cli.publish.shipped import shipped

STATISTICS = "statistics.json"
SEALED = ("taxonomy.yaml", "claims.yaml", "README.md")
FOLDERS = ("corpus", "exclusions", "candidates", "audits", "templates/readme", "docs/pictures")


def seal(root: Path, changed: Mapping[str, bytes] | None = None) -> str:
    """SHA-256 over the survey's files, those in `changed` as they are going to be."""
    files = dict(_files(root)) | dict(changed or {})
    total = hashlib.sha256(__version__.encode())
    for name, data in sorted(files.items()):
        total.update(f"\0{name}\0{len(data)}\0".encode())
        total.update(data)
    return total.hexdigest()


def _files(root: Path) -> Iterator[tuple[str, bytes]]:
    for name in SEALED:
        if (root / name).is_file():
            yield name, (root / name).read_bytes()
    for folder in FOLDERS:
        for path in sorted((root / folder).glob("*")):
            if path.is_file():
                yield f"{folder}/{path.name}", path.read_bytes()
    for path in sorted((shipped() / "readme").glob("*.j2")):
        yield f"shipped/{path.name}", path.read_bytes()


def stamped(text: str, root: Path, changed: Mapping[str, bytes]) -> str:
    """A JSON text whose field `seal` is empty, with the seal over the survey's files and the text itself."""
    value = seal(root, {**changed, "sealed": text.encode()})
    return text.replace('"seal": ""', f'"seal": "{value}"', 1)


def untouched(root: Path) -> tuple[str, ...]:
    """The generated files, if no byte of the survey has changed since they were rendered; empty otherwise."""
    path = root / STATISTICS
    if path.is_file() and is_intact(root, path.read_text(encoding="utf-8")):
        pictures = sorted((root / "docs/pictures").glob("*.sha256"))
        return ("README.md", STATISTICS, *(f"docs/pictures/{picture.name}" for picture in pictures))
    return ()


def is_intact(root: Path, text: str) -> bool:
    """Whether the seal in a JSON text is that of the survey's files as they are."""
    try:
        value = json.loads(text)["seal"]
    except (ValueError, KeyError, TypeError):
        return False
    blank = text.replace(f'"seal": "{value}"', '"seal": ""', 1)
    return bool(value) and seal(root, {"sealed": blank.encode()}) == value
