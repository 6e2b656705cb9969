"""Where in a JSON text a JSON pointer leads: one scan that follows the wanted routes and leaps over the rest."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from awesome_cli.reports.findings import Finding

GAP = re.compile(rb"[\s,]*+([\]}])?")
KEY = re.compile(rb'("(?:[^"\\]++|\\.)*+")\s*+:\s*+', re.DOTALL)
# A value without containers inside: it is leapt over in one go unless a pointer leads into it.
FLAT = re.compile(
    rb'"(?:[^"\\]++|\\.)*+"|[^\s"\[\]{},:]++|[\[{](?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+[\]}]', re.DOTALL
)
Place = tuple[int, int]
"""Line and column, in characters, from 1."""


@dataclass(slots=True)
class Node:
    """A place that is looked for, or that lies on the way to one; `children` by key, or by position as text."""

    pointer: str
    children: dict[str, "Node"] = field(default_factory=dict)


@dataclass(slots=True)
class Open:
    """A container that the scan is in."""

    node: Node | None
    is_object: bool
    items: int = 0


def placed(findings: Sequence[Finding], data: bytes | None, line: int) -> tuple[Finding, ...]:
    """The findings with line and column of what their pointers name, in a text whose first line is `line`.

    Without the text, or where they have no pointer, they stay as they are.
    """
    pointers = {f.pointer for f in findings if f.pointer is not None}
    if data is None or not pointers:
        return tuple(findings)
    found = places(data, pointers)
    return tuple(moved(f, found[f.pointer], line) if f.pointer is not None else f for f in findings)


def moved(finding: Finding, place: Place, line: int) -> Finding:
    """The finding at a place of a text that begins at `line`."""
    return replace(finding, line=line + place[0] - 1, column=place[1])


def places(data: bytes, pointers: Iterable[str]) -> Mapping[str, Place]:
    """Line and column where the values begin that the pointers name in `data`, valid JSON without repeated keys.

    A pointer that leads nowhere has the place of the last step that exists.
    """
    root = Node("")
    routes = {pointer: grow(root, pointer) for pointer in pointers}
    found = lines_of(data, offsets(data, root, len({name for route in routes.values() for name in route})))
    return {
        pointer: next(found[name] for name in reversed(route) if name in found) for pointer, route in routes.items()
    }


def grow(root: Node, pointer: str) -> list[str]:
    """Add a pointer's steps to the tree; the pointers of its ancestors from the root on, and itself."""
    route = [root.pointer]
    node = root
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        node = node.children.setdefault(key, Node(f"{node.pointer}/{step}"))
        route.append(node.pointer)
    return route


def offsets(data: bytes, root: Node, wanted: int) -> dict[str, int]:
    """Where the values of the tree's nodes begin, in bytes, by pointer and in rising order; ends after `wanted`."""
    found: dict[str, int] = {}
    within: list[Open] = []
    node: Node | None = root
    at = after(data, 0, within)
    while len(found) < wanted:
        if node is not None:
            found[node.pointer] = at
        leap = None if node is not None and node.children else FLAT.match(data, at)
        if leap is None and data[at : at + 1] in (b"{", b"["):
            within.append(Open(node, data[at : at + 1] == b"{"))
            at += 1
        else:
            leap = leap or FLAT.match(data, at)
            at = leap.end() if leap else len(data)
        at = after(data, at, within)
        if not within:
            break
        node, at = member(data, at, within[-1])
    return found


def after(data: bytes, at: int, within: list[Open]) -> int:
    """The next value or key, past blanks, commas and the ends of containers, which are left."""
    while (gap := GAP.match(data, at)) and gap[1]:
        within.pop()
        at = gap.end()
    return gap.end() if gap else at


def member(data: bytes, at: int, container: Open) -> tuple[Node | None, int]:
    """The node of the container's next value, if it has one, and where the value begins."""
    children = container.node.children if container.node is not None else {}
    key = KEY.match(data, at) if container.is_object else None
    if key is not None:
        return (children.get(json.loads(key[1])) if children else None), key.end()
    container.items += 1
    return children.get(str(container.items - 1)), at


def lines_of(data: bytes, found: Mapping[str, int]) -> dict[str, Place]:
    """Byte offsets in rising order as lines and columns."""
    result: dict[str, Place] = {}
    line, last = 1, 0
    for pointer, at in found.items():
        line += data.count(b"\n", last, at)
        last = at
        start = data.rfind(b"\n", 0, at) + 1
        result[pointer] = (line, len(data[start:at].decode("utf-8")) + 1)
    return result
