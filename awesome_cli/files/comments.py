"""Carry the comments of a YAML text over to its canonical form."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from awesome_cli.files import yaml_reading
from awesome_cli.files.yaml_reading import Route

MARK = re.compile(r"(?:^|(?<=[ \t]))#", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment and the value it speaks of: the next one, or for a trailing one the last one on its line.

    An empty route is the top of the file, none its end.
    """

    text: str
    route: Route | None
    trailing: bool


def carried(data: bytes, form: str) -> str:
    """`form`, which says the same as `data`, with the comments of `data` beside the same values."""
    if b"#" not in data:
        return form
    try:
        comments = tuple(_comments(yaml_reading.decode(data)))
    except yaml_reading.UnreadableError:
        return form
    if not comments:
        return form
    lines = form.removesuffix("\n").split("\n")
    places = {route: line for route, line, _, _ in _values(form)}
    above: dict[int, list[str]] = {}
    behind: dict[int, list[str]] = {}
    for comment in comments:
        line = _line(comment.route, places, len(lines))
        target = behind if comment.trailing and line < len(lines) else above
        target.setdefault(line, []).append(comment.text)
    result: list[str] = []
    for number in range(len(lines) + 1):
        text = lines[number] if number < len(lines) else ""
        indent = text[: len(text) - len(text.lstrip(" "))]
        result += [indent + comment for comment in above.get(number, [])]
        if number < len(lines):
            result.append(" ".join([text, *behind.get(number, [])]))
    return "\n".join(result) + "\n"


def _line(route: Route | None, places: dict[Route, int], end: int) -> int:
    """The line, from 0, of a value or of its nearest parent that has one; the end where there is none."""
    if route is None:
        return end
    while route and route not in places:
        route = route[:-1]
    return places.get(route, 0)


def _comments(text: str) -> Iterator[Comment]:
    values = list(_values(text))
    # Fields and entries start in the order of the text; scalars are where a '#' is no comment.
    starts = [start for _, _, start, _ in values]
    scalars = [(start, end) for start, end in _scalars(yaml_reading.compose(text)) if end > start]
    opens = [start for start, _ in scalars]
    end = 0
    for found in MARK.finditer(text):
        at = found.start()
        if at < end:
            continue
        inside = bisect_right(opens, at) - 1
        if inside >= 0 and scalars[inside][1] > at:
            continue
        line = text.rfind("\n", 0, at) + 1
        trailing = bool(text[line:at].strip())
        index = bisect_right(starts, at)
        route = values[index - 1][0] if trailing and index else values[index][0] if index < len(values) else None
        end = text.find("\n", at) if "\n" in text[at:] else len(text)
        yield Comment(text[at:end].rstrip(), () if index == 0 else route, trailing)


def _values(text: str) -> Iterator[tuple[Route, int, int, int]]:
    """`(route, line from 0, start, end)` of every field and entry, by the start of its name or of itself."""
    yield from _walk(yaml_reading.compose(text), ())


def _walk(node: Any, route: Route) -> Iterator[tuple[Route, int, int, int]]:
    if not hasattr(node, "flow_style"):
        return
    for i, child in enumerate(node.value):
        key, value = child if isinstance(child, tuple) else (child, child)
        step: Route = (*route, key.value if isinstance(child, tuple) else i)
        yield step, key.start_mark.line, key.start_mark.index, value.end_mark.index
        yield from _walk(value, step)


def _scalars(node: Any) -> Iterator[tuple[int, int]]:
    if not hasattr(node, "flow_style"):
        if node is not None:
            yield node.start_mark.index, node.end_mark.index
        return
    for child in node.value:
        for part in child if isinstance(child, tuple) else (child,):
            yield from _scalars(part)
