"""BibTeX, read by bibtexparser: nothing is dropped, and what cannot be read is named with its line."""

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from awesome_cli.model.drafts import Batch, Draft, Failure, filled, link, unique, year_of
from awesome_cli.model.references import identifiers
from awesome_cli.text import names
from awesome_cli.text.latex import to_unicode

CONTAINERS = ("journal", "journaltitle", "booktitle", "howpublished", "school", "institution", "series")
CITATION = ("volume", "number", "publisher", "month")
READ = {"title", "author", "editor", "year", "date", "pages", "note", "keywords", "url", "doi", "eprint", "isbn"}
READ |= {"archiveprefix", "eprinttype", "acl", "openreview", *CITATION}


def read(text: str, name: str) -> Batch:
    """The entries of a BibTeX text; `name` is what it is called in places (`refs.bib`)."""
    import bibtexparser
    from bibtexparser.model import DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry, ParsingFailedBlock

    # The library tells its log what it also says in the blocks that failed, which are read below.
    logging.getLogger("bibtexparser").addHandler(logging.NullHandler())
    drafts: list[Draft] = []
    failures: list[Failure] = []
    for found in bibtexparser.parse_string(text).blocks:
        block: Any = found
        place = f"{name}:{(block.start_line or 0) + 1}"
        remarks: tuple[str, ...] = ()
        enclosed = False
        if isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock):
            remarks = (str(block.error).partition(". Note")[0].replace("Duplicate", "repeated").rstrip("."),)
            enclosed = True
            block = block.ignore_error_block  # the entry is there, under a remark
        if isinstance(block, Entry):
            drafts.append(_draft(block, place, remarks, enclosed=enclosed))
        elif isinstance(block, ParsingFailedBlock):
            reason = " ".join(str(block.error).split()) or "not BibTeX"
            failures.append(Failure(place, reason, _key_in(block.raw)))
    return Batch(tuple(drafts), tuple(failures))


def _key_in(raw: str | None) -> str | None:
    """The key of an entry that could not be read, as far as it can be seen."""
    key = (raw or "").partition("{")[2].partition(",")[0].strip()
    return key if key and len(key) < 100 and "\n" not in key else None


def _draft(entry: Any, place: str, remarks: tuple[str, ...], *, enclosed: bool) -> Draft:
    values: dict[str, str] = {}
    again: dict[str, list[str]] = {}
    for field in entry.fields:
        name, text = field.key.lower(), str(field.value)
        value = _bare(text) if enclosed else text.strip()
        if name in values and values[name] != value:
            again.setdefault(name, []).append(to_unicode(value))
        values.setdefault(name, value)
    key = entry.key.strip()
    if not key:
        remarks += ("the entry has no key",)
    fields = filled(_fields(entry.entry_type, key, values))
    extra = dict(_extra(fields, values)) | {f"{name}_again": value for name, value in again.items()}
    keywords = tuple(word.strip() for word in values.get("keywords", "").replace(";", ",").split(",") if word.strip())
    return Draft(filled({**fields, "extra": extra}), place, key or None, keywords, remarks)


def _fields(kind: str, key: str, values: Mapping[str, str]) -> dict[str, Any]:
    plain = {name: " ".join(to_unicode(value).split()) for name, value in values.items()}
    container = next((plain[name] for name in CONTAINERS if plain.get(name)), None)
    is_arxiv = values.get("archiveprefix", values.get("eprinttype", "")).casefold() == "arxiv"
    eprint = values.get("eprint") if is_arxiv or "." in values.get("eprint", "") else None
    url = values.get("url", "").removeprefix("\\url{").removesuffix("}")
    ids = identifiers([url], arxiv=eprint, **{name: values.get(name) for name in ("doi", "acl", "openreview")})
    return {
        "title": plain.get("title"),
        "authors": names.listed(_authors(values.get("author") or values.get("editor") or "")),
        "year": year_of(values.get("year") or values.get("date")),
        "venue": container,
        "identifiers": {**ids, "isbn": values.get("isbn")},
        "links": [link("Paper", url)] if url.startswith(("http://", "https://")) else [],
        "citation": {
            "key": key,
            "type": kind.lower(),
            "container": container,
            "pages": values.get("pages"),
            "note": plain.get("note"),
            **{name: plain.get(name) for name in CITATION},
        },
    }


def _extra(fields: Mapping[str, Any], values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What the record has no field for, or another value than the source."""
    container = next((name for name in CONTAINERS if values.get(name)), None)
    ids = fields.get("identifiers", {})
    for name, value in values.items():
        if name in READ or name == container:
            preprint = "arxiv" in ids
            kept = dict.fromkeys(("eprint", "archiveprefix", "eprinttype"), preprint)
            kept |= {"doi": "doi" in ids or preprint, "url": bool(fields.get("links"))}
            lost = not kept.get(name, True) or (name == "editor" and bool(values.get("author")))
            lost |= name in {"year", "date"} and value.strip() != str(fields.get("year"))
            if not lost:
                continue
        yield name, to_unicode(value)


def _bare(value: str) -> str:
    """A value without the braces or quotes around it, which the library leaves on an entry that it doubts."""
    value = value.strip()
    closing = {"{": "}", '"': '"'}.get(value[:1])
    return value[1:-1].strip() if closing and len(value) > 1 and value.endswith(closing) else value


def _authors(text: str) -> Iterator[str]:
    """Authors as `Last, First`; what stands in braces as a whole is a corporate author."""
    from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names

    for name in unique(split_multiple_persons_names(text)):
        name = name.strip()  # noqa: PLW2901
        if name.startswith("{") and name.find("}") == len(name) - 1:
            yield to_unicode(name)
            continue
        try:
            parts = parse_single_name_into_parts(name, strict=False)
        except Exception:  # noqa: BLE001 - a name that is none is kept as it was written
            yield to_unicode(name)
            continue
        family = to_unicode(" ".join([*parts.von, *parts.last]))
        given = to_unicode(" ".join([*parts.first, *parts.jr]))
        yield f"{family}, {given}" if given else family
