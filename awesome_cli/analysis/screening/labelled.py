"""A labelled set: works with the decision of a finished screening, read from a file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awesome_cli.analysis.ranking import text
from awesome_cli.errors import UsageError
from awesome_cli.formats import ReadingOptions
from awesome_cli.formats.cells import line
from awesome_cli.formats.columns import LABEL, decision_column
from awesome_cli.formats.decisions import decided
from awesome_cli.formats.options import words
from awesome_cli.formats.reading import InputFile, read
from awesome_cli.model.drafts import Draft


@dataclass(frozen=True, slots=True)
class LabelledRecord:
    """A work, where it stands in its file, what an order reads of it, and its label."""

    title: str
    place: str
    text: str
    relevant: bool


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """The works of a file that have a label, and the others: `(place, why it is left out)`. Duplicates are kept.

    `words` are the labels with what each was taken for, a kind of record, and of how many works; `column` is where they
    stand, if they have a column.
    """

    records: tuple[LabelledRecord, ...]
    left_out: tuple[tuple[str, str], ...]
    words: Mapping[str, Mapping[str, Any]]
    column: str | None = None

    @property
    def labels(self) -> tuple[bool, ...]:
        """Whether each work is relevant."""
        return tuple(record.relevant for record in self.records)


def labelled(file: InputFile, options: ReadingOptions) -> LabelledSet:
    """The labelled set in a file; raises `UsageError` for a file without labels."""
    batch = read([file], options)
    drafts = [_said(draft, options) for draft in batch.drafts]
    found = [(draft, _decided(draft)) for draft in drafts]
    records = tuple(_record(draft, kind) for draft, kind in found if kind in {"paper", "exclusion"})
    if not any(record.relevant for record in records):
        columns = f"; columns: {', '.join(batch.columns)}" if batch.columns else ""
        hint = f"name the column of the labels with --column NAME=decision{columns}"
        raise UsageError(f"{file.name}: no work has a label that says that it is relevant", hint=hint)
    failed = [(failure.place, failure.message) for failure in batch.failures]
    unlabelled = ((draft.place, _why(draft)) for draft, kind in found if kind not in {"paper", "exclusion"})
    column = decision_column(batch.columns, options)
    return LabelledSet(records, (*failed, *unlabelled), words(drafts), column)


def _said(draft: Draft, options: ReadingOptions) -> Draft:
    """The draft with the label that a candidate of this program's own table keeps, and that makes no paper of it."""
    word = line(draft.fields.get("extra", {}).get(LABEL)) if draft.kind == "candidate" and not draft.decision else ""
    return decided(draft, word, "", "", options.decisions) if word else draft


def _decided(draft: Draft) -> str | None:
    """The kind that a decision made; None for a work of which the file says nothing."""
    return draft.kind if draft.decision or draft.kind == "exclusion" else None


def _record(draft: Draft, kind: str | None) -> LabelledRecord:
    abstract = line(draft.fields.get("extra", {}).get("abstract"))
    return LabelledRecord(draft.title, draft.place, text(draft.title, abstract), kind == "paper")


def _why(draft: Draft) -> str:
    return f"its label {draft.decision!r} does not say whether it is relevant" if draft.decision else "it has no label"


def sentence(left_out: Sequence[tuple[str, str]], most: int = 5) -> Iterable[str]:
    """The works that are left out, each with its place and the reason, the first few of them."""
    yield from (f"{place}: {why}" for place, why in left_out[:most])
    if len(left_out) > most:
        yield f"and {len(left_out) - most:,} more"
