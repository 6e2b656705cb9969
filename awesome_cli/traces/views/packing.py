"""Columns of numbers and a JSON document as one compressed text that a page can hold and a browser can unpack.

The text is base64 of zlib of: the length of the JSON (4 bytes), the JSON, then the columns in the order of its
`columns` (name, type, number of values, whether they are differences to the value before). A column is stored by
significance of its bytes, lowest first, so that the high bytes, which are mostly equal, compress to almost nothing.
"""

import base64
import struct
import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from itertools import chain
from operator import sub
from typing import Any

from awesome_cli.text.inert import to_json

WIDTHS = (("b", 1 << 7), ("h", 1 << 15), ("i", 1 << 31), ("q", 1 << 53))
"""Types of whole numbers, and what all values stay below; above 2^53 a browser could not tell them apart."""
DECIMALS = 9


def pack(document: Mapping[str, Any], columns: Mapping[str, Sequence[float]], differences: frozenset[str]) -> str:
    """The text. Columns in `differences` rise slowly, so their differences are stored."""
    heads, parts = [], []
    for name, values in columns.items():
        kind, data = _column(values, delta=name in differences)
        heads.append((name, kind, len(values), name in differences))
        parts.append(data)
    text = to_json({**document, "columns": heads}, separators=(",", ":"), allow_nan=False).encode()
    packer = zlib.compressobj(6)
    found = [packer.compress(part) for part in chain((struct.pack("<I", len(text)), text), parts)]
    return base64.b64encode(b"".join((*found, packer.flush()))).decode()


def ticks(times: Sequence[float]) -> tuple[int, Sequence[float]]:
    """The times as whole multiples of 1/scale, without loss; scale 0 and the times if no scale is so fine."""
    for decimals in range(DECIMALS + 1):
        scale = 10**decimals
        # A time that is no multiple is found early, and most scales fail at once.
        if all(abs(t) * scale < WIDTHS[-1][1] and round(t * scale) / scale == t for t in times):
            return scale, [round(t * scale) for t in times]
    return 0, [float(t) for t in times]


def _column(values: Sequence[float], *, delta: bool) -> tuple[str, bytes]:
    if not all(isinstance(value, int) for value in values):
        return "d", _planes(array("d", values))
    if delta:
        values = [*values[:1], *map(sub, values[1:], values)]
    most = max((abs(min(values)), abs(max(values)))) if values else 0
    kind = next(kind for kind, limit in WIDTHS if most < limit)
    return kind, _planes(array(kind, values))


def _planes(values: "array[Any]") -> bytes:
    if sys.byteorder == "big":
        values.byteswap()
    data = values.tobytes()
    return b"".join(data[n :: values.itemsize] for n in range(values.itemsize))
