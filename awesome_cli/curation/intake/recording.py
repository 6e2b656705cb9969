"""Turn drafts into records with key and tags; fetch drafts by reference."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from awesome_cli.curation.intake.vocabulary import Vocabulary
from awesome_cli.errors import NetError, RefusedError
from awesome_cli.files.canonical import texts
from awesome_cli.model.drafts import Draft, filled
from awesome_cli.model.identifiers import Reference
from awesome_cli.model.records import KINDS, AnyRecord, Candidate, Exclusion, slim
from awesome_cli.model.taxonomy import UNCODED, Named, Taxonomy
from awesome_cli.sources import fetch, stub
from awesome_cli.survey.keys import Names, exclusion_id, paper_key
from awesome_cli.survey.loading import KEY, validated
from awesome_cli.system.network import Net
from awesome_cli.text.folding import fold, spaced
from awesome_cli.text.inert import without_unseen
from awesome_cli.text.names import OTHERS


def to_record(draft: Draft, vocabulary: Vocabulary, day: date, names: Names) -> AnyRecord:
    """Return the record of a draft; raises `RefusedError` for invalid values.

    The key is the source's key if that is valid and free, else made of title, author and year. The source's
    key also becomes the citation key, unless another record has it.
    """
    fields = dict(draft.fields)
    if not draft.title:
        raise RefusedError("the entry has no title", hint="give the title with --set title=…")
    model = KINDS[draft.kind]
    if model is Exclusion:
        fields = _screened(fields, vocabulary.taxonomy, day)
    elif model is Candidate:
        fields = _decided(fields, vocabulary.taxonomy)
        fields = {"proposal": "consider", "found": {"on": day, "source": draft.place}, **fields}
    else:
        fields = {"added": day, **fields}
    if draft.keywords or draft.tags:
        # Requested words become tags if they are terms; other words stay under `extra`.
        tags, left = vocabulary.place(draft.tags) if model is not Exclusion else ({}, draft.tags)
        extra = {**(fields.get("extra") or {}), "keywords": list(dict.fromkeys((*draft.keywords, *left)))}
        fields = filled({**fields, "tags": {**tags, **(fields.get("tags") or {})}, "extra": extra})
    key = _key(draft, names)
    if model is not Exclusion:
        fields["citation"] = _cited(draft, fields.get("citation") or {}, key, names)
    # Values are converted to the strings that the record's file will contain.
    fields["extra"] = texts(fields.get("extra") or {})
    record, findings = validated(model, fields, draft.place, key)
    if record is None:
        raise RefusedError("; ".join(finding.message for finding in findings[:3]))
    return slim(record)


def readable(draft: Draft) -> Draft:
    """Return the draft without invisible characters; a warning lists the values that had some."""
    had = {name: getattr(draft, name) for name in ("place", "key", "keywords", "tags", "fields")}
    has = without_unseen(had)
    if has == had:
        return draft
    pairs = ((had, has), (had["fields"], has["fields"]))
    names = ", ".join(name for old, new in pairs for name in old if name != "fields" and old[name] != new.get(name))
    return replace(draft, **has, warnings=(*draft.warnings, f"{names}: invisible characters were removed"))


def own_key(draft: Draft) -> str | None:
    """Return the source's key as a valid key of a record; None if that is not possible."""
    if draft.kind == "exclusion" and draft.key and KEY.fullmatch(draft.key):
        key = draft.key
    else:
        key = re.sub(r"[^a-z0-9._-]+", "-", fold(draft.key or "")).strip("-._")
    return key if len(key) > 1 and not key.isdigit() and key not in Names() else None


def _key(draft: Draft, names: Names) -> str:
    own = own_key(draft)
    if own and own not in names:
        return own
    return (exclusion_id if draft.kind == "exclusion" else paper_key)(*_made_of(draft), names, _details(draft))


def _cited(draft: Draft, citation: Mapping[str, Any], key: str, names: Names) -> dict[str, Any]:
    """Return the citation of a record, with a unique citation key."""
    own = citation.get("key")
    if not own and "added" in draft.fields:
        return dict(citation)
    cited = names.cited
    # A number or an address is a name in the source's own store, which no text would cite.
    given = draft.key if draft.key and not draft.key.isdigit() and "://" not in draft.key else None
    free = next((name for name in (own or given, key) if name and name not in cited), None)
    return {**citation, "key": free or exclusion_id(*_made_of(draft), cited, _details(draft))}


def _made_of(draft: Draft) -> tuple[str, tuple[str, ...], int | None]:
    year = str(draft.fields.get("year") or "")
    authors = tuple(name for name in draft.fields.get("authors", ()) if name != OTHERS)
    return draft.title, authors, int(year) if year.isdecimal() and len(year) < 5 else None


def _details(draft: Draft) -> object:
    """Return the fields that distinguish works with the same title, authors and year."""
    return {name: value for name, value in draft.fields.items() if name not in {"title", "authors", "year", "added"}}


def _screened(fields: Mapping[str, Any], taxonomy: Taxonomy, day: date) -> dict[str, Any]:
    """Return the fields of an exclusion: an unknown reason becomes the note, other values go to `extra`."""
    screening = dict(fields.get("screening") or {})
    if {"stage", "reason", "on"} <= screening.keys():
        return dict(fields)
    words = {name: str(screening.get(name) or "") for name in ("stage", "reason")}
    codes = {"stage": _coded(words["stage"], taxonomy.stages), "reason": _coded(words["reason"], taxonomy.reasons)}
    uncoded = {name: word for name, word in words.items() if word != UNCODED and not codes[name]}
    note = fields.get("note") or uncoded.pop("reason", None)
    screening |= {name: code or UNCODED for name, code in codes.items()} | {
        "on": screening.get("on") or fields.get("added") or day
    }
    links = fields.get("links") or ()
    known = {name: value for name, value in fields.items() if name in Exclusion.model_fields}
    rest = {name: value for name, value in fields.items() if name not in {*known, "links", "added"}}
    if len(links) > 1:
        rest["links"] = links
    url = fields.get("url") or (links[0]["url"] if links else None)
    extra = {**uncoded, **rest, **(fields.get("extra") or {})}
    return filled({**known, "screening": screening, "note": note, "url": url, "extra": extra})


def _decided(fields: Mapping[str, Any], taxonomy: Taxonomy) -> dict[str, Any]:
    """The fields of a candidate, with the stage and the reason that a table gave, if they are codes."""
    extra = dict(fields.get("extra") or {})
    words = {"stage": taxonomy.stages, "reason": taxonomy.reasons}
    codes = {name: code for name, known in words.items() if (code := _coded(str(extra.get(name) or ""), known))}
    return {**fields, **codes, "extra": {name: value for name, value in extra.items() if name not in codes}}


def _coded(word: str, known: tuple[Named, ...]) -> str | None:
    return {spaced(text): entry.id for entry in known for text in (entry.label, entry.id)}.get(spaced(word))


EARLY = ("title", "authors", "year")
"""The fields that a key is made of; they are set before the key."""


def gather(reference: Reference, net: Net) -> Draft:
    """The draft behind a reference; without the network and without a cached answer, a stub that says so."""
    try:
        return fetch(reference, net)
    except NetError:
        if not net.offline:
            raise
        return stub(reference)


def preset(draft: Draft, assignments: Sequence[str]) -> Draft:
    """The draft with the title, authors and year that were given with `FIELD=VALUE`, so that its key fits them."""
    given: dict[str, object] = {}
    for text in assignments:
        name, equals, value = text.partition("=")
        if equals and name in EARLY and value.strip():
            given[name] = tuple(part.strip() for part in value.split(";")) if name == "authors" else value.strip()
    if not given:
        return draft
    return replace(draft, fields={**draft.fields, **given}, key=None)
