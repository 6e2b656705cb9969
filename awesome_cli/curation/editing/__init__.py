"""Editing of records: each command turns a corpus and a request into a plan and writes nothing."""

from awesome_cli.errors import RefusedError, SurveyError, UsageError
from awesome_cli.model.records import AnyRecord, AnyWork, Exclusion, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import Names
from awesome_cli.survey.loading import KEY


def find(corpus: Corpus, key: str) -> AnyRecord:
    """Return the record with a key or former key; raises `UsageError` if unknown, `SurveyError` if unreadable."""
    if key not in corpus.by_key:
        for finding in corpus.findings:
            if finding.key == key:
                hint = finding.fix if finding.code == "S006" else f"awesome edit {key}"
                raise SurveyError(f"{finding.path} is not a valid record: {finding.message}", hint=hint)
    return corpus.get(key)


def find_work(corpus: Corpus, key: str) -> AnyWork:
    """Return the paper or candidate with a key; raises `UsageError` for an exclusion, which cannot have tags."""
    record = find(corpus, key)
    if isinstance(record, Exclusion):
        raise UsageError(
            f"{record.key} is an exclusion, which cannot have tags",
            hint=f"awesome readmit {record.key}, or note near-misses",
        )
    return record


def check_key(corpus: Corpus, key: str, *, holder: AnyRecord | None = None) -> None:
    """Check that a record (`holder`, else a new paper) can have a key.

    Raises `UsageError` for an invalid key, `RefusedError` if another record's key is equal or differs only in case.
    """
    shape = Exclusion if isinstance(holder, Exclusion) else Paper
    if not KEY.fullmatch(key) or (shape is Paper and key != key.lower()):
        raise UsageError(f"{key!r} is not a valid key", hint="use lower-case letters, digits, '.', '_' and '-'")
    if key in Names():
        raise UsageError(f"{key!r} is a reserved file name on Windows or too long", hint="choose another key")
    alike = (r for r in corpus.records if isinstance(r, shape) and r.key.casefold() == key.casefold())
    other = corpus.by_key.get(key) or next(alike, None)
    if other is not None and (holder is None or other.key != holder.key):
        raise RefusedError(f"{key!r} is taken by {other.path}", hint="choose another key")
