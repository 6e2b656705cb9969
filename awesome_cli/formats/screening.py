"""Decisions of a screening with the works that they are on: `screening.csv` and `screening.ris`.

Both hold papers, exclusions and candidates with title, abstract, authors, year, identifiers, address and a label, as
ASReview reads and writes it: `included` is 1, 0 or empty, and in RIS a note says `ASReview_relevant`,
`ASReview_irrelevant` or `ASReview_not_seen`. A paper is included, an exclusion is not, duplicates and near misses among
them. A candidate has a label where all who decided on it say the same. The table also has stage, reason, who decided
and when; an import makes papers, exclusions and candidates of it again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from awesome_cli.formats import ExportFormat
from awesome_cli.formats import csv as tables
from awesome_cli.formats.exporting import as_paper
from awesome_cli.formats.ris import writing
from awesome_cli.model.records import AnyRecord, Candidate, Exclusion, Paper
from awesome_cli.model.screenings import Decision
from awesome_cli.survey.corpus import Corpus

COLUMNS = ("key", "title", "abstract", "authors", "year", "doi", "arxiv", "url", "keywords", "included")
MORE = ("stage", "reason", "screened_by", "screened_on", "note")
NOTES = {True: "ASReview_relevant", False: "ASReview_irrelevant", None: "ASReview_not_seen"}
LABELS = {"include": True, "exclude": False, "near_miss": False, "duplicate": False}
"""What a decision says of relevance; one that was skipped says nothing."""

Last = Mapping[str, Decision]
"""The last decision of each person on a record."""


def write(corpus: Corpus, *, raw: bool = False) -> Mapping[str, str]:
    """The files by name."""
    decided = _decided(corpus)
    records: list[AnyRecord] = [*corpus.papers, *corpus.candidates, *corpus.exclusions]
    labelled = [(record, _label(record, decided.get(record.key, {}))) for record in records]
    rows = (_row(record, label, decided.get(record.key, {}), corpus) for record, label in labelled)
    papers = tuple(_noted(record, NOTES[label]) for record, label in labelled)
    return {
        "screening.csv": tables.table((*COLUMNS, *MORE), rows, raw=raw),
        "screening.ris": writing.write(replace(corpus, papers=papers)),
    }


def _decided(corpus: Corpus) -> Mapping[str, dict[str, Decision]]:
    found: dict[str, dict[str, Decision]] = {}
    for one in corpus.screenings:
        for decision in one.decisions:
            found.setdefault(decision.key, {})[one.who] = decision
    return found


def _label(record: AnyRecord, decided: Last) -> bool | None:
    """Whether a record is relevant; None where nobody decided, or those who did disagree."""
    if not isinstance(record, Candidate):
        return isinstance(record, Paper)
    said = {LABELS.get(decision.verdict) for decision in decided.values()}
    return said.pop() if len(said) == 1 else None


def _row(record: AnyRecord, label: bool | None, decided: Last, corpus: Corpus) -> dict[str, object]:  # noqa: FBT001
    own = record.screening if isinstance(record, Exclusion) else None
    day = own.on if own else record.added if isinstance(record, Paper) else None
    days = [decision.on for decision in decided.values()] or ([day] if day else [])
    row = tables.row(_as_paper(record), corpus.taxonomy)
    return {name: row.get(name) for name in (*COLUMNS, *MORE)} | {
        "included": "" if label is None else int(label),
        "stage": own.stage if own else None,
        "reason": own.reason if own else None,
        "screened_by": tables.SEPARATOR.join(decided),
        "screened_on": max(days).isoformat() if days else None,
    }


def _as_paper(record: AnyRecord) -> Any:
    return as_paper(record) if isinstance(record, Exclusion) else record


def _noted(record: AnyRecord, note: str) -> Any:
    """A record as the paper that RIS writes, with its label as a note, and without its coding."""
    paper = _as_paper(record)
    extra = {**paper.extra, "notes": [note, *_list(paper.extra.get("notes"))]}
    return paper.model_copy(update={"extra": extra, "tags": {}})


def _list(notes: Any) -> Iterator[Any]:
    yield from notes if isinstance(notes, list | tuple) else filter(None, (notes,))


EXPORT = ExportFormat("screening/", "labelled records, for screening tools", write, raw=partial(write, raw=True))
