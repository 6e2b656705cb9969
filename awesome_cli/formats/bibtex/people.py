"""Names of people in BibTeX."""

import re
from collections.abc import Iterator

from awesome_cli.formats.bibtex.values import closing
from awesome_cli.formats.people import ET_AL, authors_of
from awesome_cli.text import names
from awesome_cli.text.latex import to_unicode

AND = re.compile(r"(?<!\s)\s+and\s+", re.IGNORECASE)
BRACED = re.compile(r"\{[^{}]*\}")


def authors(text: str, doubts: list[str] | None = None) -> Iterator[str]:
    """Authors as `Last, First`; a name that is braced as a whole is a corporate author.

    Where commas or semicolons stand for the `and` of BibTeX, the names between them are told apart, with a doubt.
    """
    is_odd = ";" in text or " al" in text
    for name in _split(text):
        if name.startswith("{") and closing(name) == len(name) - 1:
            yield to_unicode(name[1:-1])
        elif (is_odd or name.count(",") > 1) and (several := _several(name, doubts)):
            yield from several
        elif (plain := _plain(name)) is not None:
            yield plain
        else:
            yield _parsed(name)


def _split(text: str) -> Iterator[str]:
    if "{" not in text:
        return (name.strip() for name in AND.split(text))
    from bibtexparser.middlewares.names import split_multiple_persons_names

    return (name.strip() for name in split_multiple_persons_names(text))


def _several(name: str, doubts: list[str] | None) -> list[str]:
    """The names in what BibTeX takes for one; none if it is one."""
    if names.is_cut(name):
        return [names.OTHERS]
    if found := ET_AL.search(name):
        return [*authors(name[: found.start()], doubts), names.OTHERS]
    if not _is_list(BRACED.sub("x", name)):
        return []
    found_names = list(authors_of(to_unicode(name).strip(", ")))
    doubt = f"the names {name!r} are read as {'; '.join(found_names)}, since 'and' is missing between them"
    if doubts is not None and doubt not in doubts:
        doubts.append(doubt)
    return found_names


def _is_list(name: str) -> bool:
    """Whether marks stand in a name that only a list has; BibTeX has a place for two commas (`von Last, Jr, First`)."""
    if ";" in name and "&" not in name:
        return True
    parts = [part.strip() for part in name.split(",")]
    return len(parts) > 3 or (len(parts) == 3 and all(" " in part for part in parts if part))


def _plain(name: str) -> str | None:
    """A name of one of the two usual forms, `Last, First` and `First Last`; None for one that must be parsed."""
    family, comma, given = name.partition(",")
    if comma and "," not in given and family.count("{") == family.count("}"):
        return to_unicode(name)
    if "," in name or "{" in name or "\\" in name or "~" in name:
        return None
    words = name.split()
    return f"{words[1]}, {words[0]}" if len(words) == 2 else name if len(words) < 2 else None


def _parsed(name: str) -> str:
    """`First von Last` and `von Last, Jr, First`, by the rules of BibTeX."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts

    try:
        parts = parse_single_name_into_parts(name, strict=False)
    except Exception:  # noqa: BLE001 - a name that cannot be parsed is kept as it was written
        return to_unicode(name)
    family = to_unicode(" ".join([*parts.von, *parts.last]))
    given = to_unicode(" ".join([*parts.first, *parts.jr]))
    return f"{family}, {given}" if given else family
