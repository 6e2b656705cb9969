"""Encode values as a cell of a table, and decode cells without loss.

A list of texts is joined by `; `, a link is `label: URL`, other values are JSON. `Paper: https://example.org/a` is read
as `{"label": "Paper", "url": "https://example.org/a"}`.
"""

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from awesome_cli.model.drafts import link

URL = re.compile(r"https?://[^\s|]+")


def line(value: Any) -> str:
    """Return a value on one line; a list is joined by `; `, a mapping or a truth value is JSON."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(map(line, value))
    if not isinstance(value, str) and isinstance(value, Mapping | bool):
        value = json.dumps(value, ensure_ascii=False, default=str)
    return " ".join(str(value).split())


def at(value: Any, *path: str) -> Any:
    """Return the first value at a path of keys in nested mappings and lists of mappings, None if it is missing."""
    for name in path:
        rows = [value] if isinstance(value, Mapping) else mappings(value)
        value = next((row[name] for row in rows if row.get(name)), None)
    return value


def mappings(value: Any) -> list[Mapping[str, Any]]:
    """Return the mappings in a list; none if the value is not a list."""
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def words(value: Any) -> list[str]:
    """Return the unique texts of a list or cell; a cell is split at semicolons or else at `|` or else at commas."""
    if not isinstance(value, list):
        text = line(value)
        value = value_of(text)
        if not isinstance(value, list):
            value = text.split(next((mark for mark in ";|" if mark in text), ","))
    return list(dict.fromkeys(word for part in value if (word := line(part))))


def links(value: Any, label: str = "Paper") -> list[dict[str, str]]:
    """Return the links of a list or cell; links without a label receive `label`."""
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list):
        text = line(value)
        value = value_of(text)
        if not isinstance(value, list):
            return [link(name or label, url.rstrip(";,")) for name, url in _labelled(text)]
    rows = [item if isinstance(item, Mapping) else {"url": line(item)} for item in value]
    addresses = ((row.get("label"), line(row.get("url") or row.get("URL"))) for row in rows)
    return [link(line(name) or label, url) for name, url in addresses if url.startswith(("http://", "https://"))]


def _labelled(text: str) -> Iterator[tuple[str, str]]:
    """Yield the label, '' if there is none, and the URL of each link in a text on one line."""
    end = 0
    for url in URL.finditer(text):
        before = re.split("[;|]", text[end : url.start()])[-1]
        yield before[:-2].strip() if before.endswith(": ") else "", url[0]
        end = url.end()


def value_of(text: str) -> Any:
    """Parse a cell with a list, mapping or string of JSON, or of Python as pandas writes; other text is unchanged."""
    if text.lstrip()[:1] in {"[", "{", '"'}:
        for parse in (json.loads, ast.literal_eval):
            with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                return parse(text.strip())
    return text


def cell(value: Any) -> str:
    """Encode any value as a cell that `value_of` can decode."""
    plain = isinstance(value, str) and value_of(value) is value and value == value.strip() and "\r" not in value
    return value if plain else json.dumps(value, ensure_ascii=False, default=str)


def joined(values: Sequence[Any], texts: Iterable[str], read: Callable[[str], Sequence[Any]] = words) -> str:
    """Encode values as one cell from which `read` restores the values: their joined `texts` if possible, else JSON."""
    parts = list(texts)
    spellings = ("; ".join(parts), "; ".join(parts) + ";", json.dumps(parts, ensure_ascii=False))
    written = (text for text in spellings if list(read(text)) == list(values))
    return next(written, json.dumps(list(values), ensure_ascii=False)) if values else ""
