"""Whether a source leads to a place inside a document, or to the document alone."""

import re
from collections.abc import Iterator

NUMBERED = re.compile(
    r"(?:§+|\b(?i:sec(?:t|tion)?s?|eqn?s?|equations?|fig(?:ure)?s?|tab(?:le)?s?|alg(?:orithm)?s?|app(?:endix|endices)?"
    r"|pages?|pp?|lines?)\b\.?)\s*\(?(?:[A-Z]\.?)?(?:\d|[IVX]+\b|(?<=[A-Z])\b|(?<=[A-Z]\.)(?!\w))"
)
"""A section, equation, figure, table, algorithm, appendix, page or line, with its number or letter."""
NAMED = re.compile(r"\b[Aa]bstract\b|\bL\d")
"""The abstract, or a line of code as repositories write it: `L318-325`."""
PART = re.compile(r"^\s*(?:acl|arxiv|doi|isbn|openreview):\S+\s+(?!read\b|secondary\b|summary\b)[A-Za-z]")
"""A part of a work by its name, behind the work's identifier: `arxiv:1501.00001 results section`."""
REPOSITORY = re.compile(r"\bgithub(?:\.com/|:)[\w.-]+/[\w.-]+")
COMMIT = re.compile(r"@ ?[0-9a-f]{7,40}\b")
FILE = re.compile(r"\b[\w-][\w./-]*\.[A-Za-z]\w{0,5}\b")
ABSTRACT = re.compile(r"\babstract\b", re.IGNORECASE)
SECONDARY = re.compile(r"\b(?:secondary|digests?|overviews?|reviews?|third-party|reading notes)\b", re.IGNORECASE)
FULL = re.compile(r"\bfull text\b", re.IGNORECASE)
PINNED = re.compile(r"/(?:blob|raw|tree)/[0-9a-f]{7,40}/\S")
"""The address of a file in a repository at a commit."""
SECOND_READER = "second reader:"
"""What follows is what a second reader, who coded the same, read."""


def has_locator(source: str | None) -> bool:
    """Whether a source says where to look.

    The abstract does, a numbered section, equation, figure, table, algorithm, appendix, page or line, a part that is
    named behind the identifier of the work, and a file of a repository at a commit. A whole document, a branch, a
    commit without a file or a summary by others does not. A place behind `second reader:` counts, too.
    """
    return any(map(_locates, (source or "").replace(SECOND_READER, ";").split(";")))


def what_was_read(source: str | None) -> tuple[str, ...]:
    """What the words of a source say was read of a work, each once, in their order.

    `full text`; `paper`, a numbered or named place in it; `code`, a file of a repository; `abstract`; `secondary`, what
    others wrote of it (digest, overview, review, summary). Nothing where the words do not tell: a bare identifier.
    What stands behind `second reader:` was not read for the coding itself, and is left out.
    """
    first = (source or "").partition(SECOND_READER)[0]
    return tuple(dict.fromkeys(kind for part in first.split(";") for kind in _read(part)))


def _read(part: str) -> Iterator[str]:
    file = FILE.search(_path(part)) if REPOSITORY.search(part) or COMMIT.search(part) else None
    if file and not file[0].endswith(".pdf"):
        yield "code"
    elif SECONDARY.search(part):
        yield "secondary"
    elif FULL.search(part):
        yield "full text"
    else:
        abstract = ABSTRACT.search(part)
        yield from ("abstract",) if abstract else ()
        yield from ("paper",) if NUMBERED.search(part) or (PART.search(part) and not abstract) else ()


def _path(part: str) -> str:
    """A part of a source without repository and commit."""
    return COMMIT.sub(" ", REPOSITORY.sub(" ", part))


def _locates(part: str) -> bool:
    if any(place.search(part) for place in (NUMBERED, NAMED, PART, PINNED)):
        return True
    return COMMIT.search(part) is not None and FILE.search(_path(part)) is not None
