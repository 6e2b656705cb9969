"""The mark of a file that the tool wrote: its first line, with the tool's version and a digest of the rest.

By the digest a change by hand is noticed. Pinned versions do not count for it, since Dependabot changes them too.
"""

import re
from hashlib import sha256

from awesome_cli import __version__

MARK = re.compile(r"(?:#|<!--) Written by awesome ([\w.]+) \(([0-9a-f]{12})\): .*\n")
ACTIONS = re.compile(r"(\buses: [^\s@]+@)\S+(?: +#.*)?")
TOOL = re.compile(r"(\bawesome-survey(?:\[\w+\])?==)([\w.]+)")


def marked(path: str, text: str) -> str:
    """The text of a new file with its mark."""
    line = (
        f"Written by awesome {__version__} ({_digest(text)}): 'awesome init --upgrade' renews it unless you change it."
    )
    return f"<!-- {line} -->\n{text}" if path.endswith(".md") else f"# {line}\n{text}"


def is_own(text: str) -> bool:
    """Whether a file has a mark and was not changed since."""
    mark = MARK.match(text)
    return mark is not None and mark[2] == _digest(text[mark.end() :])


def is_newer(text: str) -> bool:
    """Whether a later version of the tool than this one wrote a file, or is pinned in it."""
    mark = MARK.match(text)
    named = [*([mark[1]] if mark else []), *(found[1] for found in TOOL.findall(text))]
    return any(_numbers(version) > _numbers(__version__) for version in named)


def same(one: str, other: str) -> bool:
    """Whether two files say the same apart from their marks and the pinned versions of actions."""
    first, second = (ACTIONS.sub(r"\1", MARK.sub("", text, count=1)) for text in (one, other))
    return first == second


def _digest(text: str) -> str:
    return sha256(TOOL.sub(r"\1", ACTIONS.sub(r"\1", text)).encode()).hexdigest()[:12]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))
