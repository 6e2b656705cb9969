"""The entries within some parts of a page: one, one for each line, or one for each link to a paper."""

from collections.abc import Sequence
from dataclasses import replace

from awesome_cli.formats.markdown.entries import ListEntry, understood
from awesome_cli.formats.markdown.links import is_kept, sort_of
from awesome_cli.formats.markdown.page import Part
from awesome_cli.formats.markdown.pieces import BREAK, Fragment, plain


def divided(parts: Sequence[Part], path: tuple[str, ...]) -> list[ListEntry]:
    """The entries of some parts: each line with a title and a paper of its own is one, the others belong to them."""
    lines: list[list[Fragment]] = [[]]
    for part in parts:
        for piece in part.pieces:
            lines.append([]) if piece.is_break else lines[-1].append(piece)
        lines.append([])
    full = [line for line in lines if any(piece.text.strip() or piece.image for piece in line)]
    found: list[list[list[Fragment]]] = []
    heads = [understood(line) for line in full]
    for line, head in zip(full, heads, strict=True):
        own = head.is_work and head.begins
        if not found or (own and understood(_whole(found[-1])).is_work):
            found.append([line])
        else:
            found[-1].append(line)
    return [entry for group in found for entry in several(_whole(group), path)]


def _whole(lines: Sequence[list[Fragment]]) -> list[Fragment]:
    return [piece for line in lines for piece in (*line, Fragment(BREAK, line[-1].line))]


def several(pieces: list[Fragment], path: tuple[str, ...]) -> list[ListEntry]:
    """One entry, or one for each title with a link to a paper, where nothing else tells them apart."""
    entry = understood(pieces, path)
    bare = not any(c.isalnum() for p in pieces if not p.url and not p.image for c in p.text)
    titled = [
        a for a in entry.links if not a.is_label and sort_of(a.url) == "paper" and (bare or len(a.text.split()) > 3)
    ]
    if len({a.url for a in titled}) < 2 or not entry.begins or entry.main not in titled:
        return [entry]
    others = [
        replace(ListEntry(a.line), title=a.text, links=(a,), main=a, path=path, begins=True)
        for a in titled
        if a != entry.main
    ]
    return [replace(entry, links=tuple(a for a in entry.links if a not in titled or a == entry.main)), *others]


def is_bold_line(part: Part) -> bool:
    shown = [piece for piece in part.pieces if piece.text.strip()]
    text = plain(shown)
    is_bold = bool(shown) and all(
        "b" in p.look and not is_kept(p.url) for p in shown if any(c.isalnum() for c in p.text)
    )
    return is_bold and 0 < len(text.split()) <= 10 and not text.endswith((".", "!", "?"))
