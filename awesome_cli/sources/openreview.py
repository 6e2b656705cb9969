"""OpenReview: submissions, from version 2 of its interface or version 1."""

from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import quote

from pydantic import BeforeValidator, Field

from awesome_cli.errors import NotKnownError, NoWorkError
from awesome_cli.model.drafts import Draft, filled, link
from awesome_cli.model.identifiers import SCHEMES, Reference
from awesome_cli.sources.services import LONGEST, Service, Shape, Text, ask
from awesome_cli.system.network import Net
from awesome_cli.text import names
from awesome_cli.text.latex import to_unicode

Wrapped = BeforeValidator(lambda value: value.get("value") if isinstance(value, dict) else value)
"""Version 2 of the interface wraps values in `{value: …}`, version 1 does not."""
Stamp = Annotated[int, Field(ge=0, le=9_999_999_999_999)]
"""Milliseconds since 1970."""


class Content(Shape):
    """What a submission says of itself."""

    title: Annotated[Text | None, Wrapped] = None
    authors: Annotated[Annotated[list[Text], Field(max_length=LONGEST)] | None, Wrapped] = None
    venue: Annotated[Text | None, Wrapped] = None


class Note(Shape):
    """A submission."""

    content: Content | None = None
    pdate: Stamp | None = None
    odate: Stamp | None = None
    cdate: Stamp | None = None


class Reply(Shape):
    """The answer of OpenReview's service."""

    notes: list[Note] = []


def fetch(reference: Reference, net: Net) -> Draft:
    """The submission behind a forum's id; raises `NotKnownError` for one that is unknown or not public."""
    found = ask(SERVICE, f"/notes?id={quote(reference.id)}", net, str(reference), Reply).notes
    if not found or found[0].content is None:
        raise NotKnownError(f"OpenReview has no public submission {reference.id}", hint="check the id in its address")
    return to_draft(found[0], found[0].content, reference)


def to_draft(note: Note, content: Content, reference: Reference) -> Draft:
    """A note as a draft; the year is that of publication, else of the decision, else of submission."""
    title = " ".join((content.title or "").split())
    if not title:
        raise NoWorkError(f"OpenReview has no title for {reference.id}", hint="give it with --set title=…")
    stamp = note.pdate or note.odate or note.cdate
    fields = {
        "title": to_unicode(title),
        "authors": names.listed(names.inverted(author) for author in content.authors or ()) or ("Anonymous",),
        "year": datetime.fromtimestamp(stamp / 1000, UTC).year if stamp else None,
        "venue": content.venue,
        "identifiers": {"openreview": reference.id},
        "links": [link("Paper", SCHEMES["openreview"].address + reference.id)],
        "citation": {"type": "inproceedings"},
    }
    warnings = () if content.authors else ("the submission is anonymous",)
    return Draft(filled(fields), str(reference), warnings=warnings)


SERVICE = Service("OpenReview", "openreview", "AWESOME_OPENREVIEW_URL", "https://api2.openreview.net", fetch)
