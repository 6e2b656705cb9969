"""Line and column of JSON pointers in a text: one scan that follows the wanted pointers and skips everything else."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from awesome_cli.reports.findings import Finding

GAP = re.compile(rb"[\s,]*+([\]}])?")
KEY = re.compile(rb'("(?:[^"\\]++|\\.)*+")\s*+:\s*+', re.DOTALL)
# A value without containers inside: it is skipped in one step unless a pointer leads into it.
FLAT = re.compile(
    rb'"(?:[^"\\]++|\\.)*+"|[^\s"\[\]{},:]++|[\[{](?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+[\]}]', re.DOTALL
)
Position = tuple[int, int]
"""Line and column, in characters, from 1."""


@dataclass(slots=True)
class PointerNode:
    """A wanted pointer, or the start of one; `children` by key, or by position as text."""

    pointer: str
    children: dict[str, "PointerNode"] = field(default_factory=dict)


@dataclass(slots=True)
class OpenContainer:
    """An object or array that the scan is in."""

    node: PointerNode | None
    is_object: bool
    items: int = 0


def with_positions(findings: Sequence[Finding], data: bytes | None, line: int) -> tuple[Finding, ...]:
    """The findings with line and column of their pointers, in a text whose first line is `line`.

    Without the text, and where a finding has no pointer, they stay as they are.
    """
    pointers = {f.pointer for f in findings if f.pointer is not None}
    if data is None or not pointers:
        return tuple(findings)
    found = {pointer: (line + row - 1, column) for pointer, (row, column) in positions(data, pointers).items()}
    places = [(f.line, f.column) if f.pointer is None else found[f.pointer] for f in findings]
    return tuple(replace(f, line=row, column=column) for f, (row, column) in zip(findings, places, strict=True))


def positions(data: bytes, pointers: Iterable[str]) -> Mapping[str, Position]:
    """Line and column at which the values of the pointers begin in `data`, valid JSON without repeated keys.

    A pointer to a value that does not exist has the position of the nearest container that does.
    """
    root = PointerNode("")
    routes = {pointer: add_pointer(root, pointer) for pointer in pointers}
    found = lines_of(data, offsets(data, root, len({name for route in routes.values() for name in route})))
    return {
        pointer: next(found[name] for name in reversed(route) if name in found) for pointer, route in routes.items()
    }


def add_pointer(root: PointerNode, pointer: str) -> list[str]:
    """Add a pointer to the tree; the pointers from the root to it, itself included."""
    route = [root.pointer]
    node = root
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        node = node.children.setdefault(key, PointerNode(f"{node.pointer}/{step}"))
        route.append(node.pointer)
    return route


def offsets(data: bytes, root: PointerNode, wanted: int) -> dict[str, int]:
    """Where the values of the tree's nodes begin, in bytes, by pointer and in rising order; ends after `wanted`."""
    found: dict[str, int] = {}
    within: list[OpenContainer] = []
    node: PointerNode | None = root
    at = next_value(data, 0, within)
    while len(found) < wanted:
        if node is not None:
            found[node.pointer] = at
        skip = None if node is not None and node.children else FLAT.match(data, at)
        if skip is None and data[at : at + 1] in (b"{", b"["):
            within.append(OpenContainer(node, data[at : at + 1] == b"{"))
            at += 1
        else:
            skip = skip or FLAT.match(data, at)
            at = skip.end() if skip else len(data)
        at = next_value(data, at, within)
        if not within:
            break
        node, at = child(data, at, within[-1])
    return found


def next_value(data: bytes, at: int, within: list[OpenContainer]) -> int:
    """The offset of the next value or key; containers that end before it are removed from `within`."""
    while (gap := GAP.match(data, at)) and gap[1]:
        within.pop()
        at = gap.end()
    return gap.end() if gap else at


def child(data: bytes, at: int, container: OpenContainer) -> tuple[PointerNode | None, int]:
    """The node of the container's next value, if it is wanted, and the offset at which the value begins."""
    children = container.node.children if container.node is not None else {}
    key = KEY.match(data, at) if container.is_object else None
    if key is not None:
        return (children.get(json.loads(key[1])) if children else None), key.end()
    container.items += 1
    return children.get(str(container.items - 1)), at


def lines_of(data: bytes, found: Mapping[str, int]) -> dict[str, Position]:
    """Byte offsets in rising order as lines and columns."""
    result: dict[str, Position] = {}
    line, column, last = 1, 1, 0
    for pointer, at in found.items():
        # What was counted is not counted again: a text may be one line of a hundred megabytes.
        if rows := data.count(b"\n", last, at):
            line, column, last = line + rows, 1, data.rfind(b"\n", last, at) + 1
        column += len(data[last:at].decode("utf-8"))
        last = at
        result[pointer] = (line, column)
    return result
