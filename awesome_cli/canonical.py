"""The one canonical way of writing a record: same value, same text, on every machine.

Any YAML reader, of 1.1 or 1.2, takes what is written here for the same texts.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

Value = Any  # str | int | float | bool | date | None | Sequence[Value] | Mapping[str, Value]
WIDTH = 100

# Plain scalars that YAML 1.1 or 1.2 would read as something else than text.
GUESSED = re.compile(
    r"[-+]?[0-9.][0-9_,.:eE+-]*|0[xob][0-9A-Fa-f_]+|[-+]?\.(inf|nan)|~|null|true|false|yes|no|on|off|y|n|=|<<"
    r"|\d{4}-\d\d?-\d\d?.*",
    re.IGNORECASE,
)
PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`=<~][^\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff]*")
UNSAFE = re.compile(r": |:$| #|\s$")
FLOW_UNSAFE = re.compile(r"[,\[\]{}]")
# JSON leaves these as they are, YAML would fold or refuse them.
UNPRINTABLE = re.compile(r"[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")


def scalar(value: object, *, flow: bool = False) -> str:
    """A scalar in canonical form: plain where every reader takes it for the same, else double-quoted."""
    if isinstance(value, str):
        if _is_plain(value) and not (flow and FLOW_UNSAFE.search(value)):
            return value
        quoted = json.dumps(value, ensure_ascii=False)
        return UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    return value.isoformat() if isinstance(value, date) else str(value)


def _is_plain(value: str) -> bool:
    return bool(PLAIN.fullmatch(value)) and not UNSAFE.search(value) and not GUESSED.fullmatch(value)


def dump(document: Mapping[str, Value], *, block: Iterable[str] = ()) -> str:
    """A mapping as canonical YAML text: one field a line, LF, UTF-8, no line folded.

    A mapping of scalars is written in braces where that fits 100 columns, except at the top and in
    the top fields that `block` names. Same value, same text.
    """
    lines: list[str] = []
    blocks = frozenset(block)
    for key, value in document.items():
        _field(lines, "", key, value, braces=key not in blocks)
    return "\n".join(lines) + "\n"


def field(key: str, value: Value, *, indent: int = 0, block: bool = False) -> str:
    """A field as canonical text without a newline at the end; the first line is indented too."""
    lines: list[str] = []
    _field(lines, " " * indent, key, value, braces=not block)
    return "\n".join(lines)


def item(value: Value, *, indent: int = 0) -> str:
    """An entry of a list (`- …`) as canonical text, likewise."""
    lines: list[str] = []
    _item(lines, " " * indent, value)
    return "\n".join(lines)


def flow(value: Value) -> str:
    """A value on one line, in braces and brackets, as it stands inside others."""
    return _flow(value)


def texts(value: Value) -> Value:
    """The value as `yamlio.read` returns it when it is read back: texts, lists and mappings."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {str(name): texts(child) for name, child in value.items()}
    if _is_list(value):
        return [texts(child) for child in value]
    return scalar(value)


def _field(lines: list[str], indent: str, key: str, value: Value, *, braces: bool = True) -> None:
    head = f"{indent}{scalar(key)}:"
    if isinstance(value, Mapping):
        flat = _braces(value) if braces else None
        if not value or (flat is not None and len(head) + 1 + len(flat) <= WIDTH):
            lines.append(f"{head} {flat or '{}'}")
        else:
            lines.append(head)
            for name, child in value.items():
                _field(lines, indent + "  ", name, child)
    elif _is_list(value):
        lines.append(head if value else f"{head} []")
        for item in value:
            _item(lines, indent, item)
    else:
        lines.append(f"{head} {scalar(value)}")


def _item(lines: list[str], indent: str, item: Value) -> None:
    if isinstance(item, Mapping) and item:
        flat = _braces(item)
        if flat is not None and len(indent) + 2 + len(flat) <= WIDTH:
            lines.append(f"{indent}- {flat}")
            return
        start = len(lines)
        for name, child in item.items():
            _field(lines, indent + "  ", name, child)
        lines[start] = f"{indent}- {lines[start][len(indent) + 2 :]}"
    elif isinstance(item, Mapping) or _is_list(item):
        lines.append(f"{indent}- {_flow(item)}")
    else:
        lines.append(f"{indent}- {scalar(item)}")


def _is_list(value: Value) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _braces(mapping: Mapping[str, Value]) -> str | None:
    if any(isinstance(child, Mapping) or _is_list(child) for child in mapping.values()):
        return None
    return _flow(mapping)


def _flow(value: Value) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(k, flow=True)}: {_flow(v)}" for k, v in value.items()) + "}"
    if _is_list(value):
        return "[" + ", ".join(_flow(child) for child in value) + "]"
    return scalar(value, flow=True)
