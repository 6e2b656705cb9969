"""The survey's data as files to download: every export, the records as JSON with their schema."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from awesome_cli.formats import EXPORTED, export_format
from awesome_cli.formats.json import SCHEMA
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.publish.schemas import DRAFT, SCHEMAS
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.text.inert import to_json


@dataclass(frozen=True, slots=True)
class Download:
    """A file to download."""

    path: str
    about: str
    size: int


def download_pages(frame: Frame) -> Iterator[SitePage]:
    """The files, and the page that lists them."""
    files = list(_files(frame))
    yield from (page for page, _ in files)
    listed = [Download(page.path, about, len(page.data)) for page, about in files]
    yield frame.page("data.html", "data", title="Data", files=listed)


def _files(frame: Frame) -> Iterator[tuple[SitePage, str]]:
    for form in EXPORTED:
        chosen = export_format(form)
        answer = chosen.write(frame.corpus)
        if isinstance(answer, str):
            yield SitePage(f"data/{chosen.file}", answer), chosen.about
        else:
            yield from (
                (SitePage(f"data/{chosen.file}{name}", text), f"{form}: {name}") for name, text in answer.items()
            )
    yield SitePage("data/corpus.schema.json", corpus_schema(frame.corpus.taxonomy)), "JSON Schema of corpus.json"


def corpus_schema(taxonomy: Taxonomy) -> str:
    """JSON Schema of the JSON export: the schemas of the records' files, with the key that the file name holds."""
    records: dict[str, Any] = {}
    for kind in ("paper", "exclusion"):
        schema = SCHEMAS[kind](taxonomy)
        properties = {"key": {"type": "string"}, **schema["properties"]}
        # Its own $id keeps the references inside of each schema its own.
        records[kind] = {**schema, "$id": kind, "properties": properties, "required": ["key", *schema["required"]]}
    lists = {f"{kind}s": {"type": "array", "items": {"$ref": kind}} for kind in records}
    data = {"type": "object", "properties": lists, "required": list(lists)}
    properties = {"schema": {"const": SCHEMA}, "data": data}
    whole = {"type": "object", "properties": properties, "required": list(properties), "$defs": records}
    return to_json({"$schema": DRAFT, "title": "corpus.json", **whole}, indent=2) + "\n"
