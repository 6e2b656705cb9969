"""What curators do to records: each verb turns a corpus and a request into a plan, and writes nothing."""

from awesome_cli.errors import RefusedError, SurveyError, UsageError
from awesome_cli.model.records import AnyRecord, AnyWork, Exclusion, Paper
from awesome_cli.survey.corpus import Corpus
from awesome_cli.survey.keys import Names
from awesome_cli.survey.loading import KEY


def find(corpus: Corpus, key: str) -> AnyRecord:
    """The record with this key or former key; raises `UsageError` naming the nearest, `SurveyError` if unreadable."""
    if key not in corpus.by_key:
        for finding in corpus.findings:
            if finding.key == key:
                raise SurveyError(
                    f"{finding.path} is not a valid record: {finding.message}", hint=f"awesome edit {key}"
                )
    return corpus.get(key)


def find_work(corpus: Corpus, key: str) -> AnyWork:
    """The paper or candidate with this key; raises `UsageError` for an exclusion, which carries no tags."""
    record = find(corpus, key)
    if isinstance(record, Exclusion):
        raise UsageError(
            f"{record.key} is an exclusion and carries no tags",
            hint=f"awesome readmit {record.key}, or note near-misses",
        )
    return record


def check_key(corpus: Corpus, key: str, *, holder: AnyRecord | None = None) -> None:
    """Check that a record may have a key, without a `holder` a new paper.

    Raises `UsageError` if it is not valid, `RefusedError` if it is taken, by a name that differs in case alone, too.
    """
    shape = Exclusion if isinstance(holder, Exclusion) else Paper
    if not KEY.fullmatch(key) or (shape is Paper and key != key.lower()):
        raise UsageError(f"{key!r} is not a valid key", hint="use lower-case letters, digits, '.', '_' and '-'")
    if key in Names():
        raise UsageError(
            f"{key!r} cannot be a key: some systems can hold no file of that name", hint="choose another key"
        )
    alike = (r for r in corpus.records if isinstance(r, shape) and r.key.casefold() == key.casefold())
    other = corpus.by_key.get(key) or next(alike, None)
    if other is not None and (holder is None or other.key != holder.key):
        raise RefusedError(f"{key!r} is taken by {other.path}", hint="choose another key")
