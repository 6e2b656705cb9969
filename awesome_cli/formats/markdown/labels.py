"""Find the labelled lines under the entries of a page, which are columns of these entries.

`- [On Tea](a)` with the nested items `📅 Date: May 2, 2024` and `Env: [Web], [App]` has the columns `Date` and `Env`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from awesome_cli.formats.markdown.columns import PAPER_COLUMNS, is_column
from awesome_cli.formats.markdown.entries import lines_of
from awesome_cli.formats.markdown.links import is_label, sort_of
from awesome_cli.formats.markdown.page import BREAK, Fragment, Part, clean
from awesome_cli.formats.rows import plain_name

LABEL = re.compile(r"[\W_]*(?P<name>[^\W\d_][\w'’/&-]*(?: [\w'’/&-]+){0,3})\s*[:：]")
LONGEST = 30
"""Maximum length of a label in characters."""
Line = list[Fragment]


def with_fields(parts: Sequence[Part]) -> list[Part]:
    """Make each labelled line a part of kind `field`; an empty one takes the text after it.

    A label is the name of a usual column, or begins two or more lines of the page, or is next to such a label.
    """
    divided = [(part, lines_of(part)) for part in parts]
    names = [_label(part, line) for part, lines in divided for line in lines]
    known = {name for name, n in Counter(names).items() if name and (n > 1 or is_column(plain_name(name)))}
    for run in (pairwise(names), pairwise(reversed(names))):
        known |= {name for before, name in run if name and before in known}
    results: list[Part] = []
    for new in (new for part, lines in divided for new in _divided(part, lines, known)):
        last = results[-1] if results else None
        if last and last.label and new.kind == "text" and not any(p.text.strip() or p.url for p in last.pieces):
            results[-1] = replace(last, pieces=new.pieces)
        else:
            results.append(new)
    return results


def _label(part: Part, line: Line) -> str:
    """Return the label of a line, '' if the line has none or is an entry."""
    match = LABEL.match(_start(line)) if part.kind in {"text", "quote"} else None
    name = clean(match["name"]) if match else ""
    is_titled = any(sort_of(p.url) == "paper" and not is_label(p.text) for p in line if p.url)
    is_entry = is_titled and plain_name(name) in {*PAPER_COLUMNS, "work", "works"}
    return "" if len(name) > LONGEST or is_entry else name


def _start(line: Line) -> str:
    """Return the start of a line up to its first link."""
    n = next((n for n, piece in enumerate(line) if piece.url), len(line))
    return clean("".join(piece.text for piece in line[:n] if not piece.image)[: 4 * LONGEST])


def _value(line: Line) -> Line:
    """Return the fragments after the first colon."""
    for n, piece in enumerate(line):
        if not piece.image and (colon := re.search("[:：]", piece.text)):
            return [replace(piece, text=piece.text[colon.end() :].lstrip()), *line[n + 1 :]]
    return []


def _divided(part: Part, lines: Sequence[Line], known: set[str]) -> Iterator[Part]:
    """Yield the part without its labelled lines, and a field for each of these."""
    text = Line()
    for n, line in enumerate(lines):
        name = _label(part, line)
        # The first line of an item of the outermost list is the entry.
        if name not in known or (n == 0 and len(part.items) == 1):
            text += [*([Fragment(BREAK, line[0].line)] if text else []), *line]
            continue
        if text:
            yield _part(part, text)
            text = Line()
        yield _part(part, _value(line), kind="field", label=name)
    if text or not lines:
        yield _part(part, text) if lines else part


def _part(part: Part, pieces: Line, **values: str) -> Part:
    line = next((p.line for p in pieces if p.text.strip() or p.image), part.line)
    return replace(part, pieces=tuple(pieces), line=line, **values)  # type: ignore[arg-type]
