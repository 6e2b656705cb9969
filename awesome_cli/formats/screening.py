"""Decisions of a screening with the works that they are on: `screening.csv` and `screening.ris`.

Both hold papers, exclusions and candidates with title, abstract, authors, year, identifiers, address and a label, as
ASReview reads and writes it: `included` is 1, 0 or empty; in RIS a note says `ASReview_relevant`, `ASReview_irrelevant`
or `ASReview_not_seen`. A paper has the label 1, an exclusion 0. A candidate that was included and waits to be coded has
the label 1; for others open decisions count, then a unanimous blind screening, then the label that an import kept. The
table also has the kind of record, stage, reason, who decided and when, so that an import restores the records.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from awesome_cli.formats import ExportFormat, ris
from awesome_cli.formats import csv as tables
from awesome_cli.formats.exporting import as_paper
from awesome_cli.formats.rows import LABEL, RECORD_KIND
from awesome_cli.model.records import AnyRecord, Candidate, Exclusion, Paper
from awesome_cli.model.screenings import Screenings
from awesome_cli.survey.corpus import Corpus

COLUMNS = ("key", "title", "abstract", "authors", "year", "doi", "arxiv", "url", "keywords", LABEL)
MORE = (RECORD_KIND, "stage", "reason", "screened_by", "screened_on", "note")
NOTES = {True: "ASReview_relevant", False: "ASReview_irrelevant", None: "ASReview_not_seen"}
LABELS = {"include": True, "exclude": False, "near_miss": False, "duplicate": False}
"""What a decision says of relevance; one that was skipped says nothing."""
KEPT = {"1": True, "0": False}


def write(corpus: Corpus, *, raw: bool = False) -> Mapping[str, str]:
    """The files by name."""
    decided = _decided(corpus)
    records: list[AnyRecord] = [*corpus.papers, *corpus.candidates, *corpus.exclusions]
    labelled = [(record, _label(record, decided.get(record.key, ()))) for record in records]
    rows = (_row(record, label, decided.get(record.key, ()), corpus) for record, label in labelled)
    papers = tuple(_noted(record, NOTES[label]) for record, label in labelled)
    return {
        "screening.csv": tables.table((*COLUMNS, *MORE), rows, raw=raw),
        "screening.ris": ris.write(replace(corpus, papers=papers)),
    }


def _decided(corpus: Corpus) -> Mapping[str, list[Screenings]]:
    """Those who decided on a record, by its key."""
    found: dict[str, list[Screenings]] = {}
    for one in corpus.screenings:
        for key in one.final:
            found.setdefault(key, []).append(one)
    return found


def _label(record: AnyRecord, decided: Sequence[Screenings]) -> bool | None:
    """Whether a record is relevant; None where nobody decided, or those who did disagree."""
    if not isinstance(record, Candidate):
        return isinstance(record, Paper)
    if record.proposal == "retain" and record.passed:
        return True
    openly = [one for one in decided if not one.blind]
    said = {LABELS[one.final[record.key].verdict] for one in openly or decided}
    return said.pop() if len(said) == 1 else None if said else KEPT.get(str(record.extra.get(LABEL)))


def _row(record: AnyRecord, label: bool | None, decided: Sequence[Screenings], corpus: Corpus) -> dict[str, object]:  # noqa: FBT001
    own = record.screening if isinstance(record, Exclusion) else None
    day = own.on if own else record.added if isinstance(record, Paper) else ""
    days = [one.final[record.key].on for one in decided]
    row = tables.row(as_paper(record), corpus.taxonomy)
    return {name: row.get(name) for name in (*COLUMNS, *MORE)} | {
        LABEL: "" if label is None else int(label),
        RECORD_KIND: record.KIND,
        "stage": own.stage if own else None,
        "reason": own.reason if own else None,
        # What an import kept of an earlier screening stands for one that was not done here.
        "screened_by": tables.SEPARATOR.join(one.who for one in decided) or record.extra.get("screened_by"),
        "screened_on": str(max(days) if days else record.extra.get("screened_on", day)),
    }


def _noted(record: AnyRecord, note: str) -> Paper:
    """A record as the paper that RIS writes, with its label as a note, and without its coding."""
    paper = as_paper(record)
    extra = {**paper.extra, "notes": ris.texts_of(note, paper.extra.get("notes"))}
    return paper.model_copy(update={"extra": extra, "tags": {}})


EXPORT = ExportFormat("screening/", "labelled records, for screening tools", write, raw=partial(write, raw=True))
