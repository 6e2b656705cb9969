"""OpenReview: submissions by forum id, from version 1 or 2 of its API."""

from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import quote

from pydantic import BeforeValidator, Field

from awesome_cli.errors import NotKnownError, NoWorkError
from awesome_cli.model.drafts import Draft, filled, link
from awesome_cli.model.identifiers import SCHEMES, Reference
from awesome_cli.sources.services import LONGEST, Service, Shape, Text, get_json
from awesome_cli.system.network import Net
from awesome_cli.text import names
from awesome_cli.text.latex import to_unicode

Wrapped = BeforeValidator(lambda value: value.get("value") if isinstance(value, dict) else value)
"""Version 2 of the API wraps values in `{value: …}`, version 1 does not."""
Stamp = Annotated[int, Field(ge=0, le=9_999_999_999_999)]
"""A Unix timestamp in milliseconds."""


class Content(Shape):
    """Title, authors and venue of a submission."""

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
    """A response of OpenReview."""

    notes: list[Note] = []


def fetch(reference: Reference, net: Net) -> Draft:
    """Fetch a submission by forum id; raises `NotKnownError` if the submission is unknown or not public."""
    notes = get_json(SERVICE, f"/notes?id={quote(reference.id)}", net, str(reference), Reply).notes
    if not notes or notes[0].content is None:
        raise NotKnownError(f"OpenReview has no public submission {reference.id}", hint="check the id in the URL")
    return to_draft(notes[0], notes[0].content, reference)


def to_draft(note: Note, content: Content, reference: Reference) -> Draft:
    """Convert a submission to a draft; `year` is the year of publication, else of the decision, else of submission."""
    title = " ".join((content.title or "").split())
    if not title:
        raise NoWorkError(f"OpenReview has no title for {reference.id}", hint="set the title with --set title=…")
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
    return Draft(filled(fields), str(reference), warnings=() if content.authors else ("the submission is anonymous",))


SERVICE = Service("OpenReview", "openreview", "AWESOME_OPENREVIEW_URL", "https://api2.openreview.net", fetch)
