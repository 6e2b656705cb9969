"""Rewrite names inside queries, leaving every other character of them."""

from collections.abc import Callable

from awesome_cli.errors import UsageError
from awesome_cli.model.codings import Tag
from awesome_cli.query.logic import Token
from awesome_cli.query.parser import tokens

Names = Callable[[str, str], tuple[str, str]]
"""From a name and one of its values to the new name and value; for the name alone the value is empty."""


def rewritten(query: str, names: Names, *, bare: Callable[[str], str] | None = None) -> str:
    """The query with each `name=value` passed through `names`, and each bare term through `bare`.

    A text that is not a query is returned as it is. Strengths (`value:strength`) stay.
    """
    try:
        pieces = tokens(query)
    except UsageError:
        return query
    changes: list[tuple[Token, str]] = []
    for i, piece in enumerate(pieces):
        if piece.kind != "word":
            continue
        following = pieces[i + 1] if i + 1 < len(pieces) else None
        if following is not None and following.kind == "op":
            values = _values(pieces, i + 2)
            changes.append((piece, names(piece.text, "")[0]))
            changes += [(value, _renamed(value.text, piece.text, names)) for value in values]
        elif bare is not None and not (i and pieces[i - 1].kind in {"op", "comma", "exact"}):
            changes.append((piece, _renamed(piece.text, "", lambda name, term: (name, bare(term)))))
    for piece, text in reversed(changes):
        at = piece.at - 1
        query = query[:at] + text + query[at + len(piece.text) :]
    return query


def _values(pieces: tuple[Token, ...], start: int) -> list[Token]:
    """The values behind an operator: words joined by commas, each perhaps with an exact strength."""
    values: list[Token] = []
    i = start
    while i < len(pieces) and pieces[i].kind in {"word", "text"}:
        values.append(pieces[i])
        i += 1
        if i < len(pieces) and pieces[i].kind == "exact":
            i += 2
        if i >= len(pieces) or pieces[i].kind != "comma":
            break
        i += 1
    return values


def _renamed(text: str, name: str, names: Names) -> str:
    term = Tag.parse(text).term
    return names(name, term)[1] + text[len(term) :]
