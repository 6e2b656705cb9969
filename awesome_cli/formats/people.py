"""Split a cell into authors, in the styles of many programs; the rest of the column resolves ambiguous cells.

Each of these cells becomes a list of authors as `Last, First`:

| cell | written by |
| --- | --- |
| `Bean, Ada; Doe, Jane` | most programs, and this one |
| `Bean A., Doe J.K.` / `Bean A, Doe JK` / `Bean A.; Doe J. K.` | Scopus, PubMed |
| `Bean, A., Doe, J. K.` | reference lists |
| `Bean, Ada and Doe, Jane` | BibTeX |
| `Ada Bean, Jane Doe and Rob Roast` | people |

A JSON list contains names, or mappings with `family` and `given`, `name` or the like.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awesome_cli.formats import cells
from awesome_cli.formats.cells import line
from awesome_cli.model.records import Paper
from awesome_cli.text import names

LETTER = r"[^\W\d_]"
CAPITALS = rf"(?!I{{2,3}}$|IV$)(?:(?={LETTER})[^a-z\W]\.?[- ]?){{1,4}}"
INITIALS = re.compile(CAPITALS)
FAMILY_FIRST = re.compile(
    rf"(?=.{{,200}}\Z)(?P<family>.*{LETTER}{{2}}\S*) (?P<initials>{CAPITALS})(?P<tail> (?:Jr|Sr|2nd|3rd|I+V?)\.?)?"
)
"""A family name followed by initials: `Doe JK`, `van der Berg J.-P.`; the length limit bounds backtracking."""
GIVEN_FIRST = re.compile(rf"(?:{LETTER}\.[- ]?)+ ?{LETTER}{{2}}.*")
ET_AL = re.compile(r"(?:,|(?<!\s))\s+et\s+al\.?\s*$", re.IGNORECASE)
EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts in which a name is one word, so that a comma always separates two authors."""


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a column, which resolves its ambiguous cells.

    `semicolons` is True if semicolons separate authors, so that a comma separates family and given name; `lists` if
    commas separate full names; `family_first` if names without a comma start with the family name.
    """

    semicolons: bool = False
    lists: bool = False
    family_first: bool = False


PLAIN = Style()


def style_of(cells: Iterable[Any]) -> Style:
    """Return the style of a column, from its unambiguous cells."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    parts = [[part.strip() for part in re.split(r"[;,]| and ", text) if part.strip()] for text in texts]
    many = [part for cell in parts for part in cell]
    initials = sum(bool(FAMILY_FIRST.fullmatch(part)) for part in many)
    full = sum(" " in part for part in many) - initials
    return Style(
        semicolons=any(";" in text.strip("; ") for text in texts),
        lists=any(
            len(cell) > 2 and all(" " in part and not FAMILY_FIRST.fullmatch(part) for part in cell) for cell in parts
        ),
        family_first=initials > full and not any(GIVEN_FIRST.fullmatch(part) for part in many),
    )


PERSONAL = ("display_name", "raw_author_name", "full_name")


def authors_of(value: Any, style: Style = PLAIN) -> Iterator[str]:
    """Yield authors as `Last, First`, from a list or a text with any of the usual separators."""
    if isinstance(value, str):
        value = cells.value_of(value)
    if isinstance(value, list | Mapping):
        for author in value if isinstance(value, list) else [value]:
            is_known = isinstance(author, Mapping) and {"literal", "nameType", "familyName"} & author.keys()
            name = of_mapping(author) if isinstance(author, Mapping) else line(author)
            yield name if is_known else person(name, style)
        return
    text = value if isinstance(value, str) else line(value)
    if "\n" in text.strip() and not re.search(r";|(?:,|\band)\s*\n", text):
        text = text.replace("\n", ";")
    text = re.sub(r"[\u3001\uff0c]", ", ", line(text))  # Chinese and Japanese commas
    yield from (person(part, style) for part in _divided(ET_AL.sub("", text), style))
    if ET_AL.search(text):
        yield names.OTHERS


def person(name: str, style: Style = PLAIN) -> str:
    """Return a name as `Last, First`; corporate authors and names with a comma are unchanged."""
    if match := FAMILY_FIRST.fullmatch(name):
        return f"{match['family']}, {match['initials'].strip()}{match['tail'] or ''}" if "," not in name else name
    if "," in name or names.is_cut(name) or names.CORPORATE.search(name):
        return name
    words = name.split()
    return ", ".join(words) if style.family_first and len(words) == 2 else names.inverted(name)


def of_mapping(author: Mapping[str, Any]) -> str:
    """Return an author's name as `Last, First`, from a mapping of CSL, Crossref, DataCite or another registry."""
    if isinstance(author.get("name"), Mapping):
        author = {**author, "name": "", **author["name"]}
    values = {name: line(author.get(name)) for name in author}

    def first(*wanted: str) -> str:
        return next((values[name] for name in wanted if values.get(name)), "")

    family = first("family", "familyName", "last_name", "lastName", "lastname", "last", "surname", "family_name")
    forename = first("given", "givenName", "first_name", "firstName", "firstname", "first", "forename", "given_name")
    if family and forename:
        particle, suffixes = first("non-dropping-particle"), (first("dropping-particle"), first("suffix"))
        return " ".join(filter(None, (particle, f"{family},", forename, *suffixes)))
    name = first("literal", "name", "creatorName", "author", *PERSONAL) or family or forename
    is_person = author.get("nameType") == "Personal" or {"authorId", *PERSONAL[:2]} & author.keys()
    is_person = is_person or (author.keys() <= {"name", "author"} and names.is_unsplit(name))
    return names.inverted(name) if is_person else name


def _divided(text: str, style: Style) -> list[str]:
    if text.endswith(",") and text.count(",") == 1 and ";" not in text:
        # `csv.write` marks a single corporate author by a comma at the end.
        return [text]
    for separator in (";", "|"):
        if separator in text:
            return [part.strip() for part in text.split(separator)]
    text = re.sub(r"\s+&\s+", " and ", text)
    if " and " not in text:
        return _by_commas(text, style)
    head, _, tail = (part.strip(", ") for part in text.rpartition(" and "))
    if names.CORPORATE.search(text) and "," not in text and not (" " in head and " " in tail):
        return [text]
    if " and " in head:
        return [*head.split(" and "), tail]
    return [*_by_commas(head, style), tail]


def _by_commas(text: str, style: Style) -> list[str]:
    parts: list[str] = []
    for part in (part.strip() for part in text.split(",")):
        if names.SUFFIX.fullmatch(part) and parts:
            parts[-1] += f" {part}"
        elif part:
            parts.append(part)
    if is_mla(parts):
        return [f"{parts[0]}, {parts[1]}", *parts[2:]]
    if EAST_ASIAN.search(text) or all(map(FAMILY_FIRST.fullmatch, parts)) or not _are_pairs(parts, style):
        return parts
    return [f"{family}, {forename}" for family, forename in zip(parts[::2], parts[1::2], strict=True)]


def is_mla(parts: Sequence[str]) -> bool:
    """True if the parts between commas are names in the MLA style, which inverts only the first name."""
    return len(parts) > 2 and " " not in parts[0] + parts[1] and all(" " in part for part in parts[2:])


def _are_pairs(parts: list[str], style: Style) -> bool:
    """True if the parts alternate between family and given names."""
    if len(parts) % 2:
        return False
    families, forenames = parts[::2], parts[1::2]
    if all(map(INITIALS.fullmatch, forenames)):
        return True
    # A family name is one word, or starts with a particle such as `van` or `de`.
    if all(" " not in family or family.split()[0] in names.PARTICLES for family in families):
        return True
    if len(parts) > 2:
        return False
    return style.semicolons or (" " not in forenames[0] and not style.lists)


AND = " and "
"""Separator of names in `extra.editor`, as in BibTeX."""
PMID = "PMID:"
"""Prefix of PubMed identifiers in `identifiers.other`."""


def authors_and_editors(paper: Paper) -> tuple[Sequence[str], Sequence[str]]:
    """Return `(authors, editors)` of a paper; editors that the record repeats as authors are only editors."""
    editors = paper.extra.get("editor")
    if not isinstance(editors, str):
        return paper.authors, ()
    return ((), paper.authors) if editors == AND.join(paper.authors) else (paper.authors, editors.split(AND))


def doubts(extra: Mapping[str, object], held: Mapping[str, object]) -> tuple[str, ...]:
    """Return a warning for each invalid year or identifier in `extra`; `held` has the valid values."""
    names = (name for name in ("year", "doi", "isbn") if name in extra and not held.get(name))
    return tuple(f"{name} {extra[name]!r} is not valid and is kept under extra.{name}" for name in names)
