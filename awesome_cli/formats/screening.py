"""Labelled records for screening tools: `screening.csv` and `screening.ris`.

Both contain papers, exclusions and candidates with title, abstract, authors, year, identifiers, URL and ASReview's
label. In CSV, the column `included` is 1, 0 or empty. In RIS, a note is `ASReview_relevant`, `ASReview_irrelevant` or
`ASReview_not_seen`. Papers and included candidates have label 1, exclusions 0. The label of any other candidate is the
decision of open screening, else the unanimous decision of blind screening, else the imported label. The table also has
the kind of record, stage, reason, screeners and date, so that an import restores the records.
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
from awesome_cli.text.grouping import group_pairs

COLUMNS = ("key", "title", "abstract", "authors", "year", "doi", "arxiv", "url", "keywords", LABEL)
MORE = (RECORD_KIND, "stage", "reason", "screened_by", "screened_on", "note")
NOTES = {True: "ASReview_relevant", False: "ASReview_irrelevant", None: "ASReview_not_seen"}
LABELS = {"include": True, "exclude": False, "near_miss": False, "duplicate": False}
"""Relevance by decision."""
IMPORTED = {"1": True, "0": False}


def write(corpus: Corpus, *, raw: bool = False) -> Mapping[str, str]:
    """Return the two files by name."""
    decided = group_pairs((key, screening) for screening in corpus.screenings for key in screening.final)
    records: list[AnyRecord] = [*corpus.papers, *corpus.candidates, *corpus.exclusions]
    labelled = [(record, _label(record, decided.get(record.key, ()))) for record in records]
    rows = (_row(record, label, decided.get(record.key, ()), corpus) for record, label in labelled)
    papers = tuple(_noted(record, NOTES[label]) for record, label in labelled)
    return {
        "screening.csv": tables.table((*COLUMNS, *MORE), rows, raw=raw),
        "screening.ris": ris.write(replace(corpus, papers=papers)),
    }


def _label(record: AnyRecord, decided: Sequence[Screenings]) -> bool | None:
    """Return the relevance of a record, None if screeners have not decided or disagree."""
    if not isinstance(record, Candidate):
        return isinstance(record, Paper)
    if record.proposal == "retain" and record.passed:
        return True
    openly = [screening for screening in decided if not screening.blind]
    labels = {LABELS[screening.final[record.key].verdict] for screening in openly or decided}
    return labels.pop() if len(labels) == 1 else None if labels else IMPORTED.get(str(record.extra.get(LABEL)))


def _row(record: AnyRecord, label: bool | None, decided: Sequence[Screenings], corpus: Corpus) -> dict[str, object]:  # noqa: FBT001
    exclusion = record.screening if isinstance(record, Exclusion) else None
    day = exclusion.on if exclusion else record.added if isinstance(record, Paper) else ""
    days = [screening.final[record.key].on for screening in decided]
    row = tables.row(as_paper(record), corpus.taxonomy)
    return {name: row.get(name) for name in (*COLUMNS, *MORE)} | {
        LABEL: "" if label is None else int(label),
        RECORD_KIND: record.KIND,
        "stage": exclusion.stage if exclusion else None,
        "reason": exclusion.reason if exclusion else None,
        # Fall back to screeners and date of an imported screening.
        "screened_by": tables.SEPARATOR.join(s.who for s in decided) or record.extra.get("screened_by"),
        "screened_on": str(max(days) if days else record.extra.get("screened_on", day)),
    }


def _noted(record: AnyRecord, note: str) -> Paper:
    """Convert a record to a paper for RIS, with the label as a note and without codings."""
    paper = as_paper(record)
    extra = {**paper.extra, "notes": ris.texts_of(note, paper.extra.get("notes"))}
    return paper.model_copy(update={"extra": extra, "tags": {}})


EXPORT = ExportFormat("screening/", "labelled records, for screening tools", write, raw=partial(write, raw=True))
