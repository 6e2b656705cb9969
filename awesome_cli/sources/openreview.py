"""OpenReview: submissions, from version 2 of its interface or version 1."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from awesome_cli.errors import NetError, NotKnownError
from awesome_cli.model.drafts import Draft, filled, link
from awesome_cli.model.identifiers import SCHEMES, Reference
from awesome_cli.sources.services import Service, ask
from awesome_cli.system.network import Net
from awesome_cli.text import names
from awesome_cli.text.latex import to_unicode


def fetch(reference: Reference, net: Net) -> Draft:
    """The submission behind a forum's id; raises `NotKnownError` for one that is unknown or not public."""
    notes = ask(SERVICE, f"/notes?id={quote(reference.id)}", net, str(reference)).get("notes")
    note = notes[0] if isinstance(notes, list) and notes else None
    if not isinstance(note, dict) or not isinstance(note.get("content"), dict):
        raise NotKnownError(f"OpenReview has no public submission {reference.id}", hint="check the id in its address")
    return to_draft(note, reference)


def to_draft(note: Mapping[str, Any], reference: Reference) -> Draft:
    """A note as a draft; the year is that of publication, else of the decision, else of submission."""
    content = {name: _value(entry) for name, entry in note["content"].items()}
    title = content.get("title")
    if not isinstance(title, str) or not title.strip():
        raise NetError(f"OpenReview has no title for {reference.id}", hint="give it with --set title=…")
    authors = content.get("authors")
    authors = [str(author) for author in authors] if isinstance(authors, list) else []
    stamp = next((note[name] for name in ("pdate", "odate", "cdate") if isinstance(note.get(name), int)), None)
    fields = {
        "title": to_unicode(" ".join(title.split())),
        "authors": names.listed(names.inverted(author) for author in authors) or ("Anonymous",),
        "year": datetime.fromtimestamp(stamp / 1000, UTC).year if stamp else None,
        "venue": content.get("venue") if isinstance(content.get("venue"), str) else None,
        "identifiers": {"openreview": reference.id},
        "links": [link("Paper", SCHEMES["openreview"].address + reference.id)],
        "citation": {"type": "inproceedings"},
    }
    warnings = () if authors else ("the submission is anonymous",)
    return Draft(filled(fields), str(reference), warnings=warnings)


def _value(entry: Any) -> Any:
    """Version 2 of the interface wraps values in `{value: …}`, version 1 does not."""
    return entry.get("value") if isinstance(entry, dict) else entry


SERVICE = Service("OpenReview", "openreview", "AWESOME_OPENREVIEW_URL", "https://api2.openreview.net", fetch)
