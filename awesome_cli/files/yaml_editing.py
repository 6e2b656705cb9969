"""YAML editing: change values in a YAML text without changing other bytes; comments and style stay.

The text is parsed into nodes with offsets. The differences between the old and the new value become edits at those
offsets. The result is parsed again and must equal the new value.

`rewrite(b"year: 2020  # preprint", {"year": 2021})` returns `b"year: 2021  # preprint"`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from awesome_cli.errors import SurveyError
from awesome_cli.files import canonical, yaml_reading
from awesome_cli.files.yaml_reading import Value


class YamlEditError(SurveyError):
    """The text cannot be edited in place without changing other parts."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of the text from offset `start` to `end` (excluded); an insertion if the offsets are equal."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A field or list item from offset `start` to `end` (excluded); its value follows the offset `mark`."""

    value: Any
    start: int
    mark: int
    end: int


def pairs(old: Value, new: Value) -> dict[Any, Any]:
    """Map the name or index of each entry of `old` that remains, changed or not, to its name or index in `new`.

    Empty unless `old` and `new` are two mappings or two lists.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        return {name: name for name in old if name in new}
    if not isinstance(old, list | tuple) or not isinstance(new, list | tuple):
        return {}
    here, there = ([json.dumps(canonical.texts(value)) for value in values] for values in (old, new))
    steps = SequenceMatcher(None, here, there, autojunk=False).get_opcodes()
    return {i: j for _, a, b, c, d in steps for i, j in zip(range(a, b), range(c, d), strict=False)}


class Differences:
    """Compute edits of a text that ends with a newline; offsets refer to this text.

    Top-level fields in `block` are written in block style.
    """

    def __init__(self, text: str, block: frozenset[str]) -> None:
        self.text = text
        self.block = block
        self.root = yaml_reading.compose(text)

    def collection(self, node: Any, old: Value, new: Value) -> Iterator[Edit]:
        """Yield edits that change a mapping or list from `old` to `new`; raises `YamlEditError` if no entry remains."""
        stays = pairs(old, new)
        if not stays:
            raise YamlEditError("the change would replace the whole file")
        entries = dict(zip(_names(old), self.entries(node), strict=True))
        for name, there in stays.items():
            if old[name] != canonical.texts(new[there]):
                yield from self.value(node, entries[name], old[name], there, new[there])
        remains = [name in stays for name in entries]
        yield from (self.flow_removals if node.flow_style else self.removals)([*entries.values()], remains)
        standing = {there: entries[name] for name, there in stays.items()}
        first = entries[next(iter(stays))]
        before: Entry | None = None
        for name in _names(new):
            before = standing.get(name, before)
            if name not in standing:
                yield self.addition(node, self.written(node, name, new[name])[0], before, first)

    def entries(self, node: Any) -> Iterator[Entry]:
        """Yield the fields of a mapping or the items of a list, in order."""
        dash = re.compile(rf"^ {{{node.start_mark.column}}}(?=-)", re.MULTILINE)
        end = 0
        for child in node.value:
            key, value = child if isinstance(child, tuple) else (child, child)
            start = mark = key.start_mark.index
            if isinstance(child, tuple):
                mark = self.text.find(":", key.end_mark.index) + 1
            elif not node.flow_style:
                # The first dash may follow another dash on its line; the next ones begin their lines.
                match = dash.search(self.text, end) if end else None
                start = match.end() if match else node.start_mark.index
                mark = start + 1
            end = self.end(value)
            yield Entry(value, start, mark, max(end, mark))

    def value(self, node: Any, entry: Entry, old: Value, name: str | int, new: Value) -> Iterator[Edit]:
        """Yield edits that change the value of an entry; a comment after a field's name stays."""
        if pairs(old, new):
            yield from self.collection(entry.value, old, new)
            return
        text, head = self.written(node, name, new)
        inline, *lines = text[head:].split("\n")
        rest = "".join("\n" + line for line in lines)
        start, mark, end = entry.value.start_mark.index, entry.mark, entry.end
        if start > self.line_end(mark):
            # The old value is on the next lines.
            yield Edit(mark, mark, inline)
            yield Edit(self.line_end(mark), end, rest)
            return
        if inline and end > start:
            yield Edit(start, end, inline.lstrip(" "))
        else:
            yield Edit(mark, end, inline)
        if rest:
            yield Edit(self.line_end(end), self.line_end(end), rest)

    def written(self, node: Any, name: str | int, value: Value) -> tuple[str, int]:
        """Return the canonical text of an entry, and the offset of the value in this text."""
        head = f"{canonical.scalar(name, flow=True)}:" if isinstance(name, str) else ""
        column: int = node.start_mark.column
        if node.flow_style:
            return f"{head} {canonical.flow(value)}".removeprefix(" "), len(head)
        if isinstance(name, str):
            block = node is self.root and name in self.block
            return canonical.field(name, value, indent=column, block=block), column + len(head)
        return canonical.item(value, indent=column), column + 1

    def flow_removals(self, entries: Sequence[Entry], remains: Sequence[bool]) -> Iterator[Edit]:
        """Yield edits that remove entries and their commas in flow style; comments between them stay."""
        inside = self.text[entries[0].start : entries[-1].end]
        commented = "\n" in inside and " #" in inside
        for i, entry in enumerate(entries):
            if remains[i]:
                continue
            if commented:
                yield Edit(entry.start, entry.end + (entry is not entries[-1]), "")
            elif any(remains[i:]):
                yield Edit(entry.start, entries[i + 1].start, "")
            else:
                yield Edit(entries[i - 1].end, entry.end, "")

    def removals(self, entries: Sequence[Entry], remains: Sequence[bool]) -> Iterator[Edit]:
        """Yield edits that remove entries by whole lines; comments between them stay.

        If the first entry follows a dash on the same line, the next remaining line moves up to the dash.
        """
        start = entries[0].start
        dash = bool(self.text[self.line_start(start) : start].strip())
        for i, entry in enumerate(entries):
            if remains[i]:
                dash = False
                continue
            after = self.line_end(entry.end) + 1
            if dash:
                line = self.text[after : self.line_end(after)]
                yield Edit(entry.start, after + len(line) - len(line.lstrip(" ")), "")
            else:
                yield Edit(self.line_start(entry.start), after, "")

    def addition(self, node: Any, text: str, before: Entry | None, first: Entry) -> Edit:
        """Return the edit that inserts `text` after the entry `before`, or if it is None, before the entry `first`."""
        if node.flow_style:
            return Edit(before.end, before.end, f", {text}") if before else Edit(first.start, first.start, f"{text}, ")
        if before:
            at = self.line_end(before.end) + 1
            return Edit(at, at, text + "\n")
        column = node.start_mark.column
        return Edit(first.start, first.start, text[column:] + "\n" + " " * column)

    def line_start(self, at: int) -> int:
        """Return the offset of the first character of the line at offset `at`."""
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        """Return the offset of the next line feed at or after `at`."""
        return self.text.index("\n", at)

    def end(self, node: Any) -> int:
        """Return the end offset of a value, before trailing comments and blank lines."""
        if node.value and not getattr(node, "flow_style", None) and not isinstance(node.value, str):
            last = node.value[-1]
            return self.end(last[1] if isinstance(last, tuple) else last)
        start: int = node.start_mark.index
        end: int = node.end_mark.index
        return start + len(self.text[start:end].rstrip())


def _names(collection: Value) -> Sequence[Any]:
    return [*collection] if isinstance(collection, dict) else range(len(collection))


BOM = b"\xef\xbb\xbf"


def rewrite(data: bytes, new: Mapping[str, Any], *, block: Sequence[str] = ()) -> bytes:
    """Edit a YAML text so that its value becomes `new`; unchanged fields keep their bytes.

    A new field is inserted after the field that precedes it in `new`. Top-level fields in `block` are written in block
    style. Raises `YamlEditError` if the text is not a mapping or the result would not equal `new`.
    """
    wanted = canonical.texts(new)
    old, findings = yaml_reading.read(data)
    if findings or not isinstance(old, dict):
        raise YamlEditError("the file cannot be read: " + (findings[0].message if findings else "it has no fields"))
    if old == wanted:
        return data
    text = _edited(yaml_reading.decode(data), old, new, frozenset(block))
    result = (BOM if data.startswith(BOM) else b"") + text.encode()
    if yaml_reading.read(result) != (wanted, ()):
        raise YamlEditError("the file's style does not allow the change", hint="run 'awesome fmt KEY', then try again")
    return result


def _edited(text: str, old: Mapping[str, Value], new: Mapping[str, Any], block: frozenset[str]) -> str:
    """Apply the edits; they expect LF line ends and a final newline, so other line ends are converted and restored."""
    if 0 < text.count("\r\n") == text.count("\n"):
        return _edited(text.replace("\r\n", "\n"), old, new, block).replace("\n", "\r\n")
    if not text.endswith("\n"):
        return _edited(text + "\n", old, new, block).removesuffix("\n")
    differences = Differences(text, block)
    edits = differences.collection(differences.root, old, new)
    parts: list[str] = []
    at = 0
    # The sort is stable: of two insertions at one place the inner one comes first.
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < at:
            raise YamlEditError("two changes overlap in the file", hint="run 'awesome fmt KEY', then try again")
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def merge(raw: Value, old: Value, new: Value) -> Value:
    """Return `new`, but write the parts that did not change as the user wrote them.

    `raw` is the previous value as the user wrote it, `old` the previous value in canonical form.
    """
    if old == new:
        return raw
    stays = {there: here for here, there in pairs(old, new).items()}
    if isinstance(raw, dict) and isinstance(old, dict) and isinstance(new, dict):
        changed = {name: merge(raw[name], old.get(name), new[name]) if name in raw else new[name] for name in new}
        return changed | {name: raw[name] for name in raw if name not in old and name not in new}
    if stays and isinstance(raw, list) and len(raw) == len(old):
        return [merge(raw[stays[i]], old[stays[i]], new[i]) if i in stays else new[i] for i in range(len(new))]
    return new
