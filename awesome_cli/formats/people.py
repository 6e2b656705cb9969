"""Authors in one cell, as the programs that write tables put them: told apart by shape, and by the column as a whole.

| cell | written by |
| --- | --- |
| `Bean, Ada; Doe, Jane` | most programs, and this one |
| `Bean A., Doe J.K.` / `Bean A, Doe JK` / `Bean A.; Doe J. K.` | Scopus, PubMed |
| `Bean, A., Doe, J. K.` | reference lists |
| `Bean, Ada and Doe, Jane` | BibTeX |
| `Ada Bean, Jane Doe and Rob Roast` | people |

A list of names in JSON holds texts, or mappings with `family` and `given`, `name` or the like.

Besides, what a record has no field of its own for, and how it is kept: editors, and the identifiers of PubMed.
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
"""A family name with initials behind it: `Doe JK`, `van der Berg J.-P.`; of a longer text every cut would be tried."""
GIVEN_FIRST = re.compile(rf"(?:{LETTER}\.[- ]?)+ ?{LETTER}{{2}}.*")
CORPORATE = re.compile(
    r"\b(?:organi[sz]ation|universit\w+|institut\w*|association|committee|consortium|group|team|collaborat(?:ion|ors)|"
    r"society|foundation|agency|ministry|department|council|cent(?:re|er)s?|commission|network|initiative|laborator\w+|"
    r"world bank|inc|ltd|gmbh)\b",
    re.IGNORECASE,
)
ET_AL = re.compile(r"(?:,|(?<!\s))\s+et\s+al\.?\s*$", re.IGNORECASE)
EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts that write a name in one word, so that a comma always stands between two."""


@dataclass(frozen=True, slots=True)
class Style:
    """What the whole column says where one cell is ambiguous.

    `semicolons`: they divide names, so that a comma stands between family and given name. `lists`: commas divide full
    names. `family_first`: names without a comma begin with the family name.
    """

    semicolons: bool = False
    lists: bool = False
    family_first: bool = False


PLAIN = Style()


def style_of(cells: Iterable[Any]) -> Style:
    """The style of a column, from the cells whose shape leaves no doubt."""
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


def authors_of(value: Any, style: Style = PLAIN) -> Iterator[str]:
    """Authors as `Last, First`, from a list or a text with any of the usual separators."""
    if isinstance(value, str):
        value = cells.value_of(value)
    if isinstance(value, list):
        for one in value:
            yield of_mapping(one) if isinstance(one, Mapping) else person(line(one), style)
        return
    text = str(value or "")
    if "\n" in text.strip() and not re.search(r";|(?:,|\band)\s*\n", text):
        text = text.replace("\n", ";")
    text = line(text)
    yield from (person(part, style) for part in _divided(ET_AL.sub("", text), style))
    if ET_AL.search(text):
        yield names.OTHERS


def person(name: str, style: Style = PLAIN) -> str:
    """One name as `Last, First`; a corporate author, and a name with a comma, as it is."""
    if found := FAMILY_FIRST.fullmatch(name):
        return f"{found['family']}, {found['initials'].strip()}{found['tail'] or ''}" if "," not in name else name
    if "," in name or names.is_cut(name) or CORPORATE.search(name):
        return name
    words = name.split()
    return ", ".join(words) if style.family_first and len(words) == 2 else names.inverted(name)


def of_mapping(author: Mapping[str, Any]) -> str:
    """The name in a mapping, as CSL, Crossref, DataCite and other registries have it."""
    found = {name: line(author.get(name)) for name in author}

    def first(*wanted: str) -> str:
        return next((found[name] for name in wanted if found.get(name)), "")

    family = first("family", "familyName", "last_name", "lastName")
    given = first("given", "givenName", "first_name", "firstName")
    if family and given:
        particle, behind = first("non-dropping-particle"), (first("dropping-particle"), first("suffix"))
        return " ".join(filter(None, (particle, f"{family},", given, *behind)))
    name = first("literal", "name", "creatorName", "author", "display_name", "full_name") or family or given
    is_person = author.get("nameType") == "Personal" or {"authorId", "display_name"} & author.keys()
    return names.inverted(name) if is_person else name


def _divided(text: str, style: Style) -> list[str]:
    if text.endswith(",") and text.count(",") == 1 and ";" not in text:
        # So this program marks a corporate author that stands alone.
        return [text]
    for separator in (";", "|"):
        if separator in text:
            return [part.strip() for part in text.split(separator)]
    text = re.sub(r"\s+&\s+", " and ", text)
    if " and " not in text:
        return _by_commas(text, style)
    head, _, tail = (part.strip(", ") for part in text.rpartition(" and "))
    if CORPORATE.search(text) and "," not in text and not (" " in head and " " in tail):
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
    if EAST_ASIAN.search(text) or all(map(FAMILY_FIRST.fullmatch, parts)) or not _are_pairs(parts, style):
        return parts
    return [f"{family}, {given}" for family, given in zip(parts[::2], parts[1::2], strict=True)]


def _are_pairs(parts: list[str], style: Style) -> bool:
    """Whether every second part is the given name of the one before."""
    if len(parts) % 2:
        return False
    families, given = parts[::2], parts[1::2]
    if all(map(INITIALS.fullmatch, given)):
        return True
    # A family name is one word, or begins with `van`, `de` or the like.
    if all(" " not in family or family.split()[0] in names.PARTICLES for family in families):
        return True
    if len(parts) > 2:
        return False
    return style.semicolons or (" " not in given[0] and not style.lists)


AND = " and "
"""Joins names in `extra.editor`, as in BibTeX."""
PMID = "PMID:"
"""How an identifier of PubMed begins in `identifiers.other`."""


def authors_and_editors(paper: Paper) -> tuple[Sequence[str], Sequence[str]]:
    """The authors and the editors of a paper; the editors of a work without authors stand in its `authors`, too."""
    editors = paper.extra.get("editor")
    if not isinstance(editors, str):
        return paper.authors, ()
    return ((), paper.authors) if editors == AND.join(paper.authors) else (paper.authors, editors.split(AND))


def doubts(extra: Mapping[str, object], held: Mapping[str, object]) -> tuple[str, ...]:
    """A warning for each text that is kept since it is not the year or identifier that its name says."""
    names = (name for name in ("year", "doi", "isbn") if name in extra and not held.get(name))
    return tuple(f"{name} {extra[name]!r} is kept under extra.{name}, since it is not one" for name in names)
