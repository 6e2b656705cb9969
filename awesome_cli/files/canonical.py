"""Write records as canonical YAML: the same value becomes the same text on every machine.

YAML 1.1 and 1.2 parsers read the output as the same strings.
"""

import json
import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Any

Value = Any  # str | int | float | bool | date | None | list[Value] | tuple[Value, ...] | dict[str, Value]
WIDTH = 100

# Plain scalars that YAML 1.1 or 1.2 would not read as strings.
GUESSED = re.compile(
    r"[-+]?[0-9.][0-9_,.:eE+-]*|0[xob][0-9A-Fa-f_]+|[-+]?\.(inf|nan)|~|null|true|false|yes|no|on|off|y|n|=|<<"
    r"|\d{4}-\d\d?-\d\d?.*",
    re.IGNORECASE,
)
BROKEN = r"\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff"
PLAIN = re.compile(rf"[^\s\-?:,\[\]{{}}#&*!|>'\"%@`=<~{BROKEN}][^{BROKEN}]*")
UNSAFE = re.compile(r": |:$| #|\s$")
# A fast path: most strings match this expression and need no further tests.
SIMPLE = re.compile(r"[A-Za-z][A-Za-z0-9 _/.()'+;&,-]*[A-Za-z0-9.)]")
GUESSED_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off"})
FLOW_UNSAFE = re.compile(r"[,\[\]{}?]")
# JSON does not escape these, but YAML would fold or reject them.
UNPRINTABLE = re.compile(r"[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")


def scalar(value: object, *, flow: bool = False) -> str:
    """Write a scalar: plain if all YAML parsers read it back as the same string, else double-quoted."""
    if type(value) is str:
        if _is_plain(value) and not (flow and FLOW_UNSAFE.search(value)):
            return value
        return UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    return value.isoformat() if isinstance(value, date) else str(value)


def _is_plain(value: str) -> bool:
    if SIMPLE.fullmatch(value):
        return len(value) > 5 or value.lower() not in GUESSED_WORDS
    return bool(PLAIN.fullmatch(value)) and not UNSAFE.search(value) and not GUESSED.fullmatch(value)


def dump(document: dict[str, Value], *, block: Iterable[str] = ()) -> str:
    """Write a mapping as canonical YAML: one field a line, LF line ends, no folded lines.

    A mapping of scalars is written in braces if it fits 100 columns, except at the top level and in the
    top-level fields named in `block`.
    """
    blocks = frozenset(block)
    return "\n".join(field(key, value, block=key in blocks) for key, value in document.items()) + "\n"


def field(key: str, value: Value, *, indent: int = 0, block: bool = False) -> str:
    """Write a field as canonical YAML without a final newline; all lines are indented by `indent` spaces."""
    return "\n".join(_field(" " * indent, key, value, braces=not block))


def item(value: Value, *, indent: int = 0) -> str:
    """Write a list item (`- …`) as canonical YAML without a final newline; all lines are indented."""
    return "\n".join(_item(" " * indent, value))


def texts(value: Value) -> Value:
    """Return a value as `yaml_reading.read` reads it back: strings, lists and mappings."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, dict):
        return {str(name): texts(child) for name, child in value.items()}
    if isinstance(value, list | tuple):
        return [texts(child) for child in value]
    return scalar(value)


def _field(indent: str, key: str, value: Value, *, braces: bool = True) -> list[str]:
    head = f"{indent}{_name(key)}:"
    if isinstance(value, dict):
        flat = _braces(value) if braces else None
        if not value or (flat is not None and len(head) + 1 + len(flat) <= WIDTH):
            return [f"{head} {flat or '{}'}"]
        return [head, *_block(indent + "  ", value)]
    if isinstance(value, list | tuple):
        return [head, *(line for item in value for line in _item(indent, item))] if value else [f"{head} []"]
    return [f"{head} {scalar(value)}"]


def _block(indent: str, mapping: dict[str, Value]) -> list[str]:
    return [line for name, child in mapping.items() for line in _field(indent, name, child)]


def _item(indent: str, item: Value) -> list[str]:
    if not (isinstance(item, dict) and item):
        return [f"{indent}- {flow(item) if isinstance(item, dict | list | tuple) else scalar(item)}"]
    flat = _braces(item)
    if flat is not None and len(indent) + 2 + len(flat) <= WIDTH:
        return [f"{indent}- {flat}"]
    first, *rest = _block(indent + "  ", item)
    return [f"{indent}- {first[len(indent) + 2 :]}", *rest]


def _braces(mapping: dict[str, Value]) -> str | None:
    for child in mapping.values():
        # Skip quoting a long string, which would not fit anyway.
        if isinstance(child, dict | list | tuple) or (isinstance(child, str) and len(child) > WIDTH):
            return None
    return flow(mapping)


@lru_cache(maxsize=512)
def _name(key: str) -> str:
    """Write a field name; cached, since few names are written thousands of times."""
    return scalar(key, flow=True)


def flow(value: Value) -> str:
    """Write a value in flow style, on one line with braces and brackets."""
    if isinstance(value, dict):
        return "{" + ", ".join([f"{_name(k)}: {flow(v)}" for k, v in value.items()]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(child) for child in value) + "]"
    return scalar(value, flow=True)
