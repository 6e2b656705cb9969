"""References that are lines of a tag and a value, as in RIS and in PubMed's format."""

import re
from collections.abc import Iterable, Mapping

from awesome_cli.model.identifiers import read

Values = dict[str, list[str]]


def values(lines: Iterable[tuple[str | None, str]], lists: Iterable[str] = ()) -> Values:
    """The values of each tag in order. A line without a tag continues the value; in `lists` it is a value of its own."""
    found: Values = {}
    last: str | None = None
    for tag, text in lines:
        value = " ".join(text.split())
        last = tag or last
        if last is None or not (value or tag):
            continue
        at = found.setdefault(last, [])
        if tag or last in lists or not at:
            at.append(value)
        else:
            at[-1] = f"{at[-1]} {value}".strip()
    return {tag: kept for tag, given in found.items() if (kept := [value for value in given if value])}


def isbn(texts: Iterable[str]) -> str | None:
    """The first ISBN among some texts, which may say more ("978-0-306-40615-7 (print)")."""
    words = (word for text in texts for word in re.split(r"[\s;,()]+", text))
    return next((word for word in words if read("isbn", word)), None)


def left(found: Values, held: Mapping[str, int | None]) -> dict[str, str | list[str]]:
    """What no field holds. `held` says how many values of a tag, from the first, a field has; None for all."""
    rest = {
        tag: given[held[tag] if held[tag] is not None else len(given) :] if tag in held else given
        for tag, given in found.items()
    }
    return {tag: given[0] if len(given) == 1 else given for tag, given in rest.items() if given}
