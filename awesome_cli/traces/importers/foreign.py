"""Read JSON of other programs. A value of the wrong type is read as empty; it is not an error."""

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from awesome_cli.text.grouping import K, V, group_pairs
from awesome_cli.text.inert import finite

Json = dict[str, object]

HEX = re.compile(r"[0-9a-fA-F]+\Z")
SPACE = re.compile(r"[ \t\n\r]*")
# JSON integers can have any length. From this limit on, they do not fit a float and are read as 0.
ABSURD = 1e300


def mapping(value: object) -> Json:
    """Return `value` if it is an object, else an empty object."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """Return `value` if it is an array, else an empty array."""
    return value if isinstance(value, list) else []


def objects(value: object) -> list[Json]:
    """Return the objects in an array; leave out all other items."""
    return [item for item in items(value) if isinstance(item, dict)]


def grouped(values: Iterable[V], key: Callable[[V], K]) -> dict[K, list[V]]:
    """Return the values by their keys, in the order in which they come."""
    return group_pairs((key(value), value) for value in values)


def reach(value: object, *keys: str) -> object:
    """Return the value below nested keys; None if a key is missing."""
    for key in keys:
        value = mapping(value).get(key)
    return value


def text(value: object) -> str:
    """Return a string that can be written in UTF-8 (lone surrogates are replaced), a number as text, or else ''."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode() if not value.isascii() else value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return ""


def writable(value: object) -> object:
    """Return a value that JSON can hold: strings and keys are changed by `text`, infinite numbers and NaN are None."""
    if isinstance(value, dict):
        return {text(name): writable(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [writable(inner) for inner in value]
    return text(value) if isinstance(value, str) else finite(value)


def count(value: object) -> int:
    """Return a number of at least 0 as an integer, else 0; also from digits in a text, as JSON has int64."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        return int(value)
    return int(_number(value))


def amount(value: object) -> float:
    """Return a finite number of at least 0, else 0; the number can be written as text."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return 0.0
    return float(_number(value))


def _number(value: object) -> int | float:
    """Return a number of at least 0; 0 for a value that is not a number or does not fit a float."""
    valid = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < ABSURD
    return max(cast("float", value), 0) if valid else 0


def usage(
    *, fresh: object = 0, cached: object = 0, cache_write: object = 0, out: object = 0, reasoning: object = 0
) -> dict[str, Any]:
    """Return the token fields of an event. `cached` and `cache_write` add to `fresh`; `reasoning` is part of `out`."""
    read, written = count(cached), count(cache_write)
    return {
        "tokens_in": count(fresh) + read + written,
        "tokens_cached": read,
        "tokens_cache_write": written,
        "tokens_out": count(out),
        "tokens_reasoning": count(reasoning),
    }


def tokens_of_whole(*, prompt: object = 0, **parts: object) -> dict[str, Any]:
    """Return the token fields of an event. `prompt` includes both cached parts unless their sum is greater."""
    whole, cached = count(prompt), count(parts.get("cached")) + count(parts.get("cache_write"))
    return usage(fresh=whole - cached if whole >= cached else whole, **parts)


def langchain_usage(outputs: object, recorded: Json | None = None) -> dict[str, Any]:
    """Return the token fields of LangChain's usage metadata: `recorded`, else the first usage in the model's `outputs`.

    `outputs` has the usage in its `generations`; it is JSON, or JSON as text.
    """
    used = recorded or {}
    if not (used.get("input_tokens") or used.get("output_tokens")):
        messages = (each for group in items(reach(parsed(outputs), "generations")) for each in items(group))
        in_output = (reach(each, "message", "kwargs", "usage_metadata") for each in messages)
        used = mapping(next(filter(None, in_output), None))
    return tokens_of_whole(
        prompt=reach(used, "input_tokens"),
        cached=reach(used, "input_token_details", "cache_read"),
        cache_write=reach(used, "input_token_details", "cache_creation"),
        out=reach(used, "output_tokens"),
        reasoning=reach(used, "output_token_details", "reasoning"),
    )


def moment(value: object) -> int | None:
    """Convert a time to microseconds since 1970: ISO 8601, or a number whose size tells its unit (s, ms, us or ns)."""
    if isinstance(value, str) and not value.isdigit():
        try:
            stamp = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
        since = (stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)) - datetime(1970, 1, 1, tzinfo=UTC)
        return max(since // timedelta(microseconds=1), 0)
    number = count(value) if isinstance(value, str) else _number(value)
    for limit, scale in ((1e11, 1e6), (1e14, 1e3), (1e17, 1.0)):
        if number < limit:
            return round(number * scale) or None
    # Nanoseconds that went through a double are off by up to 128: only whole microseconds are kept.
    return (int(number) + 500) // 1000


def iso(micros: int) -> str:
    """Convert microseconds since 1970 to ISO 8601 in UTC."""
    seconds, rest = divmod(micros, 1_000_000)
    # datetime ends with the year 9999; later times are errors of the file.
    stamp = datetime.fromtimestamp(min(seconds, 253_402_300_799), UTC).replace(microsecond=rest)
    return stamp.isoformat().replace("+00:00", "Z")


def span_id(value: object) -> str:
    """Return the id of a trace or span in hex: keep 16 or 32 hex digits, convert base64 and integers."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{abs(value):x}"
    name = text(value).removeprefix("0x")
    if len(name) in {16, 32} and HEX.match(name):
        return name.lower()
    try:
        raw = base64.b64decode(name, validate=True)
    except (binascii.Error, ValueError):
        return name
    return raw.hex() if len(raw) in {8, 16} else name


def decoded(words: str) -> object:
    """Return the JSON value in a text; None if the text is not JSON."""
    try:
        return json.loads(words)
    except (ValueError, RecursionError):
        return None


def decoded_all(words: str) -> tuple[list[object], bool]:
    """Return the successive JSON values in a text, and True if the text after the last value is not JSON."""
    values: list[object] = []
    decoder, place = json.JSONDecoder(), 0
    with suppress(ValueError, RecursionError):
        while rest := SPACE.match(words, place):
            if rest.end() == len(words):
                return values, False
            value, place = decoder.raw_decode(words, rest.end())
            values.append(value)
    return values, True


def parsed(value: object) -> object:
    """Decode text that is a JSON object or array, so that equal arguments have equal hashes in every format."""
    inner = decoded(value) if isinstance(value, str) and value[:1] in {"{", "["} else None
    return value if inner is None else inner


def content_hash(value: object) -> str | None:
    """Return `sha256:` and the hex digest of a text, else of the value's canonical JSON; None for an empty value."""
    value = parsed(value)
    if value is None or value in ("", [], {}):
        return None
    plain = value if isinstance(value, str) else json.dumps(value, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def task_of(prompt: object) -> str:
    """Return a task id made from the prompt, so that runs with equal prompts have equal task ids."""
    return (content_hash(prompt) or "no prompt").replace("sha256:", "prompt-")[:23]
