"""The entries of a BibTeX text, with bibtexparser: strings expanded, faults mended where nothing is guessed."""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from awesome_cli.formats.bibtex import values

LEFT = re.compile(r"^[ \t]*(?:,|@[ \t]*\w|[^\W\d][\w-]*[ \t]*=[ \t]*[{\"\d])", re.MULTILINE)
"""A line outside of all entries that was meant to be part of one."""
HEAD = re.compile(r"@\s*(\w+)\s*([{(])\s*([^\s,{}()=\"]*)")
KEYLESS = re.compile(r"(@\w+\s*[{(])(?=\s*[\w:+.-]+\s*=)")
REMARK = re.compile(r"^[ \t]*%.*\n?", re.MULTILINE)
CLOSING = {"{": "}", "(": ")"}


@dataclass(slots=True)
class BibEntry:
    """An entry: its values in LaTeX by lower-case names, further values of repeated fields, its line from 1."""

    kind: str
    key: str
    line: int
    values: dict[str, str] = field(default_factory=dict)
    again: dict[str, list[str]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Unread:
    """What could not be read: its line, why, and the key that its first line shows."""

    line: int
    reason: str
    key: str | None


def split(text: str) -> Iterator[BibEntry | Unread]:
    """The entries of a text in order, and what is between them that was meant to be read."""
    from bibtexparser.model import Entry, ImplicitComment, ParsingFailedBlock, String

    blocks = list(_mended(_parsed(text)))
    strings = dict(values.PREDEFINED)
    for _, block, _ in reversed(blocks):
        # A string may stand behind its first use; of several values the one before a use counts.
        if isinstance(block, String):
            _define(block, strings)
    seen: set[str] = set()
    last: str | None = None
    for line, block, mended in blocks:
        if isinstance(block, String):
            _define(block, strings)
        elif isinstance(block, Entry):
            entry = _entry(block, line, strings, mended)
            _count(entry, seen)
            last = entry.key or None
            yield entry
        elif isinstance(block, ParsingFailedBlock):
            last = _key(block.raw or "")
            yield Unread(line, _reason(block), last)
        elif isinstance(block, ImplicitComment) and (found := LEFT.search(block.comment)):
            left = " ".join(block.comment[found.start() : found.start() + 200].split())
            yield Unread(line + block.comment.count("\n", 0, found.start()), f"part of no entry: {left!r}", last)


def _parsed(text: str) -> list[Any]:
    """The blocks of a text; one that the library calls repeated is the block itself."""
    import bibtexparser

    # The library also logs the failed blocks, which are reported.
    logging.getLogger("bibtexparser").addHandler(logging.NullHandler())
    blocks = bibtexparser.parse_string(text, parse_stack=[]).blocks
    return [getattr(block, "ignore_error_block", None) or block for block in blocks]


def _mended(blocks: list[Any]) -> Iterator[tuple[int, Any, str | None]]:
    """Each block with its line and what was mended: a missing brace at the end, a missing key, a doubled comma."""
    from bibtexparser.model import ImplicitComment, ParsingFailedBlock

    rest: Any = None
    for place, block in enumerate(blocks):
        if block is rest:
            continue
        line = (block.start_line or 0) + 1
        if not isinstance(block, ParsingFailedBlock):
            yield line, block, None
            continue
        after = blocks[place + 1] if place + 1 < len(blocks) else None
        rest = after if isinstance(after, ImplicitComment) else None
        parts = _read_again(f"{block.raw} {rest.comment if rest else ''}")
        yield line, parts[0] if parts else block, f"the entry was mended: {_reason(block)}" if parts else None
        yield from ((line, part, None) for part in parts[1:])


def _read_again(text: str) -> list[Any]:
    """The entry that a text is with its last brace and a comma before its first field, and what follows it."""
    from bibtexparser.model import Entry, ImplicitComment

    for source in (text, REMARK.sub("", text)):
        source = KEYLESS.sub(r"\1,", source, count=1)  # noqa: PLW2901
        head = HEAD.match(source)
        if head is None:
            break
        first, *others = _parsed(source) if _is_closed(source) else _parsed(f"{source}\n{CLOSING[head[2]]}")
        if isinstance(first, Entry) and all(isinstance(other, ImplicitComment) for other in others):
            return [first, *others]
    return []


def _is_closed(text: str) -> bool:
    start = text.find("{")
    return start >= 0 and values.closing(text, start) > 0


def _define(block: Any, strings: dict[str, str]) -> None:
    for name, text, _ in values.read(block.key.lower(), block.value, strings):
        strings[name] = text


def _entry(block: Any, line: int, strings: Mapping[str, str], mended: str | None) -> BibEntry:
    entry = BibEntry(block.entry_type, block.key.strip(), line, warnings=[mended] if mended else [])
    for found in block.fields:
        # A remark before a field is part of its name for the library.
        written = found.key.rpartition("\n")[2].strip()
        for name, text, doubt in values.read(written.lower(), found.value, strings):
            if name.startswith("%"):
                doubt = "is written behind a % and left out"  # noqa: PLW2901
            elif entry.values.setdefault(name, text) != text:
                entry.again.setdefault(name, []).append(text)
                doubt = doubt or "stands twice with different values"  # noqa: PLW2901
            if doubt:
                entry.warnings.append(f"the field '{name.strip('% ')}' {doubt}")
    return entry


def _count(entry: BibEntry, seen: set[str]) -> None:
    """Warn of a key that is missing or was there before; BibTeX does not tell keys apart by case."""
    if not entry.key:
        entry.warnings.append("the entry has no key")
    elif (folded := entry.key.casefold()) in seen:
        entry.warnings.append(f"repeated entry key '{entry.key}'")
    else:
        seen.add(folded)


def _reason(block: Any) -> str:
    """Why an entry could not be read, in one line."""
    reason = getattr(block.error, "abort_reason", None) or str(block.error)
    return " ".join(reason.split()).rstrip(".") or "not BibTeX"


def _key(raw: str) -> str | None:
    found = HEAD.match(raw)
    return (found and found[3]) or None
