"""JSON: an export of this program with all fields of all records, CSL-JSON, or a list of entries.

A single item, or a saved answer of Crossref, DataCite, OpenAlex, Semantic Scholar or Unpaywall, is also accepted. In
other files, fields are recognised by name like columns. If most entries have neither authors nor a year but values
without a field, the file fails, and the message names these values.

`[{"title": "On Tea", "year": 2024}]` becomes one draft with title and year.
"""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from awesome_cli.formats import ExportFormat, ImportFormat, ReadingOptions
from awesome_cli.formats.cells import at
from awesome_cli.formats.rows import collect, joined, listing, record_draft
from awesome_cli.model.drafts import Batch
from awesome_cli.model.records import AnyRecord, Exclusion, Paper, to_document
from awesome_cli.survey.corpus import Corpus
from awesome_cli.text.inert import to_json

SCHEMA = "awesome/papers/1"
KINDS = ("paper", "exclusion", "candidate")


def write(corpus: Corpus) -> str:
    """Return an object with lists of records: `data.papers`, `data.exclusions` and, if selected, `data.candidates`."""
    axes = tuple(corpus.taxonomy.by_id)
    data: dict[str, list[dict[str, object]]] = {"papers": [], "exclusions": []}
    records: tuple[AnyRecord, ...] = (*corpus.papers, *corpus.exclusions)
    for record in records:
        data.setdefault(f"{record.KIND}s", []).append({"key": record.key, **to_document(record, axes)})
    return to_json({"schema": SCHEMA, "data": data}, indent=2, default=str) + "\n"


def read(text: str, name: str, options: ReadingOptions) -> Batch:
    """Read an export of this program (of any version), CSL items, or a list of entries."""
    value = json.loads(text)
    if isinstance(value, dict) and str(value.get("schema", "")).startswith(SCHEMA.rstrip("1")):
        return _records(value.get("data"), name)
    if isinstance(value, dict):
        value = _opened(value)
    return listing(value, name, text, options, judged=True)


def _opened(answer: Mapping[str, Any]) -> Any:
    """Unwrap a response of Crossref (`message`, perhaps with `items`), or of another service (`data`, `results`)."""
    message = answer.get("message") if "message-type" in answer or "status" in answer else None
    if isinstance(message, dict):
        return message["items"] if isinstance(message.get("items"), list) else message
    name = next((name for name in ("data", "results") if name in answer and "title" not in answer), "")
    rows = answer.get(name)
    works = list(map(_work, rows if isinstance(rows, list) else [rows]))
    return answer if not name else {name: works} if isinstance(rows, list) else works


def _work(row: Any) -> Any:
    """Return the work within a row such as `{"citingPaper": {…}}`; any other row is returned unchanged."""
    names = ("attributes", "response", "citingPaper", "citedPaper")
    parts = [part for name in names if isinstance(part := at(row, name), dict)]
    return parts[0] if parts and not at(row, "title") else row


def _records(data: Any, name: str) -> Batch:
    if not isinstance(data, dict):
        raise ValueError("the export has no 'data'")
    return joined(
        collect(
            ((f"{name}#/data/{kind}s/{number}", record) for number, record in enumerate(data.get(f"{kind}s") or [])),
            partial(record_draft, kind=kind),
        )
        for kind in KINDS
    )


EXPORT = ExportFormat(
    "corpus.json", "every field of every record", write, frozenset(Paper.model_fields | Exclusion.model_fields)
)
IMPORT = ImportFormat(("json",), lambda start: start.startswith(("{", "[")), read)
