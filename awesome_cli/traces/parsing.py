"""Bytes to a JSON value, strictly, and the lines and columns of JSON pointers. Only this module reads JSON with orjson.

`orjson` already rejects NaN, Infinity, numbers too large for a double, bytes that are not UTF-8 and lone surrogates. Of
two equal keys it silently keeps the last, so repeated keys are found by counting: a lost value took the quotation marks
of its key with it. Positions are found in one scan that follows the wanted pointers and skips everything else.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from awesome_cli.reports.findings import Finding, Level
from awesome_cli.traces import rules
from awesome_cli.traces.rules import TraceRule
from awesome_cli.traces.schema import escape

ESCAPE = re.compile(rb"\\.", re.DOTALL)
LITERAL = re.compile(rb"-?(NaN|Infinity|nan|inf)")
NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{},:]', re.DOTALL)


def finding(rule: TraceRule, message: str, line: int, column: int, pointer: str = "") -> Finding:
    """A fault of a text that is not strict JSON; `pointer` names the place in the value. The caller knows the path."""
    return Finding(rule.code, Level.ERROR, message, "", line=line, column=column, pointer=pointer)


def parse(data: bytes) -> Any | Finding:
    """The JSON value in `data` (objects as `dict`, numbers as `int` or `float`), or the reason why there is none."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        return explain(data, error)
    return value if keeps_all(data, value) else repeated_key(data) or value


def keeps_all(data: bytes, value: Any) -> bool:
    """True if `value` has all strings of `data`; False where counting cannot tell."""
    try:
        return quotes(data) == quotes(orjson.dumps(value))
    except orjson.JSONEncodeError:
        # orjson writes 254 levels of nesting, and reads 1024.
        return False


def quotes(data: bytes) -> int:
    """The number of quotation marks that open or close a string."""
    return (ESCAPE.sub(b"", data) if b"\\" in data else data).count(b'"')


def explain(data: bytes, error: orjson.JSONDecodeError) -> Finding:
    """The rule that a text breaks which orjson cannot read.

    orjson has one type of error for all reasons, so the text at the place of the error tells them apart.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as bad:
        line, column = position(data, bad.start)
        return finding(rules.NOT_UTF8, f"byte 0x{data[bad.start]:02x} is not UTF-8", line, column)
    # The error of a text that ends too early is reported at its last character, not on the empty line after it.
    at = min(len(text[: error.pos].encode("utf-8")), len(data.rstrip()))
    if data[at - 1 : at] == b"-":
        at -= 1
    line, column = position(data, at)
    if not data.strip():
        return finding(rules.NOT_JSON, "the text is empty", 1, 1)
    if literal := LITERAL.match(data, at):
        return finding(rules.NOT_A_NUMBER, f"{literal[0].decode()} is not a JSON number", line, column)
    number = NUMBER.match(data, at)
    if number and float(number[0]) in (float("inf"), float("-inf")):
        return finding(rules.NOT_A_NUMBER, "a number is too large for a double", line, column)
    if SURROGATE.match(data, at):
        return finding(rules.NOT_UTF8, "an escape is half of a surrogate pair, not a character", line, column)
    return finding(rules.NOT_JSON, f"not JSON: {error.msg}", line, column)


def position(data: bytes, at: int) -> tuple[int, int]:
    """Line and column, in characters, of a byte offset."""
    start = data.rfind(b"\n", 0, at) + 1
    return data.count(b"\n", 0, at) + 1, len(data[start:at].decode("utf-8", "replace")) + 1


def repeated_key(data: bytes) -> Finding | None:
    """The first key of `data`, valid JSON, that appears twice in one object, or `None`."""
    # For each open container the keys so far (`None` for an array), and the key or position that the scan is at.
    seen: list[set[str] | None] = []
    route: list[str | int] = []
    expect_key = False
    for match in TOKEN.finditer(data):
        token = match[0]
        if token in b"{[":
            seen.append(set() if token == b"{" else None)
            route.append("" if token == b"{" else 0)
            expect_key = token == b"{"
        elif token in b"]}":
            seen.pop()
            route.pop()
            expect_key = False
        elif token == b",":
            expect_key = seen[-1] is not None
            route[-1] = "" if expect_key else int(route[-1]) + 1
        elif token != b":" and expect_key:
            expect_key = False
            key = route[-1] = orjson.loads(token)
            keys = seen[-1]
            assert keys is not None
            if key in keys:
                line, column = position(data, match.start())
                message = f"the key {key!r} appears twice in one object"
                return finding(rules.REPEATED_KEY, message, line, column, pointer(route))
            keys.add(key)
    return None


def pointer(route: list[str | int]) -> str:
    """A JSON pointer (RFC 6901) from keys and positions."""
    return "".join("/" + escape(str(step)) for step in route)


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
