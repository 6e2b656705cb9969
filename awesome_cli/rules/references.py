"""Rules on references inside a record: what it names exists."""

from collections.abc import Iterator

from awesome_cli.model.records import Exclusion
from awesome_cli.reports.findings import Level
from awesome_cli.rules.registry import Found, Route, at, rule
from awesome_cli.survey.corpus import Corpus


@rule("F001", Level.ERROR)
def unknown_record(corpus: Corpus) -> Iterator[Found]:
    """A record refers to a record that does not exist.

    `version_of` and `distinct_from` name other records by their keys.
    """
    known = {*corpus.by_key, *corpus.unread}
    for record in corpus.records:
        names: list[tuple[Route, str]] = [(("distinct_from", i), name) for i, name in enumerate(record.distinct_from)]
        if not isinstance(record, Exclusion) and record.version_of is not None:
            names.append((("version_of", 0), record.version_of))
        for route, name in names:
            if name not in known:
                message = f"{route[0]} names {name!r}, but there is no such record"
                yield at(record, route, message, f"remove {name!r} from {route[0]}")


@rule("F002", Level.ERROR)
def unknown_field(corpus: Corpus) -> Iterator[Found]:
    """The history or a correction names a field that records do not have."""
    for work in corpus.works:
        for name in ("corrections", "history"):
            for i, entry in enumerate(getattr(work, name)):
                if entry.field.partition(".")[0] not in type(work).model_fields:
                    message = f"records have no field {entry.field!r}"
                    yield at(work, (name, i, "field"), message, "see 'awesome schema paper'")
