"""Other bytes than given ones: a document with other values in it, or a text with other pieces."""

import json
from random import Random
from typing import Any

import yaml

HOSTILE: tuple[Any, ...] = (
    None, True, -1, 0, 5, 10**30, 1e300, float("inf"), float("nan"), 0.5, "", " ", "x" * 300, "9" * 400, "²", "٣", "2026-02-30", "a\u0000b", "\u001b[31m",
    "\u202eabc", "\ud800", "=1+1", "../x", "http://[", "10.1/x", "{{ x }}", [], {}, [[]], [{}], {"": ""}, {"type": 1}, [None],
)  # fmt: skip
PIECES = (
    b"", b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\n", b"\n\n", b"---\n", b"{", b"}", b"[", b"]", b"(", b")", b'"', b"'", b"\\",
    b"{" * 60, b"[" * 60, b"(" * 60, b"\\\\{" * 20, b"$", b"%", b"@", b"#", b"&a", b"*a", b"!!x", b": ", b"- ", b"? ", b"|\n", b">-\n", b"~",
    b"<", b">", b"<!--", b"-->", b"</", b"\xc2\x85", b"\xe2\x80\xae", b"\x1b[", "é".encode(), b",", b";", b"=", b"0", b"9" * 30, b" OR ", b"NOT ",
)  # fmt: skip


def mutated(data: bytes, chance: Random, most: int) -> bytes:
    """At most `most` other bytes: of the values of a document, where there is one, else of its text."""
    changed = rewritten(data, chance) if chance.random() < 0.5 else None
    if changed is None:
        changed = data
        for _ in range(chance.randint(1, 4)):
            changed = pieced(changed, chance)
    return changed[:most]


def rewritten(data: bytes, chance: Random) -> bytes | None:
    """The document in some bytes as JSON, with one to three other values; None where there is no document."""
    document = read(data)
    if not isinstance(document, dict | list):
        return None
    for _ in range(chance.randint(1, 3)):
        change(document, chance)
    try:
        return json.dumps(document, ensure_ascii=chance.random() < 0.5).encode(errors="surrogatepass")
    except (ValueError, TypeError, RecursionError):  # it was YAML that JSON cannot say
        return None


def read(data: bytes) -> object:
    """The JSON or YAML value of some bytes; None for none, and for one that is nested deep or refers to itself."""
    if data.count(b"[") + data.count(b"{") > 3000 or b"*" in data or b"---" in data:
        return None
    try:
        return json.loads(data)
    except RecursionError:
        return None
    except ValueError:
        pass
    try:
        return yaml.load(data, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except (yaml.YAMLError, ValueError, RecursionError, TypeError):
        return None


def change(document: Any, chance: Random) -> None:
    """Replace, remove, repeat or rename one value anywhere inside of a list or a mapping."""
    at = document
    while isinstance(at, dict | list) and at:
        key = chance.choice(list(at)) if isinstance(at, dict) else chance.randrange(len(at))
        if isinstance(at[key], dict | list) and at[key] and chance.random() < 0.7:
            at = at[key]
            continue
        kind = chance.randrange(5)
        if kind == 0:
            del at[key]
        elif kind == 1 and isinstance(at, list):
            at += [at[key]] * chance.randint(1, 3)
        elif kind == 1:
            at[chance.choice(["", "id", "title", "type", "\ud800"])] = at.pop(key)
        elif kind == 2:
            at[key] = [at[key]]
        else:
            at[key] = chance.choice(HOSTILE)
        return


def pieced(data: bytes, chance: Random) -> bytes:
    """The bytes with a piece inserted, removed, repeated or moved."""
    here, there = sorted(chance.randint(0, len(data)) for _ in range(2))
    there = min(there, here + chance.choice((1, 4, 40, 400)))
    match chance.randrange(4):
        case 0:
            return data[:here] + chance.choice(PIECES) + data[here:]
        case 1:
            return data[:here] + chance.choice(PIECES) + data[there:]
        case 2:
            return data[:there] + data[here:there] * chance.choice((1, 2, 30)) + data[there:]
        case _:
            to = chance.randint(0, len(data))
            return data[:to] + data[here:there] + data[to:]
