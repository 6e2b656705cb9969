"""Parse BibTeX with bibtexparser: expand strings, resolve inheritance, repair unambiguous syntax errors.

A value consists of parts joined by `#`: text in braces or quotes, numbers, and names of strings. For example,
`month = 5 # "~" # may` is the text `5~may`. An entry inherits fields through `crossref` and `xdata` as in BibTeX and
biblatex (manual, app. B); its own fields take precedence. The title of a parent becomes the `booktitle` of the work.
Fields that are specific to the parent (DOI, URL, pages) are not inherited.
"""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from sys import intern
from typing import Any

from awesome_cli.model.publication import MONTHS
from awesome_cli.text.bounds import allowed, too_large
from awesome_cli.text.known import shown

MOST_TAKEN = 10_000_000
"""Limit on the number of characters expanded from strings and parents, or ten times the file's size if that is more."""
MARKS = re.compile(r'(?<!\\)[{}"]')
BARE = re.compile(r'[^\s#{}"=]+')
JOINT = re.compile(r"\s*#\s*")
NEXT = re.compile(r"\s*([^\W\d][\w:+.-]*)\s*=\s*")


class Strings:
    """The defined strings by lower-case name (None: over the limit), and the number of characters left to expand."""

    def __init__(self, text: str) -> None:
        # Every style defines the names of the months, so these are not expanded.
        self.texts: dict[str, str | None] = {month: month for month in MONTHS}
        self.bound = max(MOST_TAKEN, 10 * len(text))
        self.left = allowed(self.bound)

    def take(self, count: int) -> None:
        """Subtract a number of expanded characters from the limit; raises `ValueError` if fewer are left."""
        if count > self.left:
            raise ValueError(self.why())
        self.left -= max(count, 0)

    def why(self) -> str:
        """Return the error message for a file whose expansion exceeds the limit."""
        return too_large("the expansion of @string, crossref and xdata", self.bound, "characters")

    def text(self, piece: str, unknown: list[str]) -> str:
        """Return the text of a part of a value; an undefined name is returned unchanged and added to `unknown`."""
        if piece[0] in '{"':
            return piece[1:-1]
        text = self.texts.get(piece.lower(), piece)
        if text is None:
            raise ValueError(f"the string {shown(piece)}: {self.why()}")
        if piece.lower() not in self.texts and not piece[0].isdigit():
            unknown.append(piece)
        return text


def closing(text: str, start: int = 0) -> int:
    """Return the offset of the mark that closes the brace or quote at `start`, -1 if the mark is missing."""
    depth, quoted = 0, text[start] == '"'
    for mark in MARKS.finditer(text, start + quoted):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if depth == 0 and (mark[0] == '"') == quoted:
            return mark.start()
    return text.rfind('"') if quoted and text.rfind('"') > start else -1


def read_value(name: str, value: str, strings: Strings) -> Iterator[tuple[str, str, str | None]]:
    """Yield `(name, text, warning)` of a field, and of the next fields if the comma before them is missing.

    Raises `ValueError` if the expansion exceeds the limit.
    """
    if (simple := _simple(value)) is not None:
        yield name, simple, None
        return
    start, doubt = 0, None
    while (end := _piece(value, start)) and (following := NEXT.match(value, end)):
        text, odd = _joined(value[start:end], strings)
        yield name, text, doubt or odd
        name, start, doubt = following[1], following.end(), "lacks a comma before it"
    text, odd = _joined(value[start:], strings)
    yield name, text, doubt or odd


def _joined(value: str, strings: Strings) -> tuple[str, str | None]:
    """Return the text of a value, and a warning if it is malformed."""
    texts: list[str] = []
    unknown: list[str] = []
    start = 0
    while start < len(value):
        end = _piece(value, start)
        joint = JOINT.match(value, end) if end else None
        if not end or (end < len(value) and not joint):
            # Remove the delimiters if they match.
            outer = value[1:-1] if value[:1] + value[-1:] in {"{}", '""'} else value
            return outer, "has text outside its braces or quotes"
        texts.append(strings.text(value[start:end], unknown))
        start = joint.end() if joint else end
    strings.take(sum(map(len, texts)) - len(value))
    doubt = f"uses {', '.join(map(repr, unknown))}, which @string does not define" if unknown else None
    return "".join(texts), doubt


def _simple(value: str) -> str | None:
    """Return the text of a number, or of a value in one pair of braces or quotes; None for other values."""
    first, last = value[:1], len(value) - 1
    if (first == "{" and value.find("}") == last) or (first == '"' and value.find('"', 1) == last > 0):
        return value[1:last]
    return value if not value or value.isdigit() else None


def _piece(value: str, start: int) -> int:
    """Return the end offset of the part that begins at `start`, 0 if the part is malformed."""
    if value[start : start + 1] in {"{", '"'}:
        return closing(value, start) + 1
    bare = BARE.match(value, start)
    return bare.end() if bare else 0


LEFT = re.compile(r"^[ \t]*(?:,|@[ \t]*\w|[^\W\d][\w-]*[ \t]*=[ \t]*[{\"\d])", re.MULTILINE)
"""A line outside of entries that looks like part of an entry."""
HEAD = re.compile(r"@\s*(\w+)\s*([{(])\s*([^\s,{}()=\"]*)")
BLOCK = re.compile(r"^@\w+\{", re.MULTILINE)
STRING = re.compile(r"@\s*string", re.IGNORECASE)
PIECE = 1_000_000
"""Least number of characters of a large file that are parsed at once."""
KEYLESS = re.compile(r"(@\w+\s*[{(])(?=\s*[\w:+.-]+\s*=)")
REMARK = re.compile(r"^[ \t]*%.*\n?", re.MULTILINE)
SWALLOWED = re.compile(r"[}\"]\s*,\s*[^\W\d][\w-]*\s*=")
"""The start of another field within a value."""
DOUBLED = re.compile(r",(?:\s*,)+")
CLOSING = {"{": "}", "(": ")"}


@dataclass(slots=True)
class BibEntry:
    """An entry of a BibTeX file. `values` are LaTeX texts by lower-case field name; `line` counts from 1.

    `again` has the further values of repeated fields. `size` is the number of characters in names and values.
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
    """An unreadable part of a file, or `@comment` without a brace. `key` is that of the entry or of the last one."""

    line: int
    reason: str
    key: str | None
    is_comment: bool = False


def split(text: str, strings: Strings) -> Iterator[BibEntry | Unread]:
    """Yield the entries and the unreadable parts of a text, in order."""
    from bibtexparser.model import Entry, ImplicitComment, ParsingFailedBlock, String

    # A string may be defined after its first use; of several definitions the last one before a use counts.
    early = (block for _, piece in _pieces(text) if STRING.search(piece) for block in _parsed(piece))
    for block in (block for block in early if isinstance(block, String)):
        _define(block, strings)
    seen: set[str] = set()
    last: str | None = None
    blocks = ((above + line, *rest) for above, piece in _pieces(text) for line, *rest in _mended(_parsed(piece)))
    for line, block, mended in blocks:
        if isinstance(block, String):
            _define(block, strings)
        elif isinstance(block, Entry):
            last = block.key.strip() or None
            yield _entry(block, line, strings, mended, seen)
        elif isinstance(block, ParsingFailedBlock):
            raw = block.raw or ""
            last = ((head := HEAD.match(raw)) and head[3]) or None
            form = "expected @type{key, name = {value}, …}"
            yield Unread(line, form if _is_closed(raw) else "a closing brace or quote is missing", last)
        elif isinstance(block, ImplicitComment):
            yield from _left(block.comment, line, last)


def _left(text: str, line: int, last: str | None) -> Iterator[Unread]:
    """Yield the comments in a text outside of entries, up to the first line that looks like part of an entry."""
    for stray in LEFT.finditer(text):
        left = " ".join(text[stray.start() : stray.start() + 200].split())
        is_comment = re.match(r"@ ?comment\b", left, re.IGNORECASE) is not None
        reason = f"{shown(left)}: a comment" if is_comment else f"outside of any entry: {left!r}"
        yield Unread(line + text.count("\n", 0, stray.start()), reason, last, is_comment)
        if not is_comment:
            return


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield parts of a text and the number of lines before each: the blocks of a large file need much memory.

    At a line with the start of a block the library ends every other block, so each part is parsed as in the whole text.
    """
    start = above = 0
    while start < len(text):
        cut = BLOCK.search(text, start + PIECE)
        end = cut.start() if cut else len(text)
        yield above, text[start:end]
        above += text.count("\n", start, end)
        start = end


def _parsed(text: str) -> list[Any]:
    """Parse a text into the library's blocks. A repeated key is not an error: its entry is unwrapped."""
    import bibtexparser

    # Silence the library's log of failed blocks, which are reported as failures.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    blocks = bibtexparser.parse_string(text, parse_stack=[]).blocks
    return [getattr(block, "ignore_error_block", None) or block for block in blocks]


def _mended(blocks: list[Any]) -> Iterator[tuple[int, Any, str | None]]:
    """Yield `(line, block, repair)`; a missing last brace, a missing key or a repeated comma is repaired."""
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
    """Repair a failed entry and parse it again; return its blocks, the entry first, and a note of the repair."""
    from bibtexparser.model import Entry, ImplicitComment

    for source in (text, DOUBLED.sub(",", REMARK.sub("", text))) if "=" in text else ():
        keyed = KEYLESS.sub(r"\1,", source, count=1)
        head = HEAD.match(keyed)
        if head is None:
            break
        whole = keyed if _is_closed(keyed) else f"{keyed}\n{CLOSING[head[2]]}"
        first, *rest = _parsed(whole)
        if isinstance(first, Entry) and any(SWALLOWED.search(field.value) for field in first.fields):
            break
        if isinstance(first, Entry) and first.fields and all(isinstance(block, ImplicitComment) for block in rest):
            missing = "its key" if keyed != source else "its last brace" if whole != keyed else ""
            return [first, *rest], f"{missing} is missing" if missing else "it has an extra comma"
    return [], None


def _is_closed(text: str) -> bool:
    start = text.find("{")
    return start >= 0 and closing(text, start) > 0


def _define(block: Any, strings: Strings) -> None:
    name = block.key.lower()
    try:
        strings.texts.update((name, text) for name, text, _ in read_value(name, block.value, strings))
    except ValueError:
        strings.texts[name] = None


def _entry(block: Any, line: int, strings: Strings, mended: str | None, seen: set[str]) -> BibEntry | Unread:
    doubts = [f"the entry was repaired: {mended}"] if mended else []
    entry = BibEntry(intern(block.entry_type), block.key.strip(), line, warnings=doubts)
    try:
        _fill(entry, block, strings)
        _unpack(entry, strings)
    except ValueError as error:
        return Unread(line, str(error), entry.key or None)
    _count(entry, seen)
    return entry


def _fill(entry: BibEntry, block: Any, strings: Strings) -> None:
    for part in block.fields:
        # The library includes a comment before a field in its name.
        written = part.key.rpartition("\n")[2].strip()
        for name, value, doubt in read_value(intern(written.lower()), part.value, strings):
            text = value.strip()
            if name.startswith("%"):
                doubt = "is commented out by % and ignored"  # noqa: PLW2901
            elif entry.values.setdefault(name, text) != text:
                entry.again.setdefault(name, []).append(text)
                doubt = doubt or "is repeated with different values"  # noqa: PLW2901
            if doubt:
                entry.warnings.append(f"the field '{name.strip('% ')}' {doubt}")


def _unpack(entry: BibEntry, strings: Strings) -> None:
    """Restore the type and fields that an export replaced: `verba = {key = {} entrytype = {online}}`."""
    packed = entry.values.get("verba", "")
    if (head := NEXT.match(packed)) and packed.startswith("{", head.end()):
        del entry.values["verba"]
        entry.values |= {name: text for name, text, _ in read_value(head[1], packed[head.end() :], strings)}
        entry.kind = entry.values.pop("entrytype", entry.kind)


def _count(entry: BibEntry, seen: set[str]) -> None:
    """Warn about a missing or repeated key; BibTeX ignores case."""
    if not entry.key:
        entry.warnings.append("the entry has no key")
    elif (folded := entry.key.casefold()) in seen:
        entry.warnings.append(f"repeated entry key '{entry.key}'")
    else:
        seen.add(folded)


TITLES = {"title", "subtitle", "titleaddon"}
DATES = {"date", "year"}
ALONE = {"ids", "crossref", "xref", "xdata", "key", "keywords", "entryset", "related", "options", "label", "abstract"}
ALONE |= {"doi", "eprint", "eprinttype", "eprintclass", "archiveprefix", "primaryclass", "url", "urldate", "file"}
ALONE |= {"annotation", "annote", "pages", "pagetotal", "shorttitle", "sortkey", "sorttitle", "sortyear"}
INNER = ("in", "supp", "bookin", "conference")
"""Prefixes of entry types for parts of a book."""


def inherit(entries: Sequence[BibEntry], strings: Strings) -> list[BibEntry]:
    """Return the works with their inherited fields; a missing parent, a cycle or too much text is a warning."""
    linked = [entry for entry in entries if {"crossref", "xdata"} & entry.values.keys()]
    by_key = _by_key(entries) if linked else {}
    filled: dict[int, bool] = {}
    for entry in linked:
        _fill_from_above(entry, by_key, filled, strings)
    return [entry for entry in entries if entry.kind != "xdata"]


def _by_key(entries: Sequence[BibEntry]) -> Mapping[str, BibEntry]:
    """Return the entries by casefolded key or alias (`ids`); of entries with the same key, the first."""
    names = [*((entry.key, entry) for entry in entries), *((n, e) for e in entries for n in _names(e, "ids"))]
    return {name.casefold(): entry for name, entry in reversed(names)}


def _names(entry: BibEntry, field: str) -> Iterator[str]:
    return (name for part in entry.values.get(field, "").split(",") if (name := part.strip()))


def _parents(entry: BibEntry) -> Iterator[tuple[str, str]]:
    """Return `(field, key)` of each parent of an entry; parents by `xdata` come first."""
    return ((field, name) for field in ("xdata", "crossref") for name in _names(entry, field))


def _fill_from_above(
    entry: BibEntry, by_key: Mapping[str, BibEntry], filled: dict[int, bool], strings: Strings
) -> None:
    """Inherit the fields of an entry after those of its ancestors; `filled[id(entry)]` is False until then."""
    waiting = [entry]
    while waiting:
        at = waiting.pop()
        if id(at) not in filled:
            filled[id(at)] = False
            waiting.append(at)
            for _, name in _parents(at):
                parent = by_key.get(name.casefold())
                if parent and filled.get(id(parent)) is False:
                    at.warnings.append(f"crossref: '{name}' inherits from this entry")
                elif parent and id(parent) not in filled:
                    waiting.append(parent)
        elif not filled[id(at)]:
            filled[id(at)] = True
            _fill_parent(at, by_key, filled, strings)


def _fill_parent(entry: BibEntry, by_key: Mapping[str, BibEntry], filled: Mapping[int, bool], strings: Strings) -> None:
    for relation, name in list(_parents(entry)):
        parent = by_key.get(name.casefold())
        if parent is None:
            entry.warnings.append(f"{relation}: the file has no entry '{name}'")
        elif parent is entry or not filled[id(parent)]:
            pass  # a cycle
        else:
            try:
                strings.take(parent.size)
            except ValueError as error:
                entry.warnings.append(f"{relation}: nothing is inherited from {shown(name)}: {error}")
            else:
                _inherit(entry, parent, relation)
    entry.size = sum(len(name) + len(value) for name, value in entry.values.items())


def _inherit(child: BibEntry, parent: BibEntry, field: str) -> None:
    if field == "xdata":
        child.values |= {**parent.values, **child.values}
        return
    without = ALONE | (DATES if DATES & child.values.keys() else set())
    for name, value in list(parent.values.items()):
        if name not in without:
            for target in _targets(name, child.kind, parent):
                child.values.setdefault(target, value)


def _targets(name: str, child: str, parent: BibEntry) -> list[str]:
    """Return the fields of a work that inherit the field `name` of its parent."""
    inner = child.startswith(INNER)
    if name == "author" and inner and parent.kind.endswith("book"):
        return ["author", "bookauthor"]
    if name not in TITLES:
        return [name]
    if child in {"article", "suppperiodical"}:
        return [f"journal{name}"]
    if parent.kind.startswith("mv"):
        return [f"main{name}"]
    # For older styles, a parent may define its title as `booktitle` itself.
    return [name] if not inner else [] if f"book{name}" in parent.values else [f"book{name}"]
