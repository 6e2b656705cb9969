"""YAML editing: change values in a YAML text and keep every other byte, with comments and style.

The text is composed to learn where each value stands; the difference between what it says and what it shall say
becomes a few replacements at those places. The result is read again and must say exactly what was asked for.
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
    """The text cannot be changed in place without touching more than was asked for."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text from `start` to `end` (excluded); without length, an insertion."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A field or an item of a list from `start` to `end` (excluded); its value stands behind `mark`."""

    value: Any
    start: int
    mark: int
    end: int


def pairs(old: Value, new: Value) -> dict[Any, Any]:
    """The entries of `old` that stay, changed or not: the name or index of each, and the one that it has in `new`.

    Empty where `old` and `new` are not two mappings or two lists.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        return {name: name for name in old if name in new}
    if not isinstance(old, list | tuple) or not isinstance(new, list | tuple):
        return {}
    here, there = ([json.dumps(canonical.texts(value)) for value in values] for values in (old, new))
    steps = SequenceMatcher(None, here, there, autojunk=False).get_opcodes()
    return {i: j for _, a, b, c, d in steps for i, j in zip(range(a, b), range(c, d), strict=False)}


class Differences:
    """The differences of a text whose last line is ended; its methods yield edits at offsets of this text.

    Top fields named in `block` are written over several lines.
    """

    def __init__(self, text: str, block: frozenset[str]) -> None:
        self.text = text
        self.block = block
        self.root = yaml_reading.compose(text)

    def collection(self, node: Any, old: Value, new: Value) -> Iterator[Edit]:
        """The edits that turn a mapping or a list from `old` to `new`; raises `YamlEditError` where no entry stays."""
        stays = pairs(old, new)
        if not stays:
            raise YamlEditError("nothing of the file would stay")
        entries = dict(zip(_names(old), self.entries(node), strict=True))
        for name, there in stays.items():
            if old[name] != canonical.texts(new[there]):
                yield from self.value(node, entries[name], old[name], there, new[there])
        kept = [name in stays for name in entries]
        yield from (self.flow_removals if node.flow_style else self.removals)([*entries.values()], kept)
        standing = {there: entries[name] for name, there in stays.items()}
        first = entries[next(iter(stays))]
        before: Entry | None = None
        for name in _names(new):
            before = standing.get(name, before)
            if name not in standing:
                yield self.addition(node, self.written(node, name, new[name])[0], before, first)

    def entries(self, node: Any) -> Iterator[Entry]:
        """The fields of a mapping or the items of a list, in the order of the text."""
        dash = re.compile(rf"^ {{{node.start_mark.column}}}(?=-)", re.MULTILINE)
        end = 0
        for child in node.value:
            key, value = child if isinstance(child, tuple) else (child, child)
            start = mark = key.start_mark.index
            if isinstance(child, tuple):
                mark = self.text.find(":", key.end_mark.index) + 1
            elif not node.flow_style:
                # The first dash may stand behind another one, the next begin their lines.
                found = dash.search(self.text, end) if end else None
                start = found.end() if found else node.start_mark.index
                mark = start + 1
            end = self.end(value)
            yield Entry(value, start, mark, max(end, mark))

    def value(self, node: Any, entry: Entry, old: Value, name: str | int, new: Value) -> Iterator[Edit]:
        """The edits that change the value of one entry; a comment behind a field's name stays."""
        if pairs(old, new):
            yield from self.collection(entry.value, old, new)
            return
        text, head = self.written(node, name, new)
        inline, *lines = text[head:].split("\n")
        rest = "".join("\n" + line for line in lines)
        start, mark, end = entry.value.start_mark.index, entry.mark, entry.end
        if start > self.line_end(mark):
            # The old value stands on the lines below.
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
        """An entry of a collection in canonical form, and the length of what stands before its value."""
        head = f"{canonical.scalar(name, flow=True)}:" if isinstance(name, str) else ""
        column: int = node.start_mark.column
        if node.flow_style:
            return f"{head} {canonical.flow(value)}".removeprefix(" "), len(head)
        if isinstance(name, str):
            block = node is self.root and name in self.block
            return canonical.field(name, value, indent=column, block=block), column + len(head)
        return canonical.item(value, indent=column), column + 1

    def flow_removals(self, entries: Sequence[Entry], kept: Sequence[bool]) -> Iterator[Edit]:
        """The removal, with their commas, of entries between braces or brackets; comments between them stay."""
        inside = self.text[entries[0].start : entries[-1].end]
        commented = "\n" in inside and " #" in inside
        for i, entry in enumerate(entries):
            if kept[i]:
                continue
            if commented:
                yield Edit(entry.start, entry.end + (entry is not entries[-1]), "")
            elif any(kept[i:]):
                yield Edit(entry.start, entries[i + 1].start, "")
            else:
                yield Edit(entries[i - 1].end, entry.end, "")

    def removals(self, entries: Sequence[Entry], kept: Sequence[bool]) -> Iterator[Edit]:
        """The removal of whole lines; comments between them stay.

        Where the first entry stands behind a dash, the next line that stays moves up to the dash.
        """
        start = entries[0].start
        dash = bool(self.text[self.line_start(start) : start].strip())
        for i, entry in enumerate(entries):
            if kept[i]:
                dash = False
                continue
            after = self.line_end(entry.end) + 1
            if dash:
                line = self.text[after : self.line_end(after)]
                yield Edit(entry.start, after + len(line) - len(line.lstrip(" ")), "")
            else:
                yield Edit(self.line_start(entry.start), after, "")

    def addition(self, node: Any, text: str, before: Entry | None, first: Entry) -> Edit:
        """The insertion of an entry behind the one `before` it, else in front of the `first` that stays."""
        if node.flow_style:
            return Edit(before.end, before.end, f", {text}") if before else Edit(first.start, first.start, f"{text}, ")
        if before:
            at = self.line_end(before.end) + 1
            return Edit(at, at, text + "\n")
        column = node.start_mark.column
        return Edit(first.start, first.start, text[column:] + "\n" + " " * column)

    def line_start(self, at: int) -> int:
        """The offset of the first character of the line."""
        return self.text.rfind("\n", 0, at) + 1

    def line_end(self, at: int) -> int:
        """The offset of the line break at or behind `at`."""
        return self.text.index("\n", at)

    def end(self, node: Any) -> int:
        """Where a value ends, without the comments and blank lines behind it."""
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
    """The text so that it reads as `new`; what is equal in both keeps its bytes.

    A new field goes behind the one that precedes it in `new`. Top fields named in `block` are written over several
    lines. Raises `YamlEditError` when the text is not a mapping or would not read as `new` afterwards.
    """
    wanted = canonical.texts(new)
    old, findings = yaml_reading.read(data)
    if findings or not isinstance(old, dict):
        raise YamlEditError("the file cannot be read: " + (findings[0].message if findings else "it holds no fields"))
    if old == wanted:
        return data
    text = _edited(yaml_reading.decode(data), old, new, frozenset(block))
    result = (BOM if data.startswith(BOM) else b"") + text.encode()
    if yaml_reading.read(result) != (wanted, ()):
        raise YamlEditError("the change does not fit the way the file is written", hint="awesome fmt KEY, then again")
    return result


def _edited(text: str, old: Mapping[str, Value], new: Mapping[str, Any], block: frozenset[str]) -> str:
    """The text after all edits. They know lines that end with a line feed alone; other ends are put back."""
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
            raise YamlEditError("two changes meet at one place of the file", hint="awesome fmt KEY, then again")
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def merge(raw: Value, old: Value, new: Value) -> Value:
    """`new`, with what it shares with `old` as `raw` has it.

    `raw` is a value as a person wrote it and `old` the same in canonical form.
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
