"""The entries of a BibTeX text, with bibtexparser: strings expanded, faults mended where nothing is guessed."""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from awesome_cli.formats.bibtex import values

LEFT = re.compile(r"^[ \t]*(?:,|@[ \t]*\w|[^\W\d][\w-]*[ \t]*=[ \t]*[{\"\d])", re.MULTILINE)
"""A line outside of all entries that was meant to be part of one."""
HEAD = re.compile(r"@\s*(\w+)\s*([{(])\s*([^\s,{}()=\"]*)")
KEYLESS = re.compile(r"(@\w+\s*[{(])(?=\s*[\w:+.-]+\s*=)")
REMARK = re.compile(r"^[ \t]*%.*\n?", re.MULTILINE)
SWALLOWED = re.compile(r"[}\"]\s*,\s*[^\W\d][\w-]*\s*=")
"""The beginning of another field within a value."""
DOUBLED = re.compile(r",(?:\s*,)+")
CLOSING = {"{": "}", "(": ")"}


@dataclass(slots=True)
class BibEntry:
    """An entry: its values in LaTeX by lower-case names, further values of repeated fields, its line from 1.

    `size` is the number of characters of names and values, with those of its parents, once these are taken over.
    """

    kind: str
    key: str
    line: int
    values: dict[str, str] = field(default_factory=dict)
    again: dict[str, list[str]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    size: int = 0


@dataclass(frozen=True, slots=True)
class Unread:
    """What could not be read: its line, why, and the key that its first line shows."""

    line: int
    reason: str
    key: str | None


def split(text: str, strings: values.Strings) -> Iterator[BibEntry | Unread]:
    """The entries of a text in order, and what is between them that was meant to be read."""
    from bibtexparser.model import Entry, ImplicitComment, ParsingFailedBlock, String

    blocks = list(_mended(_parsed(text)))[::-1]
    for _, block, _ in blocks:
        # A string may stand behind its first use; of several values the one before a use counts.
        if isinstance(block, String):
            _define(block, strings)
    seen: set[str] = set()
    last: str | None = None
    while blocks:
        line, block, mended = blocks.pop()  # A block is let go when its entry is made.
        if isinstance(block, String):
            _define(block, strings)
        elif isinstance(block, Entry):
            last = block.key.strip() or None
            yield _entry(block, line, strings, mended, seen)
        elif isinstance(block, ParsingFailedBlock):
            last = _key(block.raw or "")
            yield Unread(line, _reason(block.raw or ""), last)
        elif isinstance(block, ImplicitComment) and (found := LEFT.search(block.comment)):
            left = " ".join(block.comment[found.start() : found.start() + 200].split())
            yield Unread(line + block.comment.count("\n", 0, found.start()), f"part of no entry: {left!r}", last)


def _parsed(text: str) -> list[Any]:
    """The blocks of a text; one that the library calls repeated is the block itself."""
    import bibtexparser

    # The library also logs the failed blocks, which are reported.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
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
        parts, mended = _read_again(f"{block.raw} {rest.comment if rest else ''}")
        yield line, parts[0] if parts else block, mended
        yield from ((line, part, None) for part in parts[1:])


def _read_again(text: str) -> tuple[list[Any], str | None]:
    """The entry that a failed text is with a few marks more or less, with what follows it, and what was mended."""
    from bibtexparser.model import Entry, ImplicitComment

    for source in (text, DOUBLED.sub(",", REMARK.sub("", text))):
        keyed = KEYLESS.sub(r"\1,", source, count=1)
        head = HEAD.match(keyed)
        if head is None:
            break
        whole = keyed if _is_closed(keyed) else f"{keyed}\n{CLOSING[head[2]]}"
        first, *others = _parsed(whole)
        if isinstance(first, Entry) and any(SWALLOWED.search(field.value) for field in first.fields):
            break
        if isinstance(first, Entry) and first.fields and all(isinstance(other, ImplicitComment) for other in others):
            what = "its key" if keyed != source else "its last brace" if whole != keyed else ""
            return [first, *others], f"{what} is missing" if what else "it has a comma too many"
    return [], None


def _is_closed(text: str) -> bool:
    start = text.find("{")
    return start >= 0 and values.closing(text, start) > 0


def _define(block: Any, strings: values.Strings) -> None:
    name = block.key.lower()
    try:
        strings.texts.update((name, text) for name, text, _ in values.read(name, block.value, strings))
    except ValueError:
        strings.texts[name] = None


def _entry(block: Any, line: int, strings: values.Strings, mended: str | None, seen: set[str]) -> BibEntry | Unread:
    entry = BibEntry(
        block.entry_type, block.key.strip(), line, warnings=[f"the entry was mended: {mended}"] if mended else []
    )
    try:
        _fill(entry, block, strings)
    except ValueError as error:
        return Unread(line, str(error), entry.key or None)
    _count(entry, seen)
    return entry


def _fill(entry: BibEntry, block: Any, strings: values.Strings) -> None:
    for found in block.fields:
        # A remark before a field is part of its name for the library.
        written = found.key.rpartition("\n")[2].strip()
        for name, value, doubt in values.read(written.lower(), found.value, strings):
            text = value.strip()
            if name.startswith("%"):
                doubt = "is written behind a % and left out"  # noqa: PLW2901
            elif entry.values.setdefault(name, text) != text:
                entry.again.setdefault(name, []).append(text)
                doubt = doubt or "stands twice with different values"  # noqa: PLW2901
            if doubt:
                entry.warnings.append(f"the field '{name.strip('% ')}' {doubt}")


def _count(entry: BibEntry, seen: set[str]) -> None:
    """Warn of a key that is missing or was there before; BibTeX does not tell keys apart by case."""
    if not entry.key:
        entry.warnings.append("the entry has no key")
    elif (folded := entry.key.casefold()) in seen:
        entry.warnings.append(f"repeated entry key '{entry.key}'")
    else:
        seen.add(folded)


def _reason(raw: str) -> str:
    """Why an entry could not be read."""
    form = "an entry is @type{key, name = {value}, …}, and this one differs"
    return form if _is_closed(raw) else "a closing brace or quotation mark is missing"


def _key(raw: str) -> str | None:
    found = HEAD.match(raw)
    return (found and found[3]) or None
