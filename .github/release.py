"""Whether the tag, the program and the changelog name one version; if so, its changes: the notes of the release.

python -I .github/release.py v1.2.3
"""

import re
import sys
from pathlib import Path


def notes(tag: str, program: str, changelog: str) -> str:
    """The changes of the version that all name; raises `ValueError` with what does not agree."""
    version = re.findall(r'^__version__ = "(.+)"$', program, re.MULTILINE)[0]
    if tag != f"v{version}":
        raise ValueError(
            f"the tag is {tag!r}, and awesome_cli/__init__.py names {version}; the tag would be 'v{version}'"
        )
    if f'\nRELEASED = "{version}"\n' not in program:
        raise ValueError(
            f'awesome_cli/__init__.py does not say that {version} is released; write RELEASED = "{version}"'
        )
    waiting, _, released = changelog.partition("\n## Unreleased\n")[2].partition("\n## ")
    if waiting.strip():
        raise ValueError(f"CHANGELOG.md has changes under 'Unreleased'; move them under '## {version} - YYYY-MM-DD'")
    head, _, changes = released.partition("\n## ")[0].partition("\n")
    if not re.fullmatch(re.escape(version) + r" - \d{4}-\d\d-\d\d", head):
        raise ValueError(f"CHANGELOG.md names {head!r} behind 'Unreleased'; write '## {version} - YYYY-MM-DD'")
    return changes.strip() + "\n"


if __name__ == "__main__":
    root = Path(__file__).parent.parent
    texts = [(root / name).read_text(encoding="utf-8") for name in ("awesome_cli/__init__.py", "CHANGELOG.md")]
    try:
        sys.stdout.write(notes(sys.argv[1], *texts))
    except ValueError as error:
        sys.exit(f"error: {error}")
