"""Values in one cell, so that reading gives back what was written.

Several texts are joined by `; `, a link is `label: address`; what these cannot hold is written as JSON.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from awesome_cli.model.drafts import link

LINK = re.compile(r"(?:(?P<label>[^;|]*?):\s+)?(?P<url>https?://[^\s|]+)")


def line(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, list):
        return "; ".join(map(line, value))
    return " ".join(str(value).split()) if value is not None else ""


def words(value: Any) -> list[str]:
    """The texts of a list or cell, each once: between semicolons, otherwise between `|`, otherwise between commas."""
    if not isinstance(value, list):
        text = str(value or "")
        value = value_of(text)
        if not isinstance(value, list):
            value = text.split(next((mark for mark in ";|" if mark in text), ","))
    return list(dict.fromkeys(word for part in value if (word := line(part))))


def links(value: Any, label: str = "Paper") -> list[dict[str, str]]:
    """The links of a list or cell; addresses without a label get `label`."""
    if not isinstance(value, list):
        text = str(value or "")
        value = value_of(text)
        if not isinstance(value, list):
            found = ((found["label"], found["url"]) for found in LINK.finditer(line(text)))
            return [link((name or label).strip(), url.rstrip(";,")) for name, url in found]
    rows = [one if isinstance(one, Mapping) else {"url": line(one)} for one in value]
    addresses = ((one.get("label"), line(one.get("url") or one.get("URL"))) for one in rows)
    return [link(line(name) or label, url) for name, url in addresses if url.startswith(("http://", "https://"))]


def value_of(text: str) -> Any:
    """The list, mapping or text that a cell holds as JSON; otherwise the text itself."""
    if text.lstrip()[:1] in {"[", "{", '"'}:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


def cell(value: Any) -> str:
    """A value of any shape as a cell, for `value_of`."""
    plain = isinstance(value, str) and value_of(value) is value and value == value.strip() and "\r" not in value
    return value if plain else json.dumps(value, ensure_ascii=False, default=str)


def joined(values: Sequence[Any], texts: Iterable[str], read: Callable[[str], Sequence[Any]] = words) -> str:
    """Values, written as texts, in one cell, so that `read` gives them back."""
    parts = list(texts)
    plain, *others = "; ".join(parts), "; ".join(parts) + ";", json.dumps(parts, ensure_ascii=False)
    written = (text for text in (plain, *others) if list(read(text)) == list(values))
    return next(written, json.dumps(list(values), ensure_ascii=False)) if values else ""
