"""From a person's input to a draft: a reference is fetched or a file is read; offline, a stub is made."""

from collections.abc import Sequence
from dataclasses import replace

from awesome_cli.errors import NetError, UsageError
from awesome_cli.formats.reading import InputFile, ReadingOptions, read
from awesome_cli.model.drafts import Draft
from awesome_cli.model.identifiers import Reference
from awesome_cli.sources import fetch, stub
from awesome_cli.system.network import Net

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


def single(source: InputFile, options: ReadingOptions) -> Draft:
    """The one entry of a file; raises `UsageError` for none, for several, and for one that cannot be read."""
    batch = read([source], options)
    if batch.failures:
        failure = batch.failures[0]
        raise UsageError(f"{failure.place}: {failure.message}")
    if len(batch.drafts) != 1:
        hint = f"take them all in with 'awesome import {source.name}'"
        raise UsageError(f"{source.name} holds {len(batch.drafts)} entries, not one", hint=hint)
    return batch.drafts[0]


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
