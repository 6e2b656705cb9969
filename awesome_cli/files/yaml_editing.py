"""Change what a YAML text says and leave every byte that says something else, comments and style included.

A text is composed to learn where each value stands; the difference between what it says and what it shall say
becomes a few replacements at those places. What was written is read again and must say what was asked for.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from awesome_cli.files import canonical, yaml_reading
from awesome_cli.files.yaml_differences import Differences, Edit, SpliceError, steps
from awesome_cli.files.yaml_reading import Value

__all__ = ["SpliceError", "merge", "rewrite"]
BOM = b"\xef\xbb\xbf"


def rewrite(data: bytes, new: Mapping[str, Any], *, block: Sequence[str] = ()) -> bytes:
    """The text so that it reads as `new`; what is equal in both keeps its bytes.

    A new field goes behind the one that precedes it in `new`. Top fields named in `block` are written over several
    lines. Raises `SpliceError` when the text is not a mapping or would not read as `new` afterwards.
    """
    wanted = canonical.texts(new)
    try:
        text = yaml_reading.decode(data)
        old, faults = yaml_reading.read(data)
    except yaml_reading.UnreadableError as error:
        raise SpliceError(f"the file cannot be read: {error.fault.message}") from None
    if faults or not isinstance(old, dict):
        raise SpliceError("the file cannot be read: " + (faults[0].message if faults else "it holds no fields"))
    if old == wanted:
        return data
    edits = Differences(text, frozenset(block)).mapping(yaml_reading.compose(text), old, new)
    result = (BOM if data.startswith(BOM) else b"") + _apply(text, edits).encode()
    if yaml_reading.read(result) != (wanted, ()):
        raise SpliceError("the change does not fit the way the file is written", hint="awesome fmt KEY, then again")
    return result


def _apply(text: str, edits: Iterable[Edit]) -> str:
    parts: list[str] = []
    at = 0
    # The sort is stable: of two insertions at one place the inner one comes first.
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < at:
            raise SpliceError("two changes meet at one place of the file", hint="awesome fmt KEY, then again")
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def merge(raw: Value, old: Value, new: Value) -> Value:
    """`raw` with what differs between `old` and `new`.

    `raw` is a value as a person wrote it and `old` the same in canonical form. What `new` shares with `old` keeps the
    person's way of writing; order is that of `raw`, a new field goes behind the one before it in `new`.
    """
    if old == new:
        return raw
    if isinstance(raw, dict) and isinstance(old, dict) and isinstance(new, dict):
        kept = {name: merge(raw[name], old.get(name), new[name]) if name in new else raw[name] for name in raw}
        for name in old:
            if name not in new:
                kept.pop(name, None)
        return _inserted(kept, new)
    if all(isinstance(value, list | tuple) for value in (raw, old, new)) and len(raw) == len(old):
        merged: list[Value] = []
        for tag, a, b, c, d in steps(old, new):
            pairs = list(zip(range(a, b), range(c, d), strict=False)) if tag != "delete" else []
            merged += [merge(raw[i], old[i], new[j]) for i, j in pairs]
            merged += list(new[c + len(pairs) : d]) if tag != "equal" else []
        return merged
    return new


def _inserted(kept: dict[str, Value], new: Mapping[str, Value]) -> dict[str, Value]:
    """`kept` with the fields that only `new` has, each behind its predecessor in `new`."""
    names = list(kept)
    before: str | None = None
    for name in new:
        if name not in kept:
            names.insert(names.index(before) + 1 if before is not None else 0, name)
        before = name
    return {name: kept[name] if name in kept else new[name] for name in names}
