"""JSON: every field of every record, so that importing it again gives the same records."""

import json

from awesome_cli.model.records import AnyRecord, to_document
from awesome_cli.survey.corpus import Corpus

SCHEMA = "awesome/papers/1"


def export(corpus: Corpus) -> str:
    """One object with `data.papers` and `data.exclusions`: records as in their files, plus `key`."""
    axes = tuple(corpus.taxonomy.by_id)

    def listed(records: tuple[AnyRecord, ...]) -> list[dict[str, object]]:
        return [{"key": record.key, **to_document(record, axes)} for record in records]

    answer = {"schema": SCHEMA, "data": {"papers": listed(corpus.papers), "exclusions": listed(corpus.exclusions)}}
    return json.dumps(answer, ensure_ascii=False, indent=2, allow_nan=False, default=str) + "\n"
