"""YAML editing: change values in a YAML text and keep every other byte, with comments and style.

The text is composed to learn where each value stands; the difference between what it says and what it shall say
becomes a few replacements at those places. The result is read again and must say exactly what was asked for.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from awesome_cli.files import canonical, yaml_reading
from awesome_cli.files.yaml_differences import Differences, Edit, YamlEditError, pairs
from awesome_cli.files.yaml_reading import Value

__all__ = ["YamlEditError", "merge", "rewrite"]
BOM = b"\xef\xbb\xbf"


def rewrite(data: bytes, new: Mapping[str, Any], *, block: Sequence[str] = ()) -> bytes:
    """The text so that it reads as `new`; what is equal in both keeps its bytes.

    A new field goes behind the one that precedes it in `new`. Top fields named in `block` are written over several
    lines. Raises `YamlEditError` when the text is not a mapping or would not read as `new` afterwards.
    """
    wanted = canonical.texts(new)
    old, findings = yaml_reading.read(data)
    if findings or not isinstance(old, dict):
        raise YamlEditError("the file cannot be read: " + (findings[0].message if findings else "it holds no fields"))
    if old == wanted:
        return data
    text = _edited(yaml_reading.decode(data), old, new, frozenset(block))
    result = (BOM if data.startswith(BOM) else b"") + text.encode()
    if yaml_reading.read(result) != (wanted, ()):
        raise YamlEditError("the change does not fit the way the file is written", hint="awesome fmt KEY, then again")
    return result


def _edited(text: str, old: Mapping[str, Value], new: Mapping[str, Any], block: frozenset[str]) -> str:
    """The text after all edits. They know lines that end with a line feed alone; other ends are put back."""
    if 0 < text.count("\r\n") == text.count("\n"):
        return _edited(text.replace("\r\n", "\n"), old, new, block).replace("\n", "\r\n")
    if not text.endswith("\n"):
        return _edited(text + "\n", old, new, block).removesuffix("\n")
    differences = Differences(text, block)
    return _apply(text, differences.collection(differences.root, old, new))


def _apply(text: str, edits: Iterable[Edit]) -> str:
    parts: list[str] = []
    at = 0
    # The sort is stable: of two insertions at one place the inner one comes first.
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < at:
            raise YamlEditError("two changes meet at one place of the file", hint="awesome fmt KEY, then again")
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def merge(raw: Value, old: Value, new: Value) -> Value:
    """`new`, with what it shares with `old` as `raw` has it.

    `raw` is a value as a person wrote it and `old` the same in canonical form.
    """
    if old == new:
        return raw
    stays = {there: here for here, there in pairs(old, new).items()}
    if isinstance(raw, dict) and isinstance(old, dict) and isinstance(new, dict):
        changed = {name: merge(raw[name], old.get(name), new[name]) if name in raw else new[name] for name in new}
        return changed | {name: raw[name] for name in raw if name not in old and name not in new}
    if stays and isinstance(raw, list) and len(raw) == len(old):
        return [merge(raw[stays[i]], old[stays[i]], new[i]) if i in stays else new[i] for i in range(len(new))]
    return new
