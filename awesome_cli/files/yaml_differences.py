"""Differences between what a YAML text says and what it shall say, as replacements at known places."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from awesome_cli.errors import SurveyError
from awesome_cli.files import canonical
from awesome_cli.files.yaml_reading import Value


class SpliceError(SurveyError):
    """The text cannot be changed in place without touching more than was asked for."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text from `start` to `end` (excluded); without length, an insertion."""

    start: int
    end: int
    text: str


def steps(old: Sequence[Value], new: Sequence[Value]) -> Sequence[tuple[str, int, int, int, int]]:
    a, b = ([json.dumps(canonical.texts(value)) for value in values] for values in (old, new))
    return SequenceMatcher(None, a, b, autojunk=False).get_opcodes()


class Differences:
    """The text whose differences are being collected; every method yields edits at original offsets."""

    def __init__(self, text: str, block: frozenset[str]) -> None:
        self.text = text
        self.block = block
        self.newline = "\r\n" if "\r\n" in text else "\n"

    def mapping(
        self, node: Any, old: Mapping[str, Value], new: Mapping[str, Value], *, top: bool = True
    ) -> Iterator[Edit]:
        """The edits that turn the fields of a mapping from `old` to `new`; some field must stay."""
        pairs = [(key.value, key, value) for key, value in node.value]
        keep = [name in new for name, _, _ in pairs]
        if not any(keep):
            raise SpliceError("nothing of this mapping would stay")
        for name, key, value in pairs:
            if name in new and old[name] != canonical.texts(new[name]):
                yield from self.field(node, key, value, old[name], new[name], block=top and name in self.block)
        entries = [(key.start_mark.index, self.end(value)) for _, key, value in pairs]
        added = self._groups([name for name, _, _ in pairs], new)
        if node.flow_style:
            texts = {i: [f"{canonical.scalar(n, flow=True)}: {canonical.flow(new[n])}" for n in names]
                     for i, names in added.items()}  # fmt: skip
            yield from self.flow_changes(entries, keep, texts)
        else:
            column = node.start_mark.column
            blocks = {i: [canonical.field(n, new[n], indent=column, block=top and n in self.block) for n in names]
                      for i, names in added.items()}  # fmt: skip
            yield from self.block_changes(entries, keep, blocks, column)

    def _groups(self, names: list[str], new: Mapping[str, Value]) -> dict[int, list[str]]:
        """New fields by the index of the kept entry that they follow, -1 before the first."""
        place = {name: i for i, name in enumerate(names)}
        groups: dict[int, list[str]] = {}
        at = -1
        for name in new:
            at = place.get(name, at)
            if name not in place:
                groups.setdefault(at, []).append(name)
        return groups

    def field(self, parent: Any, key: Any, value: Any, old: Value, new: Value, *, block: bool) -> Iterator[Edit]:
        """The edits that change one field's value."""
        inner = list(self.within(value, old, new))
        if inner:
            yield from inner
        elif parent.flow_style:
            colon = self.colon(key, value)
            start = value.start_mark.index if value.end_mark.index > value.start_mark.index else colon
            yield Edit(start, self.end(value), (" " if start == colon else "") + canonical.flow(new))
        else:
            yield from self.block_value(key, value, new, block=block)

    def within(self, node: Any, old: Value, new: Value) -> Iterator[Edit]:
        """Edits inside a collection that keeps something; none where it must be written anew."""
        if not self.plain(node):
            return
        if isinstance(old, dict) and isinstance(new, Mapping) and old.keys() & new.keys():
            yield from self.mapping(node, old, new, top=False)
        elif isinstance(old, list) and isinstance(new, list | tuple):
            yield from self.sequence(node, old, new)

    def plain(self, node: Any) -> bool:
        """Whether a collection is written in one of the two usual ways."""
        return not getattr(node, "flow_style", None) or self.text[node.start_mark.index] in "{["

    def block_value(self, key: Any, value: Any, new: Value, *, block: bool) -> Iterator[Edit]:
        """Write the value of a block field anew; a comment behind the field's name stays."""
        colon = self.colon(key, value)
        head, *rest = canonical.field(key.value, new, indent=key.start_mark.column, block=block).split("\n")
        inline = head[key.start_mark.column + len(canonical.scalar(key.value)) + 1 :]
        start, end = value.start_mark.index, self.end(value)
        line_end = self.line_end(colon)
        if start > line_end:
            # The old value stands on the lines below.
            yield Edit(colon, colon, inline)
            yield Edit(line_end, end, "".join(self.newline + line for line in rest))
            return
        if inline and end > start > colon:
            yield Edit(start, end, inline.lstrip(" "))
        else:
            yield Edit(colon, max(end, colon), inline)
        if rest:
            at = max(self.line_end(end), end)
            yield Edit(at, at, "".join(self.newline + line for line in rest))

    def sequence(self, node: Any, old: Sequence[Value], new: Sequence[Value]) -> Iterator[Edit]:
        """The edits that turn a list from `old` to `new`; none where nothing of it would stay."""
        keep = [True] * len(old)
        added: dict[int, list[Value]] = {}
        changed: list[tuple[Any, Value, Value]] = []
        for tag, a, b, c, d in steps(old, new):
            pairs = 0 if tag in {"delete", "equal"} else min(b - a, d - c)
            changed += [(node.value[a + i], old[a + i], new[c + i]) for i in range(pairs)]
            if tag != "equal":
                keep[a + pairs : b] = [False] * (b - a - pairs)
                if new[c + pairs : d]:
                    added[a + pairs - 1] = list(new[c + pairs : d])
        if not any(keep):
            return
        for child, before, after in changed:
            yield from list(self.within(child, before, after)) or self.entry(node, child, after)
        if node.flow_style:
            entries = [(child.start_mark.index, self.end(child)) for child in node.value]
            yield from self.flow_changes(entries, keep, {i: [*map(canonical.flow, v)] for i, v in added.items()})
        else:
            column = node.start_mark.column
            entries = [(self.dash(child), self.end(child)) for child in node.value]
            texts = {i: [canonical.item(v, indent=column) for v in values] for i, values in added.items()}
            yield from self.block_changes(entries, keep, texts, column)

    def entry(self, parent: Any, child: Any, new: Value) -> Iterator[Edit]:
        """Write an entry of a list anew."""
        if parent.flow_style:
            yield Edit(child.start_mark.index, self.end(child), canonical.flow(new))
            return
        dash = self.dash(child)
        lines = canonical.item(new, indent=parent.start_mark.column).split("\n")
        lines[0] = lines[0].lstrip(" ")
        yield Edit(dash, max(self.end(child), dash + 1), self.newline.join(lines))

    def flow_changes(
        self, entries: list[tuple[int, int]], keep: list[bool], added: Mapping[int, list[str]]
    ) -> Iterator[Edit]:
        """Remove and insert entries between braces or brackets, with their commas."""
        for first, last in _runs(keep):
            if last + 1 < len(entries):
                yield Edit(entries[first][0], entries[last + 1][0], "")
            else:
                yield Edit(entries[first - 1][1], entries[last][1], "")
        for place, texts in added.items():
            kept = next((i for i in range(place, -1, -1) if keep[i]), None)
            if kept is not None:
                yield Edit(entries[kept][1], entries[kept][1], "".join(f", {text}" for text in texts))
            else:
                first = entries[keep.index(True)][0]
                yield Edit(first, first, "".join(f"{text}, " for text in texts))

    def block_changes(
        self, entries: list[tuple[int, int]], keep: list[bool], added: Mapping[int, list[str]], column: int
    ) -> Iterator[Edit]:
        """Remove and insert whole lines; an entry behind a dash gives its place to the next."""
        for first, last in _runs(keep):
            yield from self.removal(entries[first : last + 1])
        for place, texts in added.items():
            kept = next((i for i in range(place, -1, -1) if keep[i]), None)
            if kept is not None:
                lines = "".join(f"{text}\n" for text in texts).replace("\n", self.newline)
                at = self.line_end(entries[kept][1])
                if at == len(self.text):
                    yield Edit(at, at, self.newline + lines.removesuffix(self.newline))
                else:
                    yield Edit(at + len(self.newline), at + len(self.newline), lines)
            else:
                at = entries[keep.index(True)][0]
                lines = "".join(f"{text}\n" for text in texts)[column:] + " " * column
                yield Edit(at, at, lines.replace("\n", self.newline))

    def removal(self, entries: Sequence[tuple[int, int]]) -> Iterator[Edit]:
        """Remove the lines of neighbouring entries; comments between them stay.

        Where the first stands behind a dash, the next line that stays moves up to the dash.
        """
        shared = bool(self.text[self.line_start(entries[0][0]) : entries[0][0]].strip())
        up: int | None = None
        for start, end in entries:
            begin = start if shared and start == entries[0][0] else self.line_start(start)
            after = min(self.line_end(end) + len(self.newline), len(self.text))
            yield Edit(begin, after, "")
            if shared and up in {None, begin}:
                up = after
        if up is not None:
            blanks = len(self.text[up:]) - len(self.text[up:].lstrip(" "))
            yield Edit(up, up + blanks, "")

    def line_start(self, at: int) -> int:
        """The offset of the first character of the line."""
        return self.text.rfind("\n", 0, at) + 1

    def colon(self, key: Any, value: Any) -> int:
        """The offset behind the colon of a field."""
        at: int = key.end_mark.index
        while at < len(self.text) and self.text[at] in " \t":
            at += 1
        if at >= len(self.text) or self.text[at] != ":" or at > max(value.start_mark.index, key.end_mark.index):
            raise SpliceError(f"the field {key.value!r} is written in an unusual way")
        return at + 1

    def dash(self, child: Any) -> int:
        """The offset of the dash before an entry of a list."""
        at = self.text.rfind("-", 0, child.start_mark.index)
        between = self.text[at + 1 : child.start_mark.index]
        if at < 0 or between.strip() or self.text[self.line_start(at) : at].strip(" -"):
            raise SpliceError("a list is written in an unusual way")
        return at

    def line_end(self, at: int) -> int:
        """The offset of the line break, or of the end of the text, at or behind `at`."""
        found = self.text.find("\n", at)
        if found < 0:
            return len(self.text)
        return found - 1 if found > at and self.text[found - 1] == "\r" else found

    def end(self, node: Any) -> int:
        """Where a value ends, without the comments and blank lines behind it."""
        if node.value and not getattr(node, "flow_style", None) and not isinstance(node.value, str):
            last = node.value[-1]
            return self.end(last[1] if isinstance(last, tuple) else last)
        start: int = node.start_mark.index
        end: int = node.end_mark.index
        return start + len(self.text[start:end].rstrip())


def _runs(keep: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """First and last index of each run of entries that go."""
    start: int | None = None
    for i, kept in enumerate([*keep, True]):
        if not kept and start is None:
            start = i
        elif kept and start is not None:
            yield start, i - 1
            start = None
