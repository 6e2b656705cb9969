"""Bytes to a JSON value, refusing what JSON Schema cannot see. The only home of orjson's reader.

`orjson` already refuses NaN, Infinity, numbers beyond a double, bytes that are not UTF-8 and lone surrogates. It keeps
the last of two equal keys without a word, so equal keys are found by counting: a value that was dropped took the
quotes of its key with it.
"""

import re
from dataclasses import dataclass
from typing import Any

import orjson

ESCAPE = re.compile(rb"\\.", re.DOTALL)
LITERAL = re.compile(rb"-?(NaN|Infinity|nan|inf)")
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{},:]', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why some bytes are not strict JSON; line and column count from 1, `pointer` names the place if there is one."""

    code: str
    message: str
    line: int
    column: int
    pointer: str = ""


def parse(data: bytes) -> Any | Refusal:
    """The JSON value in `data` (objects as `dict`, numbers as `int` or `float`), or the reason why there is none."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        return explain(data, error)
    return value if keeps_all(data, value) else repeated_key(data) or value


def keeps_all(data: bytes, value: Any) -> bool:
    """Whether no string of `data` is missing in `value`; False where that cannot be told by counting."""
    try:
        return quotes(data) == quotes(orjson.dumps(value))
    except orjson.JSONEncodeError:
        # orjson writes 254 levels of nesting, and reads 1024.
        return False


def quotes(data: bytes) -> int:
    """How many quotation marks open or close a string."""
    return (ESCAPE.sub(b"", data) if b"\\" in data else data).count(b'"')


def explain(data: bytes, error: orjson.JSONDecodeError) -> Refusal:
    """The parser's complaint as one of our codes."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as bad:
        line, column = place(data, bad.start)
        return Refusal("TP003", f"byte 0x{data[bad.start]:02x} is not UTF-8", line, column)
    # A text that ends too early ends with its last character, not on the empty line below.
    at = min(len(text[: error.pos].encode("utf-8")), len(data.rstrip()))
    if data[at - 1 : at] == b"-":
        at -= 1
    line, column = place(data, at)
    if literal := LITERAL.match(data, at):
        return Refusal("TP002", f"{literal[0].decode()} is not a JSON number", line, column)
    if "infinity" in error.msg:
        return Refusal("TP002", "a number is beyond the range of a double", line, column)
    if "surrogate" in error.msg:
        return Refusal("TP003", "an escape names half a surrogate pair, which is no character", line, column)
    if not data.strip():
        return Refusal("TP004", "there is nothing to read", 1, 1)
    return Refusal("TP004", f"not JSON: {error.msg}", line, column)


def place(data: bytes, at: int) -> tuple[int, int]:
    """Line and column, in characters, of a byte offset."""
    start = data.rfind(b"\n", 0, at) + 1
    return data.count(b"\n", 0, at) + 1, len(data[start:at].decode("utf-8", "replace")) + 1


def repeated_key(data: bytes) -> Refusal | None:
    """The first key of `data`, valid JSON, that stands twice in one object, or `None`."""
    seen: list[set[str] | None] = []
    route: list[str | int] = []
    key: str | None = None
    expect_key = False
    for match in TOKEN.finditer(data):
        token = match[0]
        if token == b"{":
            seen.append(set())
            route.append("")
            expect_key = True
        elif token == b"[":
            seen.append(None)
            route.append(0)
            expect_key = False
        elif token in b"]}":
            seen.pop()
            route.pop()
            expect_key = False
        elif token == b",":
            expect_key = seen[-1] is not None
            if seen[-1] is None:
                route[-1] = int(route[-1]) + 1
        elif token != b":" and expect_key:
            keys = seen[-1]
            assert keys is not None
            key = orjson.loads(token)
            assert key is not None
            route[-1] = key
            if key in keys:
                line, column = place(data, match.start())
                return Refusal("TP001", f"the key {key!r} stands twice in one object", line, column, pointer(route))
            keys.add(key)
            expect_key = False
    return None


def pointer(route: list[str | int]) -> str:
    """A JSON pointer (RFC 6901) from keys and positions."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in route)
