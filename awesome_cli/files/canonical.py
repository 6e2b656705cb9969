"""The one canonical way of writing a record: same value, same text, on every machine.

Any YAML reader, of 1.1 or 1.2, takes what is written here for the same texts.
"""

import json
import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Any

Value = Any  # str | int | float | bool | date | None | list[Value] | tuple[Value, ...] | dict[str, Value]
WIDTH = 100

# Plain scalars that YAML 1.1 or 1.2 would read as something else than text.
GUESSED = re.compile(
    r"[-+]?[0-9.][0-9_,.:eE+-]*|0[xob][0-9A-Fa-f_]+|[-+]?\.(inf|nan)|~|null|true|false|yes|no|on|off|y|n|=|<<"
    r"|\d{4}-\d\d?-\d\d?.*",
    re.IGNORECASE,
)
BROKEN = r"\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff"
PLAIN = re.compile(rf"[^\s\-?:,\[\]{{}}#&*!|>'\"%@`=<~{BROKEN}][^{BROKEN}]*")
UNSAFE = re.compile(r": |:$| #|\s$")
# Most texts are like this, and one expression says so; only the rest is looked at more closely.
SIMPLE = re.compile(r"[A-Za-z][A-Za-z0-9 _/.()'+;&,-]*[A-Za-z0-9.)]")
GUESSED_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off"})
FLOW_UNSAFE = re.compile(r"[,\[\]{}?]")
# JSON leaves these as they are, YAML would fold or refuse them.
UNPRINTABLE = re.compile(r"[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")


def scalar(value: object, *, flow: bool = False) -> str:
    """A scalar in canonical form: plain where every reader takes it for the same, else double-quoted."""
    if type(value) is str:
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
    if SIMPLE.fullmatch(value):
        return len(value) > 5 or value.lower() not in GUESSED_WORDS
    return bool(PLAIN.fullmatch(value)) and not UNSAFE.search(value) and not GUESSED.fullmatch(value)


def dump(document: dict[str, Value], *, block: Iterable[str] = ()) -> str:
    """A mapping as canonical YAML text: one field a line, LF, UTF-8, no line folded.

    A mapping of scalars is written in braces where that fits 100 columns, except at the top and in the top fields of
    `block`. Same value, same text.
    """
    blocks = frozenset(block)
    return "\n".join(field(key, value, block=key in blocks) for key, value in document.items()) + "\n"


def field(key: str, value: Value, *, indent: int = 0, block: bool = False) -> str:
    """A field as canonical text without a newline at the end; the first line is indented too."""
    return "\n".join(_field(" " * indent, key, value, braces=not block))


def item(value: Value, *, indent: int = 0) -> str:
    """An entry of a list (`- …`) as canonical text, likewise."""
    return "\n".join(_item(" " * indent, value))


def texts(value: Value) -> Value:
    """The value as `yaml_reading.read` returns it when it is read back: texts, lists and mappings."""
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
    first, *others = _block(indent + "  ", item)
    return [f"{indent}- {first[len(indent) + 2 :]}", *others]


def _braces(mapping: dict[str, Value]) -> str | None:
    for child in mapping.values():
        # A long text is not put in quotes only to find that it does not fit.
        if isinstance(child, dict | list | tuple) or (isinstance(child, str) and len(child) > WIDTH):
            return None
    return flow(mapping)


@lru_cache(maxsize=512)
def _name(key: str) -> str:
    """A field's name; there are few of them, and each is written thousands of times."""
    return scalar(key, flow=True)


def flow(value: Value) -> str:
    """A value on one line, in braces and brackets, as it stands inside others."""
    if isinstance(value, dict):
        return "{" + ", ".join([f"{_name(k)}: {flow(v)}" for k, v in value.items()]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(child) for child in value) + "]"
    return scalar(value, flow=True)
