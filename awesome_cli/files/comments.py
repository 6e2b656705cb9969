"""Copy the comments of a YAML text to its canonical form."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from awesome_cli.files import yaml_reading
from awesome_cli.files.yaml_reading import Route

COMMENT = re.compile(r"(?:^|(?<=[ \t]))#.*", re.MULTILINE)
LETTER = re.compile(r".")


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment and the route of its value: the next value, or for a trailing comment the last value on its line.

    An empty route means the top of the file, None the end of the file.
    """

    text: str
    route: Route | None
    trailing: bool


def carried(data: bytes, form: str) -> str:
    """Copy the comments of `data` to the same values in `form`, the canonical text of `data`."""
    if b"#" not in data:
        return form
    try:
        comments = tuple(_comments(yaml_reading.decode(data)))
    except yaml_reading.UnreadableError:
        return form
    lines = form.removesuffix("\n").split("\n")
    places = {route: key.start_mark.line for route, key, _ in _values(yaml_reading.compose(form))} if comments else {}
    above: list[list[str]] = [[] for _ in (*lines, "the end")]
    for comment in comments:
        line = len(lines) if comment.route is None else _line(comment.route, places)
        if comment.trailing:
            lines[line] += f" {comment.text}"
        else:
            above[line].append(comment.text)
    result: list[str] = []
    for text, standing in zip([*lines, ""], above, strict=True):
        indent = text[: len(text) - len(text.lstrip(" "))]
        result += [*(indent + comment for comment in standing), text]
    return "\n".join(result)


def _line(route: Route, places: dict[Route, int]) -> int:
    """Return the line of a value, from 0. If the value is not in `places`, return the line of its nearest parent."""
    while route and route not in places:
        route = route[:-1]
    return places.get(route, 0)


def _comments(text: str) -> Iterator[Comment]:
    values = [*_values(yaml_reading.compose(text))]
    # Mask names and values, so that each remaining '#' begins a comment.
    parts: list[str] = []
    done = 0
    for scalar in (node for _, *nodes in values for node in dict.fromkeys(nodes) if not hasattr(node, "flow_style")):
        start, end = scalar.start_mark.index, scalar.end_mark.index
        parts += [text[done:start], LETTER.sub("x", text[start:end])]
        done = end
    text = "".join([*parts, text[done:]])
    # Fields and entries start in the order of the text.
    starts = [key.start_mark.index for _, key, _ in values]
    routes = [*(route for route, _, _ in values), None]
    for match in COMMENT.finditer(text):
        at = match.start()
        index = bisect_right(starts, at)
        trailing = bool(text[text.rfind("\n", 0, at) + 1 : at].strip())
        route = routes[index - 1 if trailing else index]
        yield Comment(match[0].rstrip(), route if index else (), trailing)


def _values(node: Any, route: Route = ()) -> Iterator[tuple[Route, Any, Any]]:
    """Yield `(route, key node, value node)` of each field; for a list item both nodes are its value."""
    if not hasattr(node, "flow_style"):
        return
    for i, child in enumerate(node.value):
        key, value = child if isinstance(child, tuple) else (child, child)
        step: Route = (*route, key.value if isinstance(child, tuple) else i)
        yield step, key, value
        yield from _values(value, step)
