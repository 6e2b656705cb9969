"""Canonical JSON (RFC 8785) of the values in digests: strings, whole numbers below 2**53, booleans, null.

Digests cover no floats, such as times: 5 and 5.0 are one number that can be written in two ways.
"""

from typing import Any

import orjson

FIRST_BEYOND_BMP = 0xF0


def canonical(value: Any) -> bytes:
    """RFC 8785 bytes of a JSON value without floats."""
    data = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    # orjson sorts keys by code point, the RFC by UTF-16 unit: they differ beyond the basic plane only.
    if not data.isascii() and max(data) >= FIRST_BEYOND_BMP:
        return orjson.dumps(by_utf16(value))
    return data


def by_utf16(value: Any) -> Any:
    """The same value with the keys of all objects in the order of their UTF-16 units."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return {key: by_utf16(value[key]) for key in keys}
    if isinstance(value, list | tuple):
        return [by_utf16(item) for item in value]
    return value
