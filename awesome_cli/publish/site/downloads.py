"""The downloads of the site: every export, the data dictionary, and one archive of all."""

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from awesome_cli.errors import AwesomeError
from awesome_cli.files import paths
from awesome_cli.formats import export_format
from awesome_cli.formats.json import SCHEMA
from awesome_cli.model.taxonomy import Taxonomy
from awesome_cli.publish.schemas import DRAFT, schema_of
from awesome_cli.publish.site import linked
from awesome_cli.publish.site.dictionary import dictionary, vocabulary
from awesome_cli.publish.site.page import Frame, SitePage
from awesome_cli.publish.site.programs import language_models
from awesome_cli.text.inert import to_json, visible

MEDIA: Mapping[str, str] = {
    "zip": "application/zip",
    "csv": "text/csv",
    "json": "application/json",
    "bib": "application/x-bibtex",
    "ris": "application/x-research-info-systems",
}
"""Media types by file extension."""
NAME_LENGTH = 60
"""Maximum length of the name of the archive."""
ONE_TIME = (1980, 1, 1, 0, 0, 0)
"""A fixed timestamp for all archive members, so that the archive is reproducible."""
OWN: Mapping[str, str] = {
    "taxonomy.yaml": "the codebook of the survey",
    "claims.yaml": "the claims of the survey, each with the query that checks it",
    "protocol.yaml": "the search and screening protocol of the survey",
    "LICENSE": "the licence of the repository",
    "LICENSE-CORPUS": "the licence of the records",
}
"""Source files of the survey included in the archive, with descriptions."""


def download_pages(frame: Frame, root: Path) -> Iterator[SitePage]:
    """Yield the files, an archive of them, and the page that lists them."""
    taxonomy, files = frame.corpus.taxonomy, list(_files(frame))
    # In the archive and on the site the tables stand beside the dictionary, or in a folder there.
    tables = {_name(page): page.data.decode() for page, _ in files if page.path.endswith(".csv")}
    files += [
        (SitePage("data/dictionary.csv", dictionary(taxonomy, tables)), "definitions of all columns and fields"),
        (SitePage("data/vocabulary.csv", vocabulary(taxonomy)), "the codebook: definitions of all terms"),
    ]
    packed = [*files, *_own(root)]
    about = "\n".join([*_headline(frame), "", *(f"{_name(page)}: {what}" for page, what in packed)])
    readme = SitePage("data/README.txt", visible(about) + "\n")
    short = re.sub(r"[^a-z0-9]+", "-", (taxonomy.survey.short or taxonomy.survey.title).lower())
    whole = _archive(short[:NAME_LENGTH].strip("-") or "survey", [readme, *(page for page, _ in packed)])
    files = [(whole, "all files of this page and the survey's source files, as one archive"), *files]
    yield from (page for page, _ in files)
    yield language_models(frame, _headline(frame), ((page.path, about) for page, about in files))
    media = {page.path: MEDIA.get(page.path.rpartition(".")[2], "text/plain") for page, _ in files}
    yield frame.page(
        "data.html",
        "data",
        title="Data",
        description=f"Every record of {taxonomy.survey.title}, as files to download.",
        linked=linked.dataset(frame.corpus, frame.description, frame.base, media, frame.corpus.modified),
        files=[(page.path, about, len(page.data)) for page, about in files],
    )


def _name(page: SitePage) -> str:
    """Return the path of a file below `data/`."""
    return page.path.partition("/")[2]


def _own(root: Path) -> Iterator[tuple[SitePage, str]]:
    """Yield the survey's source files for the archive, except links out of the survey."""
    for name, what in OWN.items():
        with suppress(AwesomeError):
            if (content := paths.read(root, name)) is not None:
                yield SitePage(f"data/{name}", content), what


def _archive(name: str, pages: Iterable[SitePage]) -> SitePage:
    held = io.BytesIO()
    with ZipFile(held, "w", ZIP_DEFLATED) as packed:
        for page in sorted(pages, key=lambda page: page.path):
            entry = ZipInfo(f"{name}/{_name(page)}", ONE_TIME)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            packed.writestr(entry, page.data)
    return SitePage(f"data/{name}.zip", held.getvalue())


def _headline(frame: Frame) -> Iterator[str]:
    survey = frame.corpus.taxonomy.survey
    known = {
        "": survey.title,
        "By ": "; ".join(survey.authors),
        "Pool as of ": frame.corpus.last_day,
        "Codings as of ": frame.corpus.recoded,
        "Licence of the records: ": survey.licence,
        "Published at ": survey.url,
        "Site: ": frame.base,
        "Repository: ": survey.repository,
        "Contact: ": survey.contact,
    }
    yield from (f"{words}{value}" for words, value in known.items() if value)


def _files(frame: Frame) -> Iterator[tuple[SitePage, str]]:
    for form, answer in frame.exported.items():
        chosen = export_format(form)
        if isinstance(answer, str):
            yield SitePage(f"data/{chosen.file}", answer), chosen.about
        else:
            for name, text in answer.items():
                yield SitePage(f"data/{chosen.file}{name}", text), f"{chosen.about}: {name}"
    yield SitePage("data/corpus.schema.json", _corpus_schema(frame.corpus.taxonomy)), "JSON Schema of corpus.json"


def _corpus_schema(taxonomy: Taxonomy) -> str:
    """Return the JSON Schema of corpus.json: the schemas of records, with their key."""
    records: dict[str, Any] = {}
    for kind in ("paper", "exclusion"):
        schema = schema_of(kind, taxonomy)
        properties = {"key": {"type": "string"}, **schema["properties"]}
        # Its own $id keeps the references inside of each schema its own.
        records[kind] = {**schema, "$id": kind, "properties": properties, "required": ["key", *schema["required"]]}
    lists = {f"{kind}s": {"type": "array", "items": {"$ref": kind}} for kind in records}
    data = {"type": "object", "properties": lists, "required": list(lists)}
    properties = {"schema": {"const": SCHEMA}, "data": data}
    whole = {"type": "object", "properties": properties, "required": list(properties), "$defs": records}
    return to_json({"$schema": DRAFT, "title": "corpus.json", **whole}, indent=2) + "\n"
