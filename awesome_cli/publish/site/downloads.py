"""The survey's data as files to download: every export, the records as JSON with their schema."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from awesome_cli.formats import json_writing
from awesome_cli.formats.exporting import EXPORTERS, FOLDERS
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.publish.schemas import DRAFT, SCHEMAS
from awesome_cli.publish.site.frame import Frame
from awesome_cli.publish.site.page import SitePage

NAMES = {
    "bibtex": ("papers.bib", "BibTeX, for LaTeX and reference managers"),
    "csv": ("papers.csv", "one row a paper, for spreadsheets"),
    "json": ("corpus.json", "every field of every record"),
    "csljson": ("papers.csl.json", "CSL-JSON, for pandoc and Zotero"),
    "ris": ("papers.ris", "RIS, for screening tools"),
}
"""What a format's file is called; a format that is not named here is called after itself."""


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
    for form, export in EXPORTERS.items():
        name, about = NAMES.get(form, (f"papers.{form}", form))
        yield SitePage(f"data/{name}", export(frame.corpus)), about
    yield SitePage("data/corpus.schema.json", corpus_schema(frame.corpus.taxonomy)), "JSON Schema of corpus.json"
    for form, export_folder in FOLDERS.items():
        if getattr(frame.corpus.taxonomy, form, None) is None:
            continue
        for name, text in export_folder(frame.corpus).items():
            yield SitePage(f"data/{form}/{name}", text), f"{form}: {name}"


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
    properties = {"schema": {"const": json_writing.SCHEMA}, "data": data}
    whole = {"type": "object", "properties": properties, "required": list(properties), "$defs": records}
    return json.dumps({"$schema": DRAFT, "title": "corpus.json", **whole}, ensure_ascii=False, indent=2) + "\n"
