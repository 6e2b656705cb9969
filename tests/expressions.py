"""The part of GitHub's expressions that our workflows use; what is not in it is refused."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

TOKEN = re.compile(r"\s*(?:(?P<text>'[^']*')|(?P<name>[A-Za-z_][\w.-]*)|(?P<sign>==|!=|&&|\|\||[!()]))")
EMBEDDED = re.compile(r"\$\{\{(.*?)\}\}")


def filled(text: str, context: Mapping[str, Any]) -> str:
    """A text with the values of its `${{ … }}`."""
    return EMBEDDED.sub(lambda found: str(value(found[1], context)), text)


def holds(condition: str, context: Mapping[str, Any]) -> bool:
    """Whether an `if` holds; unless it asks for the state itself, only while nothing failed."""
    stripped = condition.strip()
    whole = EMBEDDED.fullmatch(stripped)
    words = whole[1] if whole else stripped
    state = any(f"{name}()" in words for name in ("always", "cancelled", "failure", "success"))
    return bool(value(words, context)) and (state or not context["failed"])


def value(words: str, context: Mapping[str, Any]) -> Any:
    """What an expression gives; a name that has no value is empty, as on GitHub."""
    tokens = list(_tokens(words.strip()))
    found = _any(tokens, context)
    assert not tokens, f"not understood behind {tokens} in {words}"
    return found


def _tokens(words: str) -> Iterator[str]:
    place = 0
    while place < len(words):
        found = TOKEN.match(words, place)
        assert found, f"not understood: {words[place:]}"
        place = found.end()
        yield found[0].strip()


def _any(tokens: list[str], context: Mapping[str, Any]) -> Any:
    left = _all(tokens, context)
    while tokens[:1] == ["||"]:
        tokens.pop(0)
        right = _all(tokens, context)
        left = left or right
    return left


def _all(tokens: list[str], context: Mapping[str, Any]) -> Any:
    left = _compared(tokens, context)
    while tokens[:1] == ["&&"]:
        tokens.pop(0)
        right = _compared(tokens, context)
        left = left and right
    return left


def _compared(tokens: list[str], context: Mapping[str, Any]) -> Any:
    left = _one(tokens, context)
    if tokens[:1] in (["=="], ["!="]):
        same = tokens.pop(0) == "=="
        left = (left == _one(tokens, context)) is same
    return left


def _one(tokens: list[str], context: Mapping[str, Any]) -> Any:
    token = tokens.pop(0)
    if token == "!":
        return not _one(tokens, context)
    if token == "(":
        found = _any(tokens, context)
        assert tokens.pop(0) == ")"
        return found
    if tokens[:2] == ["(", ")"]:
        del tokens[:2]
        return {
            "always": True,
            "cancelled": False,
            "failure": context["failed"],
            "success": not context["failed"],
        }[token]
    return token[1:-1] if token.startswith("'") else _looked_up(token, context)


def _looked_up(name: str, context: Mapping[str, Any]) -> Any:
    first, *rest = name.split(".")
    found: Any = context[first]
    for part in rest:
        found = found.get(part, "") if isinstance(found, Mapping) else ""
    return found
