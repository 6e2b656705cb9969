"""Bytes to a JSON value, strictly, and the lines and columns of JSON pointers.

`orjson` already rejects NaN, Infinity, numbers too large for a double, bytes that are not UTF-8 and lone surrogates. Of
two equal keys it silently keeps the last, so repeated keys are found by counting: a lost value took the quotation marks
of its key with it. Positions are found by opening only the containers on the way of a pointer.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isinf
from typing import Any

import orjson
from msgspec import Raw, ValidationError
from msgspec.json import decode

from awesome_cli.reports.findings import Finding, Level
from awesome_cli.traces import rules
from awesome_cli.traces.rules import TraceRule, escape

ESCAPE = re.compile(rb"\\.", re.DOTALL)
LITERAL = re.compile(rb"-?(NaN|Infinity|nan|inf)")
NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
TOKEN = re.compile(rb'("(?:[^"\\]++|\\.)*+")(\s*+:)?|[\[\]{},]', re.DOTALL)
STEP = re.compile(rb'[\s,]*+(?:"(?:[^"\\]++|\\.)*+"\s*+:\s*+)?', re.DOTALL)
"""The text before a member of an object or array: white space, a comma, and in an object the key."""
Position = tuple[int, int]
"""Line and column, in characters, from 1."""
Members = dict[str, tuple[int, bytes]]
"""The members of a container by their step of a pointer: offset and JSON."""


def parse(data: bytes) -> Any | Finding:
    """Return the JSON value in `data` (objects as `dict`, numbers as `int` or `float`), or the parser's error."""
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
    """Return the rule broken by a text that orjson cannot read.

    orjson has one type of error for all reasons, so the text at the place of the error tells them apart.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as bad:
        return fault(data, bad.start, rules.NOT_UTF8, f"byte 0x{data[bad.start]:02x} is not UTF-8")
    if not text.strip():
        return fault(data, 0, rules.NOT_JSON, "the text is empty")
    # The error of a text that ends too early is reported at its last character, not on the empty line after it.
    at = min(len(text[: error.pos].encode("utf-8")), len(data.rstrip()))
    if data[at - 1 : at] == b"-":
        at -= 1
    if literal := LITERAL.match(data, at):
        return fault(data, at, rules.NOT_A_NUMBER, f"{literal[0].decode()} is not a JSON number")
    if (number := NUMBER.match(data, at)) and isinf(float(number[0])):
        return fault(data, at, rules.NOT_A_NUMBER, "a number is too large for a double")
    if SURROGATE.match(data, at):
        return fault(data, at, rules.NOT_UTF8, "an escape is half of a surrogate pair, not a character")
    return fault(data, at, rules.NOT_JSON, f"not JSON: {error.msg}")


def fault(data: bytes, at: int, rule: TraceRule, message: str, pointer: str = "") -> Finding:
    """Return a finding at a byte offset of a text that is not strict JSON; the caller adds the path."""
    line, column = lines_of(data, [at])[at]
    return Finding(rule.code, Level.ERROR, message, "", line=line, column=column, pointer=pointer)


def repeated_key(data: bytes) -> Finding | None:
    """The first key of `data`, valid JSON, that appears twice in one object, or `None`."""
    # For each open object the keys so far, for each open array the index of its item.
    containers: list[dict[str, None] | int] = []
    for match in TOKEN.finditer(data):
        token = match[0]
        if token in b"{[":
            containers.append({} if token == b"{" else 0)
            continue
        inner = containers[-1] if containers else 0
        if token in b"]}":
            containers.pop()
        elif isinstance(inner, int):
            if token == b",":
                containers[-1] = inner + 1
        elif match[2]:
            key = orjson.loads(match[1])
            if key in inner:
                outer = [each if isinstance(each, int) else next(reversed(each)) for each in containers[:-1]]
                message = f"the key {key!r} appears twice in one object"
                return fault(data, match.start(), rules.REPEATED_KEY, message, pointer([*outer, key]))
            inner[key] = None
    return None


def pointer(route: Iterable[str | int]) -> str:
    """A JSON pointer (RFC 6901) from keys and indices."""
    return "".join("/" + escape(str(step)) for step in route)


def with_positions(findings: Sequence[Finding], data: bytes | None, line: int) -> tuple[Finding, ...]:
    """The findings with line and column of their pointers, in a text whose first line is `line`.

    Without the text, all findings are returned unchanged.
    """
    if data is None:
        return tuple(findings)
    places = positions(data, {finding.pointer or "" for finding in findings})
    found = ((finding, *places[finding.pointer or ""]) for finding in findings)
    return tuple(replace(finding, line=line + row - 1, column=column) for finding, row, column in found)


def positions(data: bytes, pointers: Iterable[str]) -> Mapping[str, Position]:
    """Line and column at which the values of the pointers begin in `data`, valid JSON without repeated keys.

    A pointer to a value that does not exist has the position of the nearest container that does.
    """
    containers: dict[int, Members] = {}
    offsets = {pointer: offset_of(data, pointer.split("/")[1:], containers) for pointer in pointers}
    places = lines_of(data, sorted({*offsets.values()}))
    return {pointer: places[at] for pointer, at in offsets.items()}


def offset_of(data: bytes, route: Iterable[str], containers: dict[int, Members]) -> int:
    """Return the offset of the value at the end of a route; `containers` caches members by container offset."""
    at, text = step_over(data, 0), data
    for step in route:
        if at not in containers:
            containers[at] = dict(members(data, at, text))
        if step not in containers[at]:
            break
        at, text = containers[at][step]
    return at


def members(data: bytes, at: int, text: bytes) -> Iterator[tuple[str, tuple[int, bytes]]]:
    """Return the members of the container at an offset; empty for a scalar, and for one nested too deeply."""
    try:
        container = decode(text, type=dict[str, Raw] | list[Raw])
    except (ValidationError, RecursionError):
        return
    at += 1
    for key, member in container.items() if isinstance(container, dict) else enumerate(container):
        at = step_over(data, at)
        yield escape(str(key)), (at, member)
        at += len(member)


def step_over(data: bytes, at: int) -> int:
    """The offset of the value after white space, a comma and a key."""
    step = STEP.match(data, at)
    return step.end() if step else at


def lines_of(data: bytes, offsets: Iterable[int]) -> dict[int, Position]:
    """Return the (line, column) of each byte offset, both from 1; `offsets` must be ascending."""
    result: dict[int, Position] = {}
    line, column, last = 1, 1, 0
    for at in offsets:
        # What was counted is not counted again: a text may be one line of a hundred megabytes.
        if rows := data.count(b"\n", last, at):
            line, column, last = line + rows, 1, data.rfind(b"\n", last, at) + 1
        column += len(data[last:at].decode("utf-8"))
        last = at
        result[at] = (line, column)
    return result
