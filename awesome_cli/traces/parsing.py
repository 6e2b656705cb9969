"""Bytes to a JSON value, strictly. The only module that reads JSON with orjson.

`orjson` already rejects NaN, Infinity, numbers too large for a double, bytes that are not UTF-8 and lone surrogates. Of
two equal keys it silently keeps the last, so repeated keys are found by counting: a lost value took the quotation marks
of its key with it.
"""

import re
from typing import Any

import orjson

from awesome_cli.reports.findings import Finding, Level
from awesome_cli.traces import rules
from awesome_cli.traces.rules import TraceRule
from awesome_cli.traces.schema_check import escape

ESCAPE = re.compile(rb"\\.", re.DOTALL)
LITERAL = re.compile(rb"-?(NaN|Infinity|nan|inf)")
NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{},:]', re.DOTALL)


def finding(rule: TraceRule, message: str, line: int, column: int, pointer: str = "") -> Finding:
    """Why a text is not strict JSON; `pointer` names the place in the value, if any. The caller knows the path."""
    return Finding(rule.code, Level.ERROR, message, "", line=line, column=column, pointer=pointer)


def parse(data: bytes) -> Any | Finding:
    """The JSON value in `data` (objects as `dict`, numbers as `int` or `float`), or the reason why there is none."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        return explain(data, error)
    return value if keeps_all(data, value) else repeated_key(data) or value


def keeps_all(data: bytes, value: Any) -> bool:
    """Whether `value` has all strings of `data`; False where counting cannot tell."""
    try:
        return quotes(data) == quotes(orjson.dumps(value))
    except orjson.JSONEncodeError:
        # orjson writes 254 levels of nesting, and reads 1024.
        return False


def quotes(data: bytes) -> int:
    """How many quotation marks open or close a string."""
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
